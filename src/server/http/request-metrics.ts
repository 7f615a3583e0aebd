import type { FastifyInstance } from 'fastify';
import { Counter, Histogram, type Registry } from 'prom-client';
import { measure } from '#server/platform/metrics.ts';
import type { ResponseCache } from './cache/response-cache.ts';

/** Measures what the app answers, by route; calls that pages make in process are calls too. */
export const measureRequests = (app: FastifyInstance, registry: Registry): void => {
  const requests = new Counter({
    name: 'dogear_http_requests_total',
    help: 'Answers by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'dogear_http_request_seconds',
    help: 'Time to answer, by route.',
    labelNames: ['route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    requests.inc({ method: request.method, route, status: reply.statusCode });
    seconds.observe({ route }, reply.elapsedTime / 1_000);
    done();
  });
};

/** Measures what the cache holds and what is found in it; parts of responses are no requests. */
export const measureCache = (cache: ResponseCache, registry: Registry): void => {
  const help = 'Public requests by what the cache had: kept, coming, missing.';
  measure(registry, 'dogear_cache_requests_total', help, ['found'], () =>
    Object.entries(cache.counts).map(([found, count]) => [{ found }, count]),
  );
  measure(registry, 'dogear_cache_bytes', 'Bytes of cached answers.', [], () => [[{}, cache.bytes()]]);
  measure(registry, 'dogear_cache_entries', 'Cached answers.', [], () => [[{}, cache.entries()]]);
};
