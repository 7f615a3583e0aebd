// What is said of six in ten of the copies that are measured, by their ids: facets count nothing where nobody said
// anything.
import { withClient, type BenchDatabase } from './database.ts';

const FILL = `INSERT INTO copy_passports (listing_id, rules, binding, language, printing, signed, jacket, book_club,
    grade, ex_library, remainder, annotated, no_defects, no_jacket_defects, defects, published_at)
  SELECT id, 1, CASE WHEN h % 10 < 5 THEN 'paperback' WHEN h % 10 < 9 THEN 'hardcover' END,
    CASE WHEN h % 20 < 16 THEN 'eng' WHEN h % 20 = 17 THEN 'ger' ELSE '' END,
    CASE h % 12 WHEN 0 THEN 'first printing' WHEN 1 THEN 'later printing' END,
    CASE WHEN h % 50 = 0 THEN 'signed' WHEN h % 5 = 1 THEN 'no' END,
    CASE h % 7 WHEN 0 THEN 'with' WHEN 1 THEN 'missing' END, CASE WHEN h % 9 < 2 THEN h % 9 = 0 END,
    CASE WHEN looked THEN 'Good' END, CASE WHEN looked THEN h % 40 = 0 END, CASE WHEN looked THEN false END,
    CASE WHEN looked THEN h % 8 = 1 END, looked, false, '[]', published_at
  FROM (
    SELECT id, published_at, abs(hashtext(id::text)::bigint) AS h,
      abs(hashtext(id::text)::bigint) / 1000 % 10 < 5 AS looked
    FROM listings
  ) AS l WHERE h / 100 % 10 < 6
  ON CONFLICT DO NOTHING`;

/** Says something of the copies of which nothing is said yet, unless that was done before. */
export const describeCopies = (database: BenchDatabase): Promise<void> =>
  withClient(database.url, async (client) => {
    const { rows } = await client.query<{ isDone: boolean }>(
      `SELECT (SELECT count(*) FROM copy_passports) > (SELECT count(*) FROM listings) / 2 AS "isDone"`,
    );
    if (rows[0]?.isDone === true) return;
    // Nobody listens yet, and a notice for each copy is more than a transaction may send.
    await client.query('ALTER TABLE copy_passports DISABLE TRIGGER USER');
    await client.query(FILL);
    await client.query('ALTER TABLE copy_passports ENABLE TRIGGER USER');
    await client.query('VACUUM (ANALYZE) copy_passports');
  });
