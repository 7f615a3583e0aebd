import type Stripe from 'stripe';
import { findingOf, type Finding } from './finding.ts';
import type { History } from '#lab/proofs/crowd/history.ts';
import type { Copy } from '#lab/proofs/crowd/people.ts';
import type { ProviderBooks } from '#lab/proofs/crowd/provider.ts';
import type { ShopBooks } from './shop-books.ts';

const groupBy = <Row>(rows: readonly Row[], key: (row: Row) => string): Map<string, Row[]> => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row]);
  return groups;
};

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
const bookingOf = (intent: Stripe.PaymentIntent): string => intent.metadata['booking_id'] ?? '';
const succeeded = ({ intents }: ProviderBooks) => intents.filter(({ status }) => status === 'succeeded');
const refundedOf = ({ charges }: ProviderBooks): Map<string, number> =>
  new Map(charges.filter(({ paid }) => paid).map((charge) => [String(charge.payment_intent), charge.amount_refunded]));

/** I3 and P1: money is only ever asked for at the price in the database, and only taken money is a payment. */
const amounts = (shop: ShopBooks, before: ProviderBooks, after: ProviderBooks, copies: readonly Copy[]): Finding[] => {
  const priceOfCopy = new Map(copies.map(({ id, priceCents }) => [id, priceCents]));
  const bookings = new Map(shop.bookings.map((booking) => [booking.id, booking]));
  const paid = new Map(succeeded(after).map((intent) => [intent.id, intent]));
  return [
    ...findingOf(
      'P1',
      'an intent has another amount than its copy’s price',
      before.intents
        .filter((intent) => {
          const price = priceOfCopy.get(bookings.get(bookingOf(intent))?.listing_id ?? '');
          return price !== intent.amount || intent.currency !== 'usd';
        })
        .map((intent) => `${intent.id} of ${intent.amount}`),
    ),
    ...findingOf(
      'I3',
      'a payment has no succeeded intent of its amount and booking',
      shop.payments
        .filter((payment) => {
          const intent = paid.get(payment.provider_id);
          return (
            intent?.amount_received !== payment.amount_cents ||
            intent.currency !== payment.currency ||
            bookingOf(intent) !== payment.booking_id
          );
        })
        .map(({ id }) => id),
    ),
  ];
};

/** I5: one live intent a booking, one charge ever that was not given back. */
const oneIntent = (shop: ShopBooks, provider: ProviderBooks): Finding[] => {
  const refunded = refundedOf(provider);
  const known = new Set(shop.intents.map(({ booking_id, n }) => `${booking_id}:${n}`));
  const isLive = ({ status }: Stripe.PaymentIntent) => status !== 'canceled' && status !== 'succeeded';
  const stands = (intent: Stripe.PaymentIntent) =>
    intent.status === 'succeeded' && (refunded.get(intent.id) ?? 0) < intent.amount;
  const several = (rows: readonly Stripe.PaymentIntent[]): string[] =>
    [...groupBy(rows, bookingOf)].filter(([, same]) => same.length > 1).map(([booking]) => booking);
  const ofOneNumber = groupBy(provider.intents, (intent) => `${bookingOf(intent)}:${intent.metadata['n']}`);
  return [
    ...findingOf(
      'I5',
      'a booking has several intents at the provider that could take money',
      several(provider.intents.filter(isLive)),
    ),
    ...findingOf('I5', 'a booking was charged more than once', several(provider.intents.filter(stands))),
    ...findingOf(
      'I5',
      'one number of a booking made several intents',
      [...ofOneNumber].filter(([, same]) => same.length > 1).map(([number]) => number),
    ),
    ...findingOf(
      'P11',
      'the provider has an intent that the shop never wrote down',
      provider.intents
        .filter((intent) => !known.has(`${bookingOf(intent)}:${intent.metadata['n']}`))
        .map(({ id }) => id),
    ),
  ];
};

/** I7 and I11: what the shop gave its word for is there, and paid is final. */
const promises = (shop: ShopBooks, history: History): Finding[] => {
  const bookings = new Map(shop.bookings.map((booking) => [booking.id, booking]));
  const payments = new Map(shop.payments.map((payment) => [payment.id, payment]));
  const kept = history.entries.filter(({ word }) => word === 'ok');
  return [
    ...findingOf(
      'I11',
      'a booking that was confirmed is not there, or another’s',
      kept
        .filter(({ deed }) => deed === 'book')
        .filter(({ client, about }) => {
          const booking = bookings.get(String(about['id']));
          return booking?.listing_id !== about['copy'] || booking?.buyer_email !== client;
        })
        .map(({ about }) => String(about['id'])),
    ),
    ...findingOf(
      'I7, I11',
      'a payment that was confirmed is not there, or its booking not paid',
      kept
        .filter(({ deed, about }) => deed === 'record' && typeof about['id'] === 'string')
        .filter(({ about }) => {
          const payment = payments.get(String(about['id']));
          if (payment === undefined) return true;
          if (payment.provider_id !== about['intent'] || payment.booking_id !== about['booking']) return true;
          return payment.outcome === 'sale' && bookings.get(payment.booking_id)?.paid !== true;
        })
        .map(({ about }) => String(about['booking'])),
    ),
  ];
};

/** P10: money goes back once. */
const oneRefund = ({ charges, refunds }: ProviderBooks): Finding[] => {
  const given = groupBy(
    refunds.filter(({ status }) => status === 'succeeded'),
    ({ payment_intent: intent }) => String(intent),
  );
  return [
    ...findingOf(
      'P10',
      'money was given back more than once',
      [...given].filter(([, same]) => same.length > 1).map(([intent]) => intent),
    ),
    ...findingOf(
      'P10',
      'more was given back than was taken',
      charges.filter((charge) => charge.amount_refunded > charge.amount_captured).map(({ id }) => id),
    ),
  ];
};

const payoutOf = ({ metadata }: Stripe.Transfer): string => metadata['payout_id'] ?? '';

/** I24: what is paid out was written down before, and leaves once. */
const onePayout = (shop: ShopBooks, provider: ProviderBooks): Finding[] => {
  const payouts = new Map(shop.payouts.map((payout) => [payout.id, payout]));
  return [
    ...findingOf(
      'I24',
      'a payout was made more than once',
      [...groupBy(provider.transfers, payoutOf)].filter(([, same]) => same.length > 1).map(([payout]) => payout),
    ),
    ...findingOf(
      'I24',
      'the provider has a transfer that is none of the shop’s payouts, or of another amount',
      provider.transfers
        .filter((transfer) => payouts.get(payoutOf(transfer))?.amount_cents !== transfer.amount)
        .map(({ id }) => id),
    ),
  ];
};

/**
 * Time mends none of these, so one look is enough. The provider's books are read `before` and `after` the shop's: what
 * the shop must know of already stood there before, and what the shop may know of stands there after.
 */
export const lastingFindings = (books: {
  shop: ShopBooks;
  before: ProviderBooks;
  after: ProviderBooks;
  history: History;
  copies: readonly Copy[];
}): Finding[] => {
  const { shop, before, after } = books;
  const invented = shop.events.filter((id) => !after.eventIds.has(id));
  const balance = sum(shop.entries.map(({ amount_cents }) => amount_cents));
  return [
    ...shop.never.flatMap(({ rule, what, cases }) => findingOf(rule, what, cases)),
    ...amounts(shop, before, after, books.copies),
    ...oneIntent(shop, before),
    ...oneRefund(after),
    ...onePayout(shop, before),
    ...promises(shop, books.history),
    ...findingOf('P2', 'an event was taken that the provider never sent', invented),
    ...findingOf('ledger', 'the ledger does not sum to zero', balance === 0 ? [] : [`${balance} cents`]),
  ];
};

/**
 * What the shop has a minute for: money that was taken becomes a paid booking, and both books agree to the cent.
 * `provider` is what stood there before the shop's books were read.
 */
export const settlingFindings = (books: { shop: ShopBooks; provider: ProviderBooks; history: History }): Finding[] => {
  const { shop, provider } = books;
  const bookings = new Map(shop.bookings.map((booking) => [booking.id, booking]));
  const payments = groupBy(shop.payments, ({ provider_id }) => provider_id);
  const refunded = refundedOf(provider);
  const isAllBack = ({ id, amount }: Stripe.PaymentIntent): boolean => refunded.get(id) === amount;
  const taken = sum(succeeded(provider).map(({ id, amount }) => amount - (refunded.get(id) ?? 0)));
  const booked = sum(shop.payments.map(({ amount_cents, refunded_cents }) => amount_cents - refunded_cents));
  const lost = sum(provider.disputes.filter(({ status }) => status === 'lost').map(({ amount }) => amount));
  const held = sum(
    shop.entries.filter(({ account }) => account === 'provider').map(({ amount_cents }) => amount_cents),
  );
  const paidOut = sum(provider.transfers.map(({ amount, amount_reversed: back }) => amount - back));
  const shown = sum(
    shop.payouts
      .filter(({ state }) => state === 'sent')
      .map(({ amount_cents, reversed_cents }) => amount_cents - reversed_cents),
  );
  const promised = books.history.entries.filter(({ deed, word }) => deed === 'refund' && word === 'ok');
  const intents = new Map(provider.intents.map((intent) => [intent.id, intent]));
  return [
    ...findingOf(
      'I2',
      'money was taken and there is not exactly one payment and a paid booking',
      succeeded(provider)
        .filter((intent) => {
          const [payment, ...more] = payments.get(intent.id) ?? [];
          if (payment === undefined || more.length > 0) return true;
          if (payment.outcome !== 'sale') return !isAllBack(intent);
          return bookings.get(payment.booking_id)?.paid !== true;
        })
        .map(({ id }) => id),
    ),
    ...findingOf(
      'I2',
      'a payment went back and its booking is not refunded, or the other way round',
      succeeded(provider)
        .filter((intent) => bookings.get(bookingOf(intent))?.refunded !== isAllBack(intent))
        .filter((intent) => payments.get(intent.id)?.[0]?.outcome === 'sale')
        .map(({ id }) => id),
    ),
    ...findingOf(
      'I11',
      'a refund that was promised was not made',
      promised
        .filter(({ about }) => {
          const intent = intents.get(String(about['intent']));
          return intent === undefined || !isAllBack(intent);
        })
        .map(({ about }) => String(about['booking'])),
    ),
    ...findingOf(
      'I4',
      'the provider and the shop disagree about the money',
      taken === booked ? [] : [`${taken} cents there, ${booked} cents here`],
    ),
    ...findingOf(
      'I4',
      'the ledger and the provider disagree about what the provider holds',
      held === taken - lost - paidOut ? [] : [`${held} cents in the ledger, ${taken - lost - paidOut} cents there`],
    ),
    ...findingOf(
      'I19',
      'the shop and the provider disagree about what sellers were paid',
      paidOut === shown ? [] : [`${paidOut} cents there, ${shown} cents here`],
    ),
  ];
};
