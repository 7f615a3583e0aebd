import { sql, type SqlBool } from 'kysely';
import { RESTORE_DAYS } from '#contract/admin/restoring.ts';
import type { Position } from '#server/platform/cursor.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { becoming } from './listing.queries.ts';

const LATELY = sql`now() - make_interval(days => ${sql.lit(RESTORE_DAYS)})`;

export interface WithdrawnRow extends Position {
  readonly title: string;
  readonly seller: string;
  readonly priceCents: number;
}

/** Copies withdrawn lately whose sellers are there, the newest deletion first. */
export const listWithdrawnRows = (
  db: Db,
  page: { limit: number; after: Position | undefined },
): Promise<WithdrawnRow[]> =>
  db
    .selectFrom('listings as l')
    .innerJoin('users as u', 'u.id', 'l.seller_id')
    .select([
      'l.id',
      sql<string>`to_char(l.withdrawn_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('at'),
      'l.title',
      'u.name as seller',
      'l.resale_cents as priceCents',
    ])
    .where('l.status', '=', 'withdrawn')
    .where('u.deleted_at', 'is', null)
    .where(sql<SqlBool>`l.withdrawn_at > ${LATELY}`)
    .$if(page.after !== undefined, (query) =>
      query.where(sql<SqlBool>`(l.withdrawn_at, l.id) < (${page.after?.at}::timestamptz, ${page.after?.id}::uuid)`),
    )
    .orderBy('l.withdrawn_at', 'desc')
    .orderBy('l.id', 'desc')
    .limit(page.limit)
    .execute();

/**
 * Puts a copy back that was withdrawn lately and whose seller is there; answers its title, undefined when there is
 * none.
 */
export const reshelve = async (trx: Trx, id: string): Promise<string | undefined> => {
  const row = await trx
    .updateTable('listings as l')
    .set(becoming('available'))
    .where('l.id', '=', id)
    .where('l.status', '=', 'withdrawn')
    .where(sql<SqlBool>`l.withdrawn_at > ${LATELY}`)
    .where(sql<SqlBool>`EXISTS (SELECT FROM users AS u WHERE u.id = l.seller_id AND u.deleted_at IS NULL)`)
    .returning('l.title')
    .executeTakeFirst();
  return row?.title;
};

/** Puts back what a seller had on the shelf, or held, when they were deleted at `since`; answers how many. */
export const reshelveOf = async (trx: Trx, sellerId: string, since: Date): Promise<number> => {
  const result = await trx
    .updateTable('listings')
    .set(becoming('available'))
    .where('seller_id', '=', sellerId)
    .where('status', '=', 'withdrawn')
    .where(sql<SqlBool>`withdrawn_at >= ${since}`)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
};
