import type { Booking, BookingDetail } from '#contract/bookings/bookings.ts';
import type { Address } from '#contract/delivery/address.ts';
import { addressProblems } from '#contract/delivery/address.ts';
import type { CopyDelivery } from '#contract/delivery/delivery-calls.ts';
import { termsOfDraft } from '#contract/delivery/delivery-rules.ts';
import {
  DEFAULT_DELIVERY,
  offersOf,
  pickupProblem,
  postageOf,
  postProblem,
  termsOfCopy,
  type DeliveryKind,
} from '#contract/delivery/delivery.ts';
import { parseCents } from '#contract/money/money.ts';

/** What a purchase of one or several bookings needs to know of each. */
export type Book = Pick<BookingDetail, '_id' | 'title' | 'price' | 'bookedAt' | 'delivery'>;

const termsOf = (delivery: CopyDelivery) => termsOfCopy(DEFAULT_DELIVERY, termsOfDraft(delivery));

const centsOf = (price: number): number => parseCents(price) ?? 0;

/** How a copy can come to its buyer, pickup first; pickup where its seller says nothing that makes sense. */
export const waysOf = (delivery: CopyDelivery): readonly [DeliveryKind, ...DeliveryKind[]] => {
  const [first, ...more] = offersOf(delivery);
  return first === undefined ? ['pickup'] : [first, ...more];
};

/** Why a book cannot come in this way, in words; undefined where it can. */
export const whyNot = ({ delivery }: Book, way: DeliveryKind, country: string): string | undefined =>
  way === 'pickup' ? pickupProblem(termsOf(delivery)) : postProblem(termsOf(delivery), country);

/** What is paid for books that come together. Amounts in cents. */
export interface Sum {
  readonly priceCents: number;
  readonly postageCents: number;
  readonly totalCents: number;
  /** Within how many working days they are posted or ready. */
  readonly daysToPost: number;
}

/** What one seller's books cost together, as the shop reckons it, too; what cannot be posted there counts nothing. */
export const sumOf = (books: readonly Book[], way: DeliveryKind, country: string): Sum => {
  const priceCents = books.reduce((sum, { price }) => sum + centsOf(price), 0);
  const parcel = books
    .toSorted((a, b) => (a.bookedAt < b.bookedAt ? -1 : 1))
    .map(({ price, delivery }) => ({ priceCents: centsOf(price), terms: termsOf(delivery) }));
  const postage = way === 'post' ? postageOf(parcel, country) : undefined;
  const postageCents = postage !== undefined && 'totalCents' in postage ? postage.totalCents : 0;
  const daysToPost = Math.max(...books.map(({ delivery }) => delivery.daysToPost));
  return { priceCents, postageCents, totalCents: priceCents + postageCents, daysToPost };
};

/** The earliest end of the holds of what is paid for together; undefined where none of them runs. */
export const firstEnd = (bookings: readonly Pick<Booking, 'hold' | 'holdExpiresAt'>[]): Date | undefined => {
  const ends = bookings.flatMap(({ hold, holdExpiresAt }) =>
    hold === 'held' && holdExpiresAt !== null ? [Date.parse(holdExpiresAt)] : [],
  );
  return ends.length === 0 ? undefined : new Date(Math.min(...ends));
};

/** Which fields of an address to this country must not be empty. */
export const isNeeded = (field: 'state' | 'postcode', country: string): boolean => {
  const blank: Address = { name: '-', line1: '-', line2: '', city: '-', state: '', postcode: '', country };
  return field in addressProblems(blank);
};

/** What a country calls its regions and postcodes. */
export const fieldNamesIn = (country: string): { readonly state: string; readonly postcode: string } => {
  switch (country) {
    case 'US':
      return { state: 'State', postcode: 'ZIP code' };
    case 'CA':
      return { state: 'Province', postcode: 'Postal code' };
    case 'AU':
      return { state: 'State', postcode: 'Postcode' };
    default:
      return { state: 'Region', postcode: 'Postcode' };
  }
};

export const daysInWords = (days: number): string => `within ${days} working ${days === 1 ? 'day' : 'days'}`;

/** What is asked of the shop on Pay: which bookings beside the one of the page, and how they come. */
export interface Wish {
  readonly bookingIds?: string[];
  readonly delivery?: DeliveryKind;
  readonly address?: Address;
}

/** What was paid for on this page, and how it comes. */
export interface Bought {
  readonly books: number;
  /** Undefined where it is picked up. */
  readonly address: Address | undefined;
  readonly daysToPost: number;
}
