import { sql } from 'kysely';
import type { EndedOrder, SellerRecord } from '#contract/orders/record.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

interface EndedRow {
  readonly createdAt: string;
  readonly daysToPost: number;
  readonly events: readonly { readonly move: string; readonly state: string; readonly at: string }[];
  readonly notes: readonly { readonly by: 'buyer' | 'seller'; readonly at: string }[];
}

/** Orders that are over, of a seller or the one, the first one first. */
export const listEnded = async (
  db: Db,
  of: { readonly sellerId: string } | { readonly orderId: string },
): Promise<EndedOrder[]> => {
  const which =
    'sellerId' in of ? sql`o.seller_id = ${of.sellerId} AND o.closed_at IS NOT NULL` : sql`o.id = ${of.orderId}`;
  const { rows } = await sql<EndedRow>`
    SELECT o.created_at AS "createdAt", o.days_to_post AS "daysToPost",
      coalesce((SELECT json_agg(json_build_object('move', e.move, 'state', e.to_state, 'at', e.at) ORDER BY e.id)
        FROM order_events AS e WHERE e.order_id = o.id), '[]') AS events,
      coalesce((SELECT json_agg(json_build_object('by',
          CASE WHEN m.sender_id = o.buyer_id THEN 'buyer' ELSE 'seller' END, 'at', m.at) ORDER BY m.n)
        FROM message_threads AS t JOIN messages AS m ON m.thread_id = t.id WHERE t.order_id = o.id), '[]') AS notes
    FROM orders AS o WHERE ${which} ORDER BY o.created_at, o.id`.execute(db);
  const atTime = <Row extends { readonly at: string }>(row: Row) => ({ ...row, at: new Date(row.at) });
  return rows.map(({ createdAt, daysToPost, events, notes }) => ({
    createdAt: new Date(createdAt),
    daysToPost,
    events: events.map(atTime),
    notes: notes.map(atTime),
  }));
};

const rowOf = (record: SellerRecord) => ({
  orders: record.orders,
  posted: record.posted,
  posted_in_time: record.postedInTime,
  cancelled: record.cancelled,
  upheld: record.upheld,
  asked: record.asked,
  answered: record.answered,
});

export const hasRecord = async (db: Db, sellerId: string): Promise<boolean> =>
  (await db.selectFrom('seller_records').select('seller_id').where('seller_id', '=', sellerId).executeTakeFirst()) !==
  undefined;

/** Adds what an order adds; where there is no record yet, it is `whole`, in which the order is counted. */
export const addToRecord = async (
  trx: Trx,
  sellerId: string,
  { one, whole }: { one: SellerRecord; whole: SellerRecord },
): Promise<void> => {
  const added = rowOf(one);
  const names = Object.keys(added) as (keyof typeof added)[];
  await trx
    .insertInto('seller_records')
    .values({ seller_id: sellerId, ...rowOf(whole) })
    .onConflict((conflict) =>
      conflict
        .column('seller_id')
        .doUpdateSet((eb) =>
          Object.fromEntries(names.map((name) => [name, eb(`seller_records.${name}`, '+', added[name])])),
        ),
    )
    .execute();
};

/** Writes a record where there is none. */
export const insertRecord = async (db: Db, sellerId: string, record: SellerRecord): Promise<void> => {
  await db
    .insertInto('seller_records')
    .values({ seller_id: sellerId, ...rowOf(record) })
    .onConflict((conflict) => conflict.column('seller_id').doNothing())
    .execute();
};

/** Sellers with orders that are over and without a record. */
export const listUnrecorded = async (db: Db, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    SELECT u.id FROM users AS u WHERE u.is_seller
      AND NOT EXISTS (SELECT FROM seller_records AS r WHERE r.seller_id = u.id)
      AND EXISTS (SELECT FROM orders AS o WHERE o.seller_id = u.id AND o.closed_at IS NOT NULL)
    LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
};

/** A seller's record; undefined where no order of theirs is over. */
export const findRecord = (db: Db, sellerId: string): Promise<SellerRecord | undefined> =>
  db
    .selectFrom('seller_records')
    .select(['orders', 'posted', 'posted_in_time as postedInTime', 'cancelled', 'upheld', 'asked', 'answered'])
    .where('seller_id', '=', sellerId)
    .executeTakeFirst();
