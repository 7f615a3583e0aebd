import { sql, type SqlBool } from 'kysely';
import { RESTORE_DAYS } from '#contract/admin/restoring.ts';
import type { Position } from '#server/platform/cursor.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

const LATELY = sql`now() - make_interval(days => ${sql.lit(RESTORE_DAYS)})`;

/** Who left by themselves was made nameless, and does not come back. */
const STAYED = sql<SqlBool>`NOT EXISTS (SELECT FROM departures AS d WHERE d.user_id = u.id)`;

export interface DeletedUserRow extends Position {
  readonly name: string;
  readonly email: string;
  readonly copies: number;
}

/** Users an admin deleted lately, the newest first, with the copies that went with them. */
export const listDeletedRows = (
  db: Db,
  page: { limit: number; after: Position | undefined },
): Promise<DeletedUserRow[]> =>
  db
    .selectFrom('users as u')
    .select([
      'u.id',
      'u.name',
      'u.email',
      sql<string>`to_char(u.deleted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('at'),
      sql<number>`(SELECT count(*)::int FROM listings AS l
        WHERE l.seller_id = u.id AND l.withdrawn_at >= u.deleted_at)`.as('copies'),
    ])
    .where(sql<SqlBool>`u.deleted_at > ${LATELY}`)
    .where(STAYED)
    .$if(page.after !== undefined, (query) =>
      query.where(sql<SqlBool>`(u.deleted_at, u.id) < (${page.after?.at}::timestamptz, ${page.after?.id}::uuid)`),
    )
    .orderBy('u.deleted_at', 'desc')
    .orderBy('u.id', 'desc')
    .limit(page.limit)
    .execute();

/**
 * Brings somebody back whom an admin deleted lately; answers since when they were gone, undefined when there is nobody
 * to bring back.
 */
export const undelete = async (trx: Trx, id: string): Promise<Date | undefined> => {
  const gone = await trx
    .selectFrom('users as u')
    .select('u.deleted_at as since')
    .where('u.id', '=', id)
    .where(sql<SqlBool>`u.deleted_at > ${LATELY}`)
    .where(STAYED)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (gone?.since == null) return undefined;
  await trx.updateTable('users').set({ deleted_at: null }).where('id', '=', id).execute();
  return gone.since;
};
