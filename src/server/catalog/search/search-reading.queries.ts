import type { Db } from '#server/platform/postgres/db.ts';
import { noValues, prepared, queryLimited, queryPipelined } from '#server/platform/postgres/query.ts';
import { inPlace } from '#server/catalog/places/locations.queries.ts';
import { NEWEST_FIRST, ON_THE_SHELF } from '#server/catalog/listings/listing-json.queries.ts';
import { narrowed, type Narrowing } from './narrowing.queries.ts';
import { fromWhere } from './search.queries.ts';
import { isRareIn } from './tiers/search-ways.ts';
import { found } from './tiers/tiers.queries.ts';
import type { WordShares } from './word-shares.queries.ts';
import { allOf, type Wording } from './wording.ts';

/** What a span of typed words names; `span` is its number. */
export interface Named {
  readonly span: number;
  readonly kind: 'place' | 'category';
  readonly id: string;
}

/**
 * Which of some typed words name a place with copies, or a category; a category also without "and" or in the other
 * number.
 */
export const findNamed = (db: Db, spans: readonly string[]): Promise<Named[]> =>
  queryPipelined<Named>(
    db,
    prepared(
      'named',
      `WITH spans AS MATERIALIZED (
      SELECT number::integer - 1 AS span, search_text(text) COLLATE "C" AS key FROM unnest($1::text[]) WITH ORDINALITY AS t (text, number)
    )
    SELECT span, 'place' AS kind, key AS id FROM spans
    WHERE length(key) > 2 AND EXISTS (SELECT FROM listings AS l WHERE ${ON_THE_SHELF} AND ${inPlace('spans.key')})
    UNION ALL
    SELECT span, 'category', c.id FROM spans
    JOIN categories AS c ON search_text(c.name) = ANY (
      ARRAY[key, key || 's', regexp_replace(key, 's$', ''), replace(key, ' and ', ' ')])
    WHERE length(key) > 2
    ORDER BY span, id`,
    ),
    [[...spans]],
  );

/** Copies looked at for whether title and authors together have the words: the newest, as for suggestions. */
const LOOKED_AT = 300;

/** How a reading of what was typed finds: in titles and authors, anywhere, or not at all. */
export type Fit = 'by name' | 'anywhere' | 'nothing';

export interface Reading {
  readonly wording: Wording;
  readonly narrowing: Narrowing;
}

/** How each reading finds, in one statement. */
export const judgeReadings = async (db: Db, shares: WordShares, readings: readonly Reading[]): Promise<Fit[]> => {
  const values = noValues();
  const fits = readings.map(({ wording, narrowing }) => {
    const isRare = isRareIn(wording, shares, LOOKED_AT);
    // Walking ends at the first: only rarer words are better counted.
    const isCounted = isRareIn(wording, shares, 1);
    const there = [ON_THE_SHELF, ...narrowed(narrowing, values, isRare)];
    const exists = (...more: string[]): string => {
      const where = [...there, ...more].join(' AND ');
      return isCounted
        ? `(SELECT count(*) FROM listings AS l WHERE ${where}) > 0`
        : `EXISTS (SELECT FROM (SELECT FROM listings AS l WHERE ${where} ORDER BY ${NEWEST_FIRST} LIMIT 1) AS f)`;
    };
    if (wording.words.length === 0) return `CASE WHEN ${exists()} THEN 'by name' ELSE 'nothing' END`;
    const anywhere = exists(...found(wording, values));
    if (wording.isbn13 !== undefined) return `CASE WHEN ${anywhere} THEN 'by name' ELSE 'nothing' END`;
    const all = `${values.add(allOf(wording.words))}::tsquery`;
    const named = `EXISTS (
      SELECT FROM (SELECT l.title, l.authors ${fromWhere(isRare, 'listings AS l', [...there, `l.words @@ ${all}`], [])}
        ORDER BY ${NEWEST_FIRST} LIMIT ${LOOKED_AT}) AS l
      WHERE to_tsvector('simple', search_text(l.title || ' ' || l.authors)) @@ ${all})`;
    return `CASE WHEN ${exists(`l.title_words @@ ${all}`)} OR ${named} THEN 'by name' WHEN ${anywhere} THEN 'anywhere' ELSE 'nothing' END`;
  });
  const [row] = await queryLimited<{ fits: Fit[] }>(db, `SELECT ARRAY[${fits.join(', ')}] AS fits`, values.all);
  return row?.fits ?? [];
};
