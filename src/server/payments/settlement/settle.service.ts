import { mailPaid } from '#server/bookings/booking-mails.service.ts';
import {
  lockBooking,
  markCancelled,
  mayBecome,
  payBooking,
  readTidings,
  type BookingFacts,
} from '#server/bookings/booking.service.ts';
import { postSale, postStrayPayment, type SaleTerms } from '#server/ledger/ledger.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { noteDifference, type DifferenceKind } from '#server/payments/reconciliation/difference.queries.ts';
import {
  findIntent,
  markProcessing,
  moveIntent,
  saveProviderId,
  type Intent,
} from '#server/payments/intents/intent.queries.ts';
import { findPaymentOf, insertPayment, insertRefund } from '#server/payments/intents/payment.queries.ts';
import type { IntentFacts } from '#server/payments/provider.ts';
import { recordGivenBack } from '#server/payments/refunds/refund-record.service.ts';

/** What became of money that the provider confirmed. */
export type Settled =
  | { readonly kind: 'sale'; readonly paymentId: string; readonly isNew: boolean }
  /** It came for a copy that was lost and goes back. */
  | { readonly kind: 'returned'; readonly paymentId: string; readonly isNew: boolean }
  /** It pays for nothing here: of another shop on the account, or not what we asked for. */
  | { readonly kind: 'unfit'; readonly why: 'not-ours' | Extract<DifferenceKind, 'unknown-intent' | 'other-amount'> };

/** The intent we wrote down for what the provider tells of, if it is the very same. */
const ourIntent = async (trx: Trx, facts: IntentFacts): Promise<Intent | undefined> => {
  const intent = await findIntent(trx, facts.bookingId, facts.n);
  return intent?.providerId === null || intent?.providerId === facts.id ? intent : undefined;
};

/**
 * Turns money that the provider confirmed into a paid booking and a sold copy, once, however often and by whichever way
 * it is told: the webhook, `POST /payments`, the release of a hold or the comparison with the provider. `facts` must
 * come from the provider, not from a caller. Under the booking's row lock and without network; the ledger is written in
 * the same transaction. Money for a copy that was lost meanwhile is recorded and given back.
 */
export const settle = async (trx: Trx, facts: IntentFacts, terms: SaleTerms): Promise<Settled> => {
  if (facts.status !== 'succeeded') throw new Error(`intent ${facts.id} has not succeeded`);
  const booking = facts.bookingId === '' ? undefined : await lockBooking(trx, facts.bookingId);
  if (booking === undefined) return { kind: 'unfit', why: 'not-ours' };
  const known = await findPaymentOf(trx, facts.id);
  if (known !== undefined) return { kind: known.outcome, paymentId: known.id, isNew: false };
  const intent = await ourIntent(trx, facts);
  if (intent === undefined) return unfit(trx, facts, 'unknown-intent');
  if (intent.amountCents !== facts.amountCents || intent.currency !== facts.currency) {
    return unfit(trx, facts, 'other-amount');
  }
  await saveProviderId(trx, intent, facts.id);
  return (await payBooking(trx, booking)) ? sell(trx, booking, facts, terms) : giveBack(trx, booking, facts, terms);
};

const SAYS = {
  'unknown-intent': 'Money came for one of our bookings with a payment intent that we did not make.',
  'other-amount': 'Money came for one of our bookings with another amount or currency than we asked for.',
} as const;

/** Money that names a booking of ours and fits none of our intents is nobody's to move but an operator's. */
const unfit = async (trx: Trx, facts: IntentFacts, why: keyof typeof SAYS): Promise<Settled> => {
  await noteDifference(trx, { kind: why, subject: facts.id, says: SAYS[why], mended: false });
  return { kind: 'unfit', why };
};

const paymentOf = (booking: BookingFacts, facts: IntentFacts) => ({
  bookingId: booking.id,
  providerId: facts.id,
  amountCents: facts.amountCents,
  currency: facts.currency,
});

const sell = async (trx: Trx, booking: BookingFacts, facts: IntentFacts, terms: SaleTerms): Promise<Settled> => {
  await moveIntent(trx, facts, 'succeeded');
  const paymentId = await insertPayment(trx, { ...paymentOf(booking, facts), outcome: 'sale' });
  const { sellerId } = await readTidings(trx, booking.id);
  await postSale(trx, { paymentId, bookingId: booking.id, sellerId, amountCents: facts.amountCents }, terms);
  await mailPaid(trx, booking.id, facts.id);
  return { kind: 'sale', paymentId, isNew: true };
};

/** Nobody may pay for the booking again, the money is on its way back, the buyer and the operator are told. */
const giveBack = async (trx: Trx, booking: BookingFacts, facts: IntentFacts, terms: SaleTerms): Promise<Settled> => {
  await moveIntent(trx, facts, 'returned');
  if (mayBecome(booking, 'cancelled')) await markCancelled(trx, booking.id);
  const paymentId = await insertPayment(trx, { ...paymentOf(booking, facts), outcome: 'returned' });
  const { sellerId, title, buyer } = await readTidings(trx, booking.id);
  await postStrayPayment(trx, { paymentId, bookingId: booking.id, sellerId, amountCents: facts.amountCents }, terms);
  await insertRefund(trx, { paymentId, reason: 'lost-copy', requestedBy: null });
  if (buyer !== undefined) {
    await queueMail(trx, {
      kind: 'money-returned',
      key: `money-returned:${paymentId}`,
      to: buyer,
      data: { title, priceCents: facts.amountCents, bookingId: booking.id },
    });
  }
  const says = `Money came for “${title}” when its booking could no longer be paid; it is refunded automatically.`;
  await noteDifference(trx, { kind: 'lost-copy', subject: facts.id, says, mended: true });
  return { kind: 'returned', paymentId, isNew: true };
};

/** What was done about an intent. */
export type Taken = Settled | { readonly kind: 'noted' };

/**
 * Acts on what the provider says an intent is now, whoever asked: settles, notes that it is cancelled or that money is
 * on its way, and takes down what was given back. Any number of times, in any order.
 */
export const takeFacts = async (trx: Trx, facts: IntentFacts, terms: SaleTerms): Promise<Taken> => {
  if (facts.status === 'succeeded') {
    const settled = await settle(trx, facts, terms);
    if (settled.kind !== 'unfit' && facts.refundedCents !== undefined) {
      await recordGivenBack(trx, { intentId: facts.id, refundedCents: facts.refundedCents });
    }
    return settled;
  }
  const intent = facts.bookingId === '' ? undefined : await ourIntent(trx, facts);
  if (intent === undefined) return { kind: 'unfit', why: 'not-ours' };
  await saveProviderId(trx, intent, facts.id);
  if (facts.status === 'canceled') await moveIntent(trx, intent, 'cancelled');
  else await markProcessing(trx, intent, facts.status === 'processing');
  return { kind: 'noted' };
};
