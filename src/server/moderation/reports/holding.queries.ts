import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** How many copies a seller has ever listed, at most `limit`, and whether the shop has verified them. */
export const countListed = async (
  trx: Trx,
  { sellerId, limit }: { sellerId: string; limit: number },
): Promise<{ listed: number; verified: boolean }> => {
  const { rows } = await sql<{ listed: number; verified: boolean }>`SELECT u.verified,
      (SELECT count(*)::integer FROM (SELECT FROM listings AS l WHERE l.seller_id = u.id LIMIT ${limit}) AS l) AS listed
    FROM users AS u WHERE u.id = ${sellerId}`.execute(trx);
  return rows[0] ?? { listed: 0, verified: false };
};

/** Copies of an edition without which nobody can say what it usually costs. */
const LEAST_COPIES = 3;

/** What other sellers' copies of an edition cost, in cents: the one in the middle; undefined where there are few. */
export const readUsualPrice = async (
  db: Db,
  { isbn13, sellerId }: { isbn13: string; sellerId: string },
): Promise<number | undefined> => {
  const { rows } = await sql<{ cents: number | null; copies: number }>`
    SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY s.resale_cents) AS cents, count(*)::integer AS copies
    FROM (SELECT l.resale_cents FROM listings AS l WHERE l.isbn13 = ${isbn13} AND l.on_shelf
      AND l.seller_id <> ${sellerId} LIMIT 1000) AS s`.execute(db);
  const [row] = rows;
  return row === undefined || row.copies < LEAST_COPIES ? undefined : (row.cents ?? undefined);
};
