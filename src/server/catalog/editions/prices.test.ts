import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEditionPrices, type EditionPrices } from '#contract/catalog/editions/edition-calls.ts';
import type { Condition } from '#contract/catalog/catalog.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { advanceClock } from '#test/clock.ts';
import { aBuyer, aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';
import { maySaySold } from './prices.policy.ts';

let t: TestApp;
let asker: TestUser;
let sellers: [TestUser, TestUser, TestUser];
let buyer: TestUser;
let category: string;
beforeAll(async () => {
  t = await testApp();
  asker = await aSeller(t);
  sellers = [await aSeller(t), await aSeller(t), await aSeller(t)];
  buyer = await aBuyer(t);
  category = await aCategory(t, asker);
});
afterAll(() => t.close());

let next = 0;
/** An ISBN that no other test uses. */
const freshIsbn = (): string => {
  const twelve = `978123456${String((next += 1)).padStart(3, '0')}`;
  const sum = [...twelve].reduce((all, digit, place) => all + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return `${twelve}${(10 - (sum % 10)) % 10}`;
};

const copy = (seller: TestUser, isbn13: string, dollars: number, condition: Condition = 'Good') =>
  aListing(t, seller, { category_id: category, isbn13, resale_price: dollars, original_price: 90, condition });

interface Sale {
  readonly daysAgo?: number;
  readonly refundedDaysAgo?: number;
  readonly condition?: Condition;
}

const sale = async (seller: TestUser, isbn13: string, dollars: number, how: Sale = {}): Promise<void> => {
  const { daysAgo = 3, refundedDaysAgo, condition } = how;
  const { _id: id } = await copy(seller, isbn13, dollars, condition);
  for (const state of ['held', 'sold'] as const)
    await t.db.updateTable('listings').set(becoming(state)).where('id', '=', id).execute();
  const ago = (days: number) => sql`now() - ${days} * interval '1 day'`;
  await sql`INSERT INTO bookings (listing_id, buyer_id, title, authors, image_url, condition, buyer_name, buyer_email, phone,
      location, price_cents, created_at, paid_at, refunded_at)
    SELECT id, ${buyer.id}, title, authors, image_url, condition, 'Ada', 'ada@example.com', '', '', resale_cents,
      ${ago(daysAgo)}, ${ago(daysAgo)}, ${refundedDaysAgo === undefined ? sql`NULL` : ago(refundedDaysAgo)}
    FROM listings WHERE id = ${id}`.execute(t.db);
};

const prices = async (isbn13: string, condition: Condition = 'Good', as = asker): Promise<EditionPrices> => {
  const { status, body } = await t.call(readEditionPrices, { params: { isbn: isbn13 }, query: { condition } }, { as });
  expect(status).toBe(200);
  return body;
};

describe('GET /editions/:isbn/prices', () => {
  it('tells what others ask on the shelf for the same condition, from the first copy on', async () => {
    const isbn = freshIsbn();
    expect(await prices(isbn)).toEqual({ asked: null, sold: null });
    await copy(sellers[0], isbn, 6.5);
    await copy(asker, isbn, 2);
    await copy(sellers[1], isbn, 30, 'Excellent');
    expect((await prices(isbn)).asked).toEqual({ count: 1, low: 650, high: 650 });
    const held = await copy(sellers[1], isbn, 11);
    await t.db.updateTable('listings').set(becoming('held')).where('id', '=', held._id).execute();
    expect((await prices(isbn)).asked).toEqual({ count: 2, low: 650, high: 1_100 });
    expect((await prices(isbn, 'Excellent')).asked).toEqual({ count: 1, low: 3_000, high: 3_000 });
  });

  it('tells quartiles of what was paid, in whole dollars, from five sales by three sellers on', async () => {
    const isbn = freshIsbn();
    const [a, b, c] = sellers;
    await sale(a, isbn, 3.2);
    await sale(a, isbn, 4.4);
    await sale(b, isbn, 5.6);
    await sale(b, isbn, 7.1);
    expect((await prices(isbn)).sold).toBeNull();
    await sale(c, isbn, 30);
    expect((await prices(isbn)).sold).toEqual({ count: 5, low: 400, high: 700 });
    expect((await prices(isbn, 'Fair')).sold).toBeNull();
  });

  it('counts neither what is older than a year, nor refunded, nor the own sales of who asks', async () => {
    const isbn = freshIsbn();
    const [a, b, c] = sellers;
    for (const seller of [a, b, c, a]) await sale(seller, isbn, 8);
    await sale(b, isbn, 8, { daysAgo: 370 });
    await sale(b, isbn, 8, { refundedDaysAgo: 2 });
    await sale(asker, isbn, 8);
    expect((await prices(isbn)).sold).toBeNull();
    // To the asker's own eyes there were four, to another seller's five.
    expect((await prices(isbn, 'Good', await aSeller(t))).sold).toEqual({ count: 5, low: 800, high: 800 });
  });

  it('changes once a day: what was sold or given back today shows tomorrow', async () => {
    const isbn = freshIsbn();
    for (const seller of [...sellers, ...sellers]) await sale(seller, isbn, 8);
    await sale(sellers[0], isbn, 99, { daysAgo: 0 });
    await sale(sellers[1], isbn, 8, { daysAgo: 5, refundedDaysAgo: 0 });
    expect((await prices(isbn)).sold).toEqual({ count: 7, low: 800, high: 800 });
    await advanceClock(t, 24);
    expect((await prices(isbn)).sold).toEqual({ count: 7, low: 800, high: 800 });
    for (const seller of sellers) await sale(seller, isbn, 60);
    expect((await prices(isbn)).sold).toMatchObject({ count: 10, high: 6_000 });
  });

  it('says nothing where one seller has more than half', async () => {
    const isbn = freshIsbn();
    const [a, b, c] = sellers;
    for (const seller of [a, a, a, a, b, b, c]) await sale(seller, isbn, 8);
    expect((await prices(isbn)).sold).toBeNull();
    await sale(c, isbn, 8);
    expect((await prices(isbn)).sold).toMatchObject({ count: 8 });
    expect(maySaySold({ count: 6, sellers: 3, most: 3 })).toBe(true);
    expect(maySaySold({ count: 7, sellers: 3, most: 4 })).toBe(false);
    expect(maySaySold({ count: 9, sellers: 2, most: 4 })).toBe(false);
    expect(maySaySold({ count: 4, sellers: 4, most: 1 })).toBe(false);
  });

  it('is for sellers, and refuses what is no ISBN and no condition', async () => {
    const ask = (isbn13: string, condition: string, as?: TestUser) =>
      t.send('GET', `/api/editions/${isbn13}/prices?condition=${condition}`, { as });
    expect((await ask(freshIsbn(), 'Good')).statusCode).toBe(401);
    expect((await ask(freshIsbn(), 'Good', buyer)).statusCode).toBe(403);
    expect((await ask('9780306406158', 'Good', asker)).statusCode).toBe(400);
    expect((await ask(freshIsbn(), 'Mint', asker)).statusCode).toBe(400);
  });
});
