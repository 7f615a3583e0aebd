import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { Answer, EndpointSpec, Input } from '#contract/endpoint.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { Id } from '#contract/scalars.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { NamedFile } from '#server/platform/files/named-file.ts';
import { JsonText, type JsonPage } from '#server/platform/json-text.ts';
import { guardRoute, viewerOf, type Guard } from './auth.ts';
import type { RateLimit } from './rate-limits.ts';

/** One page of a list: its rows, the cursor of the next page, and the count where it is cheap. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next?: string | undefined;
  readonly total?: number | undefined;
}

/**
 * What a handler returns: a page where the contract answers an array, else the answer itself; either may be JSON
 * already. A file may bring a name of its own.
 */
type Result<A> = A extends readonly (infer Row)[]
  ? Page<Row> | JsonPage<Row>
  : A | JsonText<A> | (A extends string ? NamedFile | Readable : never);

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

/** Deeper nesting than any documented body has; a guard against stack exhaustion. */
const MAX_DEPTH = 8;

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const problemIn = (value: unknown, depth = 0): string | undefined => {
  if (typeof value === 'string') return isStorable(value) ? undefined : 'holds characters that cannot be stored';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_DEPTH) return 'is nested too deeply';
  for (const [key, part] of Object.entries(value)) {
    const problem = isStorable(key) ? problemIn(part, depth + 1) : 'holds characters that cannot be stored';
    if (problem !== undefined) return problem;
  }
  return undefined;
};

/** What no field may hold, whatever its schema: NUL, lone surrogates, absurd nesting. */
const firstBadField = (input: unknown): [string, string] | undefined => {
  if (typeof input !== 'object' || input === null) return undefined;
  for (const [name, value] of Object.entries(input)) {
    const problem = isStorable(name) ? problemIn(value) : 'is not a field';
    if (problem !== undefined) return [isStorable(name) ? name : 'request', problem];
  }
  return undefined;
};

/** What is wrong with `data`, by field. Fastify compiles the schema of a route when it is first asked for. */
const wrongFields = (request: FastifyRequest, schema: TObject, data: unknown): FieldErrors | undefined => {
  const validate = request.compileValidationSchema(schema);
  if (validate(data)) return undefined;
  const fields: FieldErrors = {};
  for (const { keyword, instancePath, params, message = 'is not valid' } of validate.errors ?? []) {
    const field = String(params['missingProperty'] ?? instancePath.split('/')[1] ?? '') || 'request';
    fields[field] ??= keyword === 'required' ? 'This is needed' : `This ${message}`;
  }
  return fields;
};

/**
 * Holds what was sent against the contract, which drops what is no field of it: 400 for what no field may hold, for a
 * repeated key of the query and for what its schema refuses; once all of that is right, 404 for a path that can name
 * nothing.
 */
export const checkInput = (request: FastifyRequest, spec: EndpointSpec): void => {
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (Array.isArray(value))
      throw new AppError('bad_request', `${name} is given more than once`, { fields: { [name]: 'Give it once' } });
  }
  // A file is not read yet, and its route looks at it itself.
  const bad = firstBadField(request.query) ?? (spec.upload === undefined ? firstBadField(request.body) : undefined);
  if (bad !== undefined)
    throw new AppError('bad_request', `${bad[0]} ${bad[1]}`, { fields: { [bad[0]]: `This ${bad[1]}` } });
  const body = request.body ?? null;
  const isLeftOut = spec.optionalBody === true && body === null;
  const fields =
    (spec.body && !isLeftOut && wrongFields(request, spec.body, body)) ||
    (spec.query && wrongFields(request, spec.query, request.query));
  if (fields) throw new AppError('bad_request', 'Something in the request is wrong', { fields });
  if (firstBadField(request.params) !== undefined) throw notFound();
  if (spec.params && !request.validateInput(request.params, spec.params)) throw notFound();
};

const idempotencyKeyOf = (request: FastifyRequest): string | undefined => {
  const key = request.headers['idempotency-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
};

const isPage = (result: unknown): result is Page<unknown> =>
  typeof result === 'object' && result !== null && 'rows' in result && Array.isArray(result.rows);

const isJsonPage = (result: unknown): result is JsonPage<unknown> =>
  typeof result === 'object' && result !== null && 'written' in result && result.written instanceof JsonText;

/** How Fastify's types say that something is JSON. */
type Plain = Record<string, unknown>;

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

/**
 * Writes an answer by the contract's schema, which Fastify compiles when it is first asked for. What is JSON already is
 * sent as it is, but to a page: it holds all that its loaders were given, in its source.
 */
const bodyOf = (spec: EndpointSpec, request: FastifyRequest, reply: FastifyReply, result: unknown): unknown => {
  if (isPage(result) || isJsonPage(result)) setPaginationHeaders(request, reply, result);
  if (spec.file !== undefined) {
    const { type, name } = result instanceof NamedFile ? result : spec.file;
    reply.type(type).header('content-disposition', `attachment; filename="${name}"`);
    return result instanceof NamedFile ? result.text : result;
  }
  if (spec.stream !== undefined) {
    // Proxies would keep lines back until there are many.
    reply.type(spec.stream).header('x-accel-buffering', 'no');
    return result;
  }
  reply.type(JSON_TYPE);
  const answer = isPage(result) ? result.rows : isJsonPage(result) ? result.written : result;
  if (answer instanceof JsonText && !request.isInProcess) return answer.json;
  const row: unknown = answer instanceof JsonText ? JSON.parse(answer.json) : answer;
  return reply.serializeInput(row as Plain, spec.answer as Plain);
};

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
    ...guardRoute(app, spec, guard),
    handler: async (request, reply) => {
      checkInput(request, spec);
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
      return reply.send(bodyOf(spec, request, reply, result));
    },
  });
};
