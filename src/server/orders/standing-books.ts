import type { OrderBookRow } from './order-view.queries.ts';

/** How many books of an order are not given back, nor on their way to be. */
export const countStanding = (books: readonly OrderBookRow[]): number =>
  books.filter((book) => book.refundedCents + book.refundingCents < book.priceCents).length;

export const sum = (cents: readonly number[]): number => cents.reduce((all, each) => all + each, 0);
