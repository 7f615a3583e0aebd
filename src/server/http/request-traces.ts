import type { FastifyInstance } from 'fastify';
import { traceRequest, type RequestTrace } from '#server/platform/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    trace: RequestTrace | undefined;
  }
}

/** A span for each request, named by its route: addresses hold what users typed. */
export const addRequestTraces = (app: FastifyInstance): void => {
  app.decorateRequest('trace', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    request.trace = traceRequest(request.method, typeof traceparent === 'string' ? traceparent : undefined);
    if (request.trace === undefined) done();
    else request.trace.run(done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.trace === undefined) return done();
    const route = request.routeOptions.url ?? 'none';
    request.trace.end(
      `${request.method} ${route}`,
      {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': reply.statusCode,
        'dogear.request_id': request.id,
      },
      reply.statusCode >= 500,
    );
    return done();
  });
};
