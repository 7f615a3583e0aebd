import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from } from 'pg-copy-streams';

/** What the files say, until all of them are read. */
const STAGES = {
  editions: `key text, isbn13 text, title text, publisher text, year integer, language text, binding text,
    pages integer, authors text[], work text, facts integer`,
  works: 'key text, authors text[], target text',
  authors: 'key text, name text, target text',
} as const;
export type Stage = keyof typeof STAGES;
const NAMES = Object.keys(STAGES) as Stage[];

/** Any constant: one filling at a time. */
const ADVISORY_LOCK = 727_036;
/** Joins of a whole dump spill to the disk beyond it. */
const WORK_MEM = '64MB';
const AUTHORS_LENGTH = 500;

/** Whether this connection may fill the table; another may not as long as it lives. */
export const lockFilling = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query<{ ours: boolean }>('SELECT pg_try_advisory_lock($1) AS ours', [ADVISORY_LOCK]);
  return rows[0]?.ours === true;
};

export const dropStages = async (client: pg.Client): Promise<void> => {
  for (const name of NAMES) await client.query(`DROP TABLE IF EXISTS filling_${name}`);
};

/** Makes the tables that the files are read into, without what makes tables outlive a crash. */
export const makeStages = async (client: pg.Client): Promise<void> => {
  await dropStages(client);
  for (const name of NAMES) await client.query(`CREATE UNLOGGED TABLE filling_${name} (${STAGES[name]})`);
};

/** Reads rows, as COPY writes texts, into a stage. */
export const copyRows = (client: pg.Client, stage: Stage, rows: Readable): Promise<void> =>
  pipeline(rows, client.query(from(`COPY filling_${stage} FROM STDIN`)));

export interface FillingCounts {
  readonly editions: number;
  readonly works: number;
  readonly authors: number;
}

/** How many rows the files of the last filling had; undefined before the first. */
export const lastFilling = async (client: pg.Client): Promise<FillingCounts | undefined> => {
  const { rows } = await client.query<FillingCounts>(
    `SELECT editions::float8, works::float8, authors::float8 FROM edition_fillings ORDER BY filled_at DESC LIMIT 1`,
  );
  return rows[0];
};

/**
 * Of records with one ISBN the one that says most. An edition's own authors, else those of its work; what became of a
 * record that was joined with another is followed once.
 */
const MERGE = `
  WITH chosen AS MATERIALIZED (
    SELECT DISTINCT ON (e.isbn13) e.isbn13, e.title, e.publisher, e.year, e.language, e.binding, e.pages,
      CASE WHEN e.authors <> '{}' THEN e.authors ELSE coalesce(became.authors, w.authors, '{}') END AS keys
    FROM filling_editions AS e
    LEFT JOIN filling_works AS w ON w.key = e.work
    LEFT JOIN filling_works AS became ON became.key = w.target
    ORDER BY e.isbn13, e.facts DESC, e.key
  ), named AS (
    SELECT c.isbn13, left(string_agg(coalesce(became.name, a.name), ', ' ORDER BY k.place), ${AUTHORS_LENGTH}) AS authors
    FROM chosen AS c
    CROSS JOIN LATERAL unnest(c.keys) WITH ORDINALITY AS k (key, place)
    JOIN filling_authors AS a ON a.key = k.key
    LEFT JOIN filling_authors AS became ON became.key = a.target
    WHERE coalesce(became.name, a.name) <> ''
    GROUP BY c.isbn13
  )
  INSERT INTO editions AS old (isbn13, title, authors, publisher, year, language, binding, pages, source)
  SELECT c.isbn13, c.title, coalesce(n.authors, ''), c.publisher, c.year, c.language, c.binding, c.pages, 'dump'
  FROM chosen AS c LEFT JOIN named AS n USING (isbn13)
  ON CONFLICT (isbn13) DO UPDATE SET title = excluded.title, authors = excluded.authors,
    publisher = excluded.publisher, year = excluded.year, language = excluded.language, binding = excluded.binding,
    pages = excluded.pages, source = excluded.source, fetched_at = excluded.fetched_at
  WHERE (old.title, old.authors, old.publisher, old.year, old.language, old.binding, old.pages, old.source)
    IS DISTINCT FROM (excluded.title, excluded.authors, excluded.publisher, excluded.year, excluded.language,
      excluded.binding, excluded.pages, excluded.source)`;

/** Brings the table of editions to what the stages say, all or nothing; answers how many are new or were other. */
export const mergeStages = async (client: pg.Client, { editions, works, authors }: FillingCounts): Promise<number> => {
  for (const name of NAMES) await client.query(`ANALYZE filling_${name}`);
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL work_mem = '${WORK_MEM}'`);
    const { rowCount } = await client.query(MERGE);
    await client.query('DELETE FROM edition_misses USING editions WHERE editions.isbn13 = edition_misses.isbn13');
    await client.query('INSERT INTO edition_fillings (editions, works, authors) VALUES ($1, $2, $3)', [
      editions,
      works,
      authors,
    ]);
    await client.query('COMMIT');
    return rowCount ?? 0;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
};

export const refreshEditionStatistics = async (client: pg.Client): Promise<void> => {
  await client.query('VACUUM (ANALYZE) editions');
};
