import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  editListing,
  offerListing,
  readListing,
  type ListingDraft,
  type ListingEdit,
} from '#contract/catalog/catalog.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aCategory, aDraft, aListing, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let seller: TestUser;
let categoryId: string;
beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  categoryId = await aCategory(t, seller);
});
afterAll(() => t.close());

const offer = (more: Partial<ListingDraft>) =>
  t.call(offerListing, { body: { ...aDraft(seller, categoryId), ...more } }, { as: seller });

describe('what nobody knows of a copy', () => {
  it('lists a copy of which nobody knows what it cost new or how long it was used', async () => {
    const made = await offer({ original_price: '', original_known: false, years_of_use: '', years_known: false });
    expect(made.status).toBe(201);
    const { body } = await t.call(readListing, { params: { id: made.body.insertedId } }, { as: seller });
    expect(body).toMatchObject({ original_price: 0, original_known: false, years_of_use: 0, years_known: false });
    const refused = await offer({ original_price: '', years_of_use: '' });
    expect([refused.status, Object.keys(refused.body.error?.fields ?? {}).sort()]).toEqual([
      400,
      ['original_price', 'years_of_use'],
    ]);
  });

  it('takes a number back that nobody knows any more', async () => {
    const listing = await aListing(t, seller, { original_price: '20', resale_price: '8.00', years_of_use: '3' });
    const edit = (body: ListingEdit) =>
      t.call(editListing, { params: { id: listing._id }, body }, { as: seller }).then(({ body: answer }) => answer);
    const row = () =>
      t.db
        .selectFrom('listings')
        .select(['original_cents', 'original_known', 'years_of_use', 'years_known'])
        .where('id', '=', listing._id)
        .executeTakeFirstOrThrow();
    await edit({ original_known: false, original_price: 'nonsense', years_known: false });
    expect(await row()).toEqual({
      original_cents: 800,
      original_known: false,
      years_of_use: '0.0',
      years_known: false,
    });
    expect(await edit({ original_known: false, years_known: false })).toEqual({ modifiedCount: 0 });
    await edit({ original_known: false, resale_price: '6.00' });
    expect(await row()).toMatchObject({ original_cents: 600, original_known: false });
    await edit({ original_known: true, original_price: '21', years_of_use: '4' });
    expect(await row()).toEqual({
      original_cents: 2_100,
      original_known: true,
      years_of_use: '4.0',
      years_known: true,
    });
  });
});
