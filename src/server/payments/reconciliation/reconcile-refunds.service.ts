import { dollarsOf, formatDollars } from '#contract/money/money.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { takeRefunds } from '#server/payments/refunds/refund-record.service.ts';
import type { Difference } from './difference.queries.ts';
import { countFailedRefunds, listLateRefunds, listPendingRefunds } from './reconcile.queries.ts';

/**
 * A card's refund is on its way for a moment; longer only while the provider lacks the shop's money. What is paid in is
 * there within seven days, and after 45 the refund fails [support.stripe.com/questions/fix-your-pending-refund].
 */
const REFUND_PENDING_DAYS = 5;
const BATCH = 200;

interface Counts {
  differences: number;
}

type OnError = (error: unknown, subject: string) => void;

/** Takes down what the provider says of an intent's refunds; that one failed and nobody had told us calls a user. */
export const compareRefunds = async (deps: PaymentDeps, counts: Counts, intentId: string): Promise<void> => {
  const failedBefore = await countFailedRefunds(deps.db, intentId);
  const refunds = await deps.provider.findRefunds(intentId);
  await deps.db.transaction().execute((trx) => takeRefunds(trx, { intentId, refunds }, deps.hooks));
  const failed = (await countFailedRefunds(deps.db, intentId)) - failedBefore;
  if (failed <= 0) return;
  counts.differences += failed;
  deps.alert('money could not be given back', { intentId, kind: 'refund-failed' });
};

/** What was on its way when it was asked for may have arrived, or come back. */
export const comparePendingRefunds = async (deps: PaymentDeps, counts: Counts, onError: OnError): Promise<void> => {
  for (const intentId of await listPendingRefunds(deps.db, BATCH)) {
    await compareRefunds(deps, counts, intentId).catch((error: unknown) => onError(error, intentId));
  }
};

/** What stays on its way is told: nobody but the operator can pay in what the provider lacks. */
export const tellOfLateRefunds = async (
  deps: PaymentDeps,
  note: (difference: Difference) => Promise<void>,
): Promise<void> => {
  for (const { intentId, cents } of await listLateRefunds(deps.db, REFUND_PENDING_DAYS, BATCH)) {
    const says = `A refund of ${formatDollars(dollarsOf(cents))} has been on its way for more than ${REFUND_PENDING_DAYS} days. If the provider holds too little for the shop, it waits until there is more, and fails after 45 days.`;
    await note({ kind: 'refund-pending', subject: intentId, says, mended: false });
  }
};
