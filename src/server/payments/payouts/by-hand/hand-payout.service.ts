import type { HandPayout } from '#contract/money/by-hand.ts';
import { isCalendarDay } from '#contract/orders/deadlines.ts';
import { dollarsOf } from '#contract/money/money.ts';
import { isVisible, oneLine } from '#contract/text.ts';
import { dayIn } from '#contract/time.ts';
import { reasonOf, recordAudit, type Deed } from '#server/audit/audit.service.ts';
import { lockSeller } from '#server/ledger/ledger.service.ts';
import {
  postPayoutRefused,
  postPayoutReturned,
  postPayoutSent,
  type PaidOut,
} from '#server/ledger/payout-postings.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { mendDifferences } from '#server/payments/reconciliation/difference.queries.ts';
import type { PayoutConfig } from '#server/platform/config.ts';
import { AppError, badFields, notFound } from '#server/platform/errors.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { readShopClock } from '#server/platform/postgres/clock.ts';
import { retryOnContention } from '#server/platform/postgres/retry.ts';
import { requireAdmin, type Viewer } from '#server/platform/viewer.ts';
import { setWaiting } from '#server/payments/payouts/payout-account.queries.ts';
import { findHandPayout, lockBatch, type HandPayoutRow } from './batch.queries.ts';
import type { ByHandDeps } from './by-hand.deps.ts';
import { openDetails } from './details-cipher.ts';
import { lockDetails } from './details.queries.ts';
import { moveHandPayout, setReference } from './hand-payout.queries.ts';

const DAY_MS = 86_400_000;
const FORGOTTEN = '(forgotten)';

const holderOf = ({ detailsKeys }: PayoutConfig, { sellerId, keyId, sealed }: HandPayoutRow): string =>
  sealed === null ? FORGOTTEN : openDetails(detailsKeys, sellerId, { keyId, sealed }).holder;

/** A payout by hand as admins see it: of the account its last digits alone. */
export const shownPayout = (payouts: PayoutConfig, row: HandPayoutRow): HandPayout => ({
  id: row.id,
  sellerId: row.sellerId,
  name: row.name,
  holder: holderOf(payouts, row),
  country: row.country,
  shown: row.shown,
  amount: dollarsOf(row.cents),
  state: row.state,
  reference: row.reference,
  settledOn: row.settledOn,
  reason: row.reason,
  secondAdmin: row.secondReason,
  inFile: row.line !== null,
});

const STATE_WORDS: Record<HandPayoutRow['state'], string> = {
  asked: 'is under way: nobody has marked it as paid',
  sent: 'was marked as paid',
  refused: 'was struck off',
  returned: 'was sent back by the bank',
};

const moved = ({ state }: HandPayoutRow): AppError =>
  new AppError('payout_moved', `This cannot be done: the payout ${STATE_WORDS[state]}`);

const paidOut = ({ id, sellerId, cents }: HandPayoutRow): PaidOut => ({
  id,
  sellerId,
  cents,
  orderId: null,
  bookingId: null,
});

/** A payout with its batch and what its seller is due locked: nobody moves it meanwhile, or makes the batch's file. */
const withLocked = async (
  deps: ByHandDeps,
  id: string,
  move: (trx: Trx, payout: HandPayoutRow) => Promise<void>,
): Promise<HandPayout> => {
  const found = await findHandPayout(deps.db, id);
  if (found === undefined) throw notFound();
  await retryOnContention(() =>
    deps.db.transaction().execute(async (trx) => {
      await lockBatch(trx, found.batchId);
      await lockSeller(trx, found.sellerId);
      const payout = await findHandPayout(trx, id);
      if (payout === undefined) throw notFound();
      await move(trx, payout);
      await mendDifferences(trx, id, ['payout-unmarked']);
    }),
  );
  const after = await findHandPayout(deps.db, id);
  return shownPayout(deps.payouts, after ?? found);
};

const deedOf = (
  { id, sellerId, cents }: HandPayoutRow,
  actorId: string,
  action: Deed['action'],
  details: Record<string, string>,
): Deed => ({
  actorId,
  action,
  subject: { kind: 'user', id: sellerId },
  details: { payoutId: id, amountCents: cents, ...details },
});

const tell = async (trx: Trx, payout: HandPayoutRow, about: 'sent' | 'failed', reason: string): Promise<void> => {
  if (payout.isGone) return;
  await queueMail(trx, {
    kind: 'payout',
    key: `payout-by-hand-${about}:${payout.id}`,
    to: { email: payout.email, name: payout.name },
    data: { about, way: 'manual', title: '', cents: payout.cents, reason, days: 0 },
  });
};

/** The day on which a bank paid; 400 where it cannot be: tomorrow is some zone's today. */
const requireDay = (on: string, madeAt: Date, now: Date, { timeZone }: ByHandDeps['calendar']): void => {
  if (!isCalendarDay(on)) throw badFields({ on: 'There is no such day' });
  if (on > dayIn(new Date(now.getTime() + DAY_MS), timeZone)) throw badFields({ on: 'This day is still to come' });
  if (on < dayIn(new Date(madeAt.getTime() - DAY_MS), timeZone))
    throw badFields({ on: 'The batch was made after this day' });
};

/** The bank has paid it; its seller is told. */
export const markPaid = async (
  deps: ByHandDeps,
  viewer: Viewer,
  id: string,
  input: { reference: string; on: string },
): Promise<HandPayout> => {
  const { userId } = requireAdmin(viewer);
  const reference = oneLine(input.reference);
  if (!isVisible(reference)) throw badFields({ reference: "Give the bank's reference" });
  return withLocked(deps, id, async (trx, payout) => {
    if (payout.isUnapproved) throw new AppError('second_admin_needed', 'A second admin has to approve its batch first');
    requireDay(input.on, payout.madeAt, (await readShopClock(trx)).now, deps.calendar);
    if (!(await moveHandPayout(trx, id, { from: 'asked', to: 'sent' }))) throw moved(payout);
    await setReference(trx, id, reference, input.on);
    await postPayoutSent(trx, paidOut(payout), 'manual');
    await mendDifferences(trx, payout.sellerId, ['unclaimed-money']);
    await recordAudit(trx, deedOf(payout, userId, 'payout marked paid', { reference, on: input.on }));
    await tell(trx, payout, 'sent', '');
  });
};

/** It is not to be paid: its seller is due it as before. */
export const strikeOff = async (
  deps: ByHandDeps,
  viewer: Viewer,
  id: string,
  input: { reason: string },
): Promise<HandPayout> => {
  const { userId } = requireAdmin(viewer);
  const reason = reasonOf(input.reason);
  return withLocked(deps, id, async (trx, payout) => {
    if (!(await moveHandPayout(trx, id, { from: 'asked', to: 'refused', words: reason }))) throw moved(payout);
    await postPayoutRefused(trx, paidOut(payout));
    await recordAudit(trx, deedOf(payout, userId, 'payout struck off', { reason }));
  });
};

/** The bank sent it back: its seller is due it again, is told why, and enters their details anew. */
export const markReturned = async (
  deps: ByHandDeps,
  viewer: Viewer,
  id: string,
  input: { reason: string },
): Promise<HandPayout> => {
  const { userId } = requireAdmin(viewer);
  const reason = reasonOf(input.reason);
  return withLocked(deps, id, async (trx, payout) => {
    if (!(await moveHandPayout(trx, id, { from: 'sent', to: 'returned', words: reason }))) throw moved(payout);
    await postPayoutReturned(trx, paidOut(payout));
    if (await lockDetails(trx, payout.sellerId, payout.version, reason)) {
      // They are told now; reminders follow.
      await setWaiting(trx, payout.sellerId, { since: (await readShopClock(trx)).now, toldDays: 0 });
    }
    await recordAudit(trx, deedOf(payout, userId, 'payout returned', { reason }));
    await tell(trx, payout, 'failed', reason);
  });
};
