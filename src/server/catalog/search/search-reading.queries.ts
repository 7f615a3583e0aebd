import type { Db } from '#server/platform/postgres/db.ts';
import { noValues, prepared, queryLimited, queryPipelined } from '#server/platform/postgres/query.ts';
import { NEWEST_FIRST, ON_THE_SHELF } from '#server/catalog/listings/listing-json.queries.ts';
import { found, narrowed, type Narrowing } from './search.queries.ts';
import { allOf, type Wording } from './wording.ts';

/** More places of one name than these are not told apart. */
const MOST_PLACES = 100;

/** Whatever is the key, or begins with it and a space; an exclamation mark comes right after the space. */
const inPlace = (key: string): string =>
  `search_text(l.location) COLLATE "C" >= ${key} AND search_text(l.location) COLLATE "C" < ${key} || '!'`;

/** The places of copies on the shelf that a name means, each found by one step in the index. */
export const findPlaces = async (db: Db, name: string): Promise<string[]> => {
  const next = (beyond: string): string => `(
    SELECT search_text(l.location) COLLATE "C" AS key, l.location COLLATE "C" AS location FROM listings AS l
    WHERE ${ON_THE_SHELF} AND ${inPlace('named.key')} ${beyond}
    ORDER BY search_text(l.location) COLLATE "C", l.location COLLATE "C" LIMIT 1)`;
  const rows = await queryPipelined<{ location: string }>(
    db,
    prepared(
      'places',
      `WITH RECURSIVE named AS MATERIALIZED (SELECT search_text($1) COLLATE "C" AS key),
    step AS (
      SELECT first.key, first.location, 1 AS place FROM named CROSS JOIN LATERAL ${next('')} AS first
      UNION ALL
      SELECT following.key, following.location, step.place + 1 FROM step CROSS JOIN named CROSS JOIN LATERAL ${next(
        'AND (search_text(l.location) COLLATE "C", l.location COLLATE "C") > (step.key, step.location)',
      )} AS following
      WHERE step.place < ${MOST_PLACES}
    )
    SELECT location FROM step`,
    ),
    [name],
  );
  return rows.map(({ location }) => location);
};

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
export const judgeReadings = async (db: Db, readings: readonly Reading[]): Promise<Fit[]> => {
  const values = noValues();
  const fits = readings.map(({ wording, narrowing }) => {
    const there = [ON_THE_SHELF, ...narrowed(narrowing, values)];
    const exists = (...more: string[]): string =>
      `EXISTS (SELECT FROM (SELECT FROM listings AS l WHERE ${[...there, ...more].join(' AND ')} ORDER BY ${NEWEST_FIRST} LIMIT 1) AS f)`;
    if (wording.words.length === 0) return `CASE WHEN ${exists()} THEN 'by name' ELSE 'nothing' END`;
    const anywhere = exists(...found(wording, values));
    if (wording.isbn13 !== undefined) return `CASE WHEN ${anywhere} THEN 'by name' ELSE 'nothing' END`;
    const all = `${values.add(allOf(wording.words))}::tsquery`;
    const named = `EXISTS (
      SELECT FROM (SELECT l.title, l.authors FROM listings AS l WHERE ${there.join(' AND ')} AND l.words @@ ${all}
        ORDER BY ${NEWEST_FIRST} LIMIT ${LOOKED_AT}) AS l
      WHERE to_tsvector('simple', search_text(l.title || ' ' || l.authors)) @@ ${all})`;
    return `CASE WHEN ${exists(`l.title_words @@ ${all}`)} OR ${named} THEN 'by name' WHEN ${anywhere} THEN 'anywhere' ELSE 'nothing' END`;
  });
  const [row] = await queryLimited<{ fits: Fit[] }>(db, `SELECT ARRAY[${fits.join(', ')}] AS fits`, values.all);
  return row?.fits ?? [];
};
