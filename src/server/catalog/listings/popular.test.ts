import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POPULAR_BOOKS } from '#contract/catalog/editions/popular-books.ts';
import { readPopular } from '#contract/catalog/editions/popular.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aListing, aSeller, type TestUser } from '#test/make.ts';
import { becoming } from './listing.queries.ts';

let t: TestApp;
let seller: TestUser;
beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
});
afterAll(() => t.close());

describe('GET /popular', () => {
  it('tells of each popular book what can be booked, and from which price', async () => {
    const before = (await t.call(readPopular, {})).body.books;
    expect(before.map(({ title }) => title)).toEqual(POPULAR_BOOKS.map(({ title }) => title));
    expect(before.every(({ copies, from }) => copies === 0 && from === null)).toBe(true);
    const one = await aListing(t, seller, { title: 'The Hobbit', original_price: '20', resale_price: '9.50' });
    await aListing(t, seller, { title: 'the hobbit!', original_price: '20', resale_price: '12' });
    await aListing(t, seller, { title: 'The Hobbit, or There and Back Again', resale_price: '3' });
    const hobbit = async () => (await t.call(readPopular, {})).body.books.find(({ title }) => title === 'The Hobbit');
    expect(await hobbit()).toEqual({ title: 'The Hobbit', copies: 2, from: 9.5 });
    await t.db.updateTable('listings').set(becoming('held')).where('id', '=', one._id).execute();
    expect(await hobbit()).toEqual({ title: 'The Hobbit', copies: 1, from: 12 });
  });
});
