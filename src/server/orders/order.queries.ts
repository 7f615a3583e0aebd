import { sql } from 'kysely';
import { WITHDRAWAL_COUNTRIES } from '#contract/law/withdrawal.ts';
import type { Address } from '#contract/delivery/address.ts';
import type { OrderActor, OrderOutcome, OrderState } from '#contract/orders/move.ts';
import type { CameBack } from '#contract/orders/states.ts';
import type { OrderMoveId } from '#contract/orders/moves.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { prepared, query } from '#server/platform/postgres/query.ts';

/** An order as its moves need it. */
export interface Order {
  readonly id: string;
  readonly buyerId: string;
  readonly sellerId: string;
  readonly delivery: 'pickup' | 'post';
  readonly address: Address | null;
  readonly isAbroad: boolean;
  /** Whether its buyer may withdraw: a trader sold it to where the law says so. */
  readonly mayWithdraw: boolean;
  readonly place: string;
  readonly postageCents: number;
  readonly daysToPost: number;
  readonly state: OrderState;
  readonly outcome: OrderOutcome | 'before' | null;
  readonly carrier: string;
  readonly tracking: string;
  readonly pickupTimes: string;
  readonly pickupCode: string | null;
  readonly codeFailures: number;
  readonly postedAt: Date | null;
  readonly extendedAt: Date | null;
  readonly enteredAt: Date;
  readonly dueAt: Date | null;
  readonly dueMove: string | null;
  readonly frozenBy: 'dispute' | 'inquiry' | null;
  readonly frozenLeftMs: number | null;
  readonly cameBack: CameBack | null;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
}

const COLUMNS = [
  'orders.id',
  'orders.buyer_id as buyerId',
  'orders.seller_id as sellerId',
  'orders.delivery',
  'orders.address',
  'orders.is_abroad as isAbroad',
  'orders.may_withdraw as mayWithdraw',
  'orders.place',
  'orders.postage_cents as postageCents',
  'orders.days_to_post as daysToPost',
  'orders.state',
  'orders.outcome',
  'orders.carrier',
  'orders.tracking',
  'orders.pickup_times as pickupTimes',
  'orders.pickup_code as pickupCode',
  'orders.code_failures as codeFailures',
  'orders.posted_at as postedAt',
  'orders.extended_at as extendedAt',
  'orders.entered_at as enteredAt',
  'orders.due_at as dueAt',
  'orders.due_move as dueMove',
  'orders.frozen_by as frozenBy',
  sql<number | null>`orders.frozen_left_ms::float8`.as('frozenLeftMs'),
  'orders.came_back as cameBack',
  'orders.created_at as createdAt',
  'orders.closed_at as closedAt',
] as const;

export const findOrder = (db: Db, id: string): Promise<Order | undefined> =>
  db.selectFrom('orders').select(COLUMNS).where('id', '=', id).executeTakeFirst();

/** The order, locked until the transaction ends; whoever moves it has locked its bookings before. */
export const lockOrder = (trx: Trx, id: string): Promise<Order | undefined> =>
  trx.selectFrom('orders').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst();

/** The time of this transaction by the shop's clock. */
export const readShopNow = async (db: Db): Promise<Date> => {
  const { rows } = await sql<{ now: Date }>`SELECT shop_now() AS now`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database answered nothing');
  return row.now;
};

export type NewOrder = Pick<
  Order,
  'id' | 'buyerId' | 'sellerId' | 'delivery' | 'address' | 'isAbroad' | 'place' | 'postageCents' | 'daysToPost'
> & {
  readonly dueAt: Date;
  readonly dueMove: OrderMoveId;
};

const INSERT_ORDER = prepared(
  'insert_order',
  `WITH made AS (
    INSERT INTO orders (id, buyer_id, seller_id, delivery, address, is_abroad, place, postage_cents, days_to_post,
      due_at, due_move, may_withdraw)
    VALUES ($1::uuid, $2, $3::uuid, $4, $5::jsonb, $6, $7, $8, $9, $10, $11,
      coalesce((SELECT d.kind = 'trader' AND coalesce($5::jsonb ->> 'country', d.country) = ANY ($21::text[])
        FROM seller_declarations AS d WHERE d.user_id = $3::uuid), false))),
  booked AS (UPDATE bookings SET order_id = $1::uuid WHERE id = ANY ($12::uuid[])),
  reminded AS (
    INSERT INTO order_reminders (order_id, kind, at)
    SELECT $1::uuid, r.* FROM unnest($13::text[], $14::timestamptz[]) AS r)
  INSERT INTO order_events (order_id, move, from_state, to_state, by, user_id, reason)
  VALUES ($1::uuid, $15, $16, $17, $18, $19, $20)`,
);

/**
 * Writes down an order, its bookings, its first reminders and the move that begins it, in one statement; whether its
 * buyer may withdraw is decided then, where it goes to or, of a pickup, where the business is.
 */
export const insertOrder = async (
  trx: Trx,
  order: NewOrder,
  parts: { bookingIds: readonly string[]; reminders: readonly { kind: string; at: Date }[]; event: NewEvent },
): Promise<void> => {
  const { id, buyerId, sellerId, delivery, isAbroad, place, postageCents, daysToPost, dueAt, dueMove } = order;
  const address = order.address === null ? null : JSON.stringify(order.address);
  const { bookingIds, reminders, event } = parts;
  const row = [id, buyerId, sellerId, delivery, address, isAbroad, place, postageCents, daysToPost, dueAt, dueMove];
  const told = [event.move, event.from, event.to, event.by, event.userId, event.reason];
  const [kinds, times] = [reminders.map(({ kind }) => kind), reminders.map(({ at }) => at)];
  await query(trx, INSERT_ORDER, [...row, bookingIds, kinds, times, ...told, WITHDRAWAL_COUNTRIES]);
};

/** What a move changes of an order. */
export interface OrderChange {
  readonly state: OrderState;
  readonly outcome?: OrderOutcome | undefined;
  readonly dueAt?: Date | null | undefined;
  readonly dueMove?: string | null | undefined;
  readonly frozenBy?: 'dispute' | 'inquiry' | null | undefined;
  readonly frozenLeftMs?: number | null | undefined;
  readonly isEntered: boolean;
  readonly isOver: boolean;
  readonly details?:
    | Partial<Pick<Order, 'carrier' | 'tracking' | 'place' | 'pickupTimes' | 'pickupCode' | 'cameBack'>>
    | undefined;
  readonly isPosted?: boolean;
  readonly isExtended?: boolean;
}

const NOW = sql<Date>`shop_now()`;

export const updateOrder = async (trx: Trx, id: string, change: OrderChange): Promise<void> => {
  const { details = {} } = change;
  await trx
    .updateTable('orders')
    .set({
      state: change.state,
      ...(change.outcome !== undefined && { outcome: change.outcome }),
      ...(change.dueAt !== undefined && { due_at: change.dueAt }),
      ...(change.dueMove !== undefined && { due_move: change.dueMove }),
      ...(change.frozenBy !== undefined && {
        frozen_by: change.frozenBy,
        // A dispute that follows an inquiry: it stands still since then.
        frozen_at: change.frozenBy === null ? null : sql<Date>`coalesce(frozen_at, shop_now())`,
        frozen_left_ms: change.frozenLeftMs ?? null,
      }),
      ...(change.isEntered && { entered_at: NOW }),
      ...(change.isOver && { closed_at: NOW }),
      ...(change.isPosted === true && { posted_at: NOW }),
      ...(change.isExtended === true && { extended_at: NOW }),
      ...(details.carrier !== undefined && { carrier: details.carrier }),
      ...(details.tracking !== undefined && { tracking: details.tracking }),
      ...(details.place !== undefined && { place: details.place }),
      ...(details.pickupTimes !== undefined && { pickup_times: details.pickupTimes }),
      ...(details.cameBack !== undefined && { came_back: details.cameBack }),
      ...(details.pickupCode !== undefined && { pickup_code: details.pickupCode }),
    })
    .where('id', '=', id)
    .execute();
};

export interface NewEvent {
  readonly orderId: string;
  readonly move: OrderMoveId;
  readonly from: OrderState | null;
  readonly to: OrderState;
  readonly by: OrderActor;
  readonly userId: string | null;
  readonly reason: string;
  /** The book it is about, where it is not all of the order. */
  readonly bookingId?: string | undefined;
}

/** Writes a move into the order's timeline; answers its id. */
export const insertEvent = async (trx: Trx, event: NewEvent): Promise<string> => {
  const { id } = await trx
    .insertInto('order_events')
    .values({
      order_id: event.orderId,
      move: event.move,
      from_state: event.from,
      to_state: event.to,
      by: event.by,
      user_id: event.userId,
      reason: event.reason,
      booking_id: event.bookingId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** The bookings of an order, in the order of their ids. */
export const listBookingIds = async (db: Db, orderId: string): Promise<string[]> => {
  const rows = await db.selectFrom('bookings').select('id').where('order_id', '=', orderId).orderBy('id').execute();
  return rows.map(({ id }) => id);
};

/** The orders of bookings. */
export const listOrderIds = async (db: Db, bookingIds: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('bookings')
    .select('order_id as id')
    .distinct()
    .where('id', 'in', [...bookingIds])
    .where('order_id', 'is not', null)
    .execute();
  return rows.flatMap(({ id }) => (id === null ? [] : [id]));
};

/** How many sales of a seller came to their end as they should. */
export const countCompleted = async (trx: Trx, sellerId: string): Promise<number> => {
  const row = await trx
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('seller_id', '=', sellerId)
    .where('outcome', 'in', ['completed', 'kept', 'before'])
    .executeTakeFirstOrThrow();
  return Number(row.count);
};
