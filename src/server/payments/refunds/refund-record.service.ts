import { lockBookings, markRefunded, mayBecome, readTidings } from '#server/bookings/booking.service.ts';
import { postRefund, postRefundFailed, postRefundSent } from '#server/ledger/refund-postings.service.ts';
import type { Paid } from '#server/ledger/ledger.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import type { RefundReason } from '#server/payments/payments.table.ts';
import type { MoneyHooks } from '#server/payments/payments.service.ts';
import { mendDifferences, noteDifference } from '#server/payments/reconciliation/difference.queries.ts';
import { setRefundedCents, type Payment } from '#server/payments/intents/payment.queries.ts';
import { paidOf } from '#server/payments/settlement/paid.ts';
import type { RefundFacts } from '#server/payments/provider.ts';
import { insertRefund, setRefundState, type Refund } from './refund.queries.ts';
import {
  amountOf,
  leftOf,
  lockMoney,
  ofOrder,
  replace,
  askedOf,
  type Cents,
  type LockedMoney,
} from './refund-sums.service.ts';

export const REFUND_FAILED_SAYS =
  'A refund failed at the buyer’s bank. The money is the shop’s again and must reach the buyer another way.';

/** A part of a payment that somebody decides to give back. */
export interface Part extends Cents {
  readonly reason: RefundReason;
  readonly borneBy: 'shop' | 'seller';
  readonly requestedBy: string | null;
}

/**
 * Writes down, and in the ledger, that a part of a payment is the buyer's again; the provider is asked for it
 * afterwards. The money is locked (`lockMoney`) and the part is at most what is left.
 */
export const askBack = async (trx: Trx, money: LockedMoney, payment: Payment, part: Part): Promise<Refund> => {
  const refund = await insertRefund(trx, {
    paymentId: payment.id,
    intentId: payment.providerId,
    amountCents: part.priceCents + part.postageCents,
    postageCents: part.postageCents,
    reason: part.reason,
    borneBy: part.borneBy,
    requestedBy: part.requestedBy,
  });
  const { priceCents, postageCents, borneBy } = part;
  const before = askedOf(money.refunds, payment);
  if (payment.outcome === 'sale') {
    await postRefund(trx, await paidOf(trx, payment), { id: refund.id, priceCents, postageCents, before, borneBy });
  }
  money.refunds.push(refund);
  return refund;
};

/** Writes down that all of a payment which bought nothing goes back. */
export const askBackStray = async (trx: Trx, payment: Payment): Promise<void> => {
  await insertRefund(trx, {
    paymentId: payment.id,
    intentId: payment.providerId,
    amountCents: payment.amountCents,
    postageCents: payment.postageCents,
    reason: 'lost-copy',
    borneBy: 'shop',
    requestedBy: null,
  });
};

/** What happened while refunds were taken down. */
export interface Taking {
  readonly trx: Trx;
  readonly money: LockedMoney;
  readonly hooks: MoneyHooks;
}

/** What the operator or a bank paid in another way is over, whatever is still heard of its last try. */
const isPaidOtherwise = ({ byHand, disputeId }: Refund): boolean => byHand !== null || disputeId !== null;

const tellOfRefund = async (trx: Trx, payment: Payment, refundedCents: number): Promise<void> => {
  const { title, buyer, orderId } = await readTidings(trx, payment.bookingId);
  if (buyer === undefined) return;
  await queueMail(trx, {
    kind: 'refunded',
    key: `refunded:${payment.bookingId}`,
    to: buyer,
    data: { title, priceCents: refundedCents, bookingId: payment.bookingId, ...ofOrder(payment, orderId) },
  });
};

/** The sale of a book is over: its booking is refunded, and its buyer told unless they are already. */
const recordOver = async (
  { trx, hooks }: Taking,
  payment: Payment,
  { refundedCents, isTold }: { refundedCents: number; isTold: boolean },
): Promise<void> => {
  if (payment.outcome !== 'sale') return;
  const [booking] = await lockBookings(trx, [payment.bookingId]);
  if (booking === undefined) return;
  if (!isTold) await tellOfRefund(trx, payment, refundedCents);
  // It is refunded already where a bank had paid, and lost an appeal since.
  if (!mayBecome(booking, 'refunded')) return;
  await markRefunded(trx, booking.id);
  await hooks.refunded(trx, { bookingId: booking.id });
};

/** What kept an intent's refunds from being done is over where none of them is so any more. */
const mend = async (trx: Trx, { refunds }: LockedMoney, intentId: string): Promise<void> => {
  const isNone = (wanted: Refund['state']): boolean => refunds.every(({ state }) => state !== wanted);
  await mendDifferences(trx, intentId, [
    ...(isNone('failed') ? (['refund-refused', 'refund-failed'] as const) : []),
    ...(isNone('pending') ? (['refund-pending'] as const) : []),
  ]);
};

/** Takes down that a part of a payment is back with its buyer, and what follows where it was the last. */
export const recordBack = async (taking: Taking, payment: Payment, { isTold }: { isTold: boolean }): Promise<void> => {
  const { trx, money } = taking;
  const done = money.refunds.filter(({ paymentId, state }) => paymentId === payment.id && state === 'done');
  const prices = done.reduce((sum, row) => sum + amountOf(row, payment).priceCents, 0);
  const postage = done.reduce((sum, row) => sum + amountOf(row, payment).postageCents, 0);
  const refundedCents = Math.max(payment.refundedCents, prices + postage);
  if (refundedCents > payment.refundedCents) await setRefundedCents(trx, payment.id, refundedCents);
  await mend(trx, money, payment.providerId);
  // Where its order gave the price back, the postage may stay: the other books of the parcel go on, or it was spent.
  const isBookBack =
    prices === payment.amountCents - payment.postageCents && done.some(({ reason }) => reason === 'order');
  if (refundedCents === payment.amountCents || isBookBack) await recordOver(taking, payment, { refundedCents, isTold });
};

const recordDone = async (taking: Taking, payment: Payment, paid: Paid, refund: Refund): Promise<void> => {
  const { priceCents, postageCents } = amountOf(refund, payment);
  await postRefundSent(taking.trx, paid, { id: refund.id, n: refund.n, cents: priceCents + postageCents });
  await recordBack(taking, payment, { isTold: false });
};

const NOT_GIVEN = {
  'refund-refused': (message: string) => `The provider refuses to give the money back: ${message}`,
  'refund-failed': () => REFUND_FAILED_SAYS,
} as const;

/**
 * The provider will not, or could not, give a part of a payment back: whatever it said before, the money is the shop's,
 * and a user must see to it that it reaches the buyer.
 */
export const recordNotGivenBack = async (
  trx: Trx,
  money: LockedMoney,
  refund: Refund,
  refusal: { kind: keyof typeof NOT_GIVEN; message: string },
): Promise<void> => {
  const payment = money.payments.find(({ id }) => id === refund.paymentId);
  if (payment === undefined || refund.state === 'failed' || isPaidOtherwise(refund)) return;
  const { priceCents, postageCents } = amountOf(refund, payment);
  const cents = priceCents + postageCents;
  if (refund.state === 'done') {
    await postRefundFailed(trx, await paidOf(trx, payment), { id: refund.id, n: refund.n, cents });
  }
  await setRefundState(trx, refund.id, { state: 'failed', providerId: refund.providerId, amountCents: cents });
  replace(money, { ...refund, state: 'failed', doneAt: null });
  const { kind, message } = refusal;
  await mend(trx, money, refund.intentId);
  await noteDifference(trx, { kind, subject: refund.intentId, says: NOT_GIVEN[kind](message), mended: false });
};

/** Takes down what became of one of our refunds; harmless when known. */
const takeOwn = async (taking: Taking, refund: Refund, facts: RefundFacts): Promise<void> => {
  const { trx, money } = taking;
  const payment = money.payments.find(({ id }) => id === refund.paymentId);
  if (payment === undefined || refund.state === facts.state || isPaidOtherwise(refund)) return;
  if (facts.state === 'failed') {
    await recordNotGivenBack(trx, money, { ...refund, providerId: facts.id }, { kind: 'refund-failed', message: '' });
    return;
  }
  // What was given back once is not on its way again, and what failed is tried again by another number.
  if (refund.state === 'done' || refund.state === 'failed') return;
  const { priceCents, postageCents } = amountOf(refund, payment);
  const paid = await paidOf(trx, payment);
  if (refund.amountCents === null && payment.outcome === 'sale') {
    const before = askedOf(money.refunds, payment, refund.id);
    await postRefund(trx, paid, { id: refund.id, priceCents, postageCents, before, borneBy: refund.borneBy });
  }
  const amountCents = priceCents + postageCents;
  await setRefundState(trx, refund.id, { state: facts.state, providerId: facts.id, amountCents });
  const now = { ...refund, state: facts.state, amountCents, postageCents, providerId: facts.id };
  replace(money, now);
  if (facts.state === 'done') await recordDone(taking, payment, paid, now);
};

/**
 * Money that was given back at the provider and not here: it is taken down as parts of the payments, the first first,
 * and told. Seller and shop lose their shares of it as of any other, the rest is the shop's.
 */
const takeUnknown = async (taking: Taking, facts: RefundFacts): Promise<void> => {
  const { trx, money } = taking;
  let rest = facts.amountCents;
  let providerId: string | null = facts.id;
  for (const payment of money.payments) {
    const left = leftOf(money.refunds, payment);
    const priceCents = Math.min(rest, left.priceCents);
    const postageCents = Math.min(rest - priceCents, left.postageCents);
    if (priceCents + postageCents === 0) continue;
    rest -= priceCents + postageCents;
    const part = { priceCents, postageCents, reason: 'provider', borneBy: 'shop', requestedBy: null } as const;
    const refund = await askBack(trx, money, payment, part);
    const amountCents = priceCents + postageCents;
    await setRefundState(trx, refund.id, { state: facts.state, providerId, amountCents });
    const now = { ...refund, state: facts.state, providerId };
    replace(money, now);
    providerId = null;
    if (facts.state === 'done') await recordDone(taking, payment, await paidOf(trx, payment), now);
    if (payment.refundedCents + amountCents < payment.amountCents) await tellOfPart(trx, payment);
  }
  if (rest > 0 && facts.state === 'done') await takeInstead(taking, rest, facts.id);
};

/** What was given back elsewhere beyond what was left is what we had asked for ourselves: it is not asked again. */
const takeInstead = async (taking: Taking, cents: number, subject: string): Promise<void> => {
  const { trx, money } = taking;
  let rest = cents;
  for (const refund of money.refunds) {
    const payment = money.payments.find(({ id }) => id === refund.paymentId);
    if (payment === undefined || (refund.state !== 'requested' && refund.state !== 'failed')) continue;
    const { priceCents, postageCents } = amountOf(refund, payment);
    const amountCents = priceCents + postageCents;
    if (amountCents > rest) continue;
    rest -= amountCents;
    await setRefundState(trx, refund.id, { state: 'done', providerId: null, amountCents });
    const now = { ...refund, state: 'done', amountCents } as const;
    replace(money, now);
    await recordDone(taking, payment, await paidOf(trx, payment), now);
  }
  if (rest === 0) return;
  const says = 'More was given back at the provider than was left. What we still owe the buyer cannot all be sent.';
  await noteDifference(trx, { kind: 'missed-refund', subject, says, mended: false });
};

const tellOfPart = async (trx: Trx, payment: Payment): Promise<void> => {
  const { title } = await readTidings(trx, payment.bookingId);
  const says = `A part of the payment for “${title}” was given back at the provider and not here. The sale stands; seller and shop have lost their shares of the part.`;
  await noteDifference(trx, { kind: 'partial-refund', subject: payment.providerId, says, mended: false });
};

/**
 * Takes down what the provider says of the refunds of an intent, however often and by whomever they were asked for.
 * Harmless when known.
 */
export const takeRefunds = async (
  trx: Trx,
  given: { intentId: string; refunds: readonly RefundFacts[] },
  hooks: MoneyHooks,
): Promise<void> => {
  if (given.refunds.length === 0) return;
  const money = await lockMoney(trx, given.intentId);
  if (money.payments.length === 0) return;
  const taking = { trx, money, hooks };
  for (const facts of given.refunds) {
    const { ours } = facts;
    const own =
      money.refunds.find(({ id, n }) => id === ours?.refundId && n === ours.n) ??
      money.refunds.find(({ providerId }) => providerId === facts.id) ??
      // begun before refunds had parts, and before its answer came
      (ours === undefined
        ? money.refunds.find((row) => row.amountCents === null && row.state === 'requested')
        : undefined);
    if (own !== undefined) await takeOwn(taking, own, facts);
    else if (ours === undefined && facts.state !== 'failed') await takeUnknown(taking, facts);
  }
};
