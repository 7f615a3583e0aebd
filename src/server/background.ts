import type { FastifyBaseLogger } from 'fastify';
import { paymentDepsOf } from './app.ts';
import { tidyShelf } from './catalog/listings/listing.service.ts';
import { tidyWords } from './catalog/search/word-sweep.service.ts';
import type { House } from './house.ts';
import { answerResetRequests } from './identity/passwords/reset.service.ts';
import { sweepIdentity } from './identity/sessions/sessions.service.ts';
import { tidyOutbox } from './mail/delivery.service.ts';
import { startMailWorker } from './mail/worker.service.ts';
import { startPaymentWork } from './payment-work.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/postgres/db.ts';
import { repeat } from './platform/repeat.ts';
import { finishDepartures } from './privacy/departure.service.ts';

/** Whoever asked for a new password gets a mail within about this. */
const RESET_PAUSE_MS = 1_000;
/** Sessions and counters that mean nothing any more are dropped this often. */
const TIDY_PAUSE_MS = 3_600_000;

/** What the shop does by itself. Several processes may: each piece of work is taken by one. */
export interface Background {
  stop(): Promise<void>;
  /** The mail that is on its way may take longer; it ends beside whatever else closes. */
  stopMail(): Promise<void>;
}

/** Starts the sweep of holds, the comparison with the provider, the mail, and what tidies up. */
export const startBackground = (
  deps: { db: Db; config: Config; house: Pick<House, 'payments' | 'mail'> },
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>,
): Background => {
  const { db, config, house } = deps;
  const tidy = repeat(
    () =>
      Promise.all([
        sweepIdentity(db),
        tidyOutbox(db),
        tidyShelf(db),
        tidyWords(db),
        finishDepartures(db, (error) => log.warn({ err: error }, 'somebody who left could not be forgotten yet')),
      ]),
    TIDY_PAUSE_MS,
    (error) => log.warn({ err: error }, 'what means nothing any more could not be dropped yet'),
  );
  const resets = repeat(
    () => answerResetRequests(db),
    RESET_PAUSE_MS,
    (error) => log.warn({ err: error }, 'who asked for a new password could not be answered yet'),
  );
  const post = startMailWorker(
    { db, transport: house.mail.transport, publicUrl: config.publicUrl, shopTimeZone: config.shopTimeZone },
    {
      onDead: (dead) => log.error({ mail: dead }, 'a mail was given up'),
      onError: (error) => log.warn({ err: error }, 'mail could not be looked up'),
    },
  );
  const paymentWork = startPaymentWork(paymentDepsOf({ db, config, provider: house.payments.provider }, log), {
    reconcileSeconds: config.money.reconcileSeconds,
    reconcileAllSeconds: config.money.reconcileAllSeconds,
    log,
  });
  return {
    stop: async () => {
      await Promise.all([paymentWork.stop(), tidy.stop(), resets.stop()]);
    },
    stopMail: () => post.stop(),
  };
};
