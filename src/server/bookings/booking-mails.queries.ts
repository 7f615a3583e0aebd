import type { CopyPromise } from '#contract/bookings/promise.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { queryPrepared } from '#server/platform/postgres/query.ts';

export interface MailedUser {
  readonly name: string;
  readonly email: string;
  readonly isThere: boolean;
}

export interface MailedBooking {
  readonly title: string;
  /** How the buyer is reached. */
  readonly phone: string;
  readonly location: string;
  readonly priceCents: number;
  readonly paidAt: Date | null;
  /** How its order is delivered, and until when its seller has time for that; null where there is none. */
  readonly delivery: 'pickup' | 'post' | null;
  readonly dueAt: Date | null;
  readonly buyer: MailedUser;
  readonly seller: MailedUser;
  /** What its copy promised, whole; null where that was not written down. */
  readonly promise: CopyPromise | null;
  readonly hash: Buffer | null;
}

/** What mails about a booking tell, and to whom: users by the name and address they have now. */
export const readMailedBooking = async (trx: Trx, bookingId: string): Promise<MailedBooking> => {
  const select = trx
    .selectFrom('bookings as b')
    .innerJoin('listings as l', 'l.id', 'b.listing_id')
    .innerJoin('users as buyer', 'buyer.id', 'b.buyer_id')
    .innerJoin('users as seller', 'seller.id', 'l.seller_id')
    .leftJoin('orders as o', 'o.id', 'b.order_id')
    .leftJoin('booking_promises as k', 'k.booking_id', 'b.id')
    .select([
      'k.promise',
      'k.hash',
      'b.title',
      'b.phone',
      'b.location',
      'b.price_cents as priceCents',
      'b.paid_at as paidAt',
      'o.delivery',
      'o.due_at as dueAt',
      'buyer.name as buyerName',
      'buyer.email as buyerEmail',
      'buyer.deleted_at as buyerLeftAt',
      'seller.name as sellerName',
      'seller.email as sellerEmail',
      'seller.deleted_at as sellerLeftAt',
    ])
    .where('b.id', '=', bookingId);
  const [row] = await queryPrepared(trx, 'mailed_booking', select);
  if (row === undefined) throw new Error(`there is no booking ${bookingId} to write of`);
  return {
    promise: row.promise,
    hash: row.hash,
    title: row.title,
    phone: row.phone,
    location: row.location,
    priceCents: row.priceCents,
    paidAt: row.paidAt,
    delivery: row.delivery,
    dueAt: row.dueAt,
    buyer: { name: row.buyerName, email: row.buyerEmail, isThere: row.buyerLeftAt === null },
    seller: { name: row.sellerName, email: row.sellerEmail, isThere: row.sellerLeftAt === null },
  };
};
