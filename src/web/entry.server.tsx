import { text } from 'node:stream/consumers';
import { renderToString } from 'react-dom/server';
import {
  createContext,
  isRouteErrorResponse,
  RouterContextProvider,
  ServerRouter,
  type EntryContext,
} from 'react-router';
import type { Transport } from '#web/api/answer.ts';
import { demoContext, timeZoneContext, transportContext } from '#web/shell/data/load.ts';
import { NonceContext } from '#web/shell/theme/nonce.ts';

/** What the server gives with each request. */
interface Given {
  /** The API, in process. */
  readonly api: Transport;
  /** The shop's own zone. */
  readonly timeZone: string;
  /** Whether the shop is a demo. */
  readonly demo: boolean;
  /** Marks the inline scripts that are ours; absent in development. */
  readonly nonce: string | undefined;
  /** Told of every defect while loading or rendering. */
  readonly report: (error: unknown) => void;
}

export { createRequestHandler } from 'react-router';

const givenContext = createContext<Given>();

/** The context of one request; the server calls it because only this module shares its keys with the routes. */
export const requestContext = (given: Given): RouterContextProvider => {
  const context = new RouterContextProvider();
  context.set(givenContext, given);
  context.set(transportContext, given.api);
  context.set(timeZoneContext, given.timeZone);
  context.set(demoContext, given.demo);
  return context;
};

/** Reports defects; a route's own error response is an answer, not a defect. */
export const handleError = (
  error: unknown,
  { context, request }: { context: RouterContextProvider; request: Request },
) => {
  if (!isRouteErrorResponse(error) && !request.signal.aborted) context.get(givenContext).report(error);
};

/** The page is whole before its scripts run: on a slow line they must not take turns with its styles and fonts. */
const scriptsLast = (html: string): string => {
  // React moves links into the head; nine tenths of a page come after it.
  const end = html.indexOf('</head>');
  const head = html
    .slice(0, end)
    .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');
  return head + html.slice(end);
};

/**
 * The answer that has a rendered page. Not as its body, which would be streamed and read again; nor in a WeakMap beside
 * it, whose values outlive their keys until the next full collection. As bytes: as text it would be copied with
 * everything that is done to it.
 */
class PageResponse extends Response {
  readonly html: Buffer;

  constructor(html: Buffer, init: ResponseInit) {
    super(null, init);
    this.html = html;
  }
}

/** The page that was rendered for a response, in UTF-8; undefined where it has none. */
export const htmlOf = (response: Response): Buffer | undefined =>
  response instanceof PageResponse ? response.html : undefined;

/**
 * Gives the page what the browser's router begins with, whole: it would be streamed after the page, and a page is
 * rendered in one go.
 */
const handOver = async ({ serverHandoffStream, renderMeta }: EntryContext): Promise<void> => {
  if (serverHandoffStream === undefined || renderMeta === undefined) return;
  const result = { done: true, value: await text(serverHandoffStream) };
  renderMeta.streamCache = { 0: Object.assign(Promise.resolve(), { result }) };
};

/** A page is rendered with the routes it shows: the router would make components and elements for all others, too. */
const ofThisPage = (context: EntryContext): EntryContext => {
  const { manifest, staticHandlerContext } = context;
  const routes = Object.fromEntries(
    staticHandlerContext.matches.map(({ route }) => [route.id, manifest.routes[route.id]]),
  );
  return { ...context, manifest: { ...manifest, routes } };
};

/** What React writes in place of a part that is not there yet; what people typed is escaped and never reads so. */
const LEFT_OUT = '<!--$!-->';

/** Renders the whole page before anything is sent: the policy needs the hashes of its scripts. */
const handleRequest = async (
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> => {
  const { nonce } = context.get(givenContext);
  await handOver(routerContext);
  const html = renderToString(
    <NonceContext value={nonce}>
      <ServerRouter context={ofThisPage(routerContext)} url={request.url} nonce={nonce} />
    </NonceContext>,
  );
  if (html.includes(LEFT_OUT)) throw new Error('A part of the page waits for something; loaders wait, pages do not.');
  headers.set('content-type', 'text/html; charset=utf-8');
  return new PageResponse(Buffer.from(`<!DOCTYPE html>${scriptsLast(html)}`), { status, headers });
};

export default handleRequest;
