import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { fillEditions, type FillOrder } from './fill.service.ts';

const excerpt = (name: string): string => path.join(import.meta.dirname, `excerpt-${name}.txt`);
const FILES = { editions: excerpt('editions'), works: excerpt('works'), authors: excerpt('authors') };

let database: TestDatabase;
let client: pg.Client;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  folder = await mkdtemp(path.join(tmpdir(), 'dogear-editions-'));
});
afterEach(async () => {
  await client.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const fill = (order: Partial<FillOrder> = {}) => fillEditions(client, { files: FILES, smaller: false, ...order });

const rows = async (): Promise<Record<string, unknown>[]> =>
  (await client.query('SELECT * FROM editions ORDER BY isbn13')).rows as Record<string, unknown>[];

const written = async (name: string, content: string | Uint8Array): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
};

const stagesLeft = async (): Promise<unknown[]> =>
  (await client.query(`SELECT relname FROM pg_class WHERE relname LIKE 'filling%'`)).rows;

/** Nothing changed, and nothing lies about. */
const expectUntouched = async (): Promise<void> => {
  expect(await rows()).toEqual([]);
  expect(await stagesLeft()).toEqual([]);
};

describe('filling the table of editions', () => {
  it('puts title, names and facts together, from the edition, else from its work', async () => {
    expect(await fill()).toEqual({ read: { editions: 11, works: 4, authors: 5 }, broken: 2, changed: 6 });
    const found = await rows();
    expect(found.map(({ isbn13, title, authors }) => [isbn13, title, authors])).toEqual([
      [
        '9780060853983',
        'Good Omens: The Nice and Accurate Prophecies of Agnes Nutter, Witch',
        'Neil Gaiman, Terry Pratchett',
      ],
      ['9780140444308', 'Les Misérables', 'Victor Hugo'],
      ['9780306406157', 'Two numbers', ''],
      ['9780439420891', 'Two numbers', ''],
      ['9780441478125', 'The Left Hand of Darkness', 'Ursula K. Le Guin'],
      ['9780804429573', 'A book with tabs and lines \\ in its title', ''],
    ]);
    expect(found[4]).toMatchObject({
      publisher: 'Ace Books',
      year: 1987,
      language: 'eng',
      binding: 'mass market',
      pages: 304,
      source: 'dump',
    });
    expect(found[5]).toMatchObject({ publisher: '', year: null, language: '', binding: '', pages: null });
    expect(await stagesLeft()).toEqual([]);
  });

  it('leaves out lines that cannot be read, and says how many', async () => {
    const whole = await readFile(FILES.editions, 'utf8');
    const bad = [
      '/type/edition\t/books/OL1M',
      '/type/edition\t/books/OL\u0000M\t1\t2026\t{"title":"T","isbn_13":["9780306406157"]}',
      '/type/edition\t/books/OL2M\r\t1\t2026\t{"title":"T","isbn_13":["9780306406157"]}',
      '/type/edition\t/books/OL3M\t1\t2026\t{"title":',
    ];
    const odd =
      '/type/edition\t/books/OL4M\t1\t2026\t{"title":"Odd","isbn_13":["9780140449136"],"works":[{"key":"/works/\\u0000"}]}';
    const editions = await written('editions.txt', `${[...bad, odd].join('\n')}\n${whole}`);
    expect(await fill({ files: { ...FILES, editions } })).toEqual({
      read: { editions: 16, works: 4, authors: 5 },
      broken: 6,
      changed: 7,
    });
  });

  it('takes packed files, changes nothing when run again, and brings what is newer', async () => {
    await fill();
    await client.query(`INSERT INTO edition_misses (isbn13) VALUES ('9780441478125'), ('9780306406164')`);
    const packed = async (name: keyof typeof FILES, change = (text: string): string => text): Promise<string> =>
      written(`${name}.gz`, gzipSync(change(await readFile(FILES[name], 'utf8'))));
    const files = {
      editions: await packed('editions'),
      works: await packed('works'),
      authors: await packed('authors'),
    };
    expect((await fill({ files }))?.changed).toBe(0);
    files.authors = await packed('authors', (text) => text.replace('Ursula K. Le Guin', 'Ursula Le Guin'));
    expect((await fill({ files }))?.changed).toBe(1);
    expect((await rows())[4]).toMatchObject({ authors: 'Ursula Le Guin' });
    expect((await client.query('SELECT isbn13 FROM edition_misses')).rows).toEqual([{ isbn13: '9780306406164' }]);
  });

  it('refuses a file whose end is missing, packed or not, whichever of the three it is', async () => {
    for (const name of ['editions', 'works', 'authors'] as const) {
      const whole = await readFile(FILES[name]);
      const packed = gzipSync(whole);
      for (const half of [packed.subarray(0, packed.length - 20), whole.subarray(0, whole.length - 10)]) {
        const files = { ...FILES, [name]: await written(`${name}-half`, half) };
        await expect(fill({ files })).rejects.toThrow(`${name}-half was cut short`);
        await expectUntouched();
      }
    }
  });

  it('refuses a damaged file, one that is none, and files in the wrong order', async () => {
    const packed = gzipSync(await readFile(FILES.authors));
    packed.fill(0xaa, 40, 60);
    const damaged = await written('damaged.gz', packed);
    await expect(fill({ files: { ...FILES, authors: damaged } })).rejects.toThrow('damaged.gz is damaged');
    const missing = path.join(folder, 'missing');
    await expect(fill({ files: { ...FILES, works: missing } })).rejects.toThrow(`There is no file ${missing}`);
    await expect(fill({ files: { ...FILES, works: folder } })).rejects.toThrow('is not a file');
    const twisted = { ...FILES, editions: FILES.works, works: FILES.editions };
    await expect(fill({ files: twisted })).rejects.toThrow('holds no editions: name the dumps of editions, works');
    await expect(fill({ files: { ...FILES, editions: await written('empty', '') } })).rejects.toThrow('no editions');
    await expectUntouched();
  });

  it('refuses a file that lost rows since the last filling, unless it is said to be all', async () => {
    await fill();
    const lines = (await readFile(FILES.editions, 'utf8')).split('\n');
    const editions = await written('fewer', `${lines.slice(0, 6).join('\n')}\n`);
    await expect(fill({ files: { ...FILES, editions } })).rejects.toThrow(
      'fewer has 6 editions, that of the last filling had 11: it was cut short',
    );
    expect(await fill({ files: { ...FILES, editions }, smaller: true })).toMatchObject({ read: { editions: 6 } });
  });

  it('is one at a time, and changes nothing when it is interrupted', async () => {
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    await other.query('SELECT pg_advisory_lock(727036)');
    await expect(fill()).rejects.toThrow('filled by another command');
    await other.end();
    const interruption = new AbortController();
    const order = { signal: interruption.signal, onProgress: () => interruption.abort() };
    expect(await fill(order)).toBeUndefined();
    await expectUntouched();
  });
});
