import { Type, type Static } from 'typebox';
import { CopyPromise } from '#contract/bookings/promise.ts';
import { MAX_PHOTOS, ListingPhoto, OrderPhoto } from '#contract/catalog/photos.ts';
import { Address } from '#contract/delivery/address.ts';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, DollarsInput, Id, IsoTime, Text } from '#contract/scalars.ts';
import { OrderStateName } from './order-row.ts';

const StatementName = Type.Union([
  Type.Literal('title'),
  Type.Literal('author'),
  Type.Literal('condition'),
  Type.Literal('details'),
  Type.Literal('picture'),
  Type.Literal('isbn'),
  Type.Literal('publisher'),
  Type.Literal('year'),
  Type.Literal('grade'),
  Type.Literal('defects'),
  Type.Literal('jacket'),
  Type.Literal('jacket-grade'),
  Type.Literal('binding'),
  Type.Literal('language'),
  Type.Literal('pages'),
  Type.Literal('edition'),
  Type.Literal('signature'),
  Type.Literal('book-club'),
]);
const CameBackName = Type.Union([Type.Literal('wrong-address'), Type.Literal('unclaimed'), Type.Literal('other')]);

/**
 * A book of an order: what was promised and paid for it and as its share of the postage, and what of both goes or went
 * back. `promise` is all that was promised, and its hash, in hexadecimal, by which anybody can tell that it is
 * unchanged; null where it was booked before promises were kept whole. A photo of it that is not among `photos` was
 * taken down.
 */
export const OrderBook = Type.Object({
  bookingId: Id,
  listingId: Id,
  title: Type.String(),
  authors: Type.String(),
  image_url: Type.String(),
  condition: Type.String(),
  details: Type.String(),
  photos: Type.Array(Type.Omit(ListingPhoto, ['id', 'sample'])),
  promise: Type.Union([Type.Object({ hash: Type.String(), terms: CopyPromise }), Type.Null()]),
  price: Dollars,
  postage: Dollars,
  refunding: Dollars,
  refunded: Dollars,
});
export type OrderBook = Static<typeof OrderBook>;

/** A line of the timeline. `move` is its id in the table of moves; `before`: it was paid before there were orders. */
export const OrderEvent = Type.Object({
  move: Type.String(),
  state: Type.String(),
  by: Type.String(),
  reason: Type.String(),
  at: IsoTime,
});
export type OrderEvent = Static<typeof OrderEvent>;

/**
 * An order as whoever looks at it may see it. `side` is whose eyes these are. `sellerSlug` is what the page of the
 * seller is called, `""` for none. `phone` is the other side's; it,
 * `address` and `place` are empty once they need not be known any more. `moves` are the ids of what can be done now.
 * `due` says what happens by itself, and when; `complainBy` until when the buyer of a received order may report a
 * problem. `mayWithdraw`: the law lets its buyer withdraw, once they have it until `withdrawBy`.
 * `code` is told to the buyer alone. `mayWrite`: notes to the other side. `inquiry`: the bank that stops it
 * merely asks. `cameBack`: why a parcel did, as its seller says.
 */
export const Order = Type.Object({
  _id: Id,
  side: Type.Union([Type.Literal('buyer'), Type.Literal('seller'), Type.Literal('admin')]),
  state: OrderStateName,
  outcome: Type.String(),
  frozen: Type.Boolean(),
  inquiry: Type.Boolean(),
  delivery: Type.Union([Type.Literal('pickup'), Type.Literal('post')]),
  books: Type.Array(OrderBook),
  postage: Dollars,
  total: Dollars,
  buyer: Type.String(),
  seller: Type.String(),
  sellerSlug: Type.String(),
  phone: Type.String(),
  address: Type.Union([Address, Type.Null()]),
  place: Type.String(),
  times: Type.String(),
  carrier: Type.String(),
  tracking: Type.String(),
  code: Type.String(),
  problem: Type.Union([
    Type.Object({
      kind: Type.Union([
        Type.Literal('missing'),
        Type.Literal('not-as-described'),
        Type.Literal('damaged'),
        Type.Literal('withdrawal'),
      ]),
      bookingId: Type.Union([Id, Type.Null()]),
      statement: Type.Union([StatementName, Type.Null()]),
      words: Type.String(),
      offer: Type.Union([Dollars, Type.Null()]),
      sendBack: Type.String(),
      photos: Type.Array(OrderPhoto),
    }),
    Type.Null(),
  ]),
  cameBack: Type.Union([CameBackName, Type.Null()]),
  due: Type.Union([Type.Object({ move: Type.String(), at: IsoTime }), Type.Null()]),
  complainBy: Type.Union([IsoTime, Type.Null()]),
  mayWithdraw: Type.Boolean(),
  withdrawBy: Type.Union([IsoTime, Type.Null()]),
  moves: Type.Array(Type.String()),
  mayWrite: Type.Boolean(),
  paidAt: IsoTime,
  events: Type.Array(OrderEvent),
});
export type Order = Static<typeof Order>;

export const readOrder = endpoint({
  method: 'GET',
  path: '/orders/:id',
  summary: 'An order with its timeline',
  access: 'its buyer, its seller, admin',
  params: Type.Object({ id: Id }),
  status: 200,
  answer: Order,
  refused: { _id: null },
  personal: true,
});

/**
 * What a move needs beside its id. `post`: `carrier` and `tracking`, or neither. `make-ready`: `place` and `times`.
 * `hand-over`: the seller gives the buyer's `code`. `refuse`, `leave-out`: a `reason`. `report-missing`,
 * `report-problem`: `words`, for one of several books `bookingId`, of what is not as described `statement` if known,
 * and `photos` by their ids. `offer-part`, `refund-part`, `refund-later`: `amount`, of a buyer who takes an offer the
 * one that they saw. `come-back`: `why`. `ask-back`: `sendBack`, how it is sent back at the seller's cost and where to.
 * `take-out`, `leave-out`, `strike-out`: `bookingId`.
 */
export const OrderMoveRequest = Type.Object({
  move: Type.String({ maxLength: 40 }),
  carrier: Type.Optional(Text(100)),
  tracking: Type.Optional(Text(100)),
  place: Type.Optional(Text(300)),
  times: Type.Optional(Text(300)),
  code: Type.Optional(Text(20)),
  reason: Type.Optional(Text(1_000)),
  words: Type.Optional(Text(2_000)),
  kind: Type.Optional(Type.Union([Type.Literal('not-as-described'), Type.Literal('damaged')])),
  statement: Type.Optional(StatementName),
  bookingId: Type.Optional(Id),
  why: Type.Optional(CameBackName),
  amount: Type.Optional(DollarsInput),
  sendBack: Type.Optional(Text(1_000)),
  photos: Type.Optional(Type.Array(Id, { maxItems: MAX_PHOTOS })),
});
export type OrderMoveRequest = Static<typeof OrderMoveRequest>;

/**
 * 409 `order_moved` where the order does not take the move any more or the offer is another by now, `wrong_code` for a
 * code that is not this order's (another order's is not counted) and once five were wrong, `refund_refused` for more
 * than is left; 400 with fields for what is missing; a fourth cancelled paid order within 30 days 429.
 */
export const moveOrder = endpoint({
  method: 'POST',
  path: '/orders/:id/moves',
  summary: 'Makes a move of an order',
  access: 'its buyer, its seller or admin, by the table of moves; `Idempotency-Key` is honoured',
  params: Type.Object({ id: Id }),
  body: OrderMoveRequest,
  status: 200,
  answer: Type.Object({ state: Type.String() }),
  refused: { state: null },
  personal: true,
});
