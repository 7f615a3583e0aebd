import type { Db } from '#server/platform/postgres/db.ts';
import { query } from '#server/platform/postgres/query.ts';

/** How common words are, as PostgreSQL last counted them (ANALYZE). */
export interface WordShares {
  /** Rows of the table. */
  readonly copies: number;
  /** Share of copies with each common word in the title, or anywhere; other words are rarer than all of these. */
  readonly titleWords: ReadonlyMap<string, number>;
  readonly words: ReadonlyMap<string, number>;
  /**
   * Titles as they are searched for, each with the share of copies that it stands for, in the order of the alphabet.
   */
  readonly titles: readonly { readonly key: string; readonly share: number }[];
}

interface StatisticsRow {
  readonly column: string;
  readonly copies: number;
  readonly elements: string[] | null;
  readonly element_shares: number[] | null;
  readonly common: string[] | null;
  readonly common_shares: number[] | null;
  readonly bounds: string[] | null;
}

const sharesOf = (keys: readonly string[] | null, shares: readonly number[] | null): Map<string, number> =>
  new Map((keys ?? []).map((key, place) => [key, shares?.[place] ?? 0]));

/** What the bounds of a histogram stand for: all that is not common, in equal parts. */
const titlesOf = ({ common, common_shares, bounds }: StatisticsRow): WordShares['titles'] => {
  const known = sharesOf(common, common_shares);
  const rest = 1 - [...known.values()].reduce((sum, share) => sum + share, 0);
  const parts = (bounds ?? []).map((key) => ({ key, share: rest / (bounds?.length ?? 1) }));
  return [...[...known].map(([key, share]) => ({ key, share })), ...parts];
};

/** What PostgreSQL's statistics say of words and titles; nothing for a table that was never analysed. */
export const readWordShares = async (db: Db): Promise<WordShares> => {
  const rows = await query<StatisticsRow>(
    db,
    `SELECT s.attname::text AS column, c.reltuples::float8 AS copies,
      s.most_common_elems::text::text[] AS elements, s.most_common_elem_freqs::float8[] AS element_shares,
      s.most_common_vals::text::text[] AS common, s.most_common_freqs::float8[] AS common_shares,
      s.histogram_bounds::text::text[] AS bounds
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    JOIN pg_stats AS s ON s.schemaname = n.nspname AND s.tablename = c.relname
    WHERE c.oid = 'listings'::regclass AND s.attname IN ('title_key', 'title_words', 'words')`,
    [],
  );
  const of = (column: string): StatisticsRow | undefined => rows.find((row) => row.column === column);
  const wordsOf = (row: StatisticsRow | undefined) => sharesOf(row?.elements ?? null, row?.element_shares ?? null);
  const titles = of('title_key');
  return {
    copies: Math.max(0, rows[0]?.copies ?? 0),
    titleWords: wordsOf(of('title_words')),
    words: wordsOf(of('words')),
    titles: titles === undefined ? [] : titlesOf(titles),
  };
};
