import { sql } from 'kysely';
import pg from 'pg';
import { forbidden } from '#server/platform/errors.ts';
import type { Db } from './db.ts';

// The two clocks of SQL; which of them a time goes by is written down in db/migrations/0009-clock.sql. Statements say
// `shop_now()` themselves: now() and what the clock of a demo was moved forward by.

/** The shop's clock, asked once a statement: for where `shop_now()` would be asked for every row. */
export const SHOP_NOW = sql<Date>`(SELECT shop_now())`;

/** The real clock: for leases, limits, keys, and what is compared with the provider's times. */
export const REAL_NOW = sql<Date>`now()`;

/** As far ahead as the table allows: a century. */
export const MOST_AHEAD_SECONDS = 3_155_760_000;

/** What time it is in the shop, and how far that is ahead of the real clock. */
export const readShopClock = async (db: Db): Promise<{ now: Date; aheadSeconds: number }> => {
  const { rows } = await sql<{ now: Date; aheadSeconds: number }>`
    SELECT shop_now() AS now, ahead_seconds::float8 AS "aheadSeconds" FROM shop_clock`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database has no clock');
  return row;
};

const CHECK_VIOLATION = '23514';

/** What the database refuses of the clock; 403, as there is nothing wrong with what was asked for. */
const refused = (error: unknown): never => {
  if (!(error instanceof pg.DatabaseError) || error.code !== CHECK_VIOLATION) throw error;
  throw forbidden('The clock of the shop only moves in a demo, forward, and by a century at most');
};

/** Moves the shop's clock forward; answers the time it shows. The database refuses it outside a demo, and backwards. */
export const moveShopClock = async (db: Db, seconds: number): Promise<Date> => {
  const { rows } = await sql<{ now: Date }>`SELECT move_shop_clock(${seconds}::bigint) AS now`
    .execute(db)
    .catch(refused);
  const [row] = rows;
  if (row === undefined) throw new Error('the database has no clock');
  return row.now;
};
