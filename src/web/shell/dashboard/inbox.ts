import type { Booking, BookingOfMine } from '#contract/bookings/bookings.ts';
import { rowWords, type OrderRow } from '#contract/orders/order-row.ts';

/** One thing that waits: a book to pay for, or an order with what happens next. */
export interface InboxItem {
  readonly id: string;
  /** Of the first book. */
  readonly title: string;
  /** How many more books it is about. */
  readonly more: number;
  readonly authors: string;
  readonly imageUrl: string;
  readonly to: string;
  readonly order: OrderRow | null;
  /** Until when it is reserved for whoever reads it; undefined where it is paid for. */
  readonly payBy?: string;
}

type Row = Pick<Booking, '_id' | 'title' | 'authors' | 'image_url' | 'order' | 'refunded'>;

const isOpen = ({ order, refunded }: Row): boolean =>
  order !== null && !refunded && order.state !== 'closed' && order.state !== 'cancelled';

const itemOf = ({ _id, title, authors, image_url, order }: Row, to: string): InboxItem => ({
  id: order?.id ?? _id,
  title,
  more: 0,
  authors,
  imageUrl: image_url,
  to,
  order,
});

/** Books of one order are one thing: told by the first, and how many more there are. */
const byOrder = (rows: readonly Row[]): InboxItem[] => {
  const items = new Map<string, InboxItem>();
  for (const row of rows) {
    const item = itemOf(row, `/dashboard/orders/${row.order?.id}`);
    const known = items.get(item.id);
    items.set(item.id, known === undefined ? item : { ...known, more: known.more + 1 });
  }
  return [...items.values()];
};

const isToHandOver = ({ order }: InboxItem): boolean => order?.state === 'ready' && !order.frozen;

const asks = ({ order }: InboxItem, side: 'buyer' | 'seller'): boolean =>
  order !== null && rowWords(order, side).isYours;

/** What a seller is asked for, and what they have to hand over, in the order of the list. */
export const toDoOf = (rows: readonly BookingOfMine[]): InboxItem[] =>
  byOrder(rows.filter(isOpen)).filter((item) => asks(item, 'seller') || isToHandOver(item));

/** What is under way of a buyer's: to be paid for first, then what they are asked for, then what waits for others. */
export const comingOf = (rows: readonly Booking[]): InboxItem[] => {
  const toPay = rows.flatMap((row) =>
    row.hold === 'held' && !row.processing && row.holdExpiresAt !== null
      ? [{ ...itemOf(row, `/dashboard/payment/${row._id}`), payBy: row.holdExpiresAt }]
      : [],
  );
  const orders = byOrder(rows.filter(isOpen));
  return [...toPay, ...orders.filter((item) => asks(item, 'buyer')), ...orders.filter((item) => !asks(item, 'buyer'))];
};
