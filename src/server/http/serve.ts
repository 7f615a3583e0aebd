import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Answer, EndpointSpec, Input } from '#contract/endpoint.ts';
import { Id } from '#contract/scalars.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { JsonText, type JsonPage } from '#server/platform/json-text.ts';
import type { Guard } from './auth.ts';
import { isInProcess } from './in-process.ts';
import type { RateLimit } from './rate-limits.ts';
import { guardRoute, viewerOf } from './route-guard.ts';

/** One page of a list: its rows, the cursor of the next page, and the count where it is cheap. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next?: string | undefined;
  readonly total?: number | undefined;
}

/**
 * What a handler returns: a page where the contract answers an array, else the answer itself; either may be JSON
 * already.
 */
type Result<A> = A extends readonly (infer Row)[] ? Page<Row> | JsonPage<Row> : A | JsonText<A>;

/** What a handler is given beside the checked input. */
export interface CallContext {
  readonly viewer: Viewer;
  readonly ip: string;
  readonly userAgent: string;
  readonly idempotencyKey: string | undefined;
  readonly requestId: string;
  readonly reply: FastifyReply;
  /** Runs a read of what is public where it may be answered, which may be a replica of the database. */
  readonly read: <A>(work: (db: Db) => Promise<A>) => Promise<A>;
}

export type Handler<E extends EndpointSpec> = (
  call: Input<E> & CallContext,
) => Promise<Result<Answer<E>>> | Result<Answer<E>>;

/**
 * Runs a read of what is public for the address `path` where it may be answered; handed in, because http knows no
 * module.
 */
export type ReadPublic = <A>(asked: { path: string; viewer: Viewer }, work: (db: Db) => Promise<A>) => Promise<A>;

declare module 'fastify' {
  interface FastifyInstance {
    readPublic: ReadPublic;
  }
  interface FastifyContextConfig {
    endpoint?: EndpointSpec;
    guard?: Guard;
  }
}

const idempotencyKeyOf = (request: FastifyRequest): string | undefined => {
  const key = request.headers['idempotency-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
};

const isPage = (result: unknown): result is Page<unknown> =>
  typeof result === 'object' && result !== null && 'rows' in result && Array.isArray(result.rows);

const isJsonPage = (result: unknown): result is JsonPage<unknown> =>
  typeof result === 'object' && result !== null && 'written' in result && result.written instanceof JsonText;

/** What Fastify says of what it writes itself. */
const JSON_TYPE = 'application/json; charset=utf-8';

/** The same address with another cursor, of what was checked of its query. */
const withCursor = (request: FastifyRequest, cursor: string): string => {
  const query = new URLSearchParams(request.query as Record<string, string>);
  query.set('cursor', cursor);
  return `${request.url.split('?', 1)[0]}?${query.toString()}`;
};

const setPaginationHeaders = (
  request: FastifyRequest,
  reply: FastifyReply,
  page: Pick<Page<unknown>, 'next' | 'total'>,
): void => {
  if (page.next !== undefined) {
    reply.header('link', `<${withCursor(request, page.next)}>; rel="next"`);
  }
  if (page.total !== undefined) reply.header('x-total-count', String(page.total));
};

/** What is given to Fastify to send: rows and answers to be written by their schema, or text that is JSON already. */
const bodyOf = (request: FastifyRequest, reply: FastifyReply, result: unknown): unknown => {
  if (result instanceof JsonText) return written(request, reply, result);
  if (isPage(result)) {
    setPaginationHeaders(request, reply, result);
    return result.rows;
  }
  if (!isJsonPage(result)) return result;
  setPaginationHeaders(request, reply, result);
  return written(request, reply, result.written);
};

/**
 * A page holds all that its loaders were given, in its source: that is what the contract's schema names and no more.
 */
const written = (request: FastifyRequest, reply: FastifyReply, { json }: JsonText<unknown>): string => {
  reply.header('content-type', JSON_TYPE);
  return isInProcess(request) ? String(reply.serializeInput(JSON.parse(json), String(reply.statusCode))) : json;
};

const schemaOf = (spec: EndpointSpec) => ({
  summary: spec.summary,
  description: `Who may: ${spec.access}.`,
  tags: [spec.path.split('/')[1] ?? ''],
  ...(spec.params && { params: spec.params }),
  ...(spec.query && { querystring: spec.query }),
  // No body at all is null to the check.
  ...(spec.body && { body: spec.optionalBody === true ? { ...spec.body, type: ['object', 'null'] } : spec.body }),
  response: {
    [spec.status]: spec.answer,
    ...(spec.otherStatus !== undefined && { [spec.otherStatus]: spec.answer }),
  } satisfies Record<number, TSchema>,
});

const patternOf = (schema: unknown): unknown => (schema as { pattern?: unknown } | undefined)?.pattern;

/** The ids of a path as they are stored: a UUID may be typed in capitals, and is written down as one thing. */
const withPlainIds = (spec: EndpointSpec, params: unknown): unknown => {
  const given = Object.entries({ ...(params as Record<string, string>) });
  const isId = (name: string): boolean => patternOf(spec.params?.properties[name]) === patternOf(Id);
  return Object.fromEntries(given.map(([name, value]) => [name, isId(name) ? value.toLowerCase() : value]));
};

/**
 * Turns an endpoint and a handler into a route of the API. Who asks is looked at first, then input is checked against
 * the contract before the handler runs and the answer is written by the contract's schema, so a column that is not in
 * the contract cannot leak; what the database has written already is held to its schema by a test. The one place where
 * Fastify's untyped input becomes the contract's types.
 */
export const serve = <E extends EndpointSpec>(
  app: FastifyInstance,
  spec: E,
  access: Guard | { readonly guard: Guard; readonly limits: readonly RateLimit[] },
  handler: Handler<E>,
): void => {
  const { guard, limits } = typeof access === 'string' ? { guard: access, limits: [] } : access;
  app.route({
    method: spec.method,
    url: `/api${spec.path}`,
    config: { endpoint: spec, guard },
    schema: schemaOf(spec),
    ...guardRoute(app, spec, guard),
    handler: async (request, reply) => {
      const viewer = await viewerOf(app, spec, guard, request);
      if (limits.length > 0) await app.rateLimiter(spec, limits, viewer, request.ip);
      reply.status(spec.status);
      if (spec.personal || viewer.kind === 'signed-in') reply.header('cache-control', 'no-store');
      if (!spec.personal) reply.header('vary', 'Authorization');
      // Fastify checked the first three against the contract's own schemas a moment ago.
      const call: CallContext & Record<'params' | 'query' | 'body', unknown> = {
        params: withPlainIds(spec, request.params),
        query: request.query,
        body: request.body,
        viewer,
        ip: request.ip,
        userAgent: String(request.headers['user-agent'] ?? '').slice(0, 500),
        idempotencyKey: idempotencyKeyOf(request),
        requestId: request.id,
        reply,
        read: (work) => app.readPublic({ path: request.url.split('?', 1)[0] ?? '', viewer }, work),
      };
      const input: object = call;
      const result = await handler(input as Input<E> & CallContext);
      // Nothing to read: done, or look there.
      if (spec.status === 204 || spec.status === 303) return reply.send();
      if (spec.file !== undefined)
        reply.type(spec.file.type).header('content-disposition', `attachment; filename="${spec.file.name}"`);
      return reply.send(bodyOf(request, reply, result));
    },
  });
};
