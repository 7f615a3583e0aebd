import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { normaliseIsbn } from '#contract/catalog/isbn.ts';
import { tellStockWritten } from '#server/catalog/stock/steps/telling.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, aCategory, aSeller, type TestUser } from '#test/make.ts';
import { importFile, type ImportOrder, type ImportReport } from './import-file.ts';
import { copyMaker } from './made-up.ts';
import { CannotImport } from './refusal.ts';

const DIRTY = path.join(import.meta.dirname, '../../db/seed/dirty-books.csv');
const GOODBOOKS = path.join(import.meta.dirname, 'goodbooks-excerpt.csv');

let t: TestApp;
let seller: TestUser;
let category: string;
let folder: string;
beforeEach(async () => {
  t = await testApp();
  seller = await aSeller(t);
  category = await aCategory(t, seller);
  folder = await mkdtemp(path.join(tmpdir(), 'dogear-import-'));
});
afterEach(async () => {
  await t.close();
  await rm(folder, { recursive: true, force: true });
});

const refusedFile = () => path.join(folder, 'refused.csv');
const refused = () => readFile(refusedFile(), 'utf8');

const run = (file: string, more: Partial<ImportOrder> = {}): Promise<ImportReport> =>
  importFile(
    { db: t.payments.db, tellDone: tellStockWritten },
    {
      file,
      sellerEmail: seller.email,
      mode: 'demo',
      choices: { category },
      refusedFile: refusedFile(),
      signal: new AbortController().signal,
      onProgress: () => {},
      ...more,
    },
  );

const madeUp = (): Partial<ImportOrder> => ({ complete: copyMaker({}).complete });
const WHOLE = { price: '8.00', condition: 'Good', location: 'Leeds' } as const;
const all = (): Partial<ImportOrder> => ({ choices: { ...WHOLE, category } });

const fileOf = async (text: string): Promise<string> => {
  const file = path.join(folder, 'books.csv');
  await writeFile(file, text);
  return file;
};

const listed = () => t.db.selectFrom('listings').selectAll().orderBy('title').execute();

describe('importing the fifty dirty books for a demo shop', () => {
  it('lists what can be listed, repaired, and puts the rest down with line and reason', async () => {
    const report = await run(DIRTY, madeUp());
    expect(report).toMatchObject({ rows: 49, counts: { added: 45, rows: { refused: 4 } }, interrupted: false });
    const rows = new Map((await listed()).map((row) => [row.title, row]));
    const of = (title: string) => {
      const row = rows.get(title);
      return row && [row.isbn13, row.published_year, row.authors];
    };
    expect(of('Emma')).toEqual(['9780141439587', 1815, 'Jane Austen']);
    expect(of('The Odyssey')).toEqual(['', -720, 'Homer, Robert Fagles']);
    expect(of("Zeno's Conscience")).toEqual(['', 1923, 'Italo Svevo']);
    expect(of('Ulysses')?.[0]).toBe('9780141182803');
    expect(of("Jesus' Son")?.[0]).toBe('9780804429573');
    expect(rows.get('An Anthology by Everyone in the Village')?.authors.length).toBeLessThanOrEqual(500);
    const lines = (await refused()).trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^\uFEFF"line","reason","sku","title",/);
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['39', '48', '49', '51']);
  });

  it('lists copies of one ISBN as so many, and a second run adds and changes nothing', async () => {
    await run(DIRTY, madeUp());
    const before = await listed();
    expect(before.filter((row) => row.isbn13 === '9780141439587')).toHaveLength(3);
    expect((await run(DIRTY, madeUp())).counts).toMatchObject({ added: 0, changed: 0, rows: { unchanged: 45 } });
    expect(await listed()).toEqual(before);
  });

  it('makes up the same believable copy of the same row every time, and says how much', async () => {
    const maker = copyMaker({});
    await run(DIRTY, { complete: maker.complete });
    expect(Object.fromEntries(maker.madeUp)).toMatchObject({ price: 45, condition: 45, location: 45, details: 45 });
    const first = await listed();
    const other = await aSeller(t);
    await run(DIRTY, { ...madeUp(), sellerEmail: other.email });
    const copies = (sellerId: string, rows: typeof first) =>
      rows
        .filter((row) => row.seller_id === sellerId)
        .map((row) => [row.title, row.resale_cents, row.original_cents, row.condition, row.location, row.details])
        .toSorted();
    expect(copies(other.id, await listed())).toEqual(copies(seller.id, first));
    for (const row of first) expect(row.resale_cents).toBeLessThan(row.original_cents);
    expect(new Set(first.map((row) => row.condition)).size).toBe(3);
  });

  it('takes what it is told over what it would make up', async () => {
    const complete = copyMaker({ resaleCents: 425, condition: 'Good', location: 'Boise' }).complete;
    await run(DIRTY, { complete, choices: { category, price: '4.25', condition: 'Good', location: 'Boise' } });
    for (const row of await listed()) {
      expect(row).toMatchObject({ category_id: category, resale_cents: 425, condition: 'Good', location: 'Boise' });
      expect(row.original_cents).toBeGreaterThan(425);
    }
  });
});

describe('importing other files', () => {
  it('makes nothing up unless told to, and asks for what is missing', async () => {
    const file = await fileOf('title,isbn\nEmma,9780141439587\n');
    await expect(run(file)).rejects.toThrow(/say --condition, --price, --location for all/);
    await expect(run(file, { choices: { price: '7.25' } })).rejects.toThrow(
      /say --category, --condition, --location for all/,
    );
    expect(await listed()).toEqual([]);
    await run(file, all());
    expect(await listed()).toMatchObject([
      { resale_cents: 800, original_known: false, years_known: false, condition: 'Good', location: 'Leeds' },
    ]);
  });

  it('lists with what its rows say, and refuses another currency', async () => {
    const rows = 'title,price,currency,condition\nEmma,9.50,USD,Fair\nDune,7,EUR,\nIt,,,\n';
    expect((await run(await fileOf(rows), all())).counts).toMatchObject({ added: 2, rows: { refused: 1 } });
    expect((await listed()).map(({ title, resale_cents: cents, condition }) => [title, cents, condition])).toEqual([
      ['Emma', 950, 'Fair'],
      ['It', 800, 'Good'],
    ]);
    expect(await refused()).toContain('Its currency is EUR: prices here are US dollars');
  });

  it('lists a row once that was refused and mended, from the refused rows or from the whole file', async () => {
    const rows = (first: string) => `title,price\nEmma,${first}\nEmma,7\n`;
    expect((await run(await fileOf(rows('x')), all())).counts).toMatchObject({ added: 1, rows: { refused: 1 } });
    const mended = (await refused()).replace(',"x",', ',"6",');
    expect((await run(await fileOf(mended), all())).counts).toMatchObject({ added: 1, rows: { refused: 0 } });
    expect(existsSync(refusedFile())).toBe(false);
    expect((await run(await fileOf(rows('6')), all())).counts).toMatchObject({ added: 0, rows: { unchanged: 2 } });
    expect((await listed()).map(({ resale_cents: cents }) => cents).toSorted()).toEqual([600, 700]);
  });

  it('keeps the numbers of the seller, and what is said of it the next time changes the copy', async () => {
    await run(await fileOf('sku,title,price\nA-1,Emma,7\n'), all());
    expect((await run(await fileOf('sku,title,price\nA-1,Emma,6.50\n'), all())).counts?.changed).toBe(1);
    expect((await listed()).map(({ resale_cents: cents }) => cents)).toEqual([650]);
  });

  it('lists rows of goodbooks-10k, with true ISBNs or none and years before Christ, and nothing twice', async () => {
    expect((await run(GOODBOOKS, madeUp())).counts).toMatchObject({ added: 86, rows: { refused: 0 } });
    const rows = await listed();
    for (const { isbn13 } of rows) if (isbn13 !== '') expect(normaliseIsbn(isbn13)).toBe(isbn13);
    expect(rows.filter((row) => row.isbn13 !== '').length).toBeGreaterThan(50);
    expect(rows.filter((row) => (row.published_year ?? 0) < 0)).toHaveLength(31);
    expect((await run(GOODBOOKS, madeUp())).counts).toMatchObject({ added: 0, changed: 0 });
  });
});

describe('an import that cannot be', () => {
  it('says so in a sentence, before anything is written', async () => {
    const buyer = await aBuyer(t);
    const wrong: [Partial<ImportOrder> & { of?: string }, RegExp][] = [
      [{ of: path.join(folder, 'nowhere.csv') }, /There is no file/],
      [{ of: folder }, /is not a file/],
      [{ of: await fileOf('') }, /There is nothing in this file/],
      [{ sellerEmail: 'nobody@example.com' }, /Nobody has the address nobody@example.com/],
      [{ sellerEmail: buyer.email }, /is no seller/],
      [{ choices: { category: 'nowhere' } }, /no category with the id nowhere/],
    ];
    for (const [{ of = DIRTY, ...more }, message] of wrong) {
      await expect(run(of, more)).rejects.toThrow(message);
      await expect(run(of, more)).rejects.toThrow(CannotImport);
    }
    await t.db.updateTable('users').set({ email_proven_at: null }).where('id', '=', seller.id).execute();
    await expect(run(DIRTY, { mode: 'production' })).rejects.toThrow(/confirm your email/);
    expect(await listed()).toEqual([]);
  });

  it('ended in the middle keeps whole batches, and a second run lists the rest once', async () => {
    const rows = Array.from({ length: 1_700 }, (_, n) => `Book ${n % 1_200}\n`).join('');
    const file = await fileOf(`title\n${rows}`);
    const interruption = new AbortController();
    const first = await run(file, {
      ...all(),
      signal: interruption.signal,
      onProgress: (what, done) => {
        if (what === 'writing' && done > 0) interruption.abort();
      },
    });
    if (first.interrupted) expect(await listed()).toHaveLength(first.written);
    await run(file, all());
    expect(await listed()).toHaveLength(1_700);
    expect((await run(file, all())).counts).toMatchObject({ added: 0, rows: { unchanged: 1_700 } });
  });
});
