import { sql } from 'kysely';
import type { Trx } from '#server/platform/postgres/db.ts';

/** By which move a book was taken out of its parcel; undefined where none was. */
export const findTakingOut = async (
  trx: Trx,
  { orderId, bookingId }: { orderId: string; bookingId: string },
): Promise<string | undefined> => {
  const row = await trx
    .selectFrom('order_events')
    .select('move')
    .where('order_id', '=', orderId)
    .where('booking_id', '=', bookingId)
    .where('move', 'in', ['take-out', 'leave-out', 'strike-out'])
    .executeTakeFirst();
  return row?.move;
};

/** Whoever calls off several orders at once does so one after the other, until the transaction ends. */
export const lockCancelling = async (trx: Trx, buyerId: string): Promise<void> => {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('cancels ' || ${buyerId}, 0))`.execute(trx);
};

/** How many paid orders but this one a buyer has cancelled, or taken books out of, in the last 30 days. */
export const countCancelled = async (trx: Trx, buyerId: string, exceptId: string): Promise<number> => {
  const row = await trx
    .selectFrom('order_events as e')
    .innerJoin('orders as o', 'o.id', 'e.order_id')
    .select((eb) => eb.fn.count<string>('o.id').distinct().as('count'))
    .where('o.buyer_id', '=', buyerId)
    .where('o.id', '<>', exceptId)
    .where('e.move', 'in', ['cancel', 'take-out'])
    .where('e.at', '>', sql<Date>`shop_now() - interval '30 days'`)
    .executeTakeFirstOrThrow();
  return Number(row.count);
};
