// A bookseller's own file: what it says is listed, what it does not say is asked for or left open, and nothing is made
// up.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listMyListings, type Listing } from '#contract/catalog/catalog.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aCategory, aSeller, type TestUser } from '#test/make.ts';
import { importCatalogue, type ImportOrder } from './import.service.ts';
import { reportLines, type ImportReport } from './report.ts';
import { inspectFile } from './source-file.ts';

let t: TestApp;
let seller: TestUser;
let novels: string;
let folder: string;
beforeEach(async () => {
  t = await testApp();
  seller = await aSeller(t);
  novels = await aCategory(t, seller);
  folder = await mkdtemp(path.join(tmpdir(), 'dogear-stock-'));
});
afterEach(async () => {
  await t.close();
  await rm(folder, { recursive: true, force: true });
});

const refusedFile = () => path.join(folder, 'refused.csv');
const run = async (content: string | Buffer, more: Partial<ImportOrder> = {}): Promise<ImportReport> => {
  const file = path.join(folder, 'stock.csv');
  await writeFile(file, content);
  return importCatalogue(t.db, await inspectFile(file), {
    sellerEmail: seller.email,
    mode: 'production',
    refusedFile: refusedFile(),
    ...more,
  });
};
const listed = async (): Promise<Listing[]> =>
  (await t.call(listMyListings, { query: { email: seller.email } }, { as: seller })).body;
const reasons = async (): Promise<string> => readFile(refusedFile(), 'utf8');

/** The bytes of a text in Windows-1252, as far as these tests need them. */
const inWindows1252 = (text: string): Buffer => Buffer.from(text.replaceAll('€', '\x80'), 'latin1');
const inUtf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');

const WHOLE = { resaleCents: 800, condition: 'Good', location: 'Leeds' } as const;

describe('a stock file', () => {
  it('is listed as its rows say, word for word', async () => {
    const header =
      'isbn,isbn13,authors,original_publication_year,title,price,condition,details,image_url,place,phone,list price,category,years of use,publisher';
    const row = `,9780141439587,Jane Austen,1815,Emma,7.25,Very Good,"Bumped corner,\nname inside.",https://pictures.example/emma.jpg,"Portland, OR",555 0100,$18.00,${novels},2.5,Penguin`;
    expect(await run(`${header}\n${row}\n`)).toMatchObject({
      rows: 1,
      added: 1,
      refused: 0,
      categoryNames: [novels],
      ignored: [],
    });
    expect(await listed()).toMatchObject([
      {
        title: 'Emma',
        isbn13: '9780141439587',
        published_year: 1815,
        publisher: 'Penguin',
        resale_price: 7.25,
        condition: 'Good',
        details: 'Bumped corner,\nname inside.',
        image_url: 'https://pictures.example/emma.jpg',
        location: 'Portland, OR',
        phone: '555 0100',
        original_price: 18,
        original_known: true,
        years_of_use: 2.5,
        years_known: true,
        category_id: novels,
      },
    ]);
  });

  it('leaves open what it does not say of years, original price, picture and details, and says so', async () => {
    const report = await run(`title,price,condition,place,category,shelf\nEmma,8,Fair,Leeds,${novels},A7\n`);
    const [copy] = await listed();
    expect(copy).toMatchObject({ years_of_use: 0, years_known: false, original_price: 0, original_known: false });
    expect(copy).toMatchObject({ details: '', image_url: '', phone: '', resale_price: 8, condition: 'Fair' });
    const text = reportLines(report).join('\n');
    expect(text).toContain('1  original prices are shown as not known');
    expect(text).toContain('Columns that were not read: shelf');
    expect(text).not.toContain('made up');
  });

  it('without a column for what a copy needs is not begun, unless it is said for all', async () => {
    await expect(run('title\nEmma\n')).rejects.toThrow(
      /has no column for price, condition, location or category: add them, or say --price, --condition, --location and --category for all copies/,
    );
    await expect(run('title,price\nEmma,8\n', { categoryId: novels, location: 'Leeds' })).rejects.toThrow(
      /no column for condition: add it, or say --condition for all/,
    );
    await expect(run('title\nEmma\n', { ...WHOLE, categoryId: 'nowhere' })).rejects.toThrow(/no category with the id/);
    expect(await listed()).toEqual([]);
    expect(await run('title\nEmma\n', { ...WHOLE, categoryId: novels })).toMatchObject({ added: 1 });
    expect(await listed()).toMatchObject([{ resale_price: 8, condition: 'Good', location: 'Leeds' }]);
  });

  it('goes before what is said for all, which fills its empty cells', async () => {
    await run('title,price,condition\nEmma,9.50,Fair\nPersuasion,,\n', { ...WHOLE, categoryId: novels });
    expect((await listed()).map((copy) => [copy.title, copy.resale_price, copy.condition])).toEqual([
      ['Emma', 9.5, 'Fair'],
      ['Persuasion', 8, 'Good'],
    ]);
  });

  it('has its books in the categories it names, by id or name, and makes none', async () => {
    const poems = await aCategory(t, seller);
    const rows = `One,${novels.toUpperCase()}\nTwo,${poems}\nThree,Imported\nFour,\n`;
    expect(await run(`title,category\n${rows}`, { ...WHOLE, categoryId: novels })).toMatchObject({
      added: 3,
      refused: 1,
    });
    expect(await reasons()).toContain('The shop has no category ""Imported""');
    expect((await listed()).map((copy) => [copy.title, copy.category_id])).toEqual([
      ['One', novels],
      ['Two', poems],
      ['Four', novels],
    ]);
    expect(await t.db.selectFrom('categories').select('id').execute()).toHaveLength(2);
  });
});

describe('a row that cannot be read', () => {
  it.each([
    ['price', '8,00 €', 'Its price is ""8,00 €"", and not an amount in US dollars'],
    ['price', '0.10', 'Its price is ""0.10""'],
    ['price', '1,250', 'Its price is ""1,250""'],
    ['currency', 'EUR', 'Its currency is ""EUR""'],
    ['condition', 'Poor', 'Its condition is ""Poor"", and not one of Excellent, Good, Fair'],
    ['original_price', 'much', 'Its original price is ""much""'],
    ['years_of_use', 'long', 'Its years of use are ""long""'],
    ['image_url', 'http://pictures.example/a.jpg', 'Its picture is not an https address'],
    ['quantity', '0', 'Its quantity is 0'],
    ['quantity', '3', 'a row is one copy'],
    ['isbn13', '9,78014E+12', 'Its ISBN is written as 9,78014E+12: the spreadsheet cut its last digits'],
    ['isbn', '9780141439588', 'Its ISBN 9780141439588 is none'],
    ['details', 'x'.repeat(5_001), 'Its details is longer than 5000 characters'],
  ])('because of its %s %j is refused with that reason, and only that row', async (column, cell, reason) => {
    const report = await run(`title,${column}\nBad,"${cell}"\nFine,\n`, { ...WHOLE, categoryId: novels });
    expect(report).toMatchObject({ rows: 2, added: 1, refused: 1 });
    expect(await reasons()).toContain(reason);
    expect((await listed()).map(({ title }) => title)).toEqual(['Fine']);
  });

  it('says all that it lacks', async () => {
    await run('title,price,condition,place\nEmma,,,\n', { categoryId: novels });
    expect(await reasons()).toContain('"It has no price, no condition and no location"');
  });

  it('is listed once mended, from the file of refused rows or from the whole file, and nothing twice', async () => {
    const rows = (first: string) => `title,price\nEmma,${first}\nEmma,7\n`;
    const all = { condition: 'Good', location: 'Leeds', categoryId: novels } as const;
    expect(await run(rows('x'), all)).toMatchObject({ added: 1, refused: 1 });
    const mended = (await reasons()).replace('Emma,x', 'Emma,6');
    expect(await run(mended, all)).toMatchObject({ added: 1, refused: 0, ignored: [] });
    expect((await listed()).map((copy) => copy.resale_price).toSorted()).toEqual([6, 7]);
    expect(await run(rows('6'), all)).toMatchObject({ added: 0, present: 2 });
  });
});

describe('a file from a spreadsheet', () => {
  const GERMAN =
    'Titel;Autor;ISBN;Erscheinungsjahr;Preis;Zustand;Beschreibung;Ort;Bild\r\n' +
    'Die Blechtrommel;Günter Grass;="9783423118217";1959;8,50;Sehr gut;"Kleiner Fleck; sonst schön";Köln;\r\n' +
    'Momo;Michael Ende;"=""9783522177504""";1973;1.250,00;Wie neu;„Für Ana“;Köln;https://bilder.example/momo.jpg\r\n';
  const expectGerman = async (): Promise<void> => {
    expect(await listed()).toMatchObject([
      {
        title: 'Die Blechtrommel',
        authors: 'Günter Grass',
        isbn13: '9783423118217',
        published_year: 1959,
        resale_price: 8.5,
        condition: 'Good',
        details: 'Kleiner Fleck; sonst schön',
        location: 'Köln',
      },
      {
        title: 'Momo',
        isbn13: '9783522177504',
        resale_price: 1250,
        condition: 'Excellent',
        image_url: 'https://bilder.example/momo.jpg',
      },
    ]);
  };

  it.each([
    ['Windows-1252 with semicolons', inWindows1252(GERMAN.replaceAll(/[„“]/g, '"'))],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${GERMAN}`)],
    [
      'UTF-16 with tabs',
      inUtf16(
        GERMAN.replace('Fleck; sonst', 'Fleck, sonst').replaceAll(';', '\t').replace('Fleck, sonst', 'Fleck; sonst'),
      ),
    ],
    ['a line that says what separates', Buffer.from(`sep=;\r\n${GERMAN}`)],
  ])('is read as it was written: %s', async (_, content) => {
    expect(await run(content, { categoryId: novels })).toMatchObject({ rows: 2, added: 2, refused: 0 });
    await expectGerman();
  });

  it('has its refused rows in a file that the spreadsheet opens', async () => {
    const content = inWindows1252('Titel;Preis\r\nGöttin;acht\r\n');
    await run(content, { categoryId: novels, condition: 'Good', location: 'Köln' });
    expect(await reasons()).toMatch(/^\uFEFFline;reason;copy;Titel;Preis\n2;"?Its price is .*;1;Göttin;acht\n$/);
  });
});
