import { readTidings } from '#server/bookings/booking.service.ts';
import { postDisputeClosed, postDisputeFee, postDisputeOpened } from '#server/ledger/dispute-postings.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import {
  closeDispute,
  escalateInquiry,
  hasUnwonDispute,
  insertDispute,
  insertDisputeShares,
  isOrderOver,
  listAdmins,
  listDisputeShares,
  setDisputeDue,
  setDisputeFee,
  winAppeal,
} from './dispute.queries.ts';
import type { Payment } from '#server/payments/intents/payment.queries.ts';
import type { MoneyHooks } from '#server/payments/payments.service.ts';
import type { DisputeFacts } from '#server/payments/provider.ts';
import { askedOf, leftOf, lockMoney } from '#server/payments/refunds/refund-sums.service.ts';
import { takeAppeal, takeLoss, unsentOf } from '#server/payments/refunds/refund-by-bank.service.ts';
import type { Refund } from '#server/payments/refunds/refund.queries.ts';
import { paidOf } from '#server/payments/settlement/paid.ts';

/** What was new about a dispute. */
export type DisputeTaken = 'unknown' | 'nothing' | 'opened' | 'won' | 'lost';

/**
 * Takes down what the provider says of a dispute now, any number of times and in any order: its money is set aside
 * when it is first heard of, and released or lost when it is closed; what was lost comes back when an appeal is won.
 * An inquiry takes no money until it becomes a chargeback, and may be ended by a refund. Admins are told of both.
 * `unknown` when its payment is not ours.
 */
export const takeDispute = async (trx: Trx, facts: DisputeFacts, hooks: MoneyHooks): Promise<DisputeTaken> => {
  const money = await lockMoney(trx, facts.intentId);
  const { payments } = money;
  const [first] = payments;
  if (first === undefined) return 'unknown';
  const { id, amountCents, reason, state, dueBy } = facts;
  const tidings = await readTidings(trx, first.bookingId);
  const bookingIds = payments.map(({ bookingId }) => bookingId);
  const tell = async (news: DisputeFacts['state']): Promise<void> => {
    const data = {
      title: tidings.title,
      priceCents: amountCents,
      bookingId: first.bookingId,
      reason,
      state: news,
      dueBy: dueBy?.toISOString() ?? null,
    };
    for (const admin of await listAdmins(trx)) {
      await queueMail(trx, {
        kind: 'dispute',
        key: `dispute:${id}:${isInquiry ? 'inquiry-' : ''}${news}:${admin.id}`,
        to: admin,
        data,
      });
    }
  };
  const isInquiry = facts.isInquiry === true;
  const isNew = await insertDispute(trx, { id, paymentId: first.id, amountCents, reason, dueBy, isInquiry });
  if (!isNew && dueBy !== null) await setDisputeDue(trx, id, dueBy);
  const feeBefore = facts.feeCents === undefined ? undefined : await setDisputeFee(trx, id, facts.feeCents);
  if (facts.feeCents !== undefined && feeBefore !== undefined) {
    await postDisputeFee(trx, await paidOf(trx, first), { id, beforeCents: feeBefore, feeCents: facts.feeCents });
  }
  // What was asked about before is taken now.
  const isTaken = !isInquiry && (isNew || (await escalateInquiry(trx, id)));
  if (isTaken) {
    const shares = sharesOfDispute(amountCents, payments, money.refunds);
    await insertDisputeShares(trx, id, shares);
    for (const { payment, cents, refunded } of shares) {
      const paid = await paidOf(trx, payment);
      await postDisputeOpened(trx, paid, { reference: `${id}:${payment.id}`, amountCents: cents, refunded });
    }
  }
  if (isTaken || isNew) {
    await hooks.disputed(trx, { bookingIds, isInquiry });
    await tell('open');
  }
  const won = state === 'won';
  const isClosed = state !== 'open' && ((await closeDispute(trx, id, state)) || (won && (await winAppeal(trx, id))));
  if (!isClosed) return isTaken || isNew ? 'opened' : 'nothing';
  const shares = await listDisputeShares(trx, id);
  const lostIds: string[] = [];
  for (const { paymentId, cents } of shares) {
    const payment = payments.find((each) => each.id === paymentId);
    if (payment === undefined) continue;
    const paid = await paidOf(trx, payment);
    const isOver = await isOrderOver(trx, paid.orderId);
    // One of before disputes had shares is posted by its own name alone.
    await postDisputeClosed(trx, paid, { references: [`${id}:${payment.id}`, id], amountCents: cents, won, isOver });
    const taking = { trx, money, hooks };
    if (won) await takeAppeal(taking, payment, id);
    else await takeLoss(taking, payment, { disputeId: id, cents });
    const left = leftOf(money.refunds, payment);
    if (!won && payment.outcome === 'sale' && cents >= left.priceCents + left.postageCents)
      lostIds.push(payment.bookingId);
  }
  // Another one of the same payment goes on, or was lost.
  const isLast =
    !won ||
    !(await hasUnwonDispute(
      trx,
      payments.map((payment) => payment.id),
    ));
  // What has no shares took no money.
  if (isLast) await hooks.disputeClosed(trx, { bookingIds, lostIds, won, isInquiry: shares.length === 0 });
  await tell(state);
  return state;
};

/**
 * What of a dispute each payment bears: what is left of it, the first first; then what of it was to be refunded and is
 * not sent; what is more than all that, the first bears.
 */
const sharesOfDispute = (amountCents: number, payments: readonly Payment[], refunds: readonly Refund[]) => {
  let rest = amountCents;
  const take = (most: number): number => {
    const cents = Math.min(rest, most);
    rest -= cents;
    return cents;
  };
  const ofLeft = payments.map((payment) => {
    const left = leftOf(refunds, payment);
    return { payment, cents: take(left.priceCents + left.postageCents), refunded: askedOf(refunds, payment) };
  });
  const shares = ofLeft.map((share) => ({ ...share, cents: share.cents + take(unsentOf(refunds, share.payment)) }));
  return shares
    .map((share, at) => (at === 0 ? { ...share, cents: share.cents + rest } : share))
    .filter(({ cents }) => cents > 0);
};
