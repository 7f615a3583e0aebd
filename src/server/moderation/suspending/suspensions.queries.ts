import { sql } from 'kysely';
import { SHOP_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

export interface SuspensionRow {
  readonly id: string;
  readonly reason: string;
  readonly since: Date;
  readonly until: Date | null;
}

/** How somebody is suspended now; undefined where they are not. */
export const findSuspension = (db: Db, userId: string): Promise<SuspensionRow | undefined> =>
  db
    .selectFrom('suspensions')
    .select(['id', 'reason', 'begun_at as since', 'until'])
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();

/** Suspends somebody, or gives the suspension another reason and time; answers it. The caller has locked the user. */
export const writeSuspension = async (
  trx: Trx,
  { userId, reason, days }: { userId: string; reason: string; days: number | undefined },
): Promise<SuspensionRow> => {
  const { rows } = await sql<SuspensionRow>`
    INSERT INTO suspensions (user_id, reason, until)
    VALUES (${userId}, ${reason}, ${SHOP_NOW} + make_interval(days => ${days ?? null}::integer))
    ON CONFLICT (user_id) WHERE ended_at IS NULL DO UPDATE SET reason = excluded.reason, until = excluded.until
    RETURNING id, reason, begun_at AS since, until`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('a suspension was not written');
  return row;
};

/** Ends a suspension; false where there is none. */
export const endSuspension = async (trx: Trx, userId: string): Promise<boolean> => {
  const { rows } = await sql`UPDATE suspensions SET ended_at = ${SHOP_NOW}
    WHERE user_id = ${userId} AND ended_at IS NULL RETURNING 1`.execute(trx);
  return rows.length > 0;
};

/** Those whose time is over. */
export const listDueSuspensions = async (db: Db, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ userId: string }>`SELECT user_id AS "userId" FROM suspensions
    WHERE ended_at IS NULL AND until <= ${SHOP_NOW} ORDER BY until LIMIT ${limit}`.execute(db);
  return rows.map(({ userId }) => userId);
};

/** Whom mails about it go to. */
export const findMailedUser = async (trx: Trx, userId: string): Promise<{ email: string; name: string }> =>
  trx.selectFrom('users').select(['email', 'name']).where('id', '=', userId).executeTakeFirstOrThrow();
