import { withAdvisoryLock } from '#server/platform/postgres/advisory-lock.ts';
import { noteDifference, type Difference } from './difference.queries.ts';
import { takeDispute } from '#server/payments/disputes/dispute.service.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { lookAtAll } from '#server/payments/payouts/payout-account.queries.ts';
import { refreshAccounts } from '#server/payments/payouts/payee.service.ts';
import type { DisputeFacts, IntentFacts } from '#server/payments/provider.ts';
import {
  deleteOldRuns,
  firstIntentAt,
  insertRun,
  isDue,
  listLiveIntents,
  listPaymentsToCompare,
  readKnown,
  type Known,
  type Run,
} from './reconcile.queries.ts';
import { comparePayouts } from './reconcile-payouts.service.ts';
import { comparePendingRefunds, compareRefunds, tellOfLateRefunds } from './reconcile-refunds.service.ts';
import { takeFacts, type Taken } from '#server/payments/settlement/settle.service.ts';

/** Intents younger than this are still being paid; they are looked at next time. */
const YOUNG_SECONDS = 20;
/** Money that came longer ago than this should have been told of by an event or the browser. */
const LATE_MS = 60_000;
const BATCH = 200;
const CLOCK_MARGIN_MS = 3_600_000;

/** What a comparison found, beside what it mended. */
export interface Counts {
  lookedAt: number;
  settled: number;
  differences: number;
}

type OnError = (error: unknown, subject: string) => void;

const note = async (deps: PaymentDeps, counts: Counts, difference: Difference): Promise<void> => {
  counts.differences += 1;
  // An old one that nobody mended yet is counted again and told once.
  if (await noteDifference(deps.db, difference)) deps.alert('the books and the provider differ', { ...difference });
};

const take = (deps: PaymentDeps, facts: IntentFacts): Promise<Taken> =>
  deps.db.transaction().execute((trx) => takeFacts(trx, facts, deps));

const isLate = ({ chargedAt }: IntentFacts): boolean =>
  chargedAt !== undefined && chargedAt.getTime() < Date.now() - LATE_MS;

/** Acts on what the provider says and counts money that nobody had told us of. */
const mend = async (deps: PaymentDeps, counts: Counts, facts: IntentFacts): Promise<void> => {
  const taken = await take(deps, facts);
  if (taken.kind === 'noted' || taken.kind === 'unfit' || !taken.isNew) return;
  counts.settled += 1;
  if (!isLate(facts)) return;
  const says = 'The provider had taken money that no event had told us of. It is booked now.';
  await note(deps, counts, { kind: 'missed-payment', subject: facts.id, says, mended: true });
};

/**
 * Compares every unpaid booking that has a payment intent with the provider, but for intents too young to be missed.
 */
export const reconcileUnpaid = async (
  deps: PaymentDeps,
  onError: OnError,
  youngSeconds = YOUNG_SECONDS,
): Promise<Counts> => {
  const counts = { lookedAt: 0, settled: 0, differences: 0 };
  let after: string | undefined;
  do {
    const batch = await listLiveIntents(deps.db, { olderThanSeconds: youngSeconds, after, limit: BATCH });
    for (const { providerId } of batch) {
      try {
        const facts = await deps.provider.findIntent(providerId);
        counts.lookedAt += 1;
        if (facts !== undefined) await mend(deps, counts, facts);
      } catch (error) {
        onError(error, providerId);
      }
    }
    after = batch.at(-1)?.providerId;
  } while (after !== undefined);
  return counts;
};

const unknown = (facts: IntentFacts): Difference => ({
  kind: 'unknown-intent',
  subject: facts.id,
  says: `The provider has a payment intent in our name that we did not make: ${facts.status}, booking ${facts.bookingId}.`,
  mended: false,
});

/** Whether an intent of the provider is none that we wrote down; one whose id was never saved is ours by its number. */
const isUnknown = (facts: IntentFacts, { isBooking, intent }: Known): boolean =>
  !isBooking || intent === undefined || (intent.providerId !== null && intent.providerId !== facts.id);

const compareIntent = async (deps: PaymentDeps, counts: Counts, facts: IntentFacts): Promise<void> => {
  const known = await readKnown(deps.db, facts);
  if (isUnknown(facts, known)) {
    if (facts.status !== 'canceled') await note(deps, counts, unknown(facts));
    return;
  }
  const { payment } = known;
  if (payment === undefined) {
    if (facts.status === 'succeeded' || known.intent?.state === 'live') await mend(deps, counts, facts);
    return;
  }
  if (payment.amountCents !== facts.amountCents) {
    const says = 'The provider took another amount than our books say.';
    await note(deps, counts, { kind: 'other-amount', subject: facts.id, says, mended: false });
  }
  const refundedCents = facts.refundedCents ?? 0;
  // What it gave back came back to it, where our books have more.
  if (refundedCents < payment.refundedCents) await compareRefunds(deps, counts, facts.id);
  if (refundedCents > payment.refundedCents) {
    await compareRefunds(deps, counts, facts.id);
    const says = 'The provider had given money back that no event had told us of. It is booked now.';
    await note(deps, counts, { kind: 'missed-refund', subject: facts.id, says, mended: true });
  }
};

const comparePayment = async (
  deps: PaymentDeps,
  counts: Counts,
  payment: { providerId: string; amountCents: number; currency: string },
): Promise<void> => {
  const facts = await deps.provider.findIntent(payment.providerId);
  const fits =
    facts?.status === 'succeeded' && facts.amountCents === payment.amountCents && facts.currency === payment.currency;
  if (fits) return;
  const says = 'Our books have a payment that the provider does not confirm.';
  await note(deps, counts, { kind: 'payment-without-intent', subject: payment.providerId, says, mended: false });
};

const comparePayments = async (
  deps: PaymentDeps,
  counts: Counts,
  confirmed: ReadonlySet<string>,
  onError: OnError,
): Promise<void> => {
  let after: string | undefined;
  do {
    const batch = await listPaymentsToCompare(deps.db, { after, limit: BATCH });
    for (const payment of batch.filter(({ providerId }) => !confirmed.has(providerId))) {
      await comparePayment(deps, counts, payment).catch((error: unknown) => onError(error, payment.providerId));
    }
    after = batch.at(-1)?.providerId;
  } while (after !== undefined);
};

const compareDispute = async (deps: PaymentDeps, counts: Counts, dispute: DisputeFacts): Promise<void> => {
  const taken = await deps.db.transaction().execute((trx) => takeDispute(trx, dispute, deps.hooks));
  if (taken === 'nothing' || taken === 'unknown') return;
  const says = 'A dispute was opened or closed that no event had told us of. It is booked now.';
  await note(deps, counts, { kind: 'missed-dispute', subject: `${dispute.id} ${taken}`, says, mended: true });
};

const compareDisputes = async (deps: PaymentDeps, counts: Counts, from: Date, onError: OnError): Promise<void> => {
  for await (const dispute of deps.provider.listDisputes(from)) {
    await compareDispute(deps, counts, dispute).catch((error: unknown) => onError(error, dispute.id));
  }
};

/**
 * Compares everything both ways: what the provider lists with our books, and our payments with what the provider
 * confirms.
 */
export const reconcileAll = async (deps: PaymentDeps, onError: OnError): Promise<Counts> => {
  const counts = { lookedAt: 0, settled: 0, differences: 0 };
  const first = await firstIntentAt(deps.db);
  if (first === undefined) return counts;
  const from = new Date(first.getTime() - CLOCK_MARGIN_MS);
  const confirmed = new Set<string>();
  for await (const facts of deps.provider.listIntents(from)) {
    if (facts.bookingId === '') continue;
    counts.lookedAt += 1;
    if (facts.status === 'succeeded') confirmed.add(facts.id);
    try {
      await compareIntent(deps, counts, facts);
    } catch (error) {
      onError(error, facts.id);
    }
  }
  await comparePayments(deps, counts, confirmed, onError);
  await comparePendingRefunds(deps, counts, onError);
  await tellOfLateRefunds(deps, (difference) => note(deps, counts, difference));
  await compareDisputes(deps, counts, from, onError);
  counts.lookedAt += await comparePayouts(deps, (difference) => note(deps, counts, difference), onError);
  return counts;
};

const runIfDue = async (
  deps: PaymentDeps,
  scope: Run['scope'],
  seconds: number,
  compare: () => Promise<Counts>,
): Promise<void> => {
  const { due, now: startedAt } = await isDue(deps.db, scope, seconds);
  if (!due) return;
  const counts = await compare();
  await insertRun(deps.db, { scope, startedAt, ...counts });
  if (scope === 'all') await deleteOldRuns(deps.db);
};

/**
 * Compares our books with the provider where it is due: unpaid bookings and accounts that cannot be paid, and
 * everything, each so often (seconds). Of several processes one does it; when it was last done is in the database, so
 * that restarts neither skip nor repeat it.
 */
export const reconcileWhenDue = async (
  deps: PaymentDeps,
  every: { unpaidSeconds: number; allSeconds: number },
  onError: OnError,
): Promise<void> => {
  await withAdvisoryLock(deps.db, 'reconcile', async () => {
    await runIfDue(deps, 'unpaid', every.unpaidSeconds, async () => {
      const olderThan = { unreadySeconds: every.unpaidSeconds, readySeconds: every.allSeconds };
      await refreshAccounts(deps, onError, olderThan);
      return reconcileUnpaid(deps, onError, Math.min(YOUNG_SECONDS, every.unpaidSeconds));
    });
    await runIfDue(deps, 'all', every.allSeconds, async () => {
      await lookAtAll(deps.db);
      return reconcileAll(deps, onError);
    });
  });
};
