import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { isListingForm, isPrivatePage, plainPathOf } from '#contract/routes.ts';
import type { Config } from '#server/platform/config.ts';
import { refuseForLoad } from '#server/http/load-shedding.ts';
import { addCspReports } from './csp-reports.ts';
import { replyNotFound, replyUnreadable } from '#server/http/error-reply.ts';
import { etagOf, isKnownEtag, sendCompressed } from '#server/http/representation.ts';
import { inProcessApi } from '#server/http/api.ts';
import { PAYMENT_FEATURES, SCANNING_FEATURES } from '#server/http/servers.ts';
import {
  cacheablePolicy,
  createNonce,
  devPolicy,
  isPaymentPage,
  noncePolicy,
  openerPolicyOf,
  PAGE_HEADERS,
  sealPage,
} from './page-policy.ts';
import { CLIENT_FOLDER, loadRenderer, requireBuild, type Rendered, type Renderer } from './web-build.ts';
import { cacheReply, PUBLIC_CACHING, type PublicCache } from '#server/http/cache/cached-responses.ts';
import { readWebFiles, sendWebFile } from './web-files.ts';

export interface WebDeps {
  readonly config: Config;
  /** Where public pages are cached. */
  readonly publicCache?: PublicCache | undefined;
}

/** The first answers go before the renderer is read in. */
const SOON_MS = 100;
/**
 * Pages made at once. It is one processor's work, so more would make none of them sooner; fewer, and a slow answer of
 * the database would keep all others waiting.
 */
const AT_ONCE = 4;
/** About a second's work. Whoever would have to wait longer is told so at once. */
const MOST_WAITING = 100;
const NO_STORE = 'no-store';
/** The database is back within seconds (see error-reply.ts). */
const RETRY_AFTER_SECONDS = '2';
/** Addresses that are not pages: their unknown ones are answered by the API's own 404. */
const NOT_PAGES = /^\/(api|standins)(\/|\?|$)/;
const UNSAFE_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

interface Page extends Rendered {
  readonly nonce: string;
}

const render = async (
  app: FastifyInstance,
  { config, publicCache }: WebDeps,
  renderer: Renderer,
  request: FastifyRequest,
): Promise<Page> => {
  const nonce = createNonce();
  // The origin is the configured one, never what a request claims to have asked for.
  const url = `${config.publicUrl}${request.url}`;
  const headers = { accept: request.headers.accept ?? '*/*', 'user-agent': request.headers['user-agent'] ?? '' };
  const answer = await renderer(new Request(url, { headers }), {
    api: inProcessApi(app, publicCache, request.ip),
    timeZone: config.shopTimeZone,
    demo: config.mode === 'demo',
    nonce: config.dev ? undefined : nonce,
    report: (error) => request.log.error({ err: error }, 'a page could not be rendered'),
  });
  return { ...answer, nonce };
};

/** Policy, caching and the final bytes of a page. */
const finish = (config: Config, pathname: string, page: Page, reply: FastifyReply): Buffer => {
  // What is not there is anybody's to ask for: a cache in front would be filled with addresses made up.
  const isStored = !isPrivatePage(pathname) && page.status < 400;
  reply.header('cache-control', isStored && !config.dev ? PUBLIC_CACHING : NO_STORE);
  if (config.dev) {
    if (isListingForm(pathname)) reply.header('permissions-policy', SCANNING_FEATURES);
    reply.header('content-security-policy', devPolicy());
    return page.body;
  }
  if (!isStored) {
    const stripe = config.stripe !== undefined && isPaymentPage(pathname);
    const scanning = isListingForm(pathname);
    reply.header(
      'content-security-policy',
      noncePolicy(page.nonce, stripe ? 'stripe' : scanning ? 'scanning' : undefined),
    );
    if (stripe) reply.header('permissions-policy', PAYMENT_FEATURES);
    if (scanning) reply.header('permissions-policy', SCANNING_FEATURES);
    return page.body;
  }
  const { html, hashes } = sealPage(page.body, page.nonce);
  reply.header('content-security-policy', cacheablePolicy(hashes));
  return html;
};

const sendPage = async (
  { config }: WebDeps,
  page: Page,
  pathname: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  for (const [name, value] of page.headers) reply.header(name, value);
  // The router names no characters for its data, which are those of everything else.
  if (page.headers.get('content-type') === 'text/x-script') reply.type('text/x-script; charset=utf-8');
  for (const [name, value] of Object.entries(PAGE_HEADERS)) reply.header(name, value);
  reply.header('cross-origin-opener-policy', openerPolicyOf(pathname));
  reply.status(page.status).header('vary', 'Accept-Encoding');
  if (page.status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
  const body = finish(config, pathname, page, reply);
  if (page.status === 200 && reply.getHeader('cache-control') === PUBLIC_CACHING) {
    const tag = etagOf(body, true);
    reply.header('etag', tag);
    cacheReply(request, reply, body, tag);
    if (isKnownEtag(request.headers['if-none-match'], tag)) return reply.status(304).send();
  }
  return sendCompressed(request, reply, body);
};

/**
 * A renderer that is loaded once the shop listens, or for the first page if that comes sooner: calls need not wait for
 * it.
 */
const whenAsked = (app: FastifyInstance, load: () => Promise<Renderer>): Renderer => {
  let loading: Promise<Renderer> | undefined;
  const loaded = (): Promise<Renderer> => (loading ??= load());
  app.addHook('onListen', () => {
    // Whoever asks for a page is told what is wrong with it.
    setTimeout(() => loaded().catch(() => {}), SOON_MS).unref();
  });
  return async (request, deps) => (await loaded())(request, deps);
};

/**
 * Mounts the built React app on everything that is not the API: files with immutable caching, pages rendered on the
 * server under their Content-Security-Policy. Call it last. In development Vite serves the sources instead.
 */
export const mountWeb = async (app: FastifyInstance, deps: WebDeps): Promise<void> => {
  const { config } = deps;
  const renderer = config.dev ? await (await import('./web-dev.ts')).startVite(app) : whenAsked(app, loadRenderer);
  if (!config.dev) requireBuild();
  const limit = pLimit(AT_ONCE);
  if (!config.dev) app.webFiles = readWebFiles(CLIENT_FOLDER);
  await addCspReports(app, config);
  app.setNotFoundHandler(replyNotFound);
  app.route({
    method: ['GET', 'HEAD'],
    url: '*',
    handler: async (request, reply) => {
      if (NOT_PAGES.test(request.url)) return reply.callNotFound();
      const file = app.webFiles.get(request.url.split('?')[0] ?? '');
      if (file !== undefined) return sendWebFile(request, reply, file);
      const pathname = plainPathOf(request.url);
      if (pathname === undefined) return replyUnreadable(request, reply);
      if (limit.pendingCount >= MOST_WAITING) return refuseForLoad(request, reply);
      const page = await limit(() => render(app, deps, renderer, request));
      return sendPage(deps, page, pathname, request, reply);
    },
  });
  app.route({
    method: [...UNSAFE_METHODS],
    url: '*',
    handler: async (request, reply) => {
      if (NOT_PAGES.test(request.url)) return reply.callNotFound();
      return reply
        .status(405)
        .header('allow', 'GET, HEAD')
        .type('text/plain; charset=utf-8')
        .send('Pages are read with GET.\n');
    },
  });
};
