import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listCategoryListings } from '#contract/catalog/catalog.ts';
import { normaliseIsbn } from '#contract/catalog/isbn.ts';
import { makeUpCopy } from '#db/seed/fixtures.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, aCategory, aSeller, type TestUser } from '#test/make.ts';
import { importCatalogue, type ImportOrder } from './import.service.ts';
import { CannotImport } from './refusal.ts';
import { reportLines, type ImportReport } from './report.ts';
import { inspectFile } from './source-file.ts';

const PROJECT = path.join(import.meta.dirname, '../../../..');
const DIRTY = path.join(PROJECT, 'db/seed/dirty-books.csv');
const GOODBOOKS = path.join(import.meta.dirname, 'goodbooks-excerpt.csv');
const HEADER =
  'isbn,isbn13,authors,original_publication_year,original_title,title,language_code,average_rating,ratings_count';

let t: TestApp;
let seller: TestUser;
let categoryId: string;
let folder: string;
beforeEach(async () => {
  t = await testApp();
  seller = await aSeller(t);
  categoryId = await aCategory(t, seller);
  folder = await mkdtemp(path.join(tmpdir(), 'dogear-import-'));
});
afterEach(async () => {
  await t.close();
  await rm(folder, { recursive: true, force: true });
});

const refusedFile = () => path.join(folder, 'refused.csv');

const run = async (file: string, more: Partial<ImportOrder> = {}): Promise<ImportReport> =>
  importCatalogue(t.db, await inspectFile(file), {
    sellerEmail: seller.email,
    categoryId,
    makeUp: makeUpCopy,
    mode: 'demo',
    refusedFile: refusedFile(),
    ...more,
  });

const fileOf = async (text: string | Buffer): Promise<string> => {
  const file = path.join(folder, 'books.csv');
  await writeFile(file, text);
  return file;
};

const listed = () => t.db.selectFrom('listings').selectAll().orderBy('published_at', 'desc').execute();
const untouched = async (): Promise<boolean> => (await listed()).length === 0;

describe('importing the fifty dirty books for a demo shop', () => {
  it('lists what can be listed in the order of the file, in the category that was named', async () => {
    const report = await run(DIRTY);
    expect(report).toMatchObject({ rows: 50, added: 45, present: 0, refused: 5, interrupted: false });
    const { body, headers } = await t.call(listCategoryListings, { params: { id: categoryId }, query: {} });
    expect(headers['x-total-count']).toBe('45');
    expect(body[0]).toMatchObject({
      title: 'Emma',
      Seller: seller.name,
      category_name: categoryId,
      status: 'Available',
    });
  });

  it('repairs every kind of dirt', async () => {
    await run(DIRTY);
    const rows = new Map((await listed()).map((row) => [row.title, row]));
    const of = (title: string) => {
      const row = rows.get(title);
      return row && [row.isbn13, row.published_year, row.authors];
    };
    expect(of('Emma')).toEqual(['9780141439587', 1815, 'Jane Austen']);
    expect(of('Kafka on the Shore')).toEqual(['9781400079278', 2002, 'Haruki Murakami, Philip Gabriel']);
    expect(of('The Odyssey')).toEqual(['', -720, 'Homer, Robert Fagles']);
    expect(of('Republic')).toEqual(['9780872203495', -380, 'Plato, G.M.A. Grube, C.D.C. Reeve']);
    expect(of('Lazarillo de Tormes')).toEqual(['', null, 'Anonymous']);
    expect(of('The Lais of Marie de France')).toEqual(['', null, 'Marie de France']);
    expect(of("Zeno's Conscience")).toEqual(['', 1923, 'Italo Svevo']);
    expect(of('The Black Tulip')).toEqual(['', 1850, 'Alexandre Dumas']);
    expect(of('Ulysses')?.[0]).toBe('9780141182803');
    expect(of("Jesus' Son")?.[0]).toBe('9780804429573');
    expect(of('Mrs. Dalloway')?.[0]).toBe('9780156628709');
    expect(of('Down and Out in Paris and London')?.[0]).toBe('9780141185064');
    expect(of('Gösta Berlings saga')).toEqual(['', 1891, 'Selma Lagerlöf']);
    expect(rows.has('"The Good War": An Oral History of World War II')).toBe(true);
    expect(rows.has('Alexander and the Terrible, Horrible, No Good, Very Bad Day')).toBe(true);
    expect(of('Letters')?.[2]).toBe('Kurt Vonnegut, Dan Wakefield');
    expect(of('The Cloud of Unknowing')).toEqual(['', 1387, '']);
    const everyone = rows.get('An Anthology by Everyone in the Village')?.authors ?? '';
    expect(everyone).toMatch(/^Contributor A\. Surname-00, .*, Contributor [A-Z]\. Surname-\d\d$/);
    expect(everyone.length).toBeLessThanOrEqual(500);
  });

  it('counts what it repaired and what it made up', async () => {
    const { notes } = await run(DIRTY);
    expect(Object.fromEntries(notes)).toEqual({
      'isbn zeros': 30,
      'isbn rebuilt': 1,
      'isbn lost': 2,
      'no isbn': 10,
      'year BC': 3,
      'no year': 2,
      'authors cut': 1,
      price: 45,
      'original price': 45,
      condition: 45,
      location: 45,
      'years of use': 45,
      details: 45,
    });
  });

  it('lists two copies of one ISBN as two, and a second run adds nothing', async () => {
    await run(DIRTY);
    const before = await listed();
    expect(before.filter((row) => row.isbn13 === '9780141439587')).toHaveLength(3);
    expect(await run(DIRTY, { resaleCents: 999, condition: 'Fair' })).toMatchObject({
      added: 0,
      present: 45,
      refused: 5,
    });
    expect(await listed()).toEqual(before);
  });

  it('puts the refused rows down with their line and reason, whole', async () => {
    const report = await run(DIRTY);
    expect(report.refusedFile).toBe(refusedFile());
    const lines = (await readFile(refusedFile(), 'utf8')).trimEnd().split('\n');
    expect(lines[0]).toBe(`line,reason,copy,${HEADER}`);
    expect(lines.slice(1).map((line) => line.slice(0, 42))).toEqual([
      expect.stringContaining('48,It has no title,1,140283331'),
      expect.stringContaining('49,Its title is longer than 750 characters'),
      expect.stringContaining('50,"It has 6 columns, not as many as the h'),
      expect.stringContaining('51,"It has 11 columns, not as many as the '),
      expect.stringContaining('52,It has no title,1,'),
    ]);
    expect(lines[4]).toContain('Long Row,1951.0,"One, Too Many",One,Too Many,eng,3.9,12,77');
  });

  it('makes up the same believable copy of the same row every time', async () => {
    await run(DIRTY);
    const first = await listed();
    const other = await aSeller(t);
    await run(DIRTY, { sellerEmail: other.email });
    const copies = (sellerId: string, rows: typeof first) =>
      rows
        .filter((row) => row.seller_id === sellerId)
        .map((row) => [
          row.import_key,
          row.resale_cents,
          row.original_cents,
          row.condition,
          row.location,
          row.years_of_use,
          row.details,
        ])
        .toSorted();
    expect(copies(other.id, await listed())).toEqual(copies(seller.id, first));
    for (const row of first) {
      expect(row.resale_cents).toBeLessThan(row.original_cents);
      expect(row.location).not.toBe('');
    }
    expect(new Set(first.map((row) => row.condition)).size).toBe(3);
    expect(new Set(first.map((row) => row.resale_cents)).size).toBeGreaterThan(8);
  });

  it('takes what it is told over what it would make up', async () => {
    const { notes, categoryNames } = await run(DIRTY, {
      resaleCents: 425,
      condition: 'Good',
      location: 'Boise',
    });
    expect(categoryNames).toEqual([categoryId]);
    for (const row of await listed()) {
      expect(row).toMatchObject({ category_id: categoryId, resale_cents: 425, condition: 'Good', location: 'Boise' });
      expect(row.original_cents).toBeGreaterThan(425);
    }
    expect([notes.has('price'), notes.has('condition'), notes.has('location'), notes.get('years of use')]).toEqual([
      false,
      false,
      false,
      45,
    ]);
  });

  it('says all of it in the report', async () => {
    const text = reportLines(await run(DIRTY)).join('\n');
    for (const part of [
      '50  rows read',
      '45  copies listed',
      `5  refused, with reasons in ${refusedFile()}`,
      '45  prices',
      '3  years are before Christ',
    ]) {
      expect(text).toContain(part);
    }
  });
});

describe('importing other files', () => {
  it('makes no file of refused rows when none is refused, and removes that of an earlier run', async () => {
    await run(DIRTY);
    await run(await fileOf(`${HEADER}\n439023483,,Suzanne Collins,2008.0,,The Hunger Games,eng,4.3,1\n`));
    expect(existsSync(refusedFile())).toBe(false);
  });

  it('reads a byte order mark, Windows line ends, and columns in another order and case', async () => {
    const text =
      '\uFEFFTitle,Shelf,ISBN13,isbn,Original_Publication_Year,Authors\r\nOrlando,7,,15670160X,1928,Virginia Woolf\r\n';
    expect(await run(await fileOf(text))).toMatchObject({ rows: 1, added: 1 });
    expect((await listed())[0]).toMatchObject({ title: 'Orlando', isbn13: '9780156701600', published_year: 1928 });
  });

  it('refuses a row with a NUL character, and only that row', async () => {
    const report = await run(await fileOf(`${HEADER}\n,,A\0B,1999.0,,Bad,eng,1,1\n,,A B,1999.0,,Good,eng,1,1\n`));
    expect(report).toMatchObject({ rows: 2, added: 1, refused: 1 });
    expect(await readFile(refusedFile(), 'utf8')).toContain('NUL');
  });

  it('knows a row by what it says, not by where it stands or how it was rated since', async () => {
    const row = (title: string, rating: string) => `,,Anon,1999.0,,${title},eng,${rating},1\n`;
    await run(await fileOf(`${HEADER}\n${row('One', '3')}${row('Two', '3')}${row('Two', '3')}`));
    const again = await run(
      await fileOf(
        `${HEADER}\n${row('Two', '4')}${row('Three', '4')}${row('One', '4')}${row('Two', '5')}${row('Two', '5')}`,
      ),
    );
    expect(again).toMatchObject({ added: 2, present: 3 });
    expect((await listed()).map((listing) => listing.title).toSorted()).toEqual(['One', 'Three', 'Two', 'Two', 'Two']);
  });
});

describe('an import that cannot be', () => {
  it('says what is wrong with the file, before anything is written', async () => {
    const bad: [string | Buffer, RegExp][] = [
      ['', /is empty/],
      ['name,price\nx,1\n', /one of them must be title \(read were: name, price\)/],
      [`${HEADER}\n,,A,1999.0,,"Never closed,eng,1,1\n,,B,1999.0,,Other,eng,1,1\n`, /is not CSV: Quote Not Closed/],
      [Buffer.from([0x50, 0x4b, 0x03, 0x04, 0xff, 0xfe, 0x80, 0x81]), /is a workbook or an archive/],
      [Buffer.concat([Buffer.from(`${HEADER}\n,,A,1999.0,,Caf`), Buffer.from([0xe9, 0x81, 0])]), /is no text file/],
    ];
    for (const [content, message] of bad) await expect(run(await fileOf(content))).rejects.toThrow(message);
    await expect(run(path.join(folder, 'nowhere.csv'))).rejects.toThrow(/There is no file/);
    await expect(run(folder)).rejects.toThrow(/is not a file/);
    expect(await untouched()).toBe(true);
  });

  it('names a seller who is not there or does not sell, and a category that is not there', async () => {
    await expect(run(DIRTY, { sellerEmail: 'nobody@example.com' })).rejects.toThrow(
      /Nobody has the address nobody@example.com/,
    );
    const buyer = await aBuyer(t);
    await expect(run(DIRTY, { sellerEmail: buyer.email })).rejects.toThrow(/seller/);
    await expect(run(DIRTY, { categoryId: 'nowhere' })).rejects.toThrow(/no category with the id nowhere/);
    await t.db.updateTable('users').set({ email_proven_at: null }).where('id', '=', seller.id).execute();
    await expect(run(DIRTY, { mode: 'production' })).rejects.toThrow(CannotImport);
    expect(await untouched()).toBe(true);
    expect((await readdir(folder)).filter((name) => name.includes('refused'))).toEqual([]);
  });
});

describe('an interrupted import', () => {
  it('keeps whole batches, and a second run lists the rest once', async () => {
    const rows = Array.from({ length: 1_700 }, (_, n) => `,,Anon,1999.0,,Book ${n % 1_200},eng,1,1\n`).join('');
    const file = await fileOf(`${HEADER}\n${rows}`);
    const interruption = new AbortController();
    const first = await run(file, {
      signal: interruption.signal,
      onProgress: (done) => {
        if (done >= 1_000) interruption.abort();
      },
    });
    expect(first).toMatchObject({ interrupted: true, added: 1_000 });
    expect(await listed()).toHaveLength(1_000);
    expect(await run(file)).toMatchObject({ interrupted: false, added: 700, present: 1_000 });
    expect(await run(file)).toMatchObject({ added: 0, present: 1_700 });
  });
});

it('lists rows of goodbooks-10k, with true ISBNs or none and years before Christ, and nothing twice', async () => {
  const report = await run(GOODBOOKS);
  expect(report).toMatchObject({ rows: 86, added: 86, refused: 0 });
  const rows = await listed();
  for (const { isbn13 } of rows) if (isbn13 !== '') expect(normaliseIsbn(isbn13)).toBe(isbn13);
  expect(rows.filter((row) => row.isbn13 !== '').length).toBeGreaterThan(50);
  expect(rows.filter((row) => (row.published_year ?? 0) < 0)).toHaveLength(31);
  expect(rows[0]).toMatchObject({
    title: 'The Hunger Games (The Hunger Games, #1)',
    isbn13: '9780439023481',
    published_year: 2008,
  });
  expect(await run(GOODBOOKS)).toMatchObject({ added: 0, present: 86 });
});
