import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteListing, offerListing, readListing } from '#contract/catalog/catalog.ts';
import {
  readCopyDelivery,
  readDelivery,
  saveCopyDelivery,
  saveDelivery,
  type CopyDelivery,
  type DeliveryDraft,
  type DeliveryExceptionDraft,
} from '#contract/delivery/delivery-calls.ts';
import { COUNTRIES } from '#contract/delivery/countries.ts';
import { DEFAULT_DELIVERY } from '#contract/delivery/delivery.ts';
import { tagsChangedBy, tagsOf } from '#server/catalog/cache-tags.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBuyer, aCategory, aDraft, aListing, anAdmin, aSeller, type TestUser } from '#test/make.ts';
import { deliveryOf } from './delivery.service.ts';

let t: TestApp;
let seller: TestUser;
let category: string;

beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  category = await aCategory(t, seller);
});
afterAll(() => t.close());

const POSTS: DeliveryDraft = {
  pickup: true,
  pickupPlace: '',
  post: true,
  first: 4,
  further: '1.50',
  freeFrom: 30,
  countries: ['US', 'CA'],
  daysToPost: 2,
};
const NOBODY_SAID: CopyDelivery = {
  pickup: true,
  pickupPlace: '',
  post: false,
  first: 0,
  further: 0,
  freeFrom: null,
  countries: [],
  home: 'US',
  daysToPost: 3,
};
const SAVED: CopyDelivery = { ...NOBODY_SAID, ...POSTS, first: 4, further: 1.5, freeFrom: 30 };

const save = (draft: DeliveryDraft, as: TestUser) => t.call(saveDelivery, { body: draft }, { as });
const saveOwn = (id: string, body: DeliveryExceptionDraft, as: TestUser) =>
  t.call(saveCopyDelivery, { params: { id }, body }, { as });
const shown = async (id: string) => (await t.call(readListing, { params: { id } })).body.delivery;
const aCopy = (of: TestUser, location = 'Portland, OR') => aListing(t, of, { category_id: category, location });

describe('the delivery settings of a seller', () => {
  test('are pickup where the copy is for who never said', async () => {
    const own = await aSeller(t);
    expect((await t.call(readDelivery, {}, { as: own })).body).toEqual({ said: false, ...NOBODY_SAID });
    expect(await shown((await aCopy(own))._id)).toEqual({ ...NOBODY_SAID, pickupPlace: 'Portland, OR' });
  });

  test('are kept as they were said, and stand on every copy’s page', async () => {
    const own = await aSeller(t);
    const copies = [await aCopy(own), await aCopy(own, 'Salem, OR')];
    expect((await save(POSTS, own)).body).toEqual({ modifiedCount: 1 });
    expect((await save(POSTS, own)).body).toEqual({ modifiedCount: 0 });
    expect((await t.call(readDelivery, {}, { as: own })).body).toEqual({ said: true, ...SAVED });
    expect(await shown(copies[0]?._id ?? '')).toEqual({ ...SAVED, pickupPlace: 'Portland, OR' });
    expect(await shown(copies[1]?._id ?? '')).toEqual({ ...SAVED, pickupPlace: 'Salem, OR' });
    expect((await save({ ...POSTS, pickupPlace: ' 12 Oak\nStreet ', freeFrom: '' }, own)).body.modifiedCount).toBe(1);
    expect(await shown(copies[1]?._id ?? '')).toEqual({ ...SAVED, pickupPlace: '12 Oak Street', freeFrom: null });
  });

  test('are a seller’s alone', async () => {
    for (const [as, status] of [
      [undefined, 401],
      [await aBuyer(t), 403],
      [await anAdmin(t), 403],
    ] as const) {
      expect((await t.call(readDelivery, {}, { as })).status).toBe(status);
      expect((await t.call(saveDelivery, { body: POSTS }, { as })).status).toBe(status);
    }
  });

  test('are refused field by field', async () => {
    const wrong: [Partial<Record<keyof DeliveryDraft, unknown>>, string][] = [
      [{ pickup: false, post: false }, 'pickup'],
      [{ first: '-1' }, 'first'],
      [{ first: 1_000 }, 'first'],
      [{ further: '1.505' }, 'further'],
      [{ further: '' }, 'further'],
      [{ freeFrom: 'soon' }, 'freeFrom'],
      [{ freeFrom: 0 }, 'freeFrom'],
      [{ countries: [] }, 'countries'],
      [{ countries: ['US', 'ZZ'] }, 'countries'],
      [{ countries: ['us'] }, 'countries'],
      [{ home: 'ZZ' }, 'home'],
      [{ home: '' }, 'home'],
      [{ daysToPost: 0 }, 'daysToPost'],
      [{ daysToPost: 11 }, 'daysToPost'],
    ];
    for (const [changes, field] of wrong) {
      const { status, body } = await save({ ...POSTS, ...changes } as DeliveryDraft, seller);
      expect([status, Object.keys(body.error?.fields ?? {})], JSON.stringify(changes)).toEqual([400, [field]]);
      expect(body.modifiedCount).toBe(0);
    }
    for (const body of [{}, { ...POSTS, pickup: 'yes' }, { ...POSTS, countries: 'US' }, { ...POSTS, first: [1] }]) {
      expect((await t.send('PUT', '/api/sellers/delivery', { as: seller, body })).statusCode).toBe(400);
    }
    expect((await t.call(readDelivery, {}, { as: seller })).body.said).toBe(false);
  });

  test('keep the seller’s own country, whichever they post to and in whatever order', async () => {
    const own = await aSeller(t);
    const homeOf = async () => (await t.call(readDelivery, {}, { as: own })).body.home;
    expect((await save({ ...POSTS, home: 'US', countries: [...COUNTRIES] }, own)).status).toBe(200);
    expect(await homeOf()).toBe('US');
    await save({ ...POSTS, home: 'CA', countries: ['GB', 'US'] }, own);
    expect(await homeOf()).toBe('CA');
    await save({ ...POSTS, countries: ['GB', 'US'] }, own);
    expect(await homeOf()).toBe('GB');
  });

  test('ask for nothing about post where nothing is posted', async () => {
    const own = await aSeller(t);
    const draft = { ...POSTS, post: false, first: '', further: 'x', freeFrom: 'y', countries: [] };
    expect((await save(draft, own)).status).toBe(200);
    expect((await t.call(readDelivery, {}, { as: own })).body).toEqual({ said: true, ...NOBODY_SAID, daysToPost: 2 });
  });
});

describe('what is different for one copy', () => {
  test('stands on its page and on no other, until it is taken away', async () => {
    const own = await aSeller(t);
    const [atlas, other] = [await aCopy(own), await aCopy(own)];
    await save(POSTS, own);
    const different = { pickup: false, first: 12, freeFrom: null };
    expect((await saveOwn(atlas._id, different, own)).body).toEqual({ modifiedCount: 1 });
    expect((await saveOwn(atlas._id, different, own)).body).toEqual({ modifiedCount: 0 });
    expect(await shown(atlas._id)).toEqual({ ...SAVED, ...different, pickupPlace: '' });
    expect(await shown(other._id)).toEqual({ ...SAVED, pickupPlace: 'Portland, OR' });
    expect((await t.call(readCopyDelivery, { params: { id: atlas._id } }, { as: own })).body).toEqual({
      shop: SAVED,
      own: different,
    });
    expect((await saveOwn(atlas._id, { daysToPost: 9 }, own)).body).toEqual({ modifiedCount: 1 });
    expect(await shown(atlas._id)).toEqual({ ...SAVED, pickupPlace: 'Portland, OR', daysToPost: 9 });
    expect((await saveOwn(atlas._id, {}, own)).body).toEqual({ modifiedCount: 1 });
    expect(await shown(atlas._id)).toEqual({ ...SAVED, pickupPlace: 'Portland, OR' });
    expect(
      await t.db.selectFrom('delivery_exceptions').selectAll().where('listing_id', '=', atlas._id).execute(),
    ).toEqual([]);
  });

  test('can be said with the listing itself, by the same rules, and is there with it or not at all', async () => {
    const own = await aSeller(t);
    await save(POSTS, own);
    const different = { pickup: true, post: false, pickupPlace: 'The library' };
    const copy = await aListing(t, own, { category_id: category, delivery: different });
    expect((await t.call(readCopyDelivery, { params: { id: copy._id } }, { as: own })).body.own).toEqual(different);
    expect(await shown(copy._id)).toMatchObject({ post: false, pickupPlace: 'The library' });
    const plain = await aListing(t, own, { category_id: category, delivery: {} });
    expect((await t.call(readCopyDelivery, { params: { id: plain._id } }, { as: own })).body.own).toEqual({});
    const body = aDraft(own, category, { title: 'Neither way', delivery: { pickup: false, post: false } });
    const refused = await t.call(offerListing, { body }, { as: own });
    expect([refused.status, refused.body.error?.fields]).toEqual([
      400,
      { delivery: 'Delivery of this book: Offer pickup, post or both' },
    ]);
    expect(await t.db.selectFrom('listings').select('id').where('title', '=', 'Neither way').execute()).toEqual([]);
    // A listing is changed without its delivery, which has a call of its own.
    const edited = await t.send('PATCH', `/api/categories/${copy._id}`, { as: own, body: { delivery: {} } });
    expect(edited.json()).toMatchObject({ modifiedCount: 0 });
    expect((await t.call(readCopyDelivery, { params: { id: copy._id } }, { as: own })).body.own).toEqual(different);
  });

  test('is refused where it makes no sense with what holds for all', async () => {
    const own = await aSeller(t);
    const copy = await aCopy(own);
    for (const [draft, field] of [
      [{ pickup: false }, 'pickup'],
      [{ post: true }, 'countries'],
      [{ daysToPost: 99 }, 'daysToPost'],
    ] as const) {
      const { status, body } = await saveOwn(copy._id, draft, own);
      expect([status, Object.keys(body.error?.fields ?? {})]).toEqual([400, [field]]);
    }
    expect((await saveOwn(copy._id, { post: true, countries: ['US'], first: 4 }, own)).status).toBe(200);
  });

  test('never leaves a copy without a way to its buyer, whatever becomes of what holds for all', async () => {
    const own = await aSeller(t);
    const copy = await aCopy(own);
    await save(POSTS, own);
    await saveOwn(copy._id, { pickup: false }, own);
    await save({ ...POSTS, post: false }, own);
    expect(await shown(copy._id)).toMatchObject({ pickup: true, post: false, pickupPlace: 'Portland, OR' });
    expect((await deliveryOf(t.db, [copy._id])).get(copy._id)).toMatchObject({ pickup: true, post: false });
  });

  test('is nobody else’s to see or say, and not of a copy that a buyer has', async () => {
    const copy = await aCopy(seller);
    const params = { id: copy._id };
    for (const [as, status] of [
      [undefined, 401],
      [await aBuyer(t), 403],
      [await aSeller(t), 404],
    ] as const) {
      expect((await t.call(readCopyDelivery, { params }, { as })).status).toBe(status);
      expect((await t.call(saveCopyDelivery, { params, body: {} }, { as })).status).toBe(status);
    }
    expect((await saveOwn(randomUUID(), {}, seller)).status).toBe(404);
    await aBooking(t, await aBuyer(t), copy);
    const { status, body } = await saveOwn(copy._id, { daysToPost: 5 }, seller);
    expect([status, body.error?.code, body.modifiedCount]).toEqual([409, 'copy_locked', 0]);
    const gone = await aCopy(seller);
    await t.call(deleteListing, { params: { id: gone._id }, body: {} }, { as: seller });
    expect((await t.call(readCopyDelivery, { params: { id: gone._id } }, { as: seller })).status).toBe(404);
    expect((await saveOwn(gone._id, {}, seller)).status).toBe(404);
  });
});

test('payments are told what the page says, of many copies in one statement', async () => {
  const own = await aSeller(t);
  const copies = [await aCopy(own), await aCopy(own, 'Salem, OR'), await aCopy(await aSeller(t))];
  const cents = fc.integer({ min: 0, max: 99_999 }).map((amount) => amount / 100);
  const part = fc.record(
    {
      pickup: fc.boolean(),
      pickupPlace: fc.constantFrom('', 'The shop'),
      post: fc.boolean(),
      first: cents,
      further: cents,
      freeFrom: fc.constantFrom(null, 0.5, 30, 99_999.99),
      countries: fc.constantFrom<string[]>([], ['US'], ['CA', 'FR']),
      daysToPost: fc.integer({ min: 1, max: 10 }),
    },
    { requiredKeys: [] },
  );
  const home = fc.constantFrom('US', 'FR');
  await fc.assert(
    fc.asyncProperty(part, home, part, async (shop, from, exception) => {
      await save({ ...POSTS, ...shop, home: from }, own);
      await saveOwn(copies[0]?._id ?? '', exception, own);
      const told = await deliveryOf(t.db, [...copies.map(({ _id }) => _id), randomUUID()]);
      expect(told.size).toBe(copies.length);
      for (const { _id } of copies) {
        const { pickupPlace, firstCents, furtherCents, freeFromCents, ...terms } = told.get(_id) ?? DEFAULT_DELIVERY;
        expect(await shown(_id)).toEqual({
          ...terms,
          pickupPlace: terms.pickup ? pickupPlace : '',
          first: firstCents / 100,
          further: furtherCents / 100,
          freeFrom: freeFromCents === null ? null : freeFromCents / 100,
        });
      }
    }),
    { numRuns: 25 },
  );
  expect((await deliveryOf(t.db, [])).size).toBe(0);
});

describe('a change of it', () => {
  /** What is told on the channel while `work` is done, as the tags it makes untrue; undefined is everything. */
  const tagsTold = async (work: () => Promise<unknown>): Promise<(readonly string[] | undefined)[]> => {
    const client = new pg.Client(t.databaseUrl);
    await client.connect();
    const told: string[] = [];
    client.on('notification', ({ payload }) => told.push(payload ?? ''));
    await client.query('LISTEN catalogue');
    await work();
    await client.query("SELECT pg_notify('catalogue', 'the end')");
    await expect.poll(() => told.at(-1)).toBe('the end');
    await client.end();
    return told.slice(0, -1).map((payload) => {
      const tags = tagsChangedBy(payload);
      return tags && [...tags].toSorted();
    });
  };

  test('is told of the pages of the seller’s copies and of editions, and of no list; nothing is told where nothing changed', async () => {
    const own = await aSeller(t);
    const ids = [(await aCopy(own))._id, (await aCopy(own))._id].toSorted();
    const pages = ['beside', ...ids.map((id) => `listing:${id}`)];
    expect(await tagsTold(() => save(POSTS, own))).toEqual([pages]);
    expect(await tagsTold(() => save(POSTS, own))).toEqual([]);
    expect(await tagsTold(() => save({ ...POSTS, first: 5 }, own))).toEqual([pages]);
    const [first = ''] = ids;
    expect(await tagsTold(() => saveOwn(first, { first: 9 }, own))).toEqual([['beside', `listing:${first}`]]);
    expect(await tagsTold(() => saveOwn(first, { first: 9 }, own))).toEqual([]);
    expect(await tagsTold(() => saveOwn(first, {}, own))).toEqual([['beside', `listing:${first}`]]);
    expect(tagsOf(`/book/${first}`)).toContain(`listing:${first}`);
    expect(tagsOf(`/api/categories/${first}`)).toContain(`listing:${first}`);
  });

  test('of who has hundreds of copies makes everything untrue, in one word', async () => {
    const own = await aSeller(t);
    const { _id } = await aCopy(own);
    await sql`INSERT INTO listings (seller_id, category_id, title, original_cents, resale_cents, years_of_use, location, phone, details, condition)
      SELECT seller_id, category_id, title, original_cents, resale_cents, years_of_use, location, phone, details, condition
      FROM listings, generate_series(1, 199) WHERE id = ${_id}`.execute(t.db);
    const [pages] = await tagsTold(() => save(POSTS, own));
    expect(pages).toHaveLength(201);
    await aCopy(own);
    expect(await tagsTold(() => save({ ...POSTS, first: 5 }, own))).toEqual([undefined]);
  });
});
