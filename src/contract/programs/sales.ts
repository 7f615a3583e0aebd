import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, Id, IsoTime, PageQuery } from '#contract/scalars.ts';

/** A book of a sale, by the seller's own number; `sku` is `""` for one that was listed by hand. */
export const SoldBook = Type.Object({
  booking_id: Id,
  listing_id: Id,
  sku: Type.String(),
  title: Type.String(),
  price: Dollars,
});

/**
 * What one payment bought of a seller, for their programs: without names, addresses or anything by which a buyer is
 * reached. `state` and `outcome` are those of an order; `dueAt`: until when something has to be done.
 */
export const Sale = Type.Object({
  _id: Id,
  state: Type.String(),
  outcome: Type.Union([Type.String(), Type.Null()]),
  delivery: Type.Union([Type.Literal('pickup'), Type.Literal('post')]),
  paidAt: IsoTime,
  dueAt: Type.Union([IsoTime, Type.Null()]),
  books: Type.Array(SoldBook),
});
export type Sale = Static<typeof Sale>;

export const listSales = endpoint({
  method: 'GET',
  path: '/sales',
  summary: 'What the seller sold here, the newest first, without who bought it',
  access: 'seller',
  scope: 'orders:read',
  query: Type.Object(PageQuery),
  status: 200,
  answer: Type.Array(Sale),
  personal: true,
});
