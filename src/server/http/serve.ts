import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Answer, EndpointSpec, Input } from '#contract/endpoint.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { checkGuard, type Guard } from './auth.ts';

/** One page of a list: its rows, the cursor of the next page, and the count where it is cheap. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next?: string | undefined;
  readonly total?: number | undefined;
}

/** What a handler returns: a `Page` where the contract answers an array, else the answer itself. */
type Result<A> = A extends readonly (infer Row)[] ? Page<Row> : A;

/** What a handler is given beside the checked input. */
export interface CallContext {
  readonly viewer: Viewer;
  readonly ip: string;
  readonly userAgent: string;
  readonly idempotencyKey: string | undefined;
  readonly requestId: string;
  readonly reply: FastifyReply;
}

export type Handler<E extends EndpointSpec> = (
  call: Input<E> & CallContext,
) => Promise<Result<Answer<E>>> | Result<Answer<E>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: EndpointSpec;
  }
}

const idempotencyKeyOf = (request: FastifyRequest): string | undefined => {
  const key = request.headers['idempotency-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
};

const isPage = (result: unknown): result is Page<unknown> =>
  typeof result === 'object' && result !== null && 'rows' in result && Array.isArray(result.rows);

const sendPage = (request: FastifyRequest, reply: FastifyReply, page: Page<unknown>): readonly unknown[] => {
  if (page.next !== undefined) {
    const url = new URL(request.url, 'http://api');
    url.searchParams.set('cursor', page.next);
    reply.header('link', `<${url.pathname}${url.search}>; rel="next"`);
  }
  if (page.total !== undefined) reply.header('x-total-count', String(page.total));
  return page.rows;
};

const schemaOf = (spec: EndpointSpec) => ({
  summary: spec.summary,
  description: `Who may: ${spec.access}.`,
  tags: [spec.path.split('/')[1] ?? ''],
  ...(spec.params && { params: spec.params }),
  ...(spec.query && { querystring: spec.query }),
  ...(spec.body && { body: spec.body }),
  response: { [spec.status]: spec.answer } satisfies Record<number, TSchema>,
});

/**
 * Turns an endpoint and a handler into a route of the API. Input is checked against the contract before the handler runs
 * and the answer is written by the contract's schema, so a column that is not in the contract cannot leak.
 * The one place where Fastify's untyped input becomes the contract's types.
 */
export const serve = <E extends EndpointSpec>(
  app: FastifyInstance,
  spec: E,
  guard: Guard,
  handler: Handler<E>,
): void => {
  app.route({
    method: spec.method,
    url: `/api${spec.path}`,
    config: { endpoint: spec },
    schema: schemaOf(spec),
    handler: async (request, reply) => {
      const viewer = await checkGuard(app, guard, request);
      reply.status(spec.status);
      if (spec.personal || viewer.kind === 'signed-in') reply.header('cache-control', 'no-store');
      if (!spec.personal) reply.header('vary', 'Authorization');
      const context: CallContext = {
        viewer,
        ip: request.ip,
        userAgent: String(request.headers['user-agent'] ?? '').slice(0, 500),
        idempotencyKey: idempotencyKeyOf(request),
        requestId: request.id,
        reply,
      };
      // Fastify checked these three against the contract's own schemas a moment ago.
      const input: object = { params: request.params, query: request.query, body: request.body, ...context };
      const result = await handler(input as Input<E> & CallContext);
      // Nothing to read: done, or look there.
      if (spec.status === 204 || spec.status === 303) return reply.send();
      return reply.send(isPage(result) ? sendPage(request, reply, result) : result);
    },
  });
};
