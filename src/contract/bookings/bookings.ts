import { Type, type Static } from 'typebox';
import { SellsAsName } from '#contract/law/imprint.ts';
import { endpoint } from '#contract/endpoint.ts';
import { CopyDelivery } from '#contract/delivery/delivery-calls.ts';
import { OrderRow } from '#contract/orders/order-row.ts';
import { MAX_TITLE_LENGTH } from '#contract/catalog/title.ts';
import { CopyChange } from './promise.ts';
import { Dollars, DollarsInput, Email, Id, IsoTime, PageQuery, Text } from '#contract/scalars.ts';

/** At most this many unpaid holds a buyer; more would let one user empty the shelves without paying. */
export const MAX_UNPAID_HOLDS = 5;

/**
 * A buyer's lasting wish for a copy. `price` in US dollars, fixed at booking. `hold` says what became of the claim on
 * the copy: `held` (until `holdExpiresAt`), `lapsed` (Pay takes it again), `gone` (someone else has the copy, or it
 * was withdrawn), `none` once paid or cancelled. `holdIsFinal`: it is not renewed any more, because somebody waits in
 * line or it was renewed long enough. `change` is what its seller changed of the copy since, while it may still be
 * paid for (`PUT /bookings/{id}/promise`). `orderId` is the order it was paid with, `order` how far that is. Open
 * bookings of one `sellerId` can be paid together. `processing`: the provider has the money on its way. A refunded
 * booking was paid and stays so. Buyer and seller see each other's phone and place while it is paid and not refunded,
 * `""` else; `email` is `""` for the seller.
 */
export const Booking = Type.Object({
  _id: Id,
  listingId: Id,
  title: Type.String(),
  authors: Type.String(),
  image_url: Type.String(),
  buyer: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  location: Type.String(),
  price: Dollars,
  paid: Type.Boolean(),
  paidAt: Type.Union([IsoTime, Type.Null()]),
  processing: Type.Boolean(),
  refunded: Type.Boolean(),
  refundedAt: Type.Union([IsoTime, Type.Null()]),
  cancelled: Type.Boolean(),
  hold: Type.Union([Type.Literal('held'), Type.Literal('lapsed'), Type.Literal('gone'), Type.Literal('none')]),
  holdExpiresAt: Type.Union([IsoTime, Type.Null()]),
  Seller: Type.String(),
  seller_slug: Type.String(),
  seller_phone: Type.String(),
  seller_location: Type.String(),
  holdIsFinal: Type.Boolean(),
  bookedAt: IsoTime,
  change: Type.Union([CopyChange, Type.Null()]),
  orderId: Type.Union([Id, Type.Null()]),
  order: Type.Union([OrderRow, Type.Null()]),
  sellerId: Id,
});
export type Booking = Static<typeof Booking>;

/** A booking by itself, with how its copy comes to its buyer now and as what its seller sells; lists leave that out. */
export const BookingDetail = Type.Object({ ...Booking.properties, delivery: CopyDelivery, sellsAs: SellsAsName });
export type BookingDetail = Static<typeof BookingDetail>;

/**
 * `listingId` names the copy; without it the copy is found by title, image and price. Everything but phone and location
 * is compared, never obeyed.
 */
export const BookingDraft = Type.Object({
  listingId: Type.Optional(Id),
  title: Text(MAX_TITLE_LENGTH),
  buyer: Text(200),
  email: Email,
  image_url: Type.String({ maxLength: 5_000 }),
  phone: Text(200),
  price: DollarsInput,
  location: Text(200),
});
export type BookingDraft = Static<typeof BookingDraft>;

/**
 * The loser of a race is 409 `copy_taken`; a differing price 409 `price_changed`; another title, picture, name or
 * address than the records have 409 `record_differs` (what is blank is not compared); a copy that is not what the
 * buyer's earlier booking promised 409 `copy_changed`; an own copy 403; a sixth unpaid hold 429.
 */
export const bookCopy = endpoint({
  method: 'POST',
  path: '/bookings',
  summary: 'Books a copy and takes its hold',
  access: 'buyer; `Idempotency-Key` is honoured',
  body: BookingDraft,
  status: 201,
  answer: Type.Object({ acknowledged: Type.Boolean(), insertedId: Id, holdExpiresAt: IsoTime }),
  refused: { acknowledged: false, insertedId: null },
  personal: true,
});

export const listMyBookings = endpoint({
  method: 'GET',
  path: '/bookings',
  summary: "The buyer's bookings, newest first",
  access: 'that buyer',
  query: Type.Object({ email: Email, ...PageQuery }),
  status: 200,
  answer: Type.Array(Booking),
  personal: true,
});

/**
 * A booking as the seller of the copy sees it: `phone` and `location` of the buyer are `""` unless it is paid and not
 * refunded.
 */
export const BookingOfMine = Type.Omit(Booking, [
  'email',
  'change',
  'Seller',
  'seller_slug',
  'seller_phone',
  'seller_location',
  'holdIsFinal',
  'sellerId',
]);
export type BookingOfMine = Static<typeof BookingOfMine>;

export const listMyBuyers = endpoint({
  method: 'GET',
  path: '/bookings/my_buyers',
  summary:
    "Bookings of the seller's own copies: what the seller is asked for, what waits for others, then newest first",
  access: 'that seller',
  query: Type.Object({ email: Email, ...PageQuery }),
  status: 200,
  answer: Type.Array(BookingOfMine),
  personal: true,
});

/** The seller of the copy sees how to reach the buyer only while it is paid for; anyone else gets 404. */
export const readBooking = endpoint({
  method: 'GET',
  path: '/bookings/:id',
  summary: 'One booking',
  access: 'its buyer, its seller, admin',
  params: Type.Object({ id: Id }),
  status: 200,
  answer: BookingDetail,
  refused: { _id: null },
  personal: true,
});

/**
 * How the seller reaches the buyer: at least one of the two is asked for before paying. 409 `hold_lost` once it was
 * cancelled.
 */
export const editContact = endpoint({
  method: 'PATCH',
  path: '/bookings/:id',
  summary: 'Changes phone and place of a booking',
  access: 'its buyer',
  params: Type.Object({ id: Id }),
  body: Type.Object({ phone: Text(200), location: Text(200) }),
  status: 200,
  answer: Type.Object({ modifiedCount: Type.Integer() }),
  refused: { modifiedCount: 0 },
  personal: true,
});

/** Frees the hold at once, or as soon as the provider confirmed that its payment intent is cancelled. 409 once paid. */
export const cancelBooking = endpoint({
  method: 'DELETE',
  path: '/bookings/:id',
  summary: 'Cancels an unpaid booking',
  access: 'its buyer',
  params: Type.Object({ id: Id }),
  status: 200,
  answer: Type.Object({ deletedCount: Type.Integer() }),
  refused: { deletedCount: 0 },
  personal: true,
});

/**
 * After a refund the copy stays sold until an admin decides what becomes of it: 0 when it was decided before, 409
 * `copy_locked` while a sale stands or somebody holds the copy.
 */
const decideCopy = <const Decision extends string>(decision: Decision, summary: string) =>
  endpoint({
    method: 'PUT',
    path: `/categories/:id/${decision}`,
    summary,
    access: 'admin',
    params: Type.Object({ id: Id }),
    status: 200,
    answer: Type.Object({ modifiedCount: Type.Integer() }),
    refused: { modifiedCount: 0 },
    personal: true,
  });

export const relistCopy = decideCopy('relist', 'Puts a copy whose sale was refunded back on the shelf');
export const withdrawCopy = decideCopy('withdraw', 'Takes a copy whose sale was refunded out of the shop');
