import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { buildApp } from './app.ts';
import { tagsChangedBy } from './catalog/cache-tags.service.ts';
import type { House, Steps } from './house.ts';
import { measureCache } from './http/request-metrics.ts';
import { createResponseCache, type ResponseCache } from './http/cache/response-cache.ts';
import { measureBreakers } from './platform/breaker.ts';
import type { Config } from './platform/config.ts';
import { connect, type Connection, type Db } from './platform/postgres/db.ts';
import { measurePools, measureProcess, type Measured } from './platform/metrics.ts';
import { listenForNotify, type NotifyListener } from './platform/postgres/notify-listener.ts';
import { openReplicas, type Replicas } from './platform/postgres/replicas.ts';

/** Asked of a process before it listens: a page of each kind that is asked for most. */
const WARM_UP = ['/', '/api/categories?limit=12', '/api/categoryName'];

/** What each process has that answers requests. */
export interface Counter {
  readonly app: FastifyInstance;
  readonly db: Db;
  /** Opens its connections and has a page rendered once, so that whoever comes first does not wait for that. */
  warmUp(): Promise<void>;
  /** What this process measures. */
  collect(): Promise<Measured>;
  /** How late its event loop is, in seconds. */
  lagSeconds(): number;
  /** Finishes what is in flight, stops listening and closes idle connections after `lingerMs`. */
  close(lingerMs: number): Promise<void>;
}

/** What a counter needs of the house; a worker has it from the process that started it. */
export type Premises = Pick<House, 'databaseUrl' | 'payments' | 'social'> & { readonly mailbox: URL | undefined };

/** Public answers are cached until the database tells that what they show has changed; `replicas` are told before. */
const openPublicCache = (
  config: Pick<Config, 'cacheBytes' | 'replicaUrls'>,
  url: string,
  replicas?: () => Replicas | undefined,
): { cache: ResponseCache; listener: NotifyListener } => {
  const cache = createResponseCache({
    maxBytes: config.cacheBytes,
    isCurrent: () => listener.isCurrent(),
    readsReplicas: config.replicaUrls.length > 0,
  });
  const listener = listenForNotify(url, {
    channel: 'catalogue',
    onNotify: (payload) => {
      const tags = tagsChangedBy(payload);
      replicas?.()?.invalidate(tags ?? 'all');
      cache.invalidate(tags);
    },
    onGap: () => {
      replicas?.()?.invalidate('all');
      cache.invalidate();
    },
  });
  return { cache, listener };
};

/** Opens a pool, the cache of public answers and the app; does not listen yet. How to end them goes to `steps`, but for the app itself. */
export const openCounter = async (config: Config, premises: Premises, steps: Steps): Promise<Counter> => {
  const { databaseUrl, payments, social, mailbox } = premises;
  const connection = connect(databaseUrl, { connections: config.databaseConnections });
  steps.push(() => connection.close());
  const { db } = connection;
  let replicas: Replicas | undefined;
  const { cache, listener } = openPublicCache(config, databaseUrl, () => replicas);
  steps.push(() => listener.stop());
  let reading: Connection | undefined;
  if (config.replicaUrls.length > 0) {
    // Of its own: commits that wait for a replica which has just died keep all the others busy, and nobody could read meanwhile.
    const primary = connect(databaseUrl, { connections: Math.ceil(config.databaseConnections / 2) });
    reading = primary;
    const opened = openReplicas({
      primary,
      primaryUrl: databaseUrl,
      urls: config.replicaUrls,
      connections: config.databaseConnections,
      isCurrent: () => listener.isCurrent(),
      onChange: (database, away) => {
        if (away === undefined) app.log.warn({ database }, 'a database is read again');
        else app.log.warn({ database, err: away }, 'a database is left out of public reads');
      },
    });
    replicas = opened;
    steps.push(() => opened.stop());
  }
  const registry = new Registry();
  const lagSeconds = measureProcess(registry);
  const reads = reading && (() => reading.pool());
  measurePools(registry, { requests: () => connection.pool(), ...(reads && { reads }) });
  measureBreakers(registry);
  measureCache(cache, registry);
  const capacity = { waiting: () => connection.pool().waiting, connections: config.databaseConnections };
  const app = await buildApp({
    db,
    config,
    capacity,
    web: true,
    cache,
    metrics: registry,
    replicas,
    mailbox,
    ...payments,
    ...social,
  });
  const close = async (lingerMs: number): Promise<void> => {
    await app.servers.drain(lingerMs);
    await app.close();
  };
  const warmUp = async (): Promise<void> => {
    const connections = Array.from({ length: config.databaseConnections }, () => sql`SELECT 1`.execute(db));
    await Promise.allSettled([...connections, ...WARM_UP.map((url) => app.inject({ url }))]);
  };
  return { app, db, close, warmUp, collect: () => registry.getMetricsAsJSON(), lagSeconds };
};
