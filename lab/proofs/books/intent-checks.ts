import type Stripe from 'stripe';
import { findingOf, type Finding } from './finding.ts';
import { postageOf, type Copy } from '#lab/proofs/crowd/people.ts';
import type { ProviderBooks } from '#lab/proofs/crowd/provider.ts';
import type { ShopBooks } from './shop-books.ts';

export const groupBy = <Row>(rows: readonly Row[], key: (row: Row) => string): Map<string, Row[]> => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row]);
  return groups;
};

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
export const succeeded = ({ intents }: ProviderBooks) => intents.filter(({ status }) => status === 'succeeded');
export const refundedOf = ({ charges }: ProviderBooks): Map<string, number> =>
  new Map(charges.filter(({ paid }) => paid).map((charge) => [String(charge.payment_intent), charge.amount_refunded]));

const numberOf = ({ metadata }: Stripe.PaymentIntent): string => `${metadata['booking_id'] ?? ''}:${metadata['n']}`;

/** What the intents of the provider were to pay, as the shop wrote it down: its checkouts' bookings. */
export const checkoutsOf = (shop: ShopBooks) => {
  const shares = groupBy(shop.checkouts, ({ checkout_id: id }) => id);
  const checkoutOf = new Map(shop.intents.map(({ booking_id, n, checkout_id: id }) => [`${booking_id}:${n}`, id]));
  return {
    /** Undefined for an intent that the shop never wrote down. */
    of: (intent: Stripe.PaymentIntent): ShopBooks['checkouts'] | undefined =>
      shares.get(checkoutOf.get(numberOf(intent)) ?? ''),
  };
};

/**
 * I3 and P1: money is only ever asked for at the prices in the database and the postage of what is posted, and a
 * payment is a share of taken money, of which the shares are all.
 */
export const amounts = (
  shop: ShopBooks,
  before: ProviderBooks,
  after: ProviderBooks,
  copies: readonly Copy[],
): Finding[] => {
  const priceOfCopy = new Map(copies.map(({ id, priceCents }) => [id, priceCents]));
  const copyOf = new Map(shop.bookings.map((booking) => [booking.id, booking.listing_id]));
  const paid = new Map(succeeded(after).map((intent) => [intent.id, intent]));
  const checkouts = checkoutsOf(shop);
  const wantedOf = (intent: Stripe.PaymentIntent): number | undefined => {
    const shares = checkouts.of(intent);
    if (shares === undefined) return undefined;
    const prices = shares.map(({ booking_id: id }) => priceOfCopy.get(copyOf.get(id) ?? '') ?? Number.NaN);
    return sum(prices) + (shares[0]?.delivery === 'post' ? postageOf(shares.length) : 0);
  };
  const isShare = (payment: ShopBooks['payments'][number]): boolean => {
    const intent = paid.get(payment.provider_id);
    const share = intent && checkouts.of(intent)?.find(({ booking_id: id }) => id === payment.booking_id);
    return (
      intent?.currency === payment.currency &&
      share !== undefined &&
      share.price_cents + share.postage_cents === payment.amount_cents
    );
  };
  return [
    ...findingOf(
      'P1',
      'an intent has another amount than its copies’ prices and their postage',
      before.intents
        .filter((intent) => wantedOf(intent) !== intent.amount || intent.currency !== 'usd')
        .map((intent) => `${intent.id} of ${intent.amount}`),
    ),
    ...findingOf(
      'I3',
      'a payment is no share of a succeeded intent',
      shop.payments.filter((payment) => !isShare(payment)).map(({ id }) => id),
    ),
    ...findingOf(
      'I3',
      'the payments of an intent are not all that it took',
      [...groupBy(shop.payments, ({ provider_id: id }) => id)]
        .filter(([id, made]) => paid.get(id)?.amount_received !== sum(made.map(({ amount_cents: cents }) => cents)))
        .map(([id]) => id),
    ),
  ];
};

/** I5: a booking is in one live intent, and in one charge ever that was not given back. */
export const oneIntent = (shop: ShopBooks, provider: ProviderBooks): Finding[] => {
  const refunded = refundedOf(provider);
  const checkouts = checkoutsOf(shop);
  const known = new Set(shop.intents.map(({ booking_id, n }) => `${booking_id}:${n}`));
  const isLive = ({ status }: Stripe.PaymentIntent) => status !== 'canceled' && status !== 'succeeded';
  const stands = (intent: Stripe.PaymentIntent) =>
    intent.status === 'succeeded' && (refunded.get(intent.id) ?? 0) < intent.amount;
  const several = (rows: readonly Stripe.PaymentIntent[]): string[] => {
    const bookings = rows.flatMap((intent) => (checkouts.of(intent) ?? []).map(({ booking_id: id }) => id));
    return [...groupBy(bookings, (id) => id)].filter(([, same]) => same.length > 1).map(([id]) => id);
  };
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
      [...groupBy(provider.intents, numberOf)].filter(([, same]) => same.length > 1).map(([number]) => number),
    ),
    ...findingOf(
      'P11',
      'the provider has an intent that the shop never wrote down',
      provider.intents.filter((intent) => !known.has(numberOf(intent))).map(({ id }) => id),
    ),
  ];
};

const rowOf = ({ metadata }: Stripe.Refund): string => metadata?.['refund_id'] ?? '';

/** P10: money goes back once: a row of ours by one refund, and past the shop once an intent. */
export const oneRefund = (shop: ShopBooks, { charges, refunds }: ProviderBooks): Finding[] => {
  const given = groupBy(
    refunds.filter(({ status }) => status === 'succeeded'),
    (refund) => rowOf(refund) || `past the shop: ${String(refund.payment_intent)}`,
  );
  const amountOf = new Map(shop.refunds.map(({ id, amount_cents: cents }) => [id, cents]));
  return [
    ...findingOf(
      'P10',
      'money was given back more than once',
      [...given].filter(([, same]) => same.length > 1).map(([refund]) => refund),
    ),
    ...findingOf(
      'P10',
      'the provider has a refund in the shop’s name that it never wrote down, or of another amount',
      refunds
        .filter((refund) => rowOf(refund) !== '' && amountOf.get(rowOf(refund)) !== refund.amount)
        .map(({ id }) => id),
    ),
    ...findingOf(
      'P10',
      'more was given back than was taken',
      charges.filter((charge) => charge.amount_refunded > charge.amount_captured).map(({ id }) => id),
    ),
  ];
};
