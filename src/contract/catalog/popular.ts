import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';

/** What the shop shows as Popular Books: titles that pass through it again and again, whether it has copies or not. */
export const POPULAR_BOOKS = [
  { title: 'Pride and Prejudice', authors: 'Jane Austen', about: 'First impressions, second thoughts.' },
  { title: 'The Great Gatsby', authors: 'F. Scott Fitzgerald', about: 'A green light across the water.' },
  { title: 'To Kill a Mockingbird', authors: 'Harper Lee', about: 'A summer that asks for courage.' },
  { title: 'One Hundred Years of Solitude', authors: 'Gabriel García Márquez', about: 'A family, a village, an age.' },
  { title: 'The Hobbit', authors: 'J.R.R. Tolkien', about: 'There and back again.' },
  { title: 'Beloved', authors: 'Toni Morrison', about: 'What the past will not let go.' },
] as const;

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
