import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';

/** How many copies of a title can be booked now, and the lowest price of them in dollars, null where there are none. */
export const TitleStock = Type.Object({
  title: Type.String(),
  copies: Type.Integer(),
  from: Type.Union([Type.Number(), Type.Null()]),
});
export type TitleStock = Static<typeof TitleStock>;

export const readPopular = endpoint({
  method: 'GET',
  path: '/popular',
  summary: 'How many copies of the popular books can be booked, and from which price',
  access: 'anyone',
  status: 200,
  answer: Type.Object({ books: Type.Array(TitleStock) }),
  personal: false,
});
