import { sql, type SqlBool } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';
import { onTheShelf } from '#server/catalog/listings/listing.queries.ts';

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
