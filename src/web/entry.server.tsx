import { Writable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import {
  createContext,
  isRouteErrorResponse,
  RouterContextProvider,
  ServerRouter,
  type EntryContext,
} from 'react-router';
import type { Transport } from '#web/api/answer.ts';
import { transportContext } from '#web/shell/load.ts';
import { NonceContext } from '#web/shell/nonce.ts';

/** What the server gives with each request. */
interface Given {
  /** The API, in process. */
  readonly api: Transport;
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
const scriptsLast = (html: string): string =>
  html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');

/** Takes all that is written into it and gives its bytes, one character each. */
const gather = (done: (bytes: string) => void): Writable => {
  const chunks: Uint8Array[] = [];
  return new Writable({
    write: (chunk: Uint8Array, _encoding, next) => {
      chunks.push(chunk);
      next();
    },
    final: (next) => {
      done(Buffer.concat(chunks).toString('latin1'));
      next();
    },
  });
};

/**
 * The answer that has a rendered page, its bytes one character each: as text it would take twice the memory. Not as its body, which would be streamed and read again; nor
 * in a WeakMap beside it, whose values outlive their keys until the next full collection.
 */
class PageResponse extends Response {
  readonly html: string;

  constructor(html: string, init: ResponseInit) {
    super(null, init);
    this.html = html;
  }
}

/** The bytes of the page that was rendered for a response, one character each; undefined where it has none. */
export const htmlOf = (response: Response): string | undefined =>
  response instanceof PageResponse ? response.html : undefined;

/** Renders the whole page before anything is sent: the policy needs the hashes of its scripts. */
const handleRequest = (
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { nonce, report } = context.get(givenContext);
    let finalStatus = status;
    const { pipe } = renderToPipeableStream(
      <NonceContext value={nonce}>
        <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
      </NonceContext>,
      {
        nonce,
        // Whole pages are never revealed piece by piece, so no boundary may be moved out of its place.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onAllReady: () => {
          headers.set('content-type', 'text/html; charset=utf-8');
          const finish = (bytes: string): void =>
            resolve(new PageResponse(scriptsLast(bytes), { status: finalStatus, headers }));
          pipe(gather(finish).once('error', reject));
        },
        onShellError: reject,
        onError: (error) => {
          finalStatus = 500;
          report(error);
        },
      },
    );
  });

export default handleRequest;
