import { sql } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';

/** Longer than any transaction that lists a copy, and any copy that is on its way. */
const DOUBTED_FOR = sql`interval '1 day'`;

/**
 * Looks at the next `atMost` words: those that no copy on the shelf has are doubted, those that are doubted for a day
 * and still without a copy are dropped. `common` are known to be there, and would be long to look for. Answers how many
 * were looked at; none when another process is at it.
 */
export const sweepWords = (db: Db, common: readonly string[], atMost: number): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const turn = await sql<{ taken: boolean; after: string }>`
      SELECT pg_try_advisory_xact_lock(hashtextextended('search words', 0)) AS taken,
        coalesce((SELECT last_word FROM search_words_sweep), '') AS after`.execute(trx);
    const { taken = false, after = '' } = turn.rows[0] ?? {};
    if (!taken) return 0;
    const { rows } = await sql<{ word: string; there: boolean; doubted: boolean }>`
      SELECT w.word, w.doubted_at IS NOT NULL AS doubted, w.word = ANY (${common}::text[]) OR (
        -- Counted, so that the index is asked: for whether there is one, PostgreSQL would read all copies.
        SELECT count(*) FROM listings AS l WHERE l.on_shelf AND l.words @@ quote_literal(w.word)::tsquery) > 0 AS there
      FROM (SELECT word, doubted_at FROM search_words WHERE word > ${after} ORDER BY word LIMIT ${atMost}) AS w`.execute(
      trx,
    );
    const words = (kind: (row: { there: boolean; doubted: boolean }) => boolean): string[] =>
      rows.filter(kind).map(({ word }) => word);
    await sql`DELETE FROM search_words WHERE word = ANY (${words(({ there }) => !there)}::text[])
      AND doubted_at < now() - ${DOUBTED_FOR}`.execute(trx);
    await sql`UPDATE search_words SET doubted_at = now() WHERE word = ANY (${words(({ there, doubted }) => !there && !doubted)}::text[])`.execute(
      trx,
    );
    await sql`UPDATE search_words SET doubted_at = NULL WHERE word = ANY (${words(({ there, doubted }) => there && doubted)}::text[])`.execute(
      trx,
    );
    // Words that were known before their sounds were.
    await sql`UPDATE search_words SET sound = search_sound(word)
      WHERE word = ANY (${rows.map(({ word }) => word)}::text[]) AND sound IS NULL`.execute(trx);
    // After the last word it begins anew.
    const last = rows.length < atMost ? '' : (rows.at(-1)?.word ?? '');
    await sql`INSERT INTO search_words_sweep (last_word) VALUES (${last})
      ON CONFLICT (id) DO UPDATE SET last_word = excluded.last_word`.execute(trx);
    return rows.length;
  });
