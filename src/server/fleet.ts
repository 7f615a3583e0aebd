import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { startBackground } from './background.ts';
import { stopBackground, type ClosingManner } from './closing.ts';
import { closerOf, openHouse, type House, type Say, type Steps } from './house.ts';
import { measureBreakers } from './platform/breaker.ts';
import type { Config } from './platform/config.ts';
import { connect } from './platform/postgres/db.ts';
import { logOptions } from './platform/log.ts';
import { measure, measurePools, measureProcess, type Measured } from './platform/metrics.ts';
import { openTracing } from './platform/tracing.ts';
import { CLOSING, openOps } from './ops/ops-server.ts';
import type { OpenShop } from './shop.ts';
import { HOUSE_VARIABLE, type FromWorker, type HouseForWorkers, type ToWorker } from './worker-words.ts';

/** Connections for what the shop does by itself, beside those of its workers. */
const BACKGROUND_CONNECTIONS = 4;
/** A worker that dies is replaced after this long, and twice as long each time it dies young. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** A worker that lived so long was well. */
const GROWN_UP_MS = 30_000;
/** A worker that was asked to end has 10 s for what is in flight, and this long in all. */
const LEAVING_LIMIT_MS = 15_000;

/** A worker that is too busy to tell its numbers is left out of what is told. */
const MEASURE_LIMIT_MS = 1_000;

/** The place of one worker, whoever is in it now. */
interface Post {
  worker: Worker | undefined;
  /** How often in a row its worker died young. */
  deaths: number;
  /** While another is being found for one that died. */
  refilling: Promise<void> | undefined;
}

/** Why a worker could not begin, in the words and with the code it died of. */
class WorkerRefused extends Error {
  readonly code: string | undefined;
  constructor(message: string, code: string | undefined) {
    super(message);
    this.name = 'WorkerRefused';
    this.code = code;
  }
}

const tell = (worker: Worker, word: ToWorker): void => {
  if (worker.isConnected()) worker.send(word);
};

const measureWorker = async (worker: Worker): Promise<Measured> => {
  const { promise, resolve } = Promise.withResolvers<Measured>();
  const hear = (said: FromWorker): void => {
    if (said.word === 'measured') resolve(said.metrics);
  };
  worker.on('message', hear);
  const limit = setTimeout(() => resolve([]), MEASURE_LIMIT_MS);
  tell(worker, { word: 'measure' });
  return promise.finally(() => {
    clearTimeout(limit);
    worker.off('message', hear);
  });
};

const forWorkers = (house: House): string =>
  JSON.stringify({
    databaseUrl: house.databaseUrl,
    payments: house.payments.standins?.href,
    mailbox: house.mail.mailbox?.href,
    signIn: house.social.signIn?.href,
  } satisfies HouseForWorkers);

/**
 * Opens the shop in several processes: this one has the database, the stand-ins and what the shop does by itself, its workers answer
 * requests on one port. A worker that dies is replaced.
 */
export const openFleet = async (config: Config, say: Say): Promise<OpenShop> => {
  const steps: Steps = [];
  const close = closerOf(steps);
  const { log } = Fastify({ logger: logOptions(config.logLevel) });
  const posts: Post[] = Array.from({ length: config.workers }, () => ({
    worker: undefined,
    deaths: 0,
    refilling: undefined,
  }));
  let isOpen = false;
  let isClosing = false;
  let manner: ClosingManner = 'quick';
  /** Whoever asks for new workers while some are being replaced gets newer ones still. */
  let replacing = Promise.resolve();
  let environment: Record<string, string> = {};

  /** Starts a worker and waits until it listens; rejects when it ends before. */
  const hire = async (): Promise<Worker> => {
    const worker = cluster.fork(environment);
    const { promise, resolve, reject } = Promise.withResolvers<Worker>();
    let why: Extract<FromWorker, { word: 'refused' }> | undefined;
    worker.on('message', (said: FromWorker) => {
      if (said.word === 'refused') why = said;
      if (said.word === 'closed') tell(worker, { word: 'go' });
    });
    worker.once('listening', () => resolve(worker));
    worker.once('error', reject);
    worker.once('exit', (code, signal) => {
      reject(new WorkerRefused(why?.message ?? `a worker ended at its start (${signal ?? code})`, why?.code));
    });
    return promise;
  };

  const isInPlace = (post: Post, worker: Worker): boolean => post.worker === worker;

  const place = (post: Post, worker: Worker): void => {
    const hiredAt = performance.now();
    post.worker = worker;
    worker.once('exit', (code, signal) => {
      if (!isInPlace(post, worker) || isClosing) return;
      post.worker = undefined;
      log.warn({ worker: worker.process.pid, code, signal }, 'a worker ended and is replaced');
      if (performance.now() - hiredAt > GROWN_UP_MS) post.deaths = 0;
      post.refilling = refill(post).finally(() => (post.refilling = undefined));
    });
  };

  const refill = async (post: Post): Promise<void> => {
    while (!isClosing && post.worker === undefined) {
      await sleep(Math.min(FIRST_PAUSE_MS * 2 ** post.deaths, LONGEST_PAUSE_MS));
      post.deaths += 1;
      if (isClosing) return;
      try {
        const worker = await hire();
        if (isClosing) await dismiss(worker, manner);
        else place(post, worker);
      } catch (error) {
        log.error({ err: error }, 'a worker could not begin');
      }
    }
  };

  const dismiss = async (worker: Worker, how: ClosingManner): Promise<void> => {
    if (worker.isDead()) return;
    const gone = once(worker, 'exit');
    tell(worker, { word: 'close', manner: how });
    const limit = setTimeout(() => worker.process.kill('SIGKILL'), LEAVING_LIMIT_MS);
    await gone;
    clearTimeout(limit);
  };

  /** The new worker listens before the old one lets nobody in any more: there is always somebody at the door. */
  const replaceWorkers = async (): Promise<void> => {
    if (!isOpen) return;
    for (const post of posts) {
      await post.refilling;
      if (isClosing) return;
      const worker = await hire();
      if (isClosing) return;
      const former = post.worker;
      place(post, worker);
      if (former !== undefined) await dismiss(former, 'patient');
    }
    say('All workers were replaced.');
  };

  const workers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

  try {
    steps.push(await openTracing(config.traces));
    const house = await openHouse(config, say, steps);
    environment = { [HOUSE_VARIABLE]: forWorkers(house) };
    const { db, pool, close: closePool } = connect(house.databaseUrl, { connections: BACKGROUND_CONNECTIONS });
    steps.push(closePool);
    const listening = (): number => posts.filter(({ worker }) => worker !== undefined).length;
    const registry = new Registry();
    const lagSeconds = measureProcess(registry);
    measurePools(registry, { background: pool });
    measureBreakers(registry);
    measure(registry, 'dogear_workers', 'Workers that listen.', [], () => [[{}, listening()]]);
    await openOps(config, steps, {
      db,
      problems: () => [...(isClosing ? [CLOSING] : []), ...(listening() === 0 ? ['No worker listens.'] : [])],
      lagSeconds,
      collect: () => Promise.all([registry.getMetricsAsJSON(), ...workers().map(measureWorker)]),
    });
    const background = startBackground({ db, config, house }, log);
    steps.push(async () => {
      isClosing = true;
      await Promise.all([stopBackground(background), ...workers().map((worker) => dismiss(worker, manner))]);
    });
    // Beside this one, in the sources and where they were put together.
    const self = path.parse(import.meta.filename);
    cluster.setupPrimary({ exec: path.join(self.dir, `worker${self.ext}`) });
    return {
      listen: async () => {
        const hired = await Promise.all(posts.map(hire));
        isOpen = true;
        for (const [place_, worker] of hired.entries()) {
          const post = posts[place_];
          if (post !== undefined) place(post, worker);
        }
      },
      close: (asked = 'quick') => {
        if (!isClosing) manner = asked;
        isClosing = true;
        return close();
      },
      hurry: () => {
        for (const worker of workers()) tell(worker, { word: 'hurry' });
      },
      replaceWorkers: () => (replacing = replacing.catch(() => {}).then(replaceWorkers)),
    };
  } catch (error) {
    await close();
    throw error;
  }
};
