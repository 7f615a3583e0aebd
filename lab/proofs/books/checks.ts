import type Stripe from 'stripe';
import { findingOf, type Finding } from './finding.ts';
import { amounts, checkoutsOf, groupBy, oneIntent, oneRefund, refundedOf, succeeded, sum } from './intent-checks.ts';
import type { History } from '#lab/proofs/crowd/history.ts';
import type { Copy } from '#lab/proofs/crowd/people.ts';
import type { ProviderBooks } from '#lab/proofs/crowd/provider.ts';
import type { ShopBooks } from './shop-books.ts';

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
    ...oneRefund(shop, after),
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
  const lostOf = groupBy(
    provider.disputes.filter(({ status }) => status === 'lost'),
    ({ payment_intent: intent }) => String(intent),
  );
  const byBank = groupBy(
    shop.refunds.filter(({ by_bank: isByBank }) => isByBank),
    ({ intent_id: intent }) => intent,
  );
  // Where a bank won, it may have paid what the shop had decided to give back: at most what it took.
  const backOf = (id: string): number =>
    (refunded.get(id) ?? 0) +
    Math.min(
      sum((lostOf.get(id) ?? []).map(({ amount }) => amount)),
      sum((byBank.get(id) ?? []).map(({ amount_cents: cents }) => cents ?? 0)),
    );
  const checkouts = checkoutsOf(shop);
  const isAllBack = ({ id, amount }: Stripe.PaymentIntent): boolean => backOf(id) === amount;
  const taken = sum(succeeded(provider).map(({ id, amount }) => amount - backOf(id)));
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
  const promised = groupBy(
    books.history.entries.filter(({ deed, word }) => (deed === 'refund' || deed === 'take-out') && word === 'ok'),
    ({ about }) => String(about['intent']),
  );
  return [
    ...findingOf(
      'I2',
      'money was taken and is not exactly one payment for each of its bookings, all paid or all given back',
      succeeded(provider)
        .filter((intent) => {
          const made = payments.get(intent.id) ?? [];
          const wanted = (checkouts.of(intent) ?? []).map(({ booking_id: id }) => id);
          if (
            made
              .map(({ booking_id: id }) => id)
              .toSorted()
              .join() !== wanted.toSorted().join()
          )
            return true;
          if (made.every(({ outcome }) => outcome !== 'sale')) return !isAllBack(intent);
          return made.some(({ outcome, booking_id: id }) => outcome !== 'sale' || bookings.get(id)?.paid !== true);
        })
        .map(({ id }) => id),
    ),
    ...findingOf(
      'I2',
      'a payment went back and its booking is not refunded, or the other way round',
      shop.payments
        .filter(({ outcome }) => outcome === 'sale')
        .filter(
          ({ booking_id: id, provider_id: intent, amount_cents: cents, refunded_cents: back, given_up: isGivenUp }) =>
            // A book that is taken out of a parcel leaves its postage behind.
            bookings.get(id)?.refunded !== (cents === back || isGivenUp) &&
            // A bank ends a sale of what was never posted.
            !(cents > back && lostOf.has(intent)),
        )
        .map(({ booking_id: id }) => id),
    ),
    ...findingOf(
      'I7',
      'what went back of an intent is not what went back of its payments',
      succeeded(provider)
        .filter(({ id }) => sum((payments.get(id) ?? []).map(({ refunded_cents: back }) => back)) !== backOf(id))
        .map(({ id }) => id),
    ),
    ...findingOf(
      'I11',
      'a refund that was promised was not made',
      [...promised].flatMap(([intent, entries]) => {
        // A book that is taken out of a parcel leaves its postage behind.
        const whole = new Set(entries.filter(({ deed }) => deed === 'refund').map(({ about }) => about['booking']));
        const ids = new Set(entries.map(({ about }) => String(about['booking'])));
        const shares = (payments.get(intent) ?? []).filter(({ booking_id: id }) => ids.has(id));
        const wanted = shares.map(({ booking_id: id, amount_cents: cents, postage_cents: postage }) =>
          whole.has(id) ? cents : cents - postage,
        );
        const isMade =
          shares.length === ids.size &&
          shares.every(({ refunded_cents: back }, n) => back >= (wanted[n] ?? 0)) &&
          sum(wanted) <= backOf(intent);
        return isMade ? [] : [...ids];
      }),
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
