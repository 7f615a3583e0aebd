import { addressProblems, tidyAddress, type Address } from '#contract/delivery/address.ts';
import { DEFAULT_DELIVERY, pickupProblem, postageOf, type DeliveryTerms } from '#contract/delivery/delivery.ts';
import { listSellersOf } from '#server/bookings/booking.service.ts';
import { deliveryOf } from '#server/catalog/delivery/delivery.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { badFields } from '#server/platform/errors.ts';
import type { Checkout } from './checkout.queries.ts';

/** How a buyer wants to get what they pay for. */
export interface DeliveryWish {
  readonly kind: 'pickup' | 'post';
  readonly address: Address | undefined;
}

type Plan = Omit<Checkout, 'id' | 'termsVersion' | 'taxCents'>;

/** A booking's book with its price and how it can come to its buyer. */
interface Book {
  readonly id: string;
  readonly priceCents: number;
  readonly terms: DeliveryTerms;
}

type Delivered = Pick<Plan, 'delivery' | 'address' | 'isAbroad' | 'place' | 'daysToPost' | 'bookings'>;

const pickedUp = (books: readonly Book[]): Delivered => {
  const problem = books.map(({ terms }) => pickupProblem(terms)).find((each) => each !== undefined);
  if (problem !== undefined) throw badFields({ delivery: problem });
  return {
    delivery: 'pickup',
    address: null,
    isAbroad: false,
    place: [...new Set(books.map(({ terms }) => terms.pickupPlace))].join('; '),
    daysToPost: Math.max(...books.map(({ terms }) => terms.daysToPost)),
    bookings: books.map(({ id, priceCents }) => ({ bookingId: id, priceCents, postageCents: 0 })),
  };
};

const posted = (books: readonly Book[], given: Address | undefined): Delivered => {
  if (given === undefined) throw badFields({ address: 'Please say where the parcel goes' });
  const address = tidyAddress(given);
  const problems = addressProblems(address);
  if (Object.keys(problems).length > 0) throw badFields(problems);
  const postage = postageOf(books, address.country);
  if ('problem' in postage) throw badFields({ country: postage.problem });
  return {
    delivery: 'post',
    address,
    isAbroad: books.some(({ terms }) => terms.home !== address.country),
    place: '',
    daysToPost: postage.daysToPost,
    bookings: books.map(({ id, priceCents }, at) => ({
      bookingId: id,
      priceCents,
      postageCents: postage.partsCents[at] ?? 0,
    })),
  };
};

/**
 * What a buyer's checkout of these bookings would be: all of one seller, in the order they were booked, delivered as
 * wished, as it stands, or in the first way that the seller offers. 400 with fields where that cannot be.
 */
export const planCheckout = async (
  trx: Trx,
  buyerId: string,
  wish: {
    bookingIds: readonly string[];
    prices: ReadonlyMap<string, number>;
    delivery: DeliveryWish | undefined;
    standing: Checkout | undefined;
  },
): Promise<Plan> => {
  const rows = await listSellersOf(trx, wish.bookingIds);
  const [first] = rows;
  if (first === undefined || rows.some(({ sellerId }) => sellerId !== first.sellerId)) {
    throw badFields({ bookingIds: 'These books are not all of one seller: please pay for each seller’s by itself' });
  }
  const terms = await deliveryOf(
    trx,
    rows.map(({ listingId }) => listingId),
  );
  const books = rows.map(({ id, listingId }) => ({
    id,
    priceCents: wish.prices.get(id) ?? 0,
    terms: terms.get(listingId) ?? DEFAULT_DELIVERY,
  }));
  const { delivery, standing } = wish;
  const usual = books.every((book) => book.terms.pickup) ? 'pickup' : 'post';
  const kind = delivery?.kind ?? standing?.delivery ?? usual;
  const address = delivery?.address ?? standing?.address ?? undefined;
  return { buyerId, sellerId: first.sellerId, ...(kind === 'pickup' ? pickedUp(books) : posted(books, address)) };
};

/** Whether two checkouts are for the same books, at the same prices, delivered in the same way. */
export const isSame = (one: Plan, other: Plan): boolean => key(one) === key(other);

const key = ({ delivery, address, bookings }: Plan): string =>
  JSON.stringify([
    delivery,
    address === null ? null : Object.entries(address).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    bookings.map(({ bookingId, priceCents, postageCents }) => [bookingId, priceCents, postageCents]),
  ]);
