import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { seedDemoShop } from './catalog/demo-shop.service.ts';
import { buildApp, paymentDepsOf } from './app.ts';
import { scopesChangedBy } from './catalog/public-scopes.service.ts';
import { createResponseCache, type ResponseCache } from './http/response-cache.ts';
import { answerResetRequests } from './identity/reset.service.ts';
import { sweepIdentity } from './identity/sessions.service.ts';
import { openMail } from './mail-setup.ts';
import { tidyOutbox } from './mail/delivery.service.ts';
import { startMailWorker } from './mail/worker.service.ts';
import { openPayments } from './payment-setup.ts';
import { startPaymentWork } from './payment-work.ts';
import { finishDepartures } from './privacy/departure.service.ts';
import type { Config } from './platform/config.ts';
import { connect, type Db } from './platform/db.ts';
import { startEmbeddedPostgres } from './platform/embedded-postgres.ts';
import { migrate } from './platform/migrate.ts';
import { listenForNews, type News } from './platform/news.ts';
import { repeat } from './platform/repeat.ts';
import { markShop, readDemoMark } from './platform/shop-mark.ts';
import { openSocial } from './social-setup.ts';

/** Whoever asked for a new password gets a mail within about this. */
const RESET_PAUSE_MS = 1_000;
/** Requests in flight have this long to end when the shop closes (R1). */
const CLOSING_LIMIT_MS = 10_000;
/** Sessions and counters that mean nothing any more are dropped this often. */
const TIDY_PAUSE_MS = 3_600_000;

/** The shop cannot be opened; the message is a sentence for whoever starts it. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen';
}

export interface Shop {
  readonly app: FastifyInstance;
  /** Ends everything in order; calling it again waits for the same end. */
  close(): Promise<void>;
  /** Drops the connections that closing still waits for. */
  hurry(): void;
}

type Say = (line: string) => void;

const openDatabase = async (config: Config, say: Say): Promise<{ url: string; stop: () => Promise<void> }> => {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, stop: async () => {} };
  say('Starting the database …');
  const server = await startEmbeddedPostgres({ dataDir: path.resolve(config.dataDir), log: say });
  for (const message of server.messages) say(message);
  return { url: server.url, stop: () => server.stop() };
};

/** On a connection without the limits of a request: of several shops starting at once all but one wait for it. */
const patiently = async <A>(url: string, work: (db: Db) => Promise<A>): Promise<A> => {
  const { db, close } = connect(url, { connections: 1, timeouts: false });
  try {
    return await work(db);
  } finally {
    await close();
  }
};

/** Public answers are kept until the database tells that what they show has changed. */
export const keepAnswers = (config: Pick<Config, 'cacheBytes'>, url: string): { kept: ResponseCache; news: News } => {
  const kept = createResponseCache({ maxBytes: config.cacheBytes, isCurrent: () => news.isCurrent() });
  const news = listenForNews(url, {
    channel: 'catalogue',
    onNews: (payload) => {
      const scopes = scopesChangedBy(payload);
      if (scopes === undefined) kept.dropAll();
      else kept.drop(scopes);
    },
    onGap: () => kept.dropAll(),
  });
  return { kept, news };
};
/** Says what kind of shop the database holds, and puts the goods into a new demo shop; answers whether it did. */
const stock = (url: string, config: Config): Promise<boolean> =>
  patiently(url, async (db) => {
    if (config.mode === 'production' && (await readDemoMark(db)) === true) {
      throw new CannotOpen(
        'This database belongs to a demo shop and is refused in production: use a database of its own.',
      );
    }
    await markShop(db, config.mode === 'demo');
    return config.mode === 'demo' && (await seedDemoShop(db));
  });

/** Finishes what is in flight, but waits for nobody who has stopped talking. */
const closeWithin = async (app: FastifyInstance, limitMs: number): Promise<void> => {
  const limit = setTimeout(() => app.server.closeAllConnections(), limitMs);
  await app.close().finally(() => clearTimeout(limit));
};

/** Runs what was opened, in reverse, once. */
const closer = (steps: (() => Promise<unknown>)[]): (() => Promise<void>) => {
  let closing: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    for (const step of steps.reverse()) await step();
  };
  return () => (closing ??= run());
};

/**
 * Opens the shop: database, migrations, demo goods on the first start, payments, mail, app, the sweep of lapsed holds.
 * Does not listen yet. What was opened is closed again when a later step fails.
 */
export const openShop = async (config: Config, say: Say): Promise<Shop> => {
  const steps: (() => Promise<unknown>)[] = [];
  const close = closer(steps);
  try {
    const database = await openDatabase(config, say);
    steps.push(() => database.stop());
    const applied = await migrate(database.url);
    if (applied.length > 0) say(`Database brought up to date (${applied.length} migrations).`);
    const connection = connect(database.url, { connections: config.databaseConnections });
    steps.push(() => connection.close());
    const { db } = connection;
    if (await stock(database.url, config)) say('The demo shop was put in.');
    const payments = await openPayments(config, say).catch((error: unknown) => {
      if (config.stripe !== undefined || !(error instanceof Error)) throw error;
      throw new CannotOpen(
        `The payment stand-in cannot start: ${error.message} Several shops share one: npm run standins, then STANDINS_URL.`,
      );
    });
    steps.push(() => payments.stop());
    const { kept, news } = keepAnswers(config, database.url);
    steps.push(() => news.stop());
    const mail = await openMail(config, say).catch((error: unknown) => {
      if (config.smtpUrl !== undefined || !(error instanceof Error)) throw error;
      throw new CannotOpen(`The mailbox stand-in cannot start: ${error.message}`);
    });
    steps.push(() => mail.stop());
    const social = await openSocial(config, say);
    steps.push(() => social.stop());
    const app = await buildApp({ db, config, web: true, kept, mailbox: mail.mailbox, ...payments, ...social });
    const tidy = repeat(
      () =>
        Promise.all([
          sweepIdentity(db),
          tidyOutbox(db),
          finishDepartures(db, (error) => app.log.warn({ err: error }, 'somebody who left could not be forgotten yet')),
        ]),
      TIDY_PAUSE_MS,
      (error) => app.log.warn({ err: error }, 'what means nothing any more could not be dropped yet'),
    );
    const resets = repeat(
      () => answerResetRequests(db),
      RESET_PAUSE_MS,
      (error) => app.log.warn({ err: error }, 'who asked for a new password could not be answered yet'),
    );
    const post = startMailWorker(
      { db, transport: mail.transport, publicUrl: config.publicUrl },
      {
        onDead: (dead) => app.log.error({ mail: dead }, 'a mail was given up'),
        onError: (error) => app.log.warn({ err: error }, 'mail could not be looked up'),
      },
    );
    const paymentWork = startPaymentWork(paymentDepsOf({ db, config, provider: payments.provider }, app.log), {
      reconcileSeconds: config.money.reconcileSeconds,
      log: app.log,
    });
    steps.push(async () => {
      await Promise.all([paymentWork.stop(), tidy.stop(), resets.stop()]);
      await Promise.all([post.stop(), closeWithin(app, CLOSING_LIMIT_MS)]);
    });
    return { app, close, hurry: () => app.server.closeAllConnections() };
  } catch (error) {
    await close();
    throw error;
  }
};
