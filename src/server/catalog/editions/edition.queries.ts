import { sql } from 'kysely';
import type { EditionFacts } from '#contract/catalog/editions/edition-calls.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import type { ListingState } from '#server/catalog/catalog.table.ts';

/** What of an edition is the same whoever says it. */
export type KnownFacts = Omit<EditionFacts, 'isbn13' | 'source'>;

export interface KnownEdition extends KnownFacts {
  readonly source: 'dump' | 'open-library';
  /** Not older than answers of Open Library may be. */
  readonly isFresh: boolean;
}

/** How long an answer of Open Library is kept. */
const KEPT_DAYS = 90;
/** That it knows nothing is kept shorter: it answers so where something failed within it, too. */
const MISS_KEPT_DAYS = 1;
/** Copies that are looked at for what most of them say. */
const COPIES_ASKED = 100;

/**
 * What copies of this shop say of an ISBN: the wording that most of the newest have, the fullest where as many do.
 * Copies in a state of `leftOut` say nothing.
 */
export const findShopEdition = async (
  db: Db,
  isbn13: string,
  leftOut: readonly ListingState[] = ['withdrawn'],
): Promise<Pick<KnownFacts, 'title' | 'authors' | 'publisher' | 'year'> | undefined> => {
  const { rows } = await sql<{ title: string; authors: string; publisher: string; year: number | null }>`
    SELECT title, authors, publisher, published_year AS year
    FROM (SELECT * FROM listings WHERE isbn13 = ${isbn13} AND isbn13 <> '' AND status <> ALL (${leftOut})
      ORDER BY published_at DESC LIMIT ${COPIES_ASKED}) AS newest
    GROUP BY title, authors, publisher, published_year
    ORDER BY count(*) DESC, (authors <> '')::integer + (publisher <> '')::integer + (published_year IS NOT NULL)::integer DESC,
      max(published_at) DESC
    LIMIT 1`.execute(db);
  return rows[0];
};

/** The row of the table of editions. */
export const findEdition = (db: Db, isbn13: string): Promise<KnownEdition | undefined> =>
  db
    .selectFrom('editions')
    .select(['title', 'authors', 'publisher', 'year', 'language', 'binding', 'pages', 'source'])
    .select(sql<boolean>`source = 'dump' OR fetched_at > now() - ${KEPT_DAYS} * interval '1 day'`.as('isFresh'))
    .where('isbn13', '=', isbn13)
    .executeTakeFirst();

/** Keeps what Open Library answered; what the operator filled in stays. */
export const keepAnswer = async (db: Db, isbn13: string, facts: KnownFacts): Promise<void> => {
  await db
    .insertInto('editions')
    .values({ isbn13, ...facts, source: 'open-library' })
    .onConflict((conflict) =>
      conflict
        .column('isbn13')
        .doUpdateSet({ ...facts, fetched_at: sql<Date>`now()` })
        .where('editions.source', '=', 'open-library'),
    )
    .execute();
};

/** Whether Open Library said a while ago that it does not know an ISBN. */
export const isMissed = async (db: Db, isbn13: string): Promise<boolean> => {
  const { rows } = await sql`SELECT FROM edition_misses WHERE isbn13 = ${isbn13}
    AND asked_at > now() - ${MISS_KEPT_DAYS} * interval '1 day'`.execute(db);
  return rows.length > 0;
};

/** Keeps that Open Library does not know an ISBN, and drops what is too old to be looked at. */
export const keepMiss = async (db: Db, isbn13: string): Promise<void> => {
  await sql`WITH old AS (DELETE FROM edition_misses WHERE asked_at <= now() - ${MISS_KEPT_DAYS} * interval '1 day'
      AND isbn13 <> ${isbn13})
    INSERT INTO edition_misses (isbn13) VALUES (${isbn13})
    ON CONFLICT (isbn13) DO UPDATE SET asked_at = now()`.execute(db);
};

/** Three requests a second are allowed to whoever says who they are. */
const GAP_MS = 334;
/** Whoever would have to wait longer does without. */
const LONGEST_WAIT_MS = 1_000;
/** A moment further ahead was noted by a clock that was wrong. */
const IMPOSSIBLE_MS = 60_000;

/**
 * Takes the next moment at which a process of this shop may ask Open Library: milliseconds until then, undefined where
 * too many wait already.
 */
export const takeTurn = async (db: Db): Promise<number | undefined> => {
  const ms = (count: number) => sql`${count} * interval '1 millisecond'`;
  const { rows } = await sql<{ wait: number }>`
    INSERT INTO open_library_pace AS pace (next_at) VALUES (clock_timestamp() + ${ms(GAP_MS)})
    ON CONFLICT (one) DO UPDATE SET next_at = ${ms(GAP_MS)} +
      CASE WHEN pace.next_at > clock_timestamp() + ${ms(IMPOSSIBLE_MS)} THEN clock_timestamp()
        ELSE greatest(pace.next_at, clock_timestamp()) END
    WHERE pace.next_at <= clock_timestamp() + ${ms(LONGEST_WAIT_MS)}
      OR pace.next_at > clock_timestamp() + ${ms(IMPOSSIBLE_MS)}
    RETURNING greatest(0, extract(epoch FROM next_at - ${ms(GAP_MS)} - clock_timestamp()) * 1000)::float8 AS wait`.execute(
    db,
  );
  return rows[0]?.wait;
};
