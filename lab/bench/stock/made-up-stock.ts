// A stock file that a seller of a shop for measurements has sent.
import { createHash, randomUUID } from 'node:crypto';
import { isbn13CheckDigit } from '#contract/catalog/isbn.ts';
import { STOCK_PART_BYTES } from '#contract/stock/stock-files.ts';
import { withClient, type BenchDatabase } from '#lab/bench/serve/database.ts';

/** Whose stock it is. */
export const SELLER = '00000000-0000-4000-8000-000000000001';
/** Who moves in later. */
export const SECOND_SELLER = '00000000-0000-4000-8000-000000000002';

const WORDS =
  'river house winter night garden stone letter king road sea glass summer daughter island bird city silent dark light north history world war art water song tree red gold empty'.split(
    ' ',
  );
const words = (from: number, count: number): string =>
  Array.from({ length: count }, (_, n) => WORDS[(from * 7 + n * (from % 11) + n) % WORDS.length]).join(' ');

const isbnOf = (n: number): string => {
  const twelve = `978${String(100_000_000 + n)}`;
  return twelve + isbn13CheckDigit(twelve);
};

const ROWS_AT_ONCE = 1_000;
const HEADER = 'sku,title,author,isbn,price,quantity,description,condition,binding,year';

const lineOf = (n: number): string =>
  [
    `S-${n}`,
    `"The ${words(n, 3)} ${n}"`,
    `"${words(n + 3, 1)}, ${words(n + 5, 1)}"`,
    isbnOf(n),
    `${3 + (n % 40)}.50`,
    '1',
    `"${words(n, 25)}, ""as found""."`,
    ['VG+', 'Good', 'Near Fine', 'Fair'][n % 4],
    ['Hardcover', 'Paperback'][n % 2],
    String(1950 + (n % 70)),
  ].join(',');

/** A file as a stock program writes it, with a description of some length; made in pieces outside of the heap. */
export const fileOf = (rows: number): Buffer => {
  const pieces = [Buffer.from(HEADER)];
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    const lines = Array.from({ length: Math.min(ROWS_AT_ONCE, rows - from) }, (_, n) => `\r\n${lineOf(from + n)}`);
    pieces.push(Buffer.from(lines.join('')));
  }
  return Buffer.concat(pieces);
};

/** An empty shop with both sellers. */
export const prepare = (database: BenchDatabase): Promise<void> =>
  withClient(database.url, async (client) => {
    await client.query(
      `INSERT INTO users (id, email, name, is_seller) VALUES ($1, 'a@example.com', 'A', true),
      ($2, 'b@example.com', 'B', true)`,
      [SELLER, SECOND_SELLER],
    );
    await client.query(`INSERT INTO categories (id, name) VALUES ('books', 'Books')`);
  });

/** Has a seller send a file; answers its id. */
export const announce = (database: BenchDatabase, bytes: Buffer, seller = SELLER): Promise<string> =>
  withClient(database.url, async (client) => {
    const id = randomUUID();
    await client.query(
      `INSERT INTO stock_files (id, seller_id, name, size, state, choices)
        VALUES ($1, $2, 'stock.csv', $3, 'reading', '{"category": "books", "location": "Portland, OR"}')`,
      [id, seller, bytes.length],
    );
    for (let part = 0; part * STOCK_PART_BYTES < bytes.length; part += 1) {
      const piece = bytes.subarray(part * STOCK_PART_BYTES, (part + 1) * STOCK_PART_BYTES);
      const sha256 = createHash('sha256').update(piece).digest();
      await client.query('INSERT INTO stock_file_parts VALUES ($1, $2, $3, $4)', [id, part, sha256, piece]);
    }
    return id;
  });

/** Has a file begin with its next step. */
export const setState = (database: BenchDatabase, id: string, from: string, to: string): Promise<void> =>
  withClient(database.url, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE stock_files SET state = $3, done_rows = 0, done_line = 0 WHERE id = $1 AND state = $2`,
      [id, from, to],
    );
    if (rowCount !== 1) throw new Error(`The file is not ${from}.`);
  });
