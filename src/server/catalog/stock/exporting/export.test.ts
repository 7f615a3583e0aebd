import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StockFormat } from '#contract/stock/stock-export.ts';
import type { StockCells } from '#contract/stock/fields.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';
import { commitFile, dryRun } from '#test/stock.ts';
import { WRITERS } from './writers.ts';

const FORMATS: readonly StockFormat[] = ['csv', 'uiee', 'abebooks', 'biblio'];

let t: TestApp;
let seller: TestUser;
let category: string;
beforeAll(async () => {
  t = await testApp();
});
beforeEach(async () => {
  seller = await aSeller(t);
  category = await aCategory(t, seller);
});
afterAll(() => t.close());

const exported = async (format: StockFormat): Promise<string> => {
  const answer = await t.send('GET', `/api/stock/export?format=${format}`, { as: seller });
  expect(answer.statusCode).toBe(200);
  return answer.body;
};
const listed = async (text: string): Promise<void> => {
  const file = await dryRun(t, seller, text, { category, location: 'Portland, OR', condition: 'Good' });
  await commitFile(t, seller, file.id);
};
const expectNothingToDo = async (format: StockFormat): Promise<void> => {
  const again = await dryRun(t, seller, await exported(format), {}, `${format}.txt`);
  const { rows } = again.counts ?? {};
  expect([format, rows], JSON.stringify(again)).toEqual([
    format,
    { new: 0, changed: 0, gone: 0, unchanged: rows?.unchanged, again: 0, refused: 0 },
  ]);
};

const HEADER =
  'sku,title,author,isbn,price,quantity,description,condition,jacket,binding,edition,signed,shelf,cost,note,status';
const CSV = [
  HEADER,
  '007,Dune,Frank Herbert,9780441172719,8.50,1,"Two lines\nof it",Near Fine,VG,Hardcover,1st edition,signed,A3,2.00,from Ada,',
  '8,"Emma, or not","Austen, Jane; Brock, C. E. (illustrator)",,1200.00,3,,VG+,,Paperback,,,B1,,,',
  '9,Wuthering Heights,Emily Brontë,,4.00,1,"=1+1",,,,,,,,,On Hold',
].join('\n');

describe('what is exported', () => {
  it('changes nothing when it is brought back, in each format', async () => {
    await listed(CSV);
    await aListing(t, seller, { title: 'By hand', details: 'As told' });
    for (const format of FORMATS) await expectNothingToDo(format);
  });

  it('keeps the true grade for AbeBooks before the description, and leaves out what is paused', async () => {
    await listed(CSV);
    const [head = '', ...rows] = (await exported('abebooks')).trimEnd().split('\n');
    const column = (row: string, name: string): string => row.split('\t')[head.split('\t').indexOf(name)] ?? '';
    expect(
      rows.map((row) => [column(row, 'listingid'), column(row, 'bookcondition'), column(row, 'description')]),
    ).toEqual([
      ['007', 'Very Good', 'Near Fine. Two lines of it'],
      ['8', 'Very Good', 'VG+.'],
    ]);
  });

  it('has what only the seller sees, and is another seller’s to nobody', async () => {
    await listed(CSV);
    expect(await exported('csv')).toContain('from Ada');
    const other = await aSeller(t);
    const answer = await t.send('GET', '/api/stock/export?format=csv', { as: other });
    expect(answer.body).not.toContain('Dune');
    const book = await t.send('GET', '/api/search?q=dune', {});
    expect(book.body).not.toContain('from Ada');
  });

  it('gives copies that are not alike rows of their own', async () => {
    await listed(CSV);
    const { listing_id: id } = await t.db
      .selectFrom('stock_copies')
      .select('listing_id')
      .where('seller_id', '=', seller.id)
      .where('sku', '=', '8')
      .where('number', '=', 2)
      .executeTakeFirstOrThrow();
    await t.send('PATCH', `/api/categories/${id}`, { as: seller, body: { resale_price: 900 } });
    const csv = await exported('csv');
    expect(csv.match(/"8#\d"/g)).toEqual(['"8#1"', '"8#2"', '"8#3"']);
    for (const format of FORMATS) await expectNothingToDo(format);
    await listed('sku,price\n8#2,800\n');
    expect((await exported('csv')).match(/"(900|800|1200)\.00"/g)).toEqual(['"1200.00"', '"800.00"', '"1200.00"']);
  });

  it('never begins a cell with a formula where it is for a spreadsheet', async () => {
    await listed(CSV);
    expect(await exported('excel')).toContain(`"'=1+1"`);
    expect(await exported('csv')).toContain('"=1+1"');
  });

  it('comes back whole, whatever sellers write', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 });
    const copy = fc.record({
      title: text.filter((one) => /[a-z]/i.test(one)),
      author: text,
      description: fc.oneof(text, fc.constantFrom('VG. Nice', 'Near Fine.', 'Fine. Fine.', 'a\n\nb')),
      condition: fc.constantFrom('VG+', 'Near Fine', 'Good', 'Fair', 'Poor', 'Excellent', 'Fine/Good', 'as new'),
      jacket: fc.constantFrom('', 'VG', 'missing', 'y'),
      signed: fc.constantFrom('', 'signed', 'no'),
      price: fc.integer({ min: 50, max: 9_999_999 }).map((cents) => (cents / 100).toFixed(2)),
      quantity: fc.integer({ min: 1, max: 3 }).map(String),
      note: text,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(copy, { minLength: 1, maxLength: 4 }), async (all) => {
        seller = await aSeller(t);
        category = await aCategory(t, seller);
        const names = ['sku', ...Object.keys(all[0] ?? {})];
        const rows = all.map((one, place) =>
          [`S${place}`, ...Object.values(one)].map((cell) => `"${cell.replaceAll('"', '""')}"`),
        );
        await listed([names.join(','), ...rows.map((row) => row.join(','))].join('\r\n'));
        for (const format of FORMATS) await expectNothingToDo(format);
      }),
      { numRuns: 6 },
    );
  });
});

it('UIEE begins each record with its number, an author a line', () => {
  const cells: StockCells = { sku: '1', title: 'Emma', author: 'Austen, Jane; Brock (illustrator)', status: 'Hold' };
  expect(WRITERS.uiee.row(cells)).toBe(
    'UR|1\r\nTI|Emma\r\nAA|Austen, Jane\r\nAI|Brock\r\nIS|Hold\r\nXA|4\r\nXB|7\r\nXC|BO\r\nXD|S\r\n\r\n',
  );
});
