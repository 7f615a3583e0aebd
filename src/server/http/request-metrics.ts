import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { createCounter, createHistogram, gauge, type Collector } from '#server/platform/metrics.ts';
import type { ResponseCache } from './response-cache.ts';

/** Bounds of what people feel, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const NANO = 1e9;

declare module 'fastify' {
  interface FastifyInstance {
    measured: Collector;
  }
}

/** Makes a thing once for each name; names are few. */
const remembered = <A>(make: (name: string) => A): ((name: string) => A) => {
  const made = new Map<string, A>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const fresh = make(name);
    made.set(name, fresh);
    return fresh;
  };
};

/** Measures what the app answers, by route; calls that pages make in process are calls too. */
export const measureRequests = (app: FastifyInstance): Collector => {
  const requests = createCounter('dogear_http_requests_total', 'Answers by method, route and status.');
  const seconds = createHistogram('dogear_http_request_seconds', 'Time to answer, by route.', BOUNDS);
  const countOf = remembered((name) => {
    const [method = '', status = '', ...route] = name.split(' ');
    return requests.of({ method, route: route.join(' '), status });
  });
  const timeOf = remembered((route) => seconds.of({ route }));
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    countOf(`${request.method} ${reply.statusCode} ${route}`)();
    timeOf(route)(reply.elapsedTime / 1_000);
    done();
  });
  return () => [requests.family(), seconds.family()];
};

/** A cache that counts what is asked of it. */
export const measureCache = (kept: ResponseCache): { kept: ResponseCache; collect: Collector } => {
  const asked = createCounter(
    'dogear_cache_requests_total',
    'Public requests by what the cache had: kept, coming, missing.',
  );
  const countFound = {
    kept: asked.of({ found: 'kept' }),
    coming: asked.of({ found: 'coming' }),
    missing: asked.of({ found: 'missing' }),
  };
  return {
    kept: {
      ...kept,
      peek: (key) => {
        const found = kept.peek(key);
        if (found !== undefined && key.startsWith('/')) countFound.kept();
        return found;
      },
      find: (key, scopesOf) => {
        const found = kept.find(key, scopesOf);
        // Parts of answers (kept-parts.ts) are no requests.
        if (key.startsWith('/')) countFound[found.kind]();
        return found;
      },
      get bytes() {
        return kept.bytes;
      },
      get entries() {
        return kept.entries;
      },
    },
    collect: () => [
      asked.family(),
      gauge('dogear_cache_bytes', 'Bytes of kept answers.', kept.bytes),
      gauge('dogear_cache_entries', 'Kept answers.', kept.entries),
    ],
  };
};

/** How late the event loop is and what the process holds, each process by its id. */
export const measureProcess = (): { collect: Collector; lagSeconds(): number; stop(): void } => {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const labels = { process: String(process.pid) };
  const startedAt = Date.now() / 1_000 - process.uptime();
  const one = (value: number) => [{ labels, value }];
  // The resolution itself is part of what is measured.
  const lagSeconds = (): number => Math.max(0, delay.percentile(99) / NANO - 0.01);
  return {
    lagSeconds,
    stop: () => delay.disable(),
    collect: () => {
      const { user, system } = process.cpuUsage();
      const families = [
        gauge(
          'dogear_event_loop_lag_seconds',
          'How late the event loop was since it was last asked, p99.',
          one(lagSeconds()),
        ),
        gauge('dogear_memory_bytes', 'Resident memory of a process.', one(process.memoryUsage.rss())),
        gauge('dogear_started_seconds', 'When a process began, in seconds since 1970.', one(startedAt)),
        {
          name: 'dogear_cpu_seconds_total',
          help: 'CPU time of a process.',
          type: 'counter' as const,
          samples: one((user + system) / 1e6),
        },
      ];
      delay.reset();
      return families;
    },
  };
};
