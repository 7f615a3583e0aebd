import { afterAll, beforeAll, expect, test } from 'vitest';
import { listPayments, type PaymentsSort, type PaymentShown } from '#contract/money/money-admin.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aSale } from '#test/deal.ts';
import { aCategory, anAdmin, aSeller, type TestUser } from '#test/make.ts';
import { nextCursor } from '#test/next-cursor.ts';

let t: TestApp;
let admin: TestUser;
/** As they are paid for, one after the other. */
const DOLLARS = [7, 5.5, 9, 5.5];

beforeAll(async () => {
  t = await testApp();
  const seller = await aSeller(t);
  admin = await anAdmin(t);
  const category = await aCategory(t, seller);
  for (const price of DOLLARS) await aSale(t, { seller, category, price: String(price) });
});
afterAll(() => t.close());

const read = (query: { sort?: PaymentsSort; cursor?: string; limit?: string }) =>
  t.call(listPayments, { query }, { as: admin });

const readAll = async (sort?: PaymentsSort): Promise<PaymentShown[]> => {
  const rows: PaymentShown[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ limit: '1', ...(sort && { sort }), ...(cursor !== undefined && { cursor }) });
    expect(page.status).toBe(200);
    rows.push(...page.body);
    cursor = nextCursor(page.headers['link']);
  } while (cursor !== undefined);
  return rows;
};
const amounts = async (sort?: PaymentsSort) => (await readAll(sort)).map(({ amount }) => amount);

test('payments are read by amount and by time, both ways, page by page and each once', async () => {
  expect(await amounts()).toEqual(DOLLARS.toReversed());
  expect(await amounts('newest')).toEqual(DOLLARS.toReversed());
  expect(await amounts('oldest')).toEqual(DOLLARS);
  expect(await amounts('amount-up')).toEqual([5.5, 5.5, 7, 9]);
  const down = await readAll('amount-down');
  expect(down.map(({ amount }) => amount)).toEqual([9, 7, 5.5, 5.5]);
  expect(new Set(down.map(({ _id }) => _id)).size).toBe(DOLLARS.length);
});

test('a cursor is of its order only', async () => {
  const sorts: readonly PaymentsSort[] = ['newest', 'oldest', 'amount-up', 'amount-down'];
  for (const of of sorts) {
    const cursor = nextCursor((await read({ sort: of, limit: '1' })).headers['link']) ?? '';
    for (const sort of sorts) expect((await read({ sort, cursor })).status).toBe(sort === of ? 200 : 400);
  }
  expect((await t.send('GET', `/api${listPayments.path}?sort=state`, { as: admin })).statusCode).toBe(400);
});
