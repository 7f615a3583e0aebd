import { formatDate } from '#contract/time.ts';
import type { ShelfPause } from '#contract/catalog/pausing.ts';

/** A day such as `2026-12-24` in words, the same in every zone: `Dec 24, 2026`. */
export const dayInWords = (day: string): string => formatDate(`${day}T12:00:00Z`, 'UTC');

/** Where a copy is that was listed a moment ago, to end a sentence with its title. */
export const listedInWords = ({ paused, until }: Pick<ShelfPause, 'paused' | 'until'>): string => {
  if (!paused) return 'is in the shop now.';
  return until === null ? 'appears when you are back.' : `appears when you are back on ${dayInWords(until)}.`;
};

/** What goes on while a shelf is paused. */
export const ordersInWords = (openOrders: number): string => {
  if (openOrders === 0) return 'You have no orders under way.';
  const orders = openOrders === 1 ? 'one order' : `${openOrders} orders`;
  return `You have ${orders} under way: the deadlines go on, so please see to them in time.`;
};
