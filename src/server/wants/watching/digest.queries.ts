import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/**
 * Who may have something to be told: something marked has changed, a want has ended, or a saved search was not looked
 * at for a day.
 */
export const listDueReaders = async (db: Db, limit: number, after: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM (
      SELECT w.user_id AS id FROM wishes AS w JOIN listings AS l ON l.id = w.listing_id
      WHERE l.resale_cents <> w.told_cents OR (l.status IN ('sold', 'withdrawn') AND NOT w.told_gone)
      UNION
      SELECT user_id FROM wants WHERE NOT told_ended
      UNION
      SELECT user_id FROM saved_searches WHERE told_at <= now() - interval '1 day') AS due
    WHERE id > ${after}::uuid
      AND NOT EXISTS (SELECT FROM digests AS d WHERE d.user_id = due.id AND d.sent_at > now() - interval '23 hours')
    ORDER BY id LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
};

/** Whom to write to; undefined where they left or were written to meanwhile. */
export const findReader = async (trx: Trx, userId: string): Promise<{ email: string; name: string } | undefined> => {
  const { rows } = await sql<{ email: string; name: string }>`
    SELECT u.email, u.name FROM users AS u WHERE u.id = ${userId}::uuid AND u.deleted_at IS NULL
      AND NOT EXISTS (SELECT FROM digests AS d WHERE d.user_id = u.id AND d.sent_at > now() - interval '23 hours')`.execute(
    trx,
  );
  return rows[0];
};

export interface ChangedWish {
  readonly listingId: string;
  readonly title: string;
  readonly fromCents: number;
  readonly toCents: number;
  readonly isGone: boolean;
}

/** What has become of what a reader marked, which they know from now on. */
export const takeChangedWishes = async (trx: Trx, userId: string): Promise<ChangedWish[]> => {
  const { rows } = await sql<ChangedWish>`
    WITH changed AS (
      SELECT w.listing_id, w.told_cents, l.title, l.resale_cents, l.status IN ('sold', 'withdrawn') AS gone
      FROM wishes AS w JOIN listings AS l ON l.id = w.listing_id
      WHERE w.user_id = ${userId}::uuid
        AND (l.resale_cents <> w.told_cents OR (l.status IN ('sold', 'withdrawn') AND NOT w.told_gone))
      FOR UPDATE OF w
    )
    UPDATE wishes AS w SET told_cents = c.resale_cents, told_gone = c.gone FROM changed AS c
    WHERE w.user_id = ${userId}::uuid AND w.listing_id = c.listing_id
    RETURNING c.listing_id AS "listingId", c.title, c.told_cents AS "fromCents", c.resale_cents AS "toCents",
      c.gone AS "isGone"`.execute(trx);
  return rows;
};

/** The books that a reader wanted until the want ended, which they know from now on. */
export const takeEndedWants = async (trx: Trx, userId: string): Promise<string[]> => {
  const { rows } = await sql<{ title: string }>`
    UPDATE wants SET told_ended = true WHERE user_id = ${userId}::uuid AND NOT told_ended
    RETURNING coalesce(nullif(title, ''), isbn13) AS title`.execute(trx);
  return rows.map(({ title }) => title);
};

/** Searches of a reader that were not looked at for a day, and are from now on. */
export const takeDueSearches = async (
  trx: Trx,
  userId: string,
): Promise<{ name: string; query: string; toldAt: Date }[]> => {
  const { rows } = await sql<{ name: string; query: string; toldAt: Date }>`
    WITH due AS (
      SELECT id, name, query, told_at FROM saved_searches
      WHERE user_id = ${userId}::uuid AND told_at <= now() - interval '1 day' FOR UPDATE
    )
    UPDATE saved_searches AS s SET told_at = now() FROM due WHERE s.id = due.id
    RETURNING due.name, due.query, due.told_at AS "toldAt"`.execute(trx);
  return rows;
};

export const noteDigest = async (trx: Trx, userId: string): Promise<void> => {
  await sql`INSERT INTO digests (user_id) VALUES (${userId}::uuid)
    ON CONFLICT (user_id) DO UPDATE SET sent_at = now()`.execute(trx);
};
