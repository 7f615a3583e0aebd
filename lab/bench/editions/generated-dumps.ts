// Files like Open Library's dumps, of any length: the same for the same length.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { isbn13CheckDigit } from '#contract/catalog/isbn.ts';

/** How a hundred lines fall on the three files; the real ones have more works and authors for each edition. */
const PARTS = { editions: 60, works: 25, authors: 15 } as const;
export type Dump = keyof typeof PARTS;

/** Rows of each file of a generated dump of `lines` lines. */
export const rowsOf = (lines: number): Record<Dump, number> => {
  const works = Math.round((lines * PARTS.works) / 100);
  const authors = Math.round((lines * PARTS.authors) / 100);
  return { editions: lines - works - authors, works, authors };
};

const WORDS =
  'river glass winter house garden letters night history stone light daughter silence map bridge orchard field'.split(
    ' ',
  );
const FORMATS = ['Paperback', 'Hardcover', 'Mass Market Paperback', 'E-book', undefined];
const PUBLISHERS = ['Penguin', 'Ace Books', 'Oxford University Press', 'Gallimard', 'Suhrkamp'];
/** Many editions have names at their work alone. */
const NAMED_AT_WORK = 3;
const CHUNK_LINES = 2_000;

const word = (n: number): string => WORDS[n % WORDS.length] ?? '';
const titleOf = (n: number): string => `The ${word(n)} of the ${word(Math.floor(n / 7))}, ${n}`;

const isbnOf = (n: number): string => {
  const twelve = `978${String(100_000_000 + n)}`;
  return `${twelve}${isbn13CheckDigit(twelve)}`;
};

const line = (type: string, key: string, record: Record<string, unknown>): string => {
  const said = { type: { key: `/type/${type}` }, key, latest_revision: 3, revision: 3, ...record };
  return `/type/${type}\t${key}\t3\t2026-01-04T10:00:00.000000\t${JSON.stringify(said)}\n`;
};

/** What the shop reads past; it makes lines as long as real ones. */
const restOf = (n: number): Record<string, unknown> => ({
  source_records: [`marc:marc_records_scriblio_net/part${n % 30}.dat:${n * 911}:${n % 4000}`],
  subjects: [word(n + 3), word(n + 5), `${word(n + 1)} -- Juvenile literature`],
  ocaid: createHash('sha1').update(String(n)).digest('hex'),
  created: { type: '/type/datetime', value: '2008-04-01T03:28:50.625462' },
  last_modified: { type: '/type/datetime', value: '2020-12-07T12:29:27.461935' },
});

const recordOf = (dump: Dump, n: number, of: Record<Dump, number>): string => {
  const author = `/authors/OL${n % of.authors}A`;
  if (dump === 'authors') return line('author', `/authors/OL${n}A`, { name: `Nora ${word(n)} ${n}`, ...restOf(n) });
  if (dump === 'works') {
    const authors = [{ type: { key: '/type/author_role' }, author: { key: author } }];
    return line('work', `/works/OL${n}W`, { title: titleOf(n), authors, ...restOf(n) });
  }
  return line('edition', `/books/OL${n}M`, {
    title: titleOf(n),
    isbn_13: [isbnOf(n)],
    publishers: [PUBLISHERS[n % PUBLISHERS.length]],
    publish_date: `May ${1950 + (n % 75)}`,
    languages: [{ key: '/languages/eng' }],
    physical_format: FORMATS[n % FORMATS.length],
    number_of_pages: 80 + (n % 700),
    works: [{ key: `/works/OL${n % of.works}W` }],
    ...(n % NAMED_AT_WORK === 0 ? {} : { authors: [{ key: author }] }),
    ...restOf(n),
  });
};

function* textOf(dump: Dump, of: Record<Dump, number>): Generator<string> {
  let text = '';
  for (let n = 0; n < of[dump]; n += 1) {
    text += recordOf(dump, n, of);
    if (n % CHUNK_LINES !== 0) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** Writes the three files, packed, into `folder`; `lines` is how many they have together. */
export const writeDumps = async (folder: string, lines: number): Promise<Record<Dump, string>> => {
  const of = rowsOf(lines);
  const write = async (dump: Dump): Promise<string> => {
    const file = path.join(folder, `${dump}-${lines}.txt.gz`);
    await pipeline(Readable.from(textOf(dump, of)), createGzip({ level: 1 }), createWriteStream(file));
    return file;
  };
  return { editions: await write('editions'), works: await write('works'), authors: await write('authors') };
};
