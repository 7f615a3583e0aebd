import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decideCase, listReportCases } from '#contract/admin/reports.ts';
import { editListing, listMyListings, offerListing, readListing } from '#contract/catalog/catalog.ts';
import { pauseListing } from '#contract/catalog/pausing.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aCategory, aDraft, aListing, anAdmin, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ env: { HOLD_FIRST_LISTINGS: '1', HOLD_BELOW_PERCENT: '40' } });
  admin = await anAdmin(t);
});
afterAll(() => t.close());

const ISBN = '9780141439518';
const offer = async (seller: TestUser, more: object = {}) =>
  (await t.call(offerListing, { body: { ...aDraft(seller, await aCategory(t, seller)), ...more } }, { as: seller }))
    .body;
const isSeen = async (id: string) => (await t.call(readListing, { params: { id } })).status === 200;
const caseOf = async (id: string) =>
  (await t.call(listReportCases, { query: { state: 'open', limit: '100' } }, { as: admin })).body.find(
    ({ path }) => path === `/book/${id}`,
  );
const decide = async (id: string, action: 'no-fault' | 'hide', reason = '') =>
  t.call(decideCase, { params: { id: (await caseOf(id))?._id ?? '' }, body: { action, reason } }, { as: admin });
const verified = async (): Promise<TestUser> => {
  const seller = await aSeller(t);
  await t.db.updateTable('users').set({ verified: true }).where('id', '=', seller.id).execute();
  return seller;
};

describe('the first book of a new seller', () => {
  test('waits for a look, which its seller cannot pass by, and goes live when nothing is found', async () => {
    const seller = await aSeller(t);
    const { insertedId: id, held } = await offer(seller);
    expect([held, await isSeen(id)]).toEqual([true, false]);
    const own = (await t.call(listMyListings, { query: { email: seller.email } }, { as: seller })).body;
    expect(own).toMatchObject([{ _id: id, status: 'Paused' }]);
    expect(await t.call(pauseListing, { params: { id }, body: { paused: false } }, { as: seller })).toMatchObject({
      status: 409,
      body: { error: { code: 'copy_locked' } },
    });
    expect(await caseOf(id)).toMatchObject({
      kind: 'copy',
      reports: [{ by: '', reason: 'held', words: 'One of the first books of a new seller (number 1).' }],
    });
    expect((await decide(id, 'no-fault')).status).toBe(200);
    expect(await isSeen(id)).toBe(true);
    const mails = (await t.mailTo(seller.email)).map(({ subject }) => subject);
    expect(mails.filter((one) => one.startsWith('We look at it first'))).toHaveLength(1);
    expect(mails.filter((one) => one.startsWith('On the shelf'))).toHaveLength(1);
    // The second is a book like any other.
    expect(await offer(seller, { title: 'Another' })).not.toHaveProperty('held');
  });

  test('that is not to be sold never was on the shelf', async () => {
    const seller = await aSeller(t);
    const { insertedId: id } = await offer(seller);
    expect((await decide(id, 'hide', 'A copy of a copy')).status).toBe(200);
    expect(await isSeen(id)).toBe(false);
    expect((await t.call(listMyListings, { query: { email: seller.email } }, { as: seller })).body).toEqual([]);
  });

  test('of somebody whom the shop has verified does not wait', async () => {
    expect(await offer(await verified())).not.toHaveProperty('held');
  });
});

describe('a price far below what others ask', () => {
  test('is looked at, listed so or changed so', async () => {
    for (const price of ['10.00', '11.00', '12.00'])
      await aListing(t, await verified(), { isbn13: ISBN, resale_price: price, original_price: 20 });
    const seller = await verified();
    const at = (price: string) => offer(seller, { isbn13: ISBN, resale_price: price, original_price: 20 });
    const { insertedId: id } = await at('9.00');
    expect(await isSeen(id)).toBe(true);
    const cheap = await at('4.00');
    expect([cheap.held, await isSeen(cheap.insertedId)]).toEqual([true, false]);
    expect((await caseOf(cheap.insertedId))?.reports[0]?.words).toBe('$4.00, where others ask $11.00.');
    expect((await t.call(editListing, { params: { id }, body: { resale_price: '3.50' } }, { as: seller })).status).toBe(
      200,
    );
    expect(await isSeen(id)).toBe(false);
    await decide(id, 'no-fault');
    expect(await isSeen(id)).toBe(true);
  });
});
