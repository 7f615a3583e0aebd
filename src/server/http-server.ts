import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { buildApp } from './app.ts';
import { tagsChangedBy } from './catalog/cache-tags.service.ts';
import { fetchPicture } from './catalog/photos/fetching/fetch-picture.ts';
import { createPhotoStore } from './catalog/photos/store/photo-store.ts';
import { createResponseCache, measureCache } from './http/cache/response-cache.ts';
import type { Infrastructure } from './infrastructure.ts';
import { createLive } from './messages/live.ts';
import { measureBreakers } from './platform/breaker.ts';
import type { PaymentProvider } from './payments/stripe-provider.ts';
import type { Config } from './platform/config.ts';
import { connect, type Db } from './platform/postgres/db.ts';
import { measurePools, measureProcess, type Measured } from './platform/metrics.ts';
import { listenForNotify } from './platform/postgres/notify-listener.ts';
import { openReplicas, type Replicas } from './platform/postgres/replicas.ts';
import { openPayments, openSocial } from './services.ts';

/** Asked of a process before it listens: a page of each kind that is asked for most. */
const WARM_UP = ['/', '/api/categories?limit=12', '/api/categoryName'];

/**
 * How long idle connections are left open, in ms: proxies and browsers that are busy at all ask within the patient one.
 */
const LINGER_MS: Readonly<Record<ShutdownMode, number>> = { quick: 0, patient: 5_000 };

/**
 * `quick`: connections on which nobody asks anything are closed at once, as for Ctrl-C. `patient`: after a while,
 * because a request may be on its way there, as for a process whose place another one takes.
 */
export type ShutdownMode = 'quick' | 'patient';

/** What answers requests: this process, or its workers. */
export interface Server {
  readonly db: Db;
  readonly provider: PaymentProvider;
  readonly log: FastifyBaseLogger;
  /** Begins to answer; rejects where it cannot. */
  listen(): Promise<unknown>;
  /** Stops listening, finishes what is in flight and waits for nobody who has stopped talking. */
  close(mode: ShutdownMode): Promise<unknown>;
  /** Drops the connections that closing still waits for. */
  hurry(): void;
  /** Puts a new worker in the place of each, one after the other; absent where there are none. */
  reload?(): Promise<void>;
  /** What each process measures. */
  collect(): Promise<readonly Measured[]>;
  /** How late the event loop of this process is, in seconds. */
  lagSeconds(): number;
  /** Why nobody answers, in sentences. */
  problems(): readonly string[];
}

/** What each process has that answers requests. */
export interface HttpServer extends Server {
  readonly app: FastifyInstance;
  /** Opens its connections and has a page rendered once, so that whoever comes first does not wait for that. */
  warmUp(): Promise<void>;
}

/**
 * Opens a pool, the cache and the app; does not listen yet. Of what it opens the app alone is not closed by
 * `resources`.
 */
export const openHttpServer = async (
  config: Config,
  { databaseUrl, standins }: Infrastructure,
  resources: AsyncDisposableStack,
): Promise<HttpServer> => {
  const { databaseConnections: connections, publicUrl } = config;
  const connection = connect(databaseUrl, { connections, publicUrl });
  resources.defer(() => connection.close());
  const { db } = connection;
  const hasReplicas = config.replicaUrls.length > 0;
  let replicas: Replicas | undefined;
  const cache = createResponseCache({
    maxBytes: config.cacheBytes,
    isCurrent: () => listener.isCurrent(),
    readsReplicas: hasReplicas,
  });
  const invalidate = (tags?: ReadonlySet<string>): void => {
    replicas?.invalidate(tags ?? 'all');
    cache.invalidate(tags);
  };
  const live = createLive();
  const listener = listenForNotify(databaseUrl, {
    onNotify: { catalogue: (payload) => invalidate(tagsChangedBy(payload)), messages: live.tell },
    onGap: () => {
      invalidate();
      live.tellAll();
    },
  });
  resources.defer(() => listener.stop());
  // Of its own: commits that wait for a replica which has just died keep all the others busy, and nobody could read
  // meanwhile.
  const reads = hasReplicas ? connect(databaseUrl, { connections: Math.ceil(connections / 2), publicUrl }) : undefined;
  if (reads !== undefined) {
    replicas = openReplicas({
      primary: reads,
      primaryUrl: databaseUrl,
      urls: config.replicaUrls,
      publicUrl,
      connections,
      isCurrent: () => listener.isCurrent(),
      onChange: (database, away) => {
        if (away === undefined) app.log.warn({ database }, 'a database is read again');
        else app.log.warn({ database, err: away }, 'a database is left out of public reads');
      },
    });
    resources.adopt(replicas, (one) => one.stop());
  }
  const registry = new Registry();
  const lagSeconds = measureProcess(registry);
  measurePools(registry, { requests: () => connection.pool(), ...(reads && { reads: () => reads.pool() }) });
  measureBreakers(registry);
  measureCache(cache, registry);
  const payments = await openPayments(config, standins.stripe);
  const app = await buildApp({
    db,
    config,
    capacity: { waiting: () => connection.pool().waiting, connections },
    web: true,
    cache,
    live,
    metrics: registry,
    replicas,
    standins,
    photos: createPhotoStore(config.photos),
    fetchPicture: (url) => fetchPicture(url),
    social: await openSocial(config, standins.signIn),
    ...payments,
  });
  return {
    app,
    db,
    provider: payments.provider,
    log: app.log,
    warmUp: async () => {
      const opening = Array.from({ length: connections }, () => sql`SELECT 1`.execute(db));
      await Promise.allSettled([...opening, ...WARM_UP.map((url) => app.inject({ url }))]);
    },
    listen: () => app.listen({ port: config.port, host: config.host }),
    close: async (mode) => {
      live.end();
      await app.servers.drain(LINGER_MS[mode]);
      await app.close();
    },
    hurry: () => app.server.closeAllConnections(),
    collect: async () => [await registry.getMetricsAsJSON()],
    lagSeconds,
    problems: () => [],
  };
};
