import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readListing } from '#contract/catalog/catalog.ts';
import { listStockCopies, type StockCopy, type StockFilter } from '#contract/stock/stock-copies.ts';
import {
  editStock,
  listStockEdits,
  previewStockEdit,
  readStockEdit,
  undoStockEdit,
  type StockChange,
  type StockSelection,
} from '#contract/stock/stock-edits.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBuyer, aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';
import { commitFile, dryRun, workOnFiles } from '#test/stock.ts';

let t: TestApp;
let seller: TestUser;
let category: string;
beforeAll(async () => {
  t = await testApp();
});
beforeEach(async () => {
  seller = await aSeller(t);
  category = await aCategory(t, seller);
  const rows = [
    'sku,title,author,isbn,price,quantity,description,condition,shelf',
    'A-1,Emma,Jane Austen,9780141439587,8.00,1,,Good,R1',
    'A-2,Dune,Frank Herbert,,12.00,2,,Fine,R2',
    'B_3,Persuasion,Jane Austen,,5.00,1,,Fair,R1',
  ];
  const choices = { category, location: 'Portland, OR', phone: '+1 503 555 0100' };
  const file = await dryRun(t, seller, `${rows.join('\n')}\n`, choices);
  await commitFile(t, seller, file.id);
});
afterAll(() => t.close());

const list = async (query: StockFilter & { sort?: 'sku-up'; limit?: string; cursor?: string } = {}, as = seller) => {
  const answer = await t.call(listStockCopies, { query }, { as });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const skus = (copies: readonly StockCopy[]): string[] => copies.map(({ sku }) => sku).toSorted();
const idOf = async (sku: string): Promise<string> => (await list()).find((copy) => copy.sku === sku)?._id ?? '';

const begin = (selection: StockSelection, change: StockChange, copies: number, id: string = randomUUID()) =>
  t.call(editStock, { params: { id }, body: { selection, change, copies } }, { as: seller });
const ALL: StockSelection = { filter: {} };
const up: StockChange = { price: { by: 'percent', value: 10, round: 'cent' } };

describe('the stock of a seller', () => {
  it('is found by title, author, SKU, ISBN and shelf, each word somewhere', async () => {
    expect(skus(await list())).toEqual(['A-1', 'A-2#1', 'A-2#2', 'B_3']);
    expect(skus(await list({ q: 'austen' }))).toEqual(['A-1', 'B_3']);
    expect(skus(await list({ q: 'austen r1 emma' }))).toEqual(['A-1']);
    expect(skus(await list({ q: 'a-2' }))).toEqual(['A-2#1', 'A-2#2']);
    expect(skus(await list({ q: '978-0-14-143958-7' }))).toEqual(['A-1']);
    expect(skus(await list({ q: 'B_3' }))).toEqual(['B_3']);
    // What LIKE takes for anything is taken as it is written.
    expect(await list({ q: 'A_1' })).toEqual([]);
    expect(await list({ q: '%' })).toEqual([]);
  });

  it('is filtered and sorted, page by page, and nobody else sees it', async () => {
    expect(skus(await list({ condition: 'Fair' }))).toEqual(['B_3']);
    expect(skus(await list({ min: '8', max: '11.99' }))).toEqual(['A-1']);
    expect(skus(await list({ category: 'none' }))).toEqual([]);
    const seen: string[] = [];
    let url: string | undefined = '/api/stock/copies?sort=sku-up&limit=1';
    while (url !== undefined) {
      const answer = await t.send('GET', url, { as: seller });
      seen.push(...answer.json<StockCopy[]>().map(({ sku }) => sku));
      url = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link']))?.[1];
    }
    expect(seen).toEqual(['A-1', 'A-2#1', 'A-2#2', 'B_3']);
    expect(await list({}, await aSeller(t))).toEqual([]);
  });
});

describe('an edit of many copies', () => {
  it('is looked at first, then written, then undone', async () => {
    const held = await idOf('A-1');
    await aBooking(t, await aBuyer(t), (await t.call(readListing, { params: { id: held } })).body);
    const preview = await t.call(previewStockEdit, { body: { selection: ALL, change: up } }, { as: seller });
    expect(preview.body).toMatchObject({ copies: 4, changes: 3, left: [{ because: 'held', copies: 1 }] });
    const id = randomUUID();
    expect((await begin(ALL, up, 4, id)).body).toMatchObject({ state: 'committing', name: '4 copies: price +10 %' });
    await workOnFiles(t);
    const prices = async () => (await list({ sort: 'sku-up' })).map(({ price }) => price);
    expect(await prices()).toEqual([8, 13.2, 13.2, 5.5]);
    // Again the same is the same answer, and raises nothing again.
    expect((await begin(ALL, up, 4, id)).body).toMatchObject({ state: 'done', changed: 3 });
    await workOnFiles(t);
    expect(await prices()).toEqual([8, 13.2, 13.2, 5.5]);
    expect((await t.call(undoStockEdit, { params: { id } }, { as: seller })).body).toMatchObject({ state: 'undoing' });
    await workOnFiles(t);
    expect(await prices()).toEqual([8, 12, 12, 5]);
    expect((await t.call(listStockEdits, {}, { as: seller })).body.edits).toMatchObject([{ id, state: 'undone' }]);
  });

  it('pauses, delivers, takes out and puts back again, but for what was sold since', async () => {
    const ids = [await idOf('A-1'), await idOf('B_3')];
    const id = randomUUID();
    await begin({ ids }, { delivery: 'pickup', paused: true, condition: 'Excellent' }, 2, id);
    await workOnFiles(t);
    expect(await list({ standing: 'paused' })).toMatchObject([{ condition: 'Excellent' }, { condition: 'Excellent' }]);
    await t.call(undoStockEdit, { params: { id } }, { as: seller });
    await workOnFiles(t);
    const ways =
      await sql`SELECT pickup, post FROM delivery_exceptions WHERE listing_id = ANY (${ids}::uuid[])`.execute(t.db);
    expect(ways.rows).toEqual([
      { pickup: null, post: null },
      { pickup: null, post: null },
    ]);
    const removal = randomUUID();
    await begin({ filter: { q: 'austen' }, except: [ids[1] ?? ''] }, { remove: true }, 1, removal);
    await workOnFiles(t);
    expect(skus(await list())).toEqual(['A-2#1', 'A-2#2', 'B_3']);
    await t.call(undoStockEdit, { params: { id: removal } }, { as: seller });
    await workOnFiles(t);
    expect(skus(await list())).toEqual(['A-1', 'A-2#1', 'A-2#2', 'B_3']);
  });

  it('is refused for nothing, for another number of copies, beside another, and of what is another’s', async () => {
    expect(await begin(ALL, {}, 4)).toMatchObject({
      status: 400,
      body: { error: { fields: { change: expect.any(String) } } },
    });
    expect(await begin(ALL, { delivery: 'post' }, 4)).toMatchObject({ status: 400 });
    expect(await begin(ALL, { category: 'none' }, 4)).toMatchObject({ status: 400 });
    expect(await begin(ALL, up, 3)).toMatchObject({ status: 409, body: { error: { code: 'stock_differs' } } });
    const other = await aSeller(t);
    const theirs = await aListing(t, other, { category_id: category });
    expect(await begin({ ids: [theirs._id] }, up, 1)).toMatchObject({ status: 409 });
    const id = randomUUID();
    expect(await begin(ALL, up, 4, id)).toMatchObject({ status: 200 });
    expect(await begin(ALL, up, 4)).toMatchObject({ status: 409, body: { error: { code: 'stock_busy' } } });
    expect(await t.call(readStockEdit, { params: { id } }, { as: other })).toMatchObject({ status: 404 });
    expect(await t.call(undoStockEdit, { params: { id } }, { as: other })).toMatchObject({ status: 404 });
    await workOnFiles(t);
  });
});
