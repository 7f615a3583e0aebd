import type { Statement } from '#contract/orders/states.ts';
import { sql } from 'kysely';
import type { OrderState } from '#contract/orders/move.ts';
import type { Trx } from '#server/platform/postgres/db.ts';

/** Somebody a mail about an order goes to; undefined once they left the shop. */
interface Party {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly isThere: boolean;
}

/** What mails about an order tell, and to whom, by the names and addresses of today. */
export interface MailedOrder {
  readonly titles: readonly string[];
  readonly state: OrderState;
  readonly delivery: 'pickup' | 'post';
  readonly carrier: string;
  readonly tracking: string;
  readonly place: string;
  readonly pickupTimes: string;
  readonly pickupCode: string | null;
  readonly dueAt: Date | null;
  /** How the seller wants the book back. */
  readonly sendBack: string | null;
  readonly statement: Statement | null;
  readonly buyer: Party;
  readonly seller: Party;
}

export const readMailedOrder = async (trx: Trx, orderId: string): Promise<MailedOrder> => {
  const row = await trx
    .selectFrom('orders as o')
    .innerJoin('users as b', 'b.id', 'o.buyer_id')
    .innerJoin('users as s', 's.id', 'o.seller_id')
    .leftJoin('order_problems as p', 'p.order_id', 'o.id')
    .select([
      'o.state',
      'o.delivery',
      'o.carrier',
      'o.tracking',
      'o.place',
      'o.pickup_times as pickupTimes',
      'o.pickup_code as pickupCode',
      'o.due_at as dueAt',
      'p.send_back as sendBack',
      'p.statement',
      sql<string[]>`ARRAY(SELECT title FROM bookings WHERE order_id = o.id ORDER BY created_at, id)`.as('titles'),
      'b.id as buyerId',
      'b.name as buyerName',
      'b.email as buyerEmail',
      sql<boolean>`b.deleted_at IS NULL`.as('isBuyerThere'),
      's.id as sellerId',
      's.name as sellerName',
      's.email as sellerEmail',
      sql<boolean>`s.deleted_at IS NULL`.as('isSellerThere'),
    ])
    .where('o.id', '=', orderId)
    .executeTakeFirstOrThrow();
  const { buyerId, buyerName, buyerEmail, isBuyerThere, sellerId, sellerName, sellerEmail, isSellerThere, ...rest } =
    row;
  return {
    ...rest,
    buyer: { id: buyerId, name: buyerName, email: buyerEmail, isThere: isBuyerThere },
    seller: { id: sellerId, name: sellerName, email: sellerEmail, isThere: isSellerThere },
  };
};
