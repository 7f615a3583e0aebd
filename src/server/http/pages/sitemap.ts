import { Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CLOSED_TO_ROBOTS } from '#contract/routes.ts';
import { encodingOf } from './compress.ts';

/** A page to be found; `path` is already encoded for an address. */
interface FoundPage {
  readonly path: string;
  readonly changedAt?: string;
}

/** What can be found in the shop; handed in, because http knows no module. */
export interface SitemapSource {
  /** The pages that are no copies. */
  standing(): Promise<readonly FoundPage[]>;
  /** Each part of the copies by where it begins. */
  parts(): Promise<readonly { from: string; changedAt: string }[]>;
  /** The copies of one part, in batches; throws for a `from` that is none. */
  copies(from: string): AsyncGenerator<readonly FoundPage[]>;
}

export interface SitemapDeps {
  readonly publicUrl: string;
  readonly source: SitemapSource;
}

/** Search engines come a few times a day; in between a shared cache may answer. */
const HOUR = 'public, max-age=3600';
const XML = 'application/xml; charset=utf-8';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

const robots = (publicUrl: string): string =>
  [
    'User-agent: *',
    ...CLOSED_TO_ROBOTS.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const entry = (tag: 'url' | 'sitemap', address: string, changedAt: string | undefined): string => {
  const changed = changedAt === undefined ? '' : `<lastmod>${changedAt}</lastmod>`;
  return `<${tag}><loc>${escape(address)}</loc>${changed}</${tag}>\n`;
};

const pages = (publicUrl: string, found: readonly FoundPage[]): string =>
  found.map(({ path, changedAt }) => entry('url', `${publicUrl}${path}`, changedAt)).join('');

const OPEN = `${HEAD}<urlset xmlns="${NAMESPACE}">\n`;
const CLOSE = '</urlset>\n';

async function* written(
  publicUrl: string,
  first: readonly FoundPage[],
  rest: AsyncGenerator<readonly FoundPage[]>,
): AsyncGenerator<string> {
  yield OPEN + pages(publicUrl, first);
  for await (const batch of rest) yield pages(publicUrl, batch);
  yield CLOSE;
}

const sendStream = (request: FastifyRequest, reply: FastifyReply, body: Readable): FastifyReply => {
  const encoding = encodingOf(request.headers['accept-encoding'], Number.POSITIVE_INFINITY);
  reply.header('cache-control', HOUR).header('vary', 'Accept-Encoding').type(XML);
  if (encoding === 'identity') return reply.send(body);
  const packed =
    encoding === 'br' ? createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }) : createGzip();
  body.once('error', (error) => packed.destroy(error));
  packed.once('close', () => body.destroy());
  return reply.header('content-encoding', encoding).send(body.pipe(packed));
};

/** GET /robots.txt and /sitemap.xml, an index of parts: the standing pages, and the copies 50,000 at a time. */
export const addSitemap = (app: FastifyInstance, { publicUrl, source }: SitemapDeps): void => {
  const hidden = { schema: { hide: true } };
  app.get('/robots.txt', hidden, async (_request, reply) =>
    reply.header('cache-control', HOUR).type('text/plain; charset=utf-8').send(robots(publicUrl)),
  );
  app.get('/sitemap.xml', hidden, async (_request, reply) => {
    const parts = await source.parts();
    const entries = [
      entry('sitemap', `${publicUrl}/sitemap-pages.xml`, undefined),
      ...parts.map(({ from, changedAt }) =>
        entry('sitemap', `${publicUrl}/sitemap-books.xml?from=${encodeURIComponent(from)}`, changedAt),
      ),
    ];
    reply.header('cache-control', HOUR).type(XML);
    return reply.send(`${HEAD}<sitemapindex xmlns="${NAMESPACE}">\n${entries.join('')}</sitemapindex>\n`);
  });
  app.get('/sitemap-pages.xml', hidden, async (_request, reply) => {
    const standing = pages(publicUrl, await source.standing());
    return reply.header('cache-control', HOUR).type(XML).send(`${OPEN}${standing}${CLOSE}`);
  });
  app.get<{ Querystring: { from?: unknown } }>('/sitemap-books.xml', hidden, async (request, reply) => {
    const batches = source.copies(String(request.query.from ?? ''));
    // The first rows are read before anything is sent, so that a failure is still an answer.
    const first = await batches.next();
    const rest = first.done === true ? [] : first.value;
    return sendStream(request, reply, Readable.from(written(publicUrl, rest, batches)));
  });
};
