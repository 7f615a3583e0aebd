import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compress, encodingOf, FOR_ALL, isKnownEtag, type Encoding } from '#server/http/representation.ts';
import type { ResponseCache } from './response-cache.ts';

/**
 * Browsers ask every time whether their copy still holds; a shared cache may answer for five seconds, and five more
 * while it asks. `must-revalidate` keeps browsers from the latter.
 */
export const PUBLIC_CACHING = 'public, max-age=0, must-revalidate, s-maxage=5, stale-while-revalidate=5';

/** Addresses beyond this are nobody's page. */
const LONGEST_KEY = 1_000;

/**
 * What a change of the catalogue makes untrue of an address, or undefined where nothing is cached; handed in, because
 * http knows no module.
 */
export type TagsOf = (path: string) => readonly string[] | undefined;

export interface PublicCache {
  readonly cache: ResponseCache;
  readonly tagsOf: TagsOf;
}

/** One form of a response, ready for `writeHead`. */
interface ReadyForm {
  readonly headers: string[];
  readonly body: Buffer;
}

interface CachedResponse extends ReadyForm {
  readonly etag: string;
  /** Headers of a 304. */
  readonly shared: string[];
  /** Made when somebody takes them. */
  readonly compressed: Map<Encoding, ReadyForm | Promise<ReadyForm>>;
}

/** Takes the response to a request that others wait for. */
const takers = new WeakMap<IncomingMessage, (response: CachedResponse) => void>();

/** Headers that belong to one request, and those of a body. */
const NOT_SHARED = new Set(['x-request-id', 'content-type', 'content-length', 'content-encoding']);

/**
 * A body in memory of its very size: one cut from a larger block (Node's pool, a compressor's output) would keep all of
 * that block.
 */
const trimmed = (body: Buffer): Buffer =>
  body.buffer.byteLength === body.length ? body : Buffer.from(new Uint8Array(body).buffer);

/**
 * Caches what a reply is about to send, for whoever asks next and those who wait; nothing where it is not to be cached.
 */
export const cacheReply = (request: FastifyRequest, reply: FastifyReply, body: Buffer, etag: string): void => {
  const take = takers.get(request.raw);
  if (take === undefined) return;
  const shared = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    value === undefined || NOT_SHARED.has(name) ? [] : [name, String(value)],
  );
  const headers = [...shared, 'content-type', String(reply.getHeader('content-type'))];
  take({
    etag,
    shared,
    headers: [...headers, 'content-length', String(body.length)],
    body: trimmed(body),
    compressed: new Map(),
  });
};

const formOf = (response: CachedResponse, accepted: string | undefined): ReadyForm | Promise<ReadyForm> => {
  const encoding = encodingOf(accepted, response.body.length);
  if (encoding === 'identity') return response;
  const present = response.compressed.get(encoding);
  if (present !== undefined) return present;
  const making = compress(response.body, encoding, FOR_ALL).then((packed) => {
    const headers = [...response.headers.slice(0, -1), String(packed.length), 'content-encoding', encoding];
    const form = { headers, body: trimmed(packed) };
    response.compressed.set(encoding, form);
    return form;
  });
  response.compressed.set(encoding, making);
  return making;
};

// Without a promise where nothing is waited for: one would cost a tenth of what a cached response does.
const send = (request: IncomingMessage, response: ServerResponse, cached: CachedResponse): void => {
  const sendForm = ({ headers, body }: ReadyForm): unknown => response.writeHead(200, headers).end(body);
  if (isKnownEtag(request.headers['if-none-match'], cached.etag)) {
    response.writeHead(304, cached.shared).end();
    return;
  }
  const form = formOf(cached, request.headers['accept-encoding']);
  if (form instanceof Promise) void form.then(sendForm, () => sendForm(cached));
  else sendForm(form);
};

const isPublicRequest = (request: IncomingMessage): boolean =>
  request.method === 'GET' &&
  request.headers.host !== undefined &&
  request.headers.authorization === undefined &&
  request.headers['cache-control'] !== 'no-cache' &&
  (request.url?.length ?? 0) <= LONGEST_KEY;

/**
 * Answers from the cache before anything else looks at a request; what is missing is computed once, by `handle`, and
 * whoever asks for the same meanwhile waits for it.
 */
export const answerFromCache =
  ({ cache, tagsOf }: PublicCache, handle: RequestListener): RequestListener =>
  (request, response) => {
    if (!isPublicRequest(request)) return void handle(request, response);
    const key = request.url ?? '/';
    const found = cache.get<CachedResponse>(key);
    if (found !== undefined) {
      cache.counts.kept += 1;
      return send(request, response, found);
    }
    const coming = cache.join<CachedResponse>(key);
    if (coming !== undefined) {
      cache.counts.coming += 1;
      return void coming.then((came) => (came ? send(request, response, came) : handle(request, response)));
    }
    const tags = tagsOf(key.split('?', 1)[0] ?? '');
    if (tags === undefined) return void handle(request, response);
    cache.counts.missing += 1;
    const { promise, resolve } = Promise.withResolvers<CachedResponse | undefined>();
    takers.set(request, resolve);
    // Whatever becomes of it: nobody waits for a response that is not coming.
    response.once('close', () => resolve(undefined));
    void cache.compute(key, tags, () => promise);
    return void handle(request, response);
  };
