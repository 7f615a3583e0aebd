import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import type { Server, ShutdownMode } from './http-server.ts';
import type { Infrastructure } from './infrastructure.ts';
import { measureBreakers } from './platform/breaker.ts';
import type { Config } from './platform/config.ts';
import { connect } from './platform/postgres/db.ts';
import { logOptions } from './platform/log.ts';
import { measure, measurePools, measureProcess, type Measured } from './platform/metrics.ts';
import { openPayments } from './services.ts';

/** The environment variable by which a worker learns of what the shop has once, as JSON. */
export const INFRASTRUCTURE_VARIABLE = 'DOGEAR_INFRASTRUCTURE';

/** What a worker sends: why it could not start, or what it measures when it is asked by any message. */
export type FromWorker =
  | { readonly kind: 'failed'; readonly message: string; readonly code: string }
  | { readonly kind: 'measured'; readonly metrics: Measured };

/** Connections for the jobs, beside those of the workers. */
const JOB_CONNECTIONS = 4;
/** A worker that dies is replaced after this long, and twice as long each time it dies young. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** A worker that lived so long was well. */
const WELL_AFTER_MS = 30_000;
/** A worker that was asked to end has 10 s for what is in flight, and this long in all. */
const STOP_LIMIT_MS = 15_000;
/** A worker that is too busy to tell its metrics is left out of what is told. */
const MEASURE_LIMIT_MS = 1_000;

/**
 * Beside the flags of one process (scripts/bootstrap/lean.json): who starts workers asks for pages a second. The heap
 * of each may double before all of it is looked through: a sixth less CPU a page, and 15 MB more.
 */
const WORKER_FLAGS = ['--heap-growing-percent=100'];

/** The place of one worker, whoever is in it now. */
interface Slot {
  worker: Worker | undefined;
  /** How often in a row its worker died young. */
  deaths: number;
  /** While another is started for one that died. */
  refilling: Promise<void>;
}

const onlineWorkers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

/** Starts a worker and waits until it listens; rejects when it ends before. */
const spawn = async (environment: Record<string, string>): Promise<Worker> => {
  const worker = cluster.fork(environment);
  const { promise, resolve, reject } = Promise.withResolvers<Worker>();
  let failure: Error | undefined;
  worker.on('message', (sent: FromWorker) => {
    if (sent.kind === 'failed') failure = Object.assign(new Error(sent.message), { code: sent.code });
  });
  worker.once('listening', () => resolve(worker));
  worker.once('error', reject);
  worker.once('exit', (code, signal) =>
    reject(failure ?? new Error(`a worker ended at its start (${signal ?? code})`)),
  );
  return promise;
};

const stop = async (worker: Worker, mode: ShutdownMode): Promise<void> => {
  if (worker.isDead()) return;
  const limit = setTimeout(() => worker.process.kill('SIGKILL'), STOP_LIMIT_MS);
  const exit = once(worker, 'exit');
  worker.process.kill(mode === 'quick' ? 'SIGINT' : 'SIGTERM');
  await exit;
  clearTimeout(limit);
};

const measureWorker = (worker: Worker): Promise<Measured> => {
  const { promise, resolve } = Promise.withResolvers<Measured>();
  worker.once('message', (sent: FromWorker) => resolve(sent.kind === 'measured' ? sent.metrics : []));
  setTimeout(resolve, MEASURE_LIMIT_MS, []).unref();
  if (worker.isConnected()) worker.send('measure');
  return promise;
};

/**
 * Answers requests in several processes: this one has the database, the stand-ins and the jobs, its workers answer on
 * one port. A worker that dies is replaced.
 */
export const openWorkers = async (
  config: Config,
  infrastructure: Infrastructure,
  resources: AsyncDisposableStack,
): Promise<Server> => {
  const { log } = Fastify({ logger: logOptions(config.logLevel) });
  const slots: Slot[] = Array.from({ length: config.workers }, () => ({
    worker: undefined,
    deaths: 0,
    refilling: Promise.resolve(),
  }));
  const environment = { [INFRASTRUCTURE_VARIABLE]: JSON.stringify(infrastructure) };
  let isOpen = false;
  let reloading = Promise.resolve();

  /** Puts a new worker into a slot; who was there before ends once it listens, so that somebody always does. */
  const fill = async (slot: Slot): Promise<void> => {
    const worker = await spawn(environment);
    const bornAt = performance.now();
    const former = slot.worker;
    slot.worker = worker;
    worker.once('exit', (code, signal) => {
      if (slot.worker !== worker || !isOpen) return;
      slot.worker = undefined;
      log.warn({ worker: worker.process.pid, code, signal }, 'a worker ended and is replaced');
      if (performance.now() - bornAt > WELL_AFTER_MS) slot.deaths = 0;
      slot.refilling = refill(slot);
    });
    if (former !== undefined) await stop(former, 'patient');
  };

  const refill = async (slot: Slot): Promise<void> => {
    while (isOpen && slot.worker === undefined) {
      await sleep(Math.min(FIRST_PAUSE_MS * 2 ** slot.deaths, LONGEST_PAUSE_MS));
      slot.deaths += 1;
      if (!isOpen || slot.worker !== undefined) return;
      await fill(slot).catch((error: unknown) => log.error({ err: error }, 'a worker could not begin'));
    }
  };

  const reload = async (): Promise<void> => {
    for (const slot of slots) {
      await slot.refilling;
      if (isOpen) await fill(slot);
    }
  };

  const { db, pool } = resources.adopt(
    connect(infrastructure.databaseUrl, { connections: JOB_CONNECTIONS }),
    (connection) => connection.close(),
  );
  const registry = new Registry();
  const lagSeconds = measureProcess(registry);
  const listening = (): number => slots.filter(({ worker }) => worker !== undefined).length;
  measurePools(registry, { background: pool });
  measureBreakers(registry);
  measure(registry, 'dogear_workers', 'Workers that listen.', [], () => [[{}, listening()]]);
  const { provider } = await openPayments(config, infrastructure.standins.stripe);
  // Beside this one, in the sources and where they were put together.
  const self = path.parse(import.meta.filename);
  const exec = path.join(self.dir, `worker${self.ext}`);
  cluster.setupPrimary({ exec, execArgv: [...process.execArgv, ...WORKER_FLAGS] });
  return {
    db,
    provider,
    log,
    listen: async () => {
      isOpen = true;
      // Where the first cannot listen none can, and each would say so.
      const [first, ...others] = slots;
      if (first !== undefined) await fill(first);
      await Promise.all(others.map(fill));
    },
    close: (mode) => {
      isOpen = false;
      return Promise.all(onlineWorkers().map((worker) => stop(worker, mode)));
    },
    hurry: () => {
      for (const worker of onlineWorkers()) worker.process.kill('SIGKILL');
    },
    // Whoever asks for new workers while some are being replaced gets newer ones still.
    reload: () => (reloading = reloading.catch(() => {}).then(reload)),
    collect: () => Promise.all([registry.getMetricsAsJSON(), ...onlineWorkers().map(measureWorker)]),
    lagSeconds,
    problems: () => (listening() === 0 ? ['No worker listens.'] : []),
  };
};
