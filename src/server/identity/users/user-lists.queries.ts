import { sql, type SqlBool } from 'kysely';
import type { UsersSort } from '#contract/admin/admin.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import {
  beginningOf,
  beyond,
  keyText,
  orderText,
  type Order,
  type SortedPosition,
} from '#server/platform/sorted-cursor.ts';

const NAME = beginningOf('search_text(u.name)');

/** The orders of the lists of users, each by an index of its own. */
export const USER_ORDERS = {
  newest: { kind: 'time', key: 'u.created_at', way: 'DESC' },
  'name-up': { kind: 'text', key: NAME, way: 'ASC' },
  'name-down': { kind: 'text', key: NAME, way: 'DESC' },
} as const satisfies Record<UsersSort, Order>;

export interface UsersFilter {
  readonly onlySellers: boolean;
  /** A part of the name or address, whatever its case, or the number of an order or payment; empty for everybody. */
  readonly search: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const INTENT = /^pi_\w+$/;

/** Both sides of an order or a payment, by its number: an array of ids. */
const partiesOf = (search: string) => {
  if (UUID.test(search))
    return sql`ARRAY(SELECT unnest(ARRAY[buyer_id, seller_id]) FROM orders WHERE id = ${search}::uuid
      UNION SELECT ${search}::uuid)`;
  if (INTENT.test(search))
    return sql`ARRAY(SELECT unnest(ARRAY[b.buyer_id, b.seller_id]) FROM payment_intents AS i
      JOIN bookings AS b ON b.id = i.booking_id WHERE i.provider_id = ${search})`;
  return sql`'{}'::uuid[]`;
};

/** Users who are there: the deleted are out of sight. */
const matches = ({ onlySellers, search }: UsersFilter) =>
  sql.join<SqlBool>(
    [
      sql`u.deleted_at IS NULL`,
      ...(onlySellers ? [sql`u.is_seller`] : []),
      // strpos and not LIKE: what is looked for may hold % and _
      ...(search === ''
        ? []
        : [
            sql`(strpos(lower(u.name), lower(${search})) > 0 OR strpos(lower(u.email), lower(${search})) > 0
              OR u.id = ANY (${partiesOf(search)}))`,
          ]),
    ],
    sql` AND `,
  );

/** How often a seller did not send what was paid; of lists of everybody nobody counts it. */
const cancelled = ({ onlySellers }: UsersFilter) =>
  onlySellers
    ? sql<number | null>`(SELECT count(*)::integer FROM orders AS o JOIN order_events AS e ON e.order_id = o.id
        WHERE o.seller_id = u.id AND (e.move IN ('refuse', 'leave-out') OR (e.move = 'cancel-unposted' AND e.by = 'clock')))`
    : sql<number | null>`NULL::integer`;

const userRows = (db: Db, filter: UsersFilter) =>
  db
    .selectFrom('users as u')
    .select([
      'u.id',
      'u.name',
      'u.email',
      'u.is_admin as isAdmin',
      'u.is_seller as isSeller',
      'u.is_buyer as isBuyer',
      'u.verified',
      sql<boolean>`is_suspended(u.id)`.as('suspended'),
      sql<string>`to_char(u.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.as('joined'),
      cancelled(filter).as('cancelled'),
    ])
    .where(matches(filter));

export type UsersRow = Awaited<ReturnType<ReturnType<typeof userRows>['execute']>>[number];

/**
 * One page of users and one row more in their order; each row with what it is ordered by and the length of the whole
 * list, counted to `countAtMost`.
 */
export const listUserRows = (
  db: Db,
  filter: UsersFilter,
  page: { limit: number; sort: UsersSort; after: SortedPosition | undefined; countAtMost: number },
): Promise<(UsersRow & { key: string; total: number })[]> => {
  const order = USER_ORDERS[page.sort];
  const total = sql<number>`(SELECT count(*)::integer
    FROM (SELECT FROM users AS u WHERE ${matches(filter)} LIMIT ${page.countAtMost}) AS counted)`;
  const query = userRows(db, filter).select([total.as('total'), sql<string>`${sql.raw(keyText(order))}`.as('key')]);
  const { after } = page;
  return (after === undefined ? query : query.where(beyond(order, 'u', after)))
    .orderBy(sql.raw(orderText(order, 'u')))
    .limit(page.limit + 1)
    .execute();
};

/** One user as the lists have them, with what lists of sellers count; undefined for the deleted. */
export const findUserRow = (db: Db, id: string): Promise<UsersRow | undefined> =>
  userRows(db, { onlySellers: false, search: '' }).where('u.id', '=', id).executeTakeFirst();

/** What decides about somebody. */
export interface UserFacts {
  readonly id: string;
  readonly isAdmin: boolean;
  readonly isSeller: boolean;
  readonly verified: boolean;
  readonly emailProvenAt: Date | null;
}

/**
 * These users, without the deleted, locked in one order until the transaction ends, so that two who lock each other
 * take turns.
 */
export const lockUsers = (trx: Trx, ids: readonly string[]): Promise<UserFacts[]> =>
  trx
    .selectFrom('users')
    .select(['id', 'is_admin as isAdmin', 'is_seller as isSeller', 'verified', 'email_proven_at as emailProvenAt'])
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

/** A user who wants to leave, and every admin beside them when they are one, locked in the order of `lockUsers`. */
export const lockLeaving = (trx: Trx, id: string): Promise<{ id: string; isAdmin: boolean }[]> =>
  trx
    .selectFrom('users as u')
    .select(['u.id', 'u.is_admin as isAdmin'])
    .where('u.deleted_at', 'is', null)
    .where(sql<SqlBool>`(u.id = ${id} OR (u.is_admin AND (SELECT me.is_admin FROM users AS me WHERE me.id = ${id})))`)
    .orderBy('u.id')
    .forNoKeyUpdate()
    .execute();

/** An admin as whoever runs the shop sees one. */
export interface AdminFacts {
  readonly name: string;
  readonly email: string;
  readonly since: Date;
  readonly passkeys: number;
}

/** The admins, the oldest account first. */
export const listAdmins = (db: Db): Promise<AdminFacts[]> =>
  db
    .selectFrom('users as u')
    .select([
      'u.name',
      'u.email',
      'u.created_at as since',
      sql<number>`(SELECT count(*)::int FROM passkeys AS p WHERE p.user_id = u.id)`.as('passkeys'),
    ])
    .where('u.is_admin', '=', true)
    .where('u.deleted_at', 'is', null)
    .orderBy('u.created_at')
    .orderBy('u.id')
    .execute();

export const setAdmin = (trx: Trx, id: string): Promise<unknown> =>
  trx.updateTable('users').set({ is_admin: true }).where('id', '=', id).execute();

/** Takes the admin role away; answers who to tell. */
export const unsetAdmin = (trx: Trx, id: string): Promise<{ name: string; email: string }> =>
  trx
    .updateTable('users')
    .set({ is_admin: false })
    .where('id', '=', id)
    .returning(['name', 'email'])
    .executeTakeFirstOrThrow();

/** Marks somebody as verified, or as not verified; answers who to tell. */
export const setVerified = (trx: Trx, id: string, verified: boolean): Promise<{ name: string; email: string }> =>
  trx
    .updateTable('users')
    .set({ verified })
    .where('id', '=', id)
    .returning(['name', 'email'])
    .executeTakeFirstOrThrow();

export const setDeleted = (trx: Trx, id: string): Promise<unknown> =>
  trx
    .updateTable('users')
    .set({ deleted_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();

export const deleteSessionsOf = (trx: Trx, userId: string): Promise<unknown> =>
  trx.deleteFrom('sessions').where('user_id', '=', userId).execute();
