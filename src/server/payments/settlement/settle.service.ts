import { parcelShares } from '#contract/money/parcel-shares.ts';
import type { SaleTerms } from '#contract/money/shares.ts';
import { mailPaid } from '#server/bookings/booking-mails.service.ts';
import {
  findBooking,
  lockBookings,
  markCancelled,
  mayBecome,
  payBookings,
  readTidings,
  type BookingFacts,
} from '#server/bookings/booking.service.ts';
import { postPostage, postSale, postStrayPayment } from '#server/ledger/sale-postings.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { together } from '#server/platform/postgres/query.ts';
import { findCheckout, forgetAddress, type Checkout } from '#server/payments/checkouts/checkout.queries.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { noteDifference, type DifferenceKind } from '#server/payments/reconciliation/difference.queries.ts';
import {
  findIntent,
  markProcessing,
  moveIntent,
  saveProviderId,
  type Intent,
} from '#server/payments/intents/intent.queries.ts';
import { findPaymentsOf, insertPayments, type Payment } from '#server/payments/intents/payment.queries.ts';
import type { IntentFacts } from '#server/payments/provider.ts';
import { askBackStray, takeRefunds } from '#server/payments/refunds/refund-record.service.ts';
import { insertCard } from './cards.queries.ts';
import { paidAs } from './paid.ts';

/** What became of money that the provider confirmed. */
export type Settled =
  | { readonly kind: 'sale'; readonly payments: readonly Payment[]; readonly isNew: boolean }
  /** It came for a copy that was lost and goes back. */
  | { readonly kind: 'returned'; readonly payments: readonly Payment[]; readonly isNew: boolean }
  /** It pays for nothing here: of another shop on the account, or not what we asked for. */
  | { readonly kind: 'unfit'; readonly why: 'not-ours' | Extract<DifferenceKind, 'unknown-intent' | 'other-amount'> };

/** The intent we wrote down for what the provider tells of, if it is the very same. */
const ourIntent = async (trx: Trx, facts: IntentFacts): Promise<Intent | undefined> => {
  const intent = await findIntent(trx, facts.bookingId, facts.n);
  return intent?.providerId === null || intent?.providerId === facts.id ? intent : undefined;
};

/** What settling needs beside the money. */
export type SettleDeps = Pick<PaymentDeps, 'terms' | 'hooks'>;

/**
 * Turns money that the provider confirmed into paid bookings and sold copies, all or none of what it was for, once,
 * however often and by whichever way it is told: the webhook, `POST /payments`, the release of a hold or the comparison
 * with the provider. `facts` must come from the provider, not from a caller. Under the bookings' row locks and without
 * network; the order and the ledger are written in the same transaction. Money for a copy that was lost meanwhile is
 * recorded and given back.
 */
export const settle = async (trx: Trx, facts: IntentFacts, deps: SettleDeps): Promise<Settled> => {
  if (facts.status !== 'succeeded') throw new Error(`intent ${facts.id} has not succeeded`);
  if (facts.bookingId === '') return { kind: 'unfit', why: 'not-ours' };
  const [named, intent] = await together(
    trx,
    () => findBooking(trx, facts.bookingId),
    () => ourIntent(trx, facts),
  );
  if (named === undefined) return { kind: 'unfit', why: 'not-ours' };
  const checkout = intent && (await findCheckout(trx, intent.checkoutId));
  const [bookings, [known, ...more]] = await together(
    trx,
    () => lockBookings(trx, checkout?.bookings.map(({ bookingId }) => bookingId) ?? [named.id]),
    () => findPaymentsOf(trx, facts.id),
  );
  if (known !== undefined) return { kind: known.outcome, payments: [known, ...more], isNew: false };
  if (intent === undefined || checkout === undefined) return unfit(trx, facts, 'unknown-intent');
  if (intent.amountCents !== facts.amountCents || intent.currency !== facts.currency) {
    return unfit(trx, facts, 'other-amount');
  }
  const [, isPaid] = await together(
    trx,
    () => saveProviderId(trx, intent, facts.id),
    () => payBookings(trx, bookings),
  );
  const payments = paymentsOf(checkout, facts, deps.terms);
  if (isPaid) return sell(trx, { checkout, payments, facts, deps });
  return giveBack(trx, { bookings, payments, facts });
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

type NewPayments = Parameters<typeof insertPayments>[1];

/** Each booking's share of the money, and who has which part of it. */
const paymentsOf = ({ bookings }: Checkout, facts: IntentFacts, terms: SaleTerms): NewPayments => {
  const shares = parcelShares(bookings, terms);
  return bookings.map(({ bookingId, priceCents, postageCents }, at) => ({
    bookingId,
    providerId: facts.id,
    amountCents: priceCents + postageCents,
    postageCents,
    feeCents: shares[at]?.priceFeeCents ?? 0,
    postageFeeCents: shares[at]?.postageFeeCents ?? 0,
    commissionCents: shares[at]?.commissionCents ?? 0,
    currency: facts.currency,
    outcome: 'sale',
  }));
};

const sell = async (
  trx: Trx,
  sale: { checkout: Checkout; payments: NewPayments; facts: IntentFacts; deps: SettleDeps },
): Promise<Settled> => {
  const { checkout, facts, deps } = sale;
  const { id, sellerId, bookings: _, taxCents, termsVersion, ...delivery } = checkout;
  const postageCents = sale.payments.reduce((sum, payment) => sum + payment.postageCents, 0);
  const bookingIds = checkout.bookings.map(({ bookingId }) => bookingId);
  const [payments] = await together(
    trx,
    () => insertPayments(trx, sale.payments),
    () => moveIntent(trx, facts, 'succeeded'),
    () => deps.hooks.settled(trx, { ...delivery, id, sellerId, postageCents, bookingIds }),
  );
  const all = payments.map((payment) => ({ ...paidAs(payment), orderId: id, sellerId }));
  await together(
    trx,
    ...all.map((paid) => () => postSale(trx, paid)),
    () => postPostage(trx, all),
    async () => (checkout.address === null ? undefined : forgetAddress(trx, id)),
    async () => (facts.card === undefined ? undefined : insertCard(trx, checkout.buyerId, facts.card)),
    () => mailPaid(trx, bookingIds, { orderId: id, transactionId: facts.id, postageCents, taxCents, termsVersion }),
  );
  return { kind: 'sale', payments, isNew: true };
};

/** Nobody may pay for the bookings again, the money is on its way back, the buyer and the operator are told. */
const giveBack = async (
  trx: Trx,
  lost: { bookings: readonly BookingFacts[]; payments: NewPayments; facts: IntentFacts },
): Promise<Settled> => {
  const { facts } = lost;
  await moveIntent(trx, facts, 'returned');
  const payments = await insertPayments(
    trx,
    lost.payments.map((payment) => ({ ...payment, outcome: 'returned' as const })),
  );
  const titles: string[] = [];
  for (const payment of payments) {
    const booking = lost.bookings.find(({ id }) => id === payment.bookingId);
    // One that another payment has paid for stands, and so does a hold that others of the payment lost.
    if (lost.bookings.length === 1 && booking !== undefined && mayBecome(booking, 'cancelled')) {
      await markCancelled(trx, booking.id);
    }
    const { sellerId, title, buyer } = await readTidings(trx, payment.bookingId);
    titles.push(title);
    await postStrayPayment(trx, { ...paidAs(payment), orderId: null, sellerId });
    await askBackStray(trx, payment);
    if (buyer === undefined) continue;
    await queueMail(trx, {
      kind: 'money-returned',
      key: `money-returned:${payment.id}`,
      to: buyer,
      data: { title, priceCents: payment.amountCents, bookingId: payment.bookingId },
    });
  }
  const what = titles.join('”, “');
  const says = `Money came for “${what}” when its booking could no longer be paid; it is refunded automatically.`;
  await noteDifference(trx, { kind: 'lost-copy', subject: facts.id, says, mended: true });
  return { kind: 'returned', payments, isNew: true };
};

/** What was done about an intent. */
export type Taken = Settled | { readonly kind: 'noted' };

/**
 * Acts on what the provider says an intent is now, whoever asked: settles, notes that it is cancelled or that money is
 * on its way, and takes down what was given back. Any number of times, in any order.
 */
export const takeFacts = async (trx: Trx, facts: IntentFacts, deps: SettleDeps): Promise<Taken> => {
  if (facts.status === 'succeeded') {
    const settled = await settle(trx, facts, deps);
    if (settled.kind !== 'unfit' && facts.refunds !== undefined) {
      await takeRefunds(trx, { intentId: facts.id, refunds: facts.refunds }, deps.hooks);
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
