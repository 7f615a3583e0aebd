import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { paymentDepsOf } from './app.ts';
import { forgetOldKeys } from './bookings/idempotency.service.ts';
import { tidyShelf } from './catalog/listings/listing.service.ts';
import { tidyWords } from './catalog/search/word-sweep.service.ts';
import { answerResetRequests } from './identity/passwords/reset.service.ts';
import { sweepIdentity } from './identity/sessions/sessions.service.ts';
import { tidyOutbox, type MailTransport } from './mail/delivery.service.ts';
import { startMailWorker } from './mail/worker.service.ts';
import { cancelStoppedIntents } from './payments/intents/failure.service.ts';
import type { PaymentProvider } from './payments/stripe-provider.ts';
import { reconcileWhenDue } from './payments/reconciliation/reconcile.service.ts';
import { finishRefunds } from './payments/refunds/refund.service.ts';
import { releaseIdleHolds, releaseLapsedHolds } from './payments/settlement/release.service.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/postgres/db.ts';
import { repeat } from './platform/repeat.ts';
import { finishDepartures } from './privacy/departure.service.ts';

/** A hold frees within this of its time (5 s are promised). */
const SWEEP_PAUSE_MS = 2_000;
/** Whoever asked for a new password gets a mail within about this; as often it is asked whether a comparison is due. */
const LOOK_PAUSE_MS = 1_000;
/** What means nothing any more is dropped this often. */
const TIDY_PAUSE_MS = 3_600_000;
/** Jobs may be broken off: whoever opens the shop next goes on with them. */
const STOP_LIMIT_MS = 10_000;

/** Starts what the shop does by itself. Several processes may: each piece of work is taken by one. Answers how to end it. */
export const startJobs = (
  deps: { db: Db; config: Config; provider: PaymentProvider; transport: MailTransport },
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>,
): (() => Promise<void>) => {
  const { db, config, transport } = deps;
  const { publicUrl, shopTimeZone } = config;
  const payments = paymentDepsOf(deps, log);
  const every = { unpaidSeconds: config.money.reconcileSeconds, allSeconds: config.money.reconcileAllSeconds };
  const warn = (what: string) => (error: unknown, subject?: string) => log.warn({ err: error, subject }, what);
  const job = (pauseMs: number, failure: string, work: () => Promise<unknown>) => repeat(work, pauseMs, warn(failure));
  const jobs = [
    // Apart from what waits for the provider: these are on time whatever it does.
    job(SWEEP_PAUSE_MS, 'lapsed holds could not be looked up', () =>
      releaseIdleHolds(payments, warn('a lapsed hold could not be released yet')),
    ),
    job(SWEEP_PAUSE_MS, 'the sweep could not look for its work', async () => {
      await releaseLapsedHolds(payments, warn('a lapsed hold could not be released yet'));
      await cancelStoppedIntents(payments, warn('a stopped payment intent could not be cancelled yet'));
      await finishRefunds(payments, warn('a refund could not be finished yet'));
    }),
    job(LOOK_PAUSE_MS, 'the books could not be compared with the provider', () =>
      reconcileWhenDue(payments, every, warn('an intent could not be compared')),
    ),
    job(LOOK_PAUSE_MS, 'who asked for a new password could not be answered yet', () => answerResetRequests(db)),
    job(TIDY_PAUSE_MS, 'what means nothing any more could not be dropped yet', () =>
      Promise.all([
        forgetOldKeys(db),
        sweepIdentity(db),
        tidyOutbox(db),
        tidyShelf(db),
        tidyWords(db),
        finishDepartures(db, warn('somebody who left could not be forgotten yet')),
      ]),
    ),
    startMailWorker(
      { db, transport, publicUrl, shopTimeZone },
      {
        onDead: (dead) => log.error({ mail: dead }, 'a mail was given up'),
        onError: warn('mail could not be looked up'),
      },
    ),
  ];
  return async () => {
    const limit = sleep(STOP_LIMIT_MS, undefined, { ref: false });
    await Promise.race([Promise.all(jobs.map((one) => one.stop())), limit]);
  };
};
