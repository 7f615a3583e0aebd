import type { FastifyBaseLogger } from 'fastify';
import { forgetOldKeys } from './bookings/idempotency.service.ts';
import { cancelStoppedIntents } from './payments/intents/failure.service.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { reconcileWhenDue } from './payments/reconciliation/reconcile.service.ts';
import { finishRefunds } from './payments/refunds/refund.service.ts';
import { releaseIdleHolds, releaseLapsedHolds } from './payments/settlement/release.service.ts';
import { repeat } from './platform/repeat.ts';

/** A hold frees within this of its time (I14 allows 5 s). */
const SWEEP_PAUSE_MS = 2_000;
/** How often it is asked whether a comparison with the provider is due. */
const RECONCILE_LOOK_MS = 1_000;
/** Keys that mean nothing any more are dropped this often. */
const TIDY_PAUSE_MS = 3_600_000;

/** Starts what the shop does about holds and money by itself, again and again, whether anybody asks or not. */
export const startPaymentWork = (
  payments: PaymentDeps,
  options: { reconcileSeconds: number; reconcileAllSeconds: number; log: Pick<FastifyBaseLogger, 'warn'> },
): { stop: () => Promise<void> } => {
  const warn = (what: string) => (error: unknown, subject?: string) => options.log.warn({ err: error, subject }, what);
  const every = { unpaidSeconds: options.reconcileSeconds, allSeconds: options.reconcileAllSeconds };
  const work = [
    // Apart from what waits for the provider: these are on time whatever it does.
    repeat(
      () => releaseIdleHolds(payments, warn('a lapsed hold could not be released yet')),
      SWEEP_PAUSE_MS,
      warn('lapsed holds could not be looked up'),
    ),
    repeat(
      async () => {
        await releaseLapsedHolds(payments, warn('a lapsed hold could not be released yet'));
        await cancelStoppedIntents(payments, warn('a stopped payment intent could not be cancelled yet'));
        await finishRefunds(payments, warn('a refund could not be finished yet'));
      },
      SWEEP_PAUSE_MS,
      warn('the sweep could not look for its work'),
    ),
    repeat(
      () => reconcileWhenDue(payments, every, warn('an intent could not be compared')),
      RECONCILE_LOOK_MS,
      warn('the books could not be compared with the provider'),
    ),
    repeat(() => forgetOldKeys(payments.db), TIDY_PAUSE_MS, warn('old keys could not be dropped yet')),
  ];
  return {
    stop: async () => {
      await Promise.all(work.map((one) => one.stop()));
    },
  };
};
