import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Listing } from '#contract/catalog/catalog.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aListing, aSeller, type TestUser } from '#test/make.ts';
import { findCopyToBook, holdCopy, releaseCopy, sellCopy } from './listing.service.ts';

let t: TestApp;
let seller: TestUser;
beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
});
afterAll(() => t.close());

const hold = (id: string) => t.db.transaction().execute((trx) => holdCopy(trx, id));
const release = (id: string) => t.db.transaction().execute((trx) => releaseCopy(trx, id));
const sell = (id: string) => t.db.transaction().execute((trx) => sellCopy(trx, id));

describe('a copy', () => {
  it('goes to one of many who reach for it at once', async () => {
    const { _id } = await aListing(t, seller);
    const answers = await Promise.all(Array.from({ length: 12 }, () => hold(_id)));
    expect(answers.filter((won) => won)).toHaveLength(1);
  });

  it('is sold from a hold only, and never comes back', async () => {
    const { _id } = await aListing(t, seller);
    expect(await sell(_id)).toBe(false);
    expect(await release(_id)).toBe(false);
    expect(await hold(_id)).toBe(true);
    expect(await release(_id)).toBe(true);
    expect(await hold(_id)).toBe(true);
    expect(await sell(_id)).toBe(true);
    expect([await hold(_id), await release(_id), await sell(_id)]).toEqual([false, false, false]);
  });
});

describe('finding the copy a buyer means', () => {
  const looksOf = (listing: Listing) => ({
    title: listing.title,
    imageUrl: listing.image_url,
    priceCents: Math.round(listing.resale_price * 100),
  });

  it('takes its id, in any state', async () => {
    const listing = await aListing(t, seller, { title: 'By id' });
    await hold(listing._id);
    expect(await findCopyToBook(t.db, { listingId: listing._id })).toMatchObject({
      ...looksOf(listing),
      id: listing._id,
      sellerId: seller.id,
      status: 'held',
    });
    expect(await findCopyToBook(t.db, { listingId: seller.id })).toBe('none');
  });

  it('takes its looks when they fit one copy on the shelf, and says so when they fit none or several', async () => {
    const listing = await aListing(t, seller, { title: 'By looks', resale_price: 6.1 });
    expect(await findCopyToBook(t.db, looksOf(listing))).toMatchObject({ id: listing._id });
    expect(await findCopyToBook(t.db, { ...looksOf(listing), priceCents: 611 })).toBe('none');
    const second = await aListing(t, seller, { title: 'By looks', resale_price: 6.1 });
    expect(await findCopyToBook(t.db, looksOf(listing))).toBe('several');
    await hold(second._id);
    await sell(second._id);
    expect(await findCopyToBook(t.db, looksOf(listing))).toMatchObject({ id: listing._id });
  });
});
