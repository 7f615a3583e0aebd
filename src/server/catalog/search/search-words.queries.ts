import { sql, type SqlBool } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';
import { onTheShelf } from '#server/catalog/listings/listing.queries.ts';

/**
 * A known word that may have been meant: `edits` letters are other, more, less or swapped with the next; `cost` is how
 * far it is from what was typed, 0 for the very word.
 */
export interface NearWord {
  /** Which of the typed words, from 0. */
  readonly place: number;
  readonly word: string;
  readonly edits: number;
  readonly cost: number;
}

/** So many words are tried for each that was typed. */
const MOST_NEAR = 4;
/** Two words typed as one: as far as a letter and a half. */
const PARTED_COST = 1.5;

/** No known word is longer (CHECK of search_words), and PostgreSQL compares no more than 255 letters. */
const LONGEST = 60;

/** Nobody means a word of half as many letters. */
const LONG_ENOUGH = sql`length(known.word) * 3 >= length(typed.word) * 2`;

/** Two letters swapped are one slip, and too few trigrams of a short word are left by it. */
const SWAPPED = sql`left(typed.word, at - 1) || substr(typed.word, at + 1, 1) || substr(typed.word, at, 1) || substr(typed.word, at + 2)`;
const LEAST_SWAPPED = 4;

/** Letters that may differ, by the length of what was typed: two swapped ones count twice. */
const ALLOWED = sql`CASE WHEN length(typed.word) < 4 THEN 1 WHEN length(typed.word) < 8 THEN 2 ELSE 3 END`;

/**
 * Known words that are near the typed ones, nearest first: letters more, less, other or swapped; and two known words
 * that were typed as one (`word` then holds a space). Where some typed words are unknown, only for these; a known one
 * is near itself.
 */
export const findNearWords = async (db: Db, words: readonly string[]): Promise<NearWord[]> => {
  const { rows } = await sql<NearWord>`
    WITH typed AS MATERIALIZED (
      SELECT t.word, t.place::integer - 1 AS place,
        length(t.word) < 2 OR t.word ~ '^[0-9]+$' OR EXISTS (SELECT FROM search_words AS k WHERE k.word = t.word) AS is_known
      FROM unnest(${words}::text[]) WITH ORDINALITY AS t (word, place)
    ), doubtful AS (
      SELECT word, place FROM typed
      WHERE (NOT is_known OR (SELECT bool_and(is_known) FROM typed)) AND length(word) <= ${LONGEST}
    )
    SELECT place, word, 0 AS edits, 0::float8 AS cost FROM typed WHERE is_known
    UNION ALL
    SELECT typed.place, near.word, near.edits, near.cost::float8
    FROM doubtful AS typed CROSS JOIN LATERAL (
      (SELECT known.word, 1 AS edits, 2 - similarity(known.word, typed.word) AS cost
       FROM generate_series(1, length(typed.word) - 1) AS at JOIN search_words AS known ON known.word = ${SWAPPED}
       WHERE length(typed.word) >= ${LEAST_SWAPPED} AND known.word <> typed.word)
      UNION ALL
      (SELECT known.word, levenshtein(known.word, typed.word) AS edits,
         levenshtein(known.word, typed.word) + 1 - similarity(known.word, typed.word) AS cost
       FROM search_words AS known
       WHERE known.word % typed.word AND known.word <> typed.word AND ${LONG_ENOUGH}
         AND levenshtein_less_equal(known.word, typed.word, ${ALLOWED}) <= ${ALLOWED}
       ORDER BY cost, known.word LIMIT ${MOST_NEAR})
      UNION ALL
      (SELECT head.word || ' ' || tail.word, 1, ${PARTED_COST}
       FROM generate_series(2, length(typed.word) - 2) AS cut
       JOIN search_words AS head ON head.word = left(typed.word, cut)
       CROSS JOIN LATERAL (
         SELECT known.word FROM search_words AS known WHERE known.word = substr(typed.word, cut + 1)
         UNION ALL
         SELECT substr(typed.word, cut + 1) WHERE substr(typed.word, cut + 1) ~ '^[0-9]+$') AS tail
       WHERE length(typed.word) >= 6
       ORDER BY least(length(head.word), length(tail.word)) DESC LIMIT 2)
    ) AS near
    ORDER BY place, cost, word`.execute(db);
  // What is swapped is found as two letters that differ, too: the nearer comes first.
  return rows.filter(({ place, word }, at) => rows.findIndex((row) => row.place === place && row.word === word) === at);
};

export interface SuggestionRow {
  readonly kind: 'title' | 'author';
  readonly text: string;
}

/** Copies looked at for suggestions: those of a common beginning are many, and the newest are as good as any. */
const LOOKED_AT = 300;

/** Titles that begin with what was typed, then titles and authors with all of its words, the commonest first. */
export const findSuggestions = async (
  db: Db,
  typed: { key: string; query: string },
  limit: number,
): Promise<SuggestionRow[]> => {
  const begins = sql<SqlBool>`l.title_key LIKE ${`${typed.key}%`}`;
  const { rows } = await sql<SuggestionRow>`
    WITH near AS MATERIALIZED (
      (SELECT 0 AS tier, l.title, l.authors, l.title_key FROM listings AS l WHERE ${onTheShelf} AND ${begins}
       ORDER BY l.published_at DESC, l.id DESC LIMIT ${LOOKED_AT})
      UNION ALL
      (SELECT 1, l.title, l.authors, l.title_key
       FROM (SELECT l.title, l.authors, l.title_key FROM listings AS l WHERE ${onTheShelf} AND l.words @@ ${typed.query}::tsquery
         ORDER BY l.published_at DESC, l.id DESC LIMIT ${LOOKED_AT}) AS l
       -- outside: where nearly all titles begin so, nobody looks for one that does not
       WHERE NOT ${begins})
    ), offered AS (
      SELECT 'title' AS kind, min(title) AS text, min(tier) AS tier, count(*) AS copies FROM near
      WHERE tier = 0 OR to_tsvector('simple', title_key) @@ ${typed.query}::tsquery GROUP BY title_key
      UNION ALL
      SELECT 'author', min(author), 0, count(*) FROM near, unnest(string_to_array(authors, ', ')) AS author
      WHERE to_tsvector('simple', search_text(author)) @@ ${typed.query}::tsquery GROUP BY search_text(author)
    )
    SELECT kind, text FROM offered ORDER BY tier, copies DESC, text LIMIT ${limit}`.execute(db);
  return rows;
};
