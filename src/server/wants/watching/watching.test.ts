import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { followSeller, readOwnSellerPage } from '#contract/sellers/sellers.ts';
import {
  addWish,
  changeSearchFeed,
  deleteSavedSearch,
  listMarks,
  listSavedSearches,
  listWishes,
  removeWish,
  saveSearch,
  type SavedSearch,
} from '#contract/wants/watching.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';
import { aWant } from '#test/wants.ts';
import { expireDueWants } from '#server/wants/wants.service.ts';
import { sendDigests } from './digest.service.ts';

let t: TestApp;
let seller: TestUser;
let reader: TestUser;
let category: string;
beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  category = await aCategory(t, seller);
});
beforeEach(async () => {
  reader = await aBuyer(t);
});
afterAll(() => t.close());

const send = (): Promise<number> =>
  sendDigests(t.payments.db, (error) => {
    throw error;
  });
/** As when a day has gone by since somebody was told. */
const aDayLater = async (): Promise<void> => {
  await sql`UPDATE digests SET sent_at = sent_at - interval '1 day'`.execute(t.db);
  await sql`UPDATE saved_searches SET told_at = told_at - interval '1 day'`.execute(t.db);
};
const save = async (query: string, as = reader): Promise<SavedSearch> => {
  const { status, body } = await t.call(saveSearch, { params: { id: randomUUID() }, body: { query } }, { as });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};
const reprice = async (id: string, cents: number): Promise<void> => {
  await t.db.updateTable('listings').set({ resale_cents: cents }).where('id', '=', id).execute();
};

describe('a marked copy', () => {
  it('is marked once, by anybody but its seller, and listed with what it costs now', async () => {
    const copy = await aListing(t, seller, { category_id: category });
    const params = { id: copy._id };
    for (let n = 0; n < 2; n += 1)
      expect((await t.call(addWish, { params }, { as: reader })).body).toEqual({ wished: true });
    expect((await t.call(listMarks, {}, { as: reader })).body.ids).toEqual([copy._id]);
    expect((await t.call(listWishes, {}, { as: reader })).body.wishes).toMatchObject([
      { listingId: copy._id, title: copy.title, price: copy.resale_price, status: 'Available' },
    ]);
    expect(await t.call(addWish, { params }, { as: seller })).toMatchObject({ status: 400 });
    expect((await t.call(addWish, { params: { id: randomUUID() } }, { as: reader })).status).toBe(404);
    expect((await t.call(addWish, { params })).status).toBe(401);
    expect((await t.call(removeWish, { params }, { as: reader })).body).toEqual({ wished: false });
    expect((await t.call(listWishes, {}, { as: reader })).body.wishes).toEqual([]);
  });

  it('is told of when it is cheaper and when it is gone, once each and in one mail a day', async () => {
    const [one, two] = [
      await aListing(t, seller, { category_id: category, title: 'Marked One', resale_price: '9' }),
      await aListing(t, seller, { category_id: category, title: 'Marked Two', resale_price: '9' }),
    ];
    for (const { _id: id } of [one, two]) await t.call(addWish, { params: { id } }, { as: reader });
    expect(await send()).toBe(0);
    await reprice(one._id, 700);
    expect(await send()).toBe(1);
    expect(await send()).toBe(0);
    const [mail] = await t.mailTo(reader.email);
    expect(mail?.subject).toBe('Cheaper now: Marked One');
    expect(mail?.text).toContain('Marked One: $7.00 instead of $9.00');
    await reprice(one._id, 600);
    expect(await send()).toBe(0);
    await t.db.updateTable('listings').set({ status: 'sold', on_shelf: false }).where('id', '=', two._id).execute();
    await aDayLater();
    expect(await send()).toBe(1);
    const [next] = await t.mailTo(reader.email);
    expect(next?.text).toContain('Marked One: $6.00 instead of $7.00');
    expect(next?.text).toContain('Gone: Marked Two');
    // Dearer is no news.
    await aDayLater();
    await reprice(one._id, 800);
    expect(await send()).toBe(0);
  });
});

describe('a saved search', () => {
  it('is saved once, with what can be searched for alone, and is nobody else’s', async () => {
    const saved = await save('?q=zyx&max=9&utm_source=mail&cursor=abc');
    expect(saved).toMatchObject({ name: 'zyx', query: 'max=9&q=zyx' });
    expect((await save('max=9&q=zyx')).id).toBe(saved.id);
    const put = (query: string) =>
      t.call(saveSearch, { params: { id: randomUUID() }, body: { query } }, { as: reader });
    for (const query of ['', 'cursor=abc', 'condition=Mint', 'min=9&max=3', `min=${'9'.repeat(40)}`])
      expect((await put(query)).status).toBe(400);
    const other = await aBuyer(t);
    const params = { id: saved.id };
    for (const spec of [deleteSavedSearch, changeSearchFeed])
      expect((await t.call(spec, { params }, { as: other })).status).toBe(404);
    expect((await t.call(saveSearch, { params, body: { query: 'q=a' } }, { as: other })).status).toBe(404);
    expect((await t.call(deleteSavedSearch, { params }, { as: reader })).body.deletedCount).toBe(1);
    expect((await t.call(listSavedSearches, {}, { as: reader })).body.searches).toEqual([]);
  });

  it('is told of once a day where something is new', async () => {
    const word = `quokka${randomUUID().slice(0, 6).replaceAll('-', '')}`;
    await aListing(t, seller, { category_id: category, title: `The ${word}` });
    await save(`q=${word}`);
    await aDayLater();
    expect(await send()).toBe(1);
    await aDayLater();
    await sql`UPDATE saved_searches SET told_at = now() - interval '25 hours'`.execute(t.db);
    await sql`UPDATE listings SET published_at = now() - interval '30 hours' WHERE title = ${`The ${word}`}`.execute(
      t.db,
    );
    expect(await send()).toBe(0);
    await aListing(t, seller, { category_id: category, title: `Another ${word}` });
    await sql`UPDATE saved_searches SET told_at = now() - interval '25 hours'`.execute(t.db);
    expect(await send()).toBe(1);
    const [mail] = await t.mailTo(reader.email);
    expect(mail).toMatchObject({ subject: 'New books for you' });
    expect(mail?.text).toContain(`“${word}”: Another ${word}`);
  });

  it('comes in the same mail as what a followed seller added and what is not looked for any more', async () => {
    const shelf = await aSeller(t);
    const { body } = await t.call(readOwnSellerPage, {}, { as: shelf });
    const params = { slug: body.slug ?? '' };
    await t.call(followSeller, { params }, { as: reader });
    const { id } = await aWant(t, reader, { title: 'A book that never came' });
    await t.db.updateTable('wants').set({ ends_at: new Date() }).where('id', '=', id).execute();
    await expireDueWants(t.payments.db);
    await aListing(t, shelf, { category_id: category, title: 'Silas Marner' });
    await sql`UPDATE seller_follows SET told_at = now() - interval '25 hours'`.execute(t.db);
    await send();
    const [mail] = await t.mailTo(reader.email);
    expect(mail?.text).toMatch(/New from .+: Silas Marner/);
    expect(mail?.text).toContain('No longer looked for: A book that never came');
    await aListing(t, shelf, { category_id: category, title: 'Romola' });
    await sql`UPDATE seller_follows SET told_at = now() - interval '25 hours'`.execute(t.db);
    await send();
    expect(await t.mailTo(reader.email)).toHaveLength(1);
    await aDayLater();
    await send();
    const [next] = await t.mailTo(reader.email);
    expect(next?.subject).toMatch(/ has added 2 books$/);
    expect(next?.text).toContain(`/seller/${params.slug}`);
  });

  it('has a feed by a secret address that can be changed', async () => {
    const word = `numbat${randomUUID().slice(0, 6).replaceAll('-', '')}`;
    await aListing(t, seller, { category_id: category, title: `The ${word}` });
    const saved = await save(`q=${word}`);
    const pathOf = (feed: string): string => new URL(feed).pathname;
    const feed = await t.send('GET', pathOf(saved.feed));
    expect(feed.headers['content-type']).toContain('application/atom+xml');
    expect(feed.headers['cache-control']).toContain('no-store');
    expect(feed.body).toContain(`The ${word}`);
    expect(feed.body).not.toContain(reader.email);
    const changed = (await t.call(changeSearchFeed, { params: { id: saved.id } }, { as: reader })).body;
    expect((await t.send('GET', pathOf(saved.feed))).statusCode).toBe(404);
    expect((await t.send('GET', pathOf(changed.feed))).statusCode).toBe(200);
  });
});
