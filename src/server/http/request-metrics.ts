import type { FastifyInstance } from 'fastify';
import { Counter, Histogram, type Registry } from 'prom-client';
import { measure } from '#server/platform/metrics.ts';
import type { Found, ResponseCache } from './cache/response-cache.ts';

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

/** A cache that counts what is asked of it; parts of answers (kept-parts.ts) are no requests. */
export const measureCache = (kept: ResponseCache, registry: Registry): ResponseCache => {
  const counts = { kept: 0, coming: 0, missing: 0 };
  const help = 'Public requests by what the cache had: kept, coming, missing.';
  measure(registry, 'dogear_cache_requests_total', help, ['found'], () =>
    Object.entries(counts).map(([found, count]) => [{ found }, count]),
  );
  measure(registry, 'dogear_cache_bytes', 'Bytes of kept answers.', [], () => [[{}, kept.bytes]]);
  measure(registry, 'dogear_cache_entries', 'Kept answers.', [], () => [[{}, kept.entries]]);
  const counted = <F extends Found | undefined>(key: string, found: F): F => {
    if (found !== undefined && key.startsWith('/')) counts[found.kind] += 1;
    return found;
  };
  return {
    ...kept,
    peek: (key) => counted(key, kept.peek(key)),
    find: (key, scopesOf) => counted(key, kept.find(key, scopesOf)),
    get bytes() {
      return kept.bytes;
    },
    get entries() {
      return kept.entries;
    },
  };
};
