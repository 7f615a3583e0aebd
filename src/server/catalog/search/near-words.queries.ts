import { query } from '#server/platform/postgres/query.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { isRareShare } from './tiers/search-ways.ts';
import type { WordShares } from './word-shares.queries.ts';
import { allOf } from './wording.ts';

/** A known word that may be meant by a typed one: the `cost` is about one a slip, 0 for the very word. */
export interface NearWord {
  /** Which of the words that were asked about, from 0. */
  readonly place: number;
  /** Two words with a space between them where they were typed as one. */
  readonly word: string;
  readonly edits: number;
  readonly cost: number;
}

/** So many words by their letters, as many by their sound. */
const MOST_NEAR = 12;
/** Two words typed as one. */
const PARTED_COST = 1.2;
/** No known word is longer (CHECK of search_words), and PostgreSQL compares no more than 255 letters. */
const LONGEST = 60;

/** Letters that may differ, by the length of what was typed: two swapped ones count twice. */
const ALLOWED = '(CASE WHEN length(typed.word) < 4 THEN 1 WHEN length(typed.word) < 8 THEN 2 ELSE 3 END)';
/** Of words that sound alike one more; where the sound is long they are fewer slips than letters. */
const HEARD = `${ALLOWED} + 1`;
/** Nobody means a word of half as many letters. */
const LONG_ENOUGH =
  'length(known.word) * 3 >= length(typed.word) * 2 AND length(typed.word) * 3 >= length(known.word) * 2';
const DISTANCE = 'levenshtein(known.word, typed.word)';
const UNLIKE = '(1 - similarity(known.word, typed.word))';

/**
 * Known words near each typed one, whether that is known itself or not: by letters, by two swapped ones, by sound, and
 * as two words that were typed as one.
 */
export const findNearWords = (db: Db, words: readonly string[]): Promise<NearWord[]> =>
  query<NearWord>(
    db,
    `WITH typed AS MATERIALIZED (
      SELECT t.word, t.place::integer - 1 AS place FROM unnest($1::text[]) WITH ORDINALITY AS t (word, place)
      WHERE length(t.word) BETWEEN 1 AND ${LONGEST}
    ), near AS (
      SELECT typed.place, typed.word, 0 AS edits, 0::float8 AS cost FROM typed
      WHERE length(typed.word) < 2 OR typed.word ~ '^[0-9]+$' OR EXISTS (SELECT FROM search_words AS k WHERE k.word = typed.word)
      UNION ALL
      SELECT typed.place, near.word, near.edits, near.cost::float8 FROM typed CROSS JOIN LATERAL (
        (SELECT known.word, 1 AS edits, 1 + ${UNLIKE} AS cost FROM search_words AS known
         WHERE length(typed.word) >= 4 AND known.word <> typed.word AND known.word = ANY (ARRAY(
           SELECT left(typed.word, at - 1) || substr(typed.word, at + 1, 1) || substr(typed.word, at, 1)
             || substr(typed.word, at + 2) FROM generate_series(1, length(typed.word) - 1) AS at)))
        UNION ALL
        (SELECT known.word, ${DISTANCE} AS edits, ${DISTANCE} + ${UNLIKE} AS cost FROM search_words AS known
         -- in this order: what is cheap to ask leaves little to what is not
         WHERE ${LONG_ENOUGH} AND levenshtein_less_equal(known.word, typed.word, ${ALLOWED}) <= ${ALLOWED}
           AND known.word % typed.word AND known.word <> typed.word
         ORDER BY cost, known.word LIMIT ${MOST_NEAR})
        UNION ALL
        (SELECT known.word, CASE WHEN length(known.sound) > 3 THEN (${DISTANCE} + 1) / 2 ELSE ${DISTANCE} END AS edits, 0.6 * ${DISTANCE} + ${UNLIKE} AS cost FROM search_words AS known
         WHERE length(typed.word) > 2 AND known.sound = search_sound(typed.word) AND known.word <> typed.word AND ${LONG_ENOUGH}
           AND levenshtein_less_equal(known.word, typed.word, ${HEARD}) <= ${HEARD}
         ORDER BY cost, known.word LIMIT ${MOST_NEAR})
        UNION ALL
        (SELECT head.word || ' ' || tail.word, 1, ${PARTED_COST} FROM generate_series(2, length(typed.word) - 2) AS cut
         -- OFFSET: each by its index, however many the planner thinks there are
         CROSS JOIN LATERAL (SELECT known.word FROM search_words AS known WHERE known.word = left(typed.word, cut) OFFSET 0) AS head
         CROSS JOIN LATERAL (
           SELECT known.word FROM search_words AS known WHERE known.word = substr(typed.word, cut + 1)
           UNION ALL
           SELECT substr(typed.word, cut + 1) WHERE substr(typed.word, cut + 1) ~ '^[0-9]+$') AS tail
         WHERE length(typed.word) >= 6
         ORDER BY least(length(head.word), length(tail.word)) DESC LIMIT 3)
      ) AS near
    )
    SELECT place, word, min(edits)::integer AS edits, min(cost) AS cost FROM near
    GROUP BY place, word ORDER BY place, cost, word`,
    [[...words]],
  );

export interface Holder {
  /** The words of title and authors, and of the copy altogether. */
  readonly named: readonly string[];
  readonly words: readonly string[];
}

/** Newest copies looked at for each query. */
const LOOKED_AT = 200;

const HOLDERS = `SELECT l.title, l.title_key, l.authors, l.words, l.published_at, l.id FROM listings AS l
  WHERE l.on_shelf`;

/** Books on the shelf that any of the queries finds, few of each. */
export const findHolders = (
  db: Db,
  shares: WordShares,
  queries: readonly { readonly query: string; readonly share: number }[],
): Promise<Holder[]> => {
  const rare = queries.filter(({ share }) => isRareShare(share, shares, LOOKED_AT)).map(({ query }) => query);
  const common = queries.map(({ query }) => query).filter((one) => !rare.includes(one));
  return query<Holder>(
    db,
    `SELECT string_to_array(search_text(l.title || ' ' || l.authors), ' ') AS named, tsvector_to_array(l.words) AS words
    FROM (SELECT DISTINCT ON (found.title_key, found.authors) found.* FROM (
      -- OFFSET, IS TRUE: by the index of words, or by walking; PostgreSQL knows of neither query how many it finds
      SELECT near.* FROM unnest($1::text[]) AS asked (query) CROSS JOIN LATERAL (
        SELECT * FROM (${HOLDERS} AND l.words @@ asked.query::tsquery OFFSET 0) AS l
        ORDER BY l.published_at DESC, l.id DESC LIMIT ${LOOKED_AT}) AS near
      UNION ALL
      SELECT near.* FROM unnest($2::text[]) AS asked (query) CROSS JOIN LATERAL (
        ${HOLDERS} AND (l.words @@ asked.query::tsquery) IS TRUE
        ORDER BY l.published_at DESC, l.id DESC LIMIT ${LOOKED_AT}) AS near) AS found) AS l`,
    [rare, common],
  );
};

/** Whether a title has all of the words, or any copy has them beside each other, the first one first or last. */
export const isTogether = async (db: Db, words: readonly string[]): Promise<boolean> => {
  const [first = '', ...rest] = words.map((word) => `'${word}'`);
  const beside = `${[first, ...rest].join(' <-> ')} | ${[...rest, first].join(' <-> ')}`;
  const [row] = await query<{ together: boolean }>(
    db,
    // Counted, as few have all of the words: for whether there is one, PostgreSQL might read all copies.
    `SELECT (SELECT count(*) FROM listings AS l WHERE l.on_shelf AND l.title_words @@ $1::tsquery) > 0
      OR (SELECT count(*) FROM listings AS l WHERE l.on_shelf AND l.words @@ $2::tsquery) > 0 AS together`,
    [allOf(words), beside],
  );
  return row?.together === true;
};
