import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest, FastifyServerFactory } from 'fastify';
import type { AnswerHead, Kept, ReadyForm, ResponseCache, Ticket } from './response-cache.ts';

/**
 * Browsers ask every time whether their copy still holds; a shared cache may answer for five seconds, and five more while it asks.
 * `must-revalidate` keeps browsers from the latter.
 */
export const PUBLIC_CACHING = 'public, max-age=0, must-revalidate, s-maxage=5, stale-while-revalidate=5';

/** Addresses beyond this are nobody's page. */
const LONGEST_KEY = 1_000;

/** Which public answers there are, handed in because http knows no module: what a change of the catalogue makes untrue of an address, or undefined where nothing is kept. */
export type ScopesOf = (path: string) => readonly string[] | undefined;

const tickets = new WeakMap<IncomingMessage, Ticket>();

/** The ticket of a request that computes a public answer for all who wait for it. */
export const ticketOf = (request: FastifyRequest): Ticket | undefined => tickets.get(request.raw);

/** Headers of a reply that belong to the answer and not to this one request. */
const sharedHeaders = (reply: FastifyReply): string[] => {
  const shared: string[] = [];
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value === undefined || name === 'content-length' || name === 'content-encoding' || name === 'x-request-id')
      continue;
    shared.push(name, Array.isArray(value) ? value.join(', ') : String(value));
  }
  return shared;
};

/** What a reply is about to send before its body, for keeping. */
export const headOf = (reply: FastifyReply, etag: string): AnswerHead => ({ etag, headers: sharedHeaders(reply) });

const pathOf = (url: string): string => {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
};

const isPublicRequest = (request: IncomingMessage): boolean =>
  request.method === 'GET' &&
  request.headers.host !== undefined &&
  request.headers.authorization === undefined &&
  request.headers['cache-control'] !== 'no-cache' &&
  (request.url?.length ?? 0) <= LONGEST_KEY;

const NOT_WITH_304 = new Set(['content-type', 'content-length', 'content-encoding']);

const sendNotModified = (response: ServerResponse, { headers }: ReadyForm): void => {
  const kept: string[] = [];
  for (let place = 0; place < headers.length; place += 2) {
    const name = headers[place] ?? '';
    if (!NOT_WITH_304.has(name)) kept.push(name, headers[place + 1] ?? '');
  }
  response.writeHead(304, kept);
  response.end();
};

const send = (request: IncomingMessage, response: ServerResponse, etag: string, form: ReadyForm): void => {
  if (request.headers['if-none-match'] === etag) return sendNotModified(response, form);
  response.writeHead(200, form.headers);
  response.end(form.body);
};

/**
 * Answers from the cache before anything else looks at a request; what is missing is computed once, by `next`, and whoever asks
 * for the same meanwhile waits for it.
 */
export const answerFrom = (cache: ResponseCache, scopesOf: ScopesOf, next: RequestListener): RequestListener => {
  const sendWhenReady = async (
    request: IncomingMessage,
    response: ServerResponse,
    etag: string,
    making: Promise<ReadyForm>,
  ): Promise<void> => {
    const form = await making.catch(() => undefined);
    if (form === undefined) next(request, response);
    else send(request, response, etag, form);
  };

  const sendKept = (request: IncomingMessage, response: ServerResponse, { etag, form: formFor }: Kept): void => {
    const form = formFor(request.headers['accept-encoding']);
    if (form instanceof Promise) void sendWhenReady(request, response, etag, form);
    else send(request, response, etag, form);
  };

  const answer = (request: IncomingMessage, response: ServerResponse, mayWait: boolean): void => {
    if (request.socket.destroyed || !isPublicRequest(request)) return next(request, response);
    const key = request.url ?? '/';
    const kept = cache.peek(key);
    if (kept !== undefined) return sendKept(request, response, kept);
    const scopes = scopesOf(pathOf(key));
    if (scopes === undefined) return next(request, response);
    const found = cache.find(key, () => scopes);
    if (found.kind === 'kept') return sendKept(request, response, found);
    if (found.kind === 'coming') {
      if (!mayWait) return next(request, response);
      found.ticket.waiting.push(() => answer(request, response, false));
      return;
    }
    tickets.set(request, found.ticket);
    // Whatever becomes of it: nobody waits for an answer that is not coming.
    response.once('close', () => cache.abandon(found.ticket));
    next(request, response);
  };
  return (request, response) => answer(request, response, true);
};

/** How often slow requests are looked for, and that the missing Host is refused by us (raw-refusals.ts). */
export const SOCKET_OPTIONS = { connectionsCheckingInterval: 2_000, requireHostHeader: false } as const;

export interface KeptAnswers {
  readonly cache: ResponseCache;
  readonly scopesOf: ScopesOf;
}

/** Makes Fastify's server one whose requests go past the cache first; its limits are those Fastify would set. */
export const cachingServer =
  ({ cache, scopesOf }: KeptAnswers): FastifyServerFactory =>
  (handler, options) => {
    const server = createServer(SOCKET_OPTIONS, answerFrom(cache, scopesOf, handler));
    const { keepAliveTimeout, requestTimeout } = options as Partial<
      Pick<Server, 'keepAliveTimeout' | 'requestTimeout'>
    >;
    server.keepAliveTimeout = keepAliveTimeout ?? server.keepAliveTimeout;
    server.requestTimeout = requestTimeout ?? server.requestTimeout;
    return server;
  };
