import type { FastifyInstance, FastifyReply } from 'fastify';
import { CLOSED_TO_ROBOTS } from '#contract/routes.ts';
import { escape } from '#server/platform/escape.ts';
import { sendCompressed } from '#server/http/representation.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { listSitemapPages, listSitemapParts, listStandingPages, type FoundPage } from './sitemap.service.ts';

/** Search engines come a few times a day; in between a shared cache may answer. */
const HOUR = 'public, max-age=3600';
const ROOTS = { url: 'urlset', sitemap: 'sitemapindex' } as const;

const documentOf = (publicUrl: string, tag: keyof typeof ROOTS, found: readonly FoundPage[]): string => {
  const entries = found.map(({ path, changedAt }) => {
    const changed = changedAt === undefined ? '' : `<lastmod>${changedAt}</lastmod>`;
    return `<${tag}><loc>${escape(publicUrl + path)}</loc>${changed}</${tag}>\n`;
  });
  const root = `${ROOTS[tag]} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>\n${entries.join('')}</${ROOTS[tag]}>\n`;
};

const send = (reply: FastifyReply, type: string, text: string): Promise<FastifyReply> =>
  sendCompressed(reply.request, reply.header('cache-control', HOUR).type(`${type}; charset=utf-8`), Buffer.from(text));

/** GET /robots.txt and /sitemap.xml, an index of parts: the standing pages, and the copies some thousands at a time. */
export const sitemapRoutes = (app: FastifyInstance, { db, publicUrl }: { db: Db; publicUrl: string }): void => {
  const robots = CLOSED_TO_ROBOTS.map((path) => `Disallow: ${path}\n`).join('');
  app.get('/robots.txt', (_request, reply) =>
    send(reply, 'text/plain', `User-agent: *\nAllow: /api/feeds/\n${robots}\nSitemap: ${publicUrl}/sitemap.xml\n`),
  );
  let reading: ReturnType<typeof listSitemapParts> | undefined;
  app.get('/sitemap.xml', async (_request, reply) => {
    // Of millions of copies that takes seconds: whoever asks meanwhile has the same answer.
    reading ??= listSitemapParts(db).finally(() => (reading = undefined));
    const parts = (await reading).map(({ from, changedAt }) => ({
      path: `/sitemap-books.xml?from=${encodeURIComponent(from)}`,
      changedAt,
    }));
    const document = documentOf(publicUrl, 'sitemap', [{ path: '/sitemap-pages.xml' }, ...parts]);
    return send(reply, 'application/xml', document);
  });
  app.get('/sitemap-pages.xml', async (_request, reply) =>
    send(reply, 'application/xml', documentOf(publicUrl, 'url', await listStandingPages(db))),
  );
  app.get<{ Querystring: { from?: unknown } }>('/sitemap-books.xml', async (request, reply) => {
    const copies = await listSitemapPages(db, String(request.query.from ?? ''));
    return send(reply, 'application/xml', documentOf(publicUrl, 'url', copies));
  });
};
