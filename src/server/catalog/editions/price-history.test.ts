import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Condition } from '#contract/catalog/catalog.ts';
import { readEditionPage, type SoldHistory } from '#contract/catalog/editions/edition-page.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let sellers: [TestUser, TestUser, TestUser];
let buyer: TestUser;
let category: string;
beforeAll(async () => {
  t = await testApp();
  sellers = [await aSeller(t), await aSeller(t), await aSeller(t)];
  buyer = await aBuyer(t);
  category = await aCategory(t, sellers[0]);
});
afterAll(() => t.close());

let next = 0;
/** An ISBN that no other test uses. */
const freshIsbn = (): string => {
  const twelve = `978123456${String((next += 1)).padStart(3, '0')}`;
  const sum = [...twelve].reduce((all, digit, place) => all + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return `${twelve}${(10 - (sum % 10)) % 10}`;
};

interface Sale {
  readonly condition?: Condition;
  /** Refunded in the month that is so many before this one. */
  readonly refundedMonthsAgo?: number;
}

/** A sale in the middle of the month that is so many before this one. */
const sale = async (
  seller: TestUser,
  isbn13: string,
  dollars: number,
  monthsAgo: number,
  { condition = 'Good', refundedMonthsAgo }: Sale = {},
): Promise<void> => {
  const more = { category_id: category, isbn13, resale_price: dollars, original_price: 90, condition };
  const { _id: id } = await aListing(t, seller, more);
  for (const state of ['held', 'sold'] as const)
    await t.db.updateTable('listings').set(becoming(state)).where('id', '=', id).execute();
  // Late enough in this one to be before the present by no zone's calendar.
  const at = (months: number) =>
    sql`CASE WHEN ${months}::integer = 0 THEN now() ELSE date_trunc('month', now()) - ${months} * interval '1 month' + interval '14 days' END`;
  await sql`INSERT INTO bookings (listing_id, buyer_id, title, authors, image_url, condition, buyer_name, buyer_email, phone,
      location, price_cents, created_at, paid_at, refunded_at)
    SELECT id, ${buyer.id}, title, authors, image_url, condition, 'Ada', 'ada@example.com', '', '', resale_cents,
      ${at(monthsAgo)}, ${at(monthsAgo)}, ${refundedMonthsAgo === undefined ? sql`NULL` : at(refundedMonthsAgo)}
    FROM listings WHERE id = ${id}`.execute(t.db);
};

/** Five sales by three sellers in a month, two of them of the first. */
const fiveIn = async (isbn13: string, monthsAgo: number, prices: readonly number[], how: Sale = {}): Promise<void> => {
  const by = [0, 1, 2, 0, 1] as const;
  for (const [n, price] of prices.entries()) await sale(sellers[by[n] ?? 2], isbn13, price, monthsAgo, how);
};

const historyOf = async (isbn: string): Promise<SoldHistory[]> => {
  const { status, body } = await t.call(readEditionPage, { params: { isbn }, query: {} });
  expect(status).toBe(200);
  return body.history;
};

const monthAgo = (months: number): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 7);
};

describe('the history of GET /isbn/:isbn', () => {
  it('tells the middle half of each month that five were sold in by three sellers, drawn beside it', async () => {
    const isbn = freshIsbn();
    await aListing(t, sellers[0], { category_id: category, isbn13: isbn });
    await fiveIn(isbn, 5, [3, 4, 6, 8, 30]);
    await fiveIn(isbn, 2, [5, 5.4, 7, 9, 9.2]);
    const [history, ...more] = await historyOf(isbn);
    expect(more).toEqual([]);
    expect(history).toMatchObject({
      condition: 'Good',
      months: [
        { month: monthAgo(5), low: 400, high: 800 },
        { month: monthAgo(2), low: 500, high: 900 },
      ],
    });
    expect(history?.svg).toMatch(/^<svg role="img" aria-label="What copies in condition Good were sold for/);
    expect(history?.svg.match(/<rect/g)).toHaveLength(2);
    expect(history?.svg).not.toMatch(/style|NaN|undefined/);
  });

  it('leaves a month of few sales, of two sellers or mostly of one out, and is nothing with one month left', async () => {
    const isbn = freshIsbn();
    await aListing(t, sellers[0], { category_id: category, isbn13: isbn });
    await fiveIn(isbn, 6, [3, 4, 6, 8, 9]);
    await fiveIn(isbn, 5, [3, 4, 6, 8]);
    const [a, b, c] = sellers;
    for (const seller of [a, a, a, b, b]) await sale(seller, isbn, 7, 4);
    for (const seller of [a, a, b, b, b, b, c]) await sale(seller, isbn, 7, 3);
    expect(await historyOf(isbn)).toEqual([]);
    await sale(c, isbn, 7, 3);
    expect((await historyOf(isbn))[0]?.months.map(({ month }) => month)).toEqual([monthAgo(6), monthAgo(3)]);
  });

  it('is nothing where the year as a whole may not be told', async () => {
    const isbn = freshIsbn();
    await aListing(t, sellers[0], { category_id: category, isbn13: isbn });
    for (const monthsAgo of [6, 3]) await fiveIn(isbn, monthsAgo, [3, 4, 6, 8, 9]);
    expect(await historyOf(isbn)).toHaveLength(1);
    // The first seller has more than half of the year, in months of their own.
    for (let n = 0; n < 9; n += 1) await sale(sellers[0], isbn, 7, 2);
    expect(await historyOf(isbn)).toEqual([]);
  });

  it('counts neither this month, nor what is older than twelve, nor what was refunded before this one', async () => {
    const isbn = freshIsbn();
    await aListing(t, sellers[0], { category_id: category, isbn13: isbn });
    for (const monthsAgo of [6, 3]) await fiveIn(isbn, monthsAgo, [3, 4, 6, 8, 9]);
    const before = await historyOf(isbn);
    expect(before).toHaveLength(1);
    await fiveIn(isbn, 0, [1, 1, 1, 1, 1]);
    await fiveIn(isbn, 13, [1, 1, 1, 1, 1]);
    await sale(sellers[2], isbn, 60, 3, { refundedMonthsAgo: 2 });
    expect(await historyOf(isbn)).toEqual(before);
    // One that is refunded in this month counts until the next.
    await sale(sellers[2], isbn, 9, 3, { refundedMonthsAgo: 0 });
    expect((await historyOf(isbn))[0]?.months.at(-1)).not.toEqual(before[0]?.months.at(-1));
  });

  it('is by condition, never of all together', async () => {
    const isbn = freshIsbn();
    await aListing(t, sellers[0], { category_id: category, isbn13: isbn });
    for (const monthsAgo of [6, 3]) {
      await fiveIn(isbn, monthsAgo, [3, 4, 6]);
      await fiveIn(isbn, monthsAgo, [3, 4, 6], { condition: 'Fair' });
    }
    expect(await historyOf(isbn)).toEqual([]);
    for (const monthsAgo of [6, 3]) await fiveIn(isbn, monthsAgo, [20, 30], { condition: 'Fair' });
    expect((await historyOf(isbn)).map(({ condition }) => condition)).toEqual(['Fair']);
  });
});
