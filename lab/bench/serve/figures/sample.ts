// What is asked for: addresses that differ wherever an answer shall be computed, as those of many visitors do.
import type pg from 'pg';
import { cursorOf } from '#server/platform/cursor.ts';
import { DEFAULT_PAGE_SIZE } from '#contract/scalars.ts';

/** Of a part; when the first comes again, nothing of it has been kept for long. */
export const ADDRESSES = 60_000;
/** Books; each is asked for at several addresses (targets.ts). */
const BOOKS = 60_000;
/** Copies to book: a fast machine's reference books more than two thousand a second. */
const COPIES = 96_000;
/** Which page is the far one. */
export const FAR_PAGE = 1_000;
const NEVER = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

interface Place {
  readonly at: string;
  readonly id: string;
}

export interface CopyToBook {
  readonly id: string;
  readonly title: string;
  readonly image_url: string;
  readonly resale_cents: number;
}

export interface Sample {
  /** The largest category. */
  readonly category: string;
  readonly seller: string;
  readonly ids: readonly string[];
  readonly words: readonly string[];
  /** In more books than any other. */
  readonly common: string;
  /** The n-th of many cursors before everything. */
  firstPage(n: number): string;
  /** The n-th of many cursors where page 1,000 of all copies begins; undefined where there are not so many. */
  readonly farPage: ((n: number) => string) | undefined;
  readonly copies: readonly CopyToBook[];
}

const AT = `to_char(published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`;

/** A place so many microseconds later: between two copies there is room for thousands. */
const later = ({ at, id }: Place, microseconds: number): Place => {
  const time = new Date(Date.parse(`${at.slice(0, 23)}Z`) + Math.floor(microseconds / 1_000));
  return { at: `${time.toISOString().slice(0, 23)}${String(microseconds % 1_000).padStart(3, '0')}Z`, id };
};

const rowsOf = async <Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> => (await client.query<Row>(text, values)).rows;

const countsOf = (texts: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const word of new Set(text.split(' '))) {
      if (/^[a-z]{3,}$/.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
};

/** Punctuation that changes an address and not what is meant, different for each n. */
export const trailing = (n: number): string => {
  const marks = [' ', '.', ',', '!'];
  return [...n.toString(4)].map((digit) => marks[Number(digit)] ?? '').join('');
};

export const takeSample = async (client: pg.ClientBase): Promise<Sample> => {
  const [largest] = await rowsOf<{ id: string }>(
    client,
    'SELECT category_id AS id FROM listings TABLESAMPLE SYSTEM (10) GROUP BY 1 ORDER BY count(*) DESC LIMIT 1',
  );
  const [total] = await rowsOf<{ count: number }>(
    client,
    `SELECT greatest(reltuples, 1)::float8 AS count FROM pg_class WHERE oid = 'listings'::regclass`,
  );
  // From all over the table: those that lie beside each other would be found in memory.
  const percent = Math.min(100, (COPIES * 200) / (total?.count ?? 1));
  const copies = await rowsOf<CopyToBook>(
    client,
    `SELECT id, title, image_url, resale_cents FROM listings TABLESAMPLE SYSTEM (${percent})
     WHERE status = 'available' ORDER BY random() LIMIT ${COPIES}`,
  );
  const titles = await rowsOf<{ key: string }>(client, 'SELECT title_key AS key FROM listings LIMIT 5000');
  const counts = countsOf(titles.map(({ key }) => key));
  const [common] = [...counts].toSorted((a, b) => b[1] - a[1]);
  const newest = (offset: number): Promise<Place[]> =>
    rowsOf<Place>(
      client,
      `SELECT ${AT}, id FROM listings WHERE on_shelf
       ORDER BY published_at DESC, id DESC OFFSET $1 LIMIT 1`,
      [offset],
    );
  const [first] = await newest(0);
  const [far] = await newest((FAR_PAGE - 1) * DEFAULT_PAGE_SIZE);
  const [offered] = await rowsOf<{ seller: string }>(client, 'SELECT seller_id AS seller FROM listings LIMIT 1');
  if (first === undefined || largest === undefined || common === undefined || offered === undefined)
    throw new Error('There are no listings.');
  return {
    category: largest.id,
    seller: offered.seller,
    ids: copies.slice(0, BOOKS).map(({ id }) => id),
    words: [...counts.keys()],
    common: common[0],
    firstPage: (n) => cursorOf(later({ at: first.at, id: NEVER }, 1_000_000 + n)),
    farPage: far && ((n) => cursorOf(later(far, n))),
    copies,
  };
};
