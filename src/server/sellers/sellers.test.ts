import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readListing } from '#contract/catalog/catalog.ts';
import { saveDelivery } from '#contract/delivery/delivery-calls.ts';
import { writeReview } from '#contract/orders/reviews.ts';
import {
  followSeller,
  listFollowed,
  listSellerReviews,
  readFollow,
  readSellerPage,
  saveSellerPage,
  unfollowSeller,
} from '#contract/sellers/sellers.ts';
import { editAccount } from '#contract/users/account.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, aListing, aSeller, aUser, type TestUser } from '#test/make.ts';
import { orderSteps } from '#test/order-steps.ts';
import { listDueFollowers, takeShelfNews } from './following.service.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const { posted, move, ahead } = orderSteps(() => t);

const slugOf = async ({ id }: TestUser): Promise<string> =>
  (await t.db.selectFrom('users').select('seller_slug').where('id', '=', id).executeTakeFirst())?.seller_slug ?? '';
const pageOf = async (seller: TestUser) =>
  (await t.call(readSellerPage, { params: { slug: await slugOf(seller) } })).body;
const named = (name: string) => aUser(t, { roles: ['seller'], name });

describe('the page of a seller', () => {
  test('has an address out of their name, each its own, which stays until they want another', async () => {
    const [first, second, nobody] = [await named('Maya Keller'), await named('Maya Keller'), await named('???')];
    expect(await slugOf(first)).toBe('maya-keller');
    expect(await slugOf(second)).toBe(`maya-keller-${second.id.slice(0, 8)}`);
    expect(await slugOf(nobody)).toMatch(/^seller(-[0-9a-f]{8})?$/);
    await t.call(editAccount, { body: { name: 'Maya Brandt' } }, { as: first });
    expect(await slugOf(first)).toBe('maya-keller');
    const saved = await t.call(saveSellerPage, { body: { about: '', place: '', renew: true } }, { as: first });
    expect(saved.body.slug).toBe('maya-brandt');
    expect((await t.call(readSellerPage, { params: { slug: 'maya-keller' } })).status).toBe(404);
    expect((await t.call(readSellerPage, { params: { slug: 'MAYA-Brandt' } })).body).toMatchObject({
      slug: 'maya-brandt',
      name: 'Maya Brandt',
    });
  });

  test('is led to by each copy, and holds no way to reach them outside', async () => {
    const seller = await aSeller(t);
    const copy = await aListing(t, seller);
    const { body: listing } = await t.call(readListing, { params: { id: copy._id } });
    expect(listing.seller_slug).toBe(await slugOf(seller));
    const terms = { pickup: true, pickupPlace: '14 Paper Lane', post: true, first: 4, further: 1, freeFrom: null };
    await t.call(saveDelivery, { body: { ...terms, countries: ['US'], daysToPost: 2 } }, { as: seller });
    const page = await pageOf(seller);
    expect(page.delivery).toMatchObject({ post: true, first: 4, daysToPost: 2 });
    const { phone } = await t.db
      .selectFrom('listings')
      .select('phone')
      .where('id', '=', copy._id)
      .executeTakeFirstOrThrow();
    for (const secret of [seller.email, phone, '14 Paper Lane']) {
      expect(secret).not.toBe('');
      expect(JSON.stringify(page)).not.toContain(secret);
    }
    expect(page.since.slice(8)).toBe('01T00:00:00.000Z');
  });

  test('says what they say, without links and contacts', async () => {
    const seller = await aSeller(t);
    const say = (about: string, place = 'Portland, Oregon') =>
      t.call(saveSellerPage, { body: { about, place } }, { as: seller });
    for (const about of ['See maya.example.com', 'Call 503 555 0142', 'mail maya@books.example'])
      expect(await say(about), about).toMatchObject({
        status: 400,
        body: { error: { fields: { about: expect.any(String) } } },
      });
    expect((await say('', 'portland@books.example')).status).toBe(400);
    expect((await say('  Old paperbacks,\r\nmostly crime. ')).status).toBe(200);
    expect(await pageOf(seller)).toMatchObject({
      about: 'Old paperbacks,\nmostly crime.',
      place: 'Portland, Oregon',
    });
  });

  test('tells what became of their orders and what is said of them', async () => {
    const sale = await posted();
    expect(await pageOf(sale.seller)).toMatchObject({ record: { orders: 0 }, sums: { reviews: 0 } });
    await move(sale, sale.buyer, { move: 'receive' });
    await ahead(3.1);
    for (const as of [sale.buyer, sale.seller]) {
      const body = { stars: 4, wellPacked: true, words: 'As it was said.' };
      await t.call(writeReview, { params: { id: sale.orderId }, body }, { as });
    }
    expect(await pageOf(sale.seller)).toMatchObject({
      record: { orders: 1, posted: 1, postedInTime: 1, cancelled: 0, upheld: 0 },
      sums: { reviews: 1, stars: 4, wellPacked: 1, wellPackedSaid: 1, inTimeSaid: 0 },
    });
    const params = { slug: await slugOf(sale.seller) };
    const { body } = await t.call(listSellerReviews, { params, query: {} });
    expect(body).toMatchObject([{ by: 'buyer', stars: 4, title: sale.copy.title, words: 'As it was said.' }]);
    expect(JSON.stringify(body)).not.toContain(sale.buyer.email);
  });

  test('is gone with who has left, and so is its address', async () => {
    const seller = await aSeller(t);
    const slug = await slugOf(seller);
    await sql`UPDATE users SET deleted_at = now() WHERE id = ${seller.id}`.execute(t.db);
    expect((await t.call(readSellerPage, { params: { slug } })).status).toBe(404);
    expect((await t.call(readSellerPage, { params: { slug: 'nobody-here' } })).status).toBe(404);
  });
});

const NOBODY = '00000000-0000-0000-0000-000000000000';

describe('who follows a seller', () => {
  const follow = async (as: TestUser, seller: TestUser) =>
    t.call(followSeller, { params: { slug: await slugOf(seller) } }, { as });

  /** As if what they followed, or heard, had been a day ago. */
  const aDayLater = ({ id }: TestUser) =>
    sql`UPDATE seller_follows SET told_at = told_at - interval '25 hours' WHERE user_id = ${id}`.execute(t.db);

  const isDue = async ({ id }: TestUser) => (await listDueFollowers(t.db, 1_000, NOBODY)).includes(id);
  const newsTo = ({ id }: TestUser) => t.db.transaction().execute((trx) => takeShelfNews(trx, id));

  test('hears once a day what they added, until they end it', async () => {
    const [seller, reader] = [await aSeller(t), await aBuyer(t)];
    await aListing(t, seller);
    expect((await follow(reader, seller)).body).toEqual({ follows: true });
    expect((await follow(reader, seller)).body).toEqual({ follows: true });
    expect((await follow(seller, seller)).status).toBe(400);
    expect((await t.call(listFollowed, { query: {} }, { as: reader })).body).toMatchObject([
      { slug: await slugOf(seller) },
    ]);
    expect(await isDue(reader)).toBe(false);
    const [one] = [await aListing(t, seller, { title: 'Middlemarch' }), await aListing(t, seller)];
    expect(await newsTo(reader)).toEqual([]);
    await aDayLater(reader);
    expect(await isDue(reader)).toBe(true);
    expect(await newsTo(reader)).toEqual([
      { name: expect.any(String), slug: await slugOf(seller), count: 3, titles: expect.arrayContaining([one.title]) },
    ]);
    expect(await newsTo(reader)).toEqual([]);
    expect(await isDue(reader)).toBe(false);
    const params = { slug: await slugOf(seller) };
    expect((await t.call(unfollowSeller, { params }, { as: reader })).body).toEqual({ follows: false });
    expect((await t.call(readFollow, { params }, { as: reader })).body).toEqual({ follows: false });
    await aListing(t, seller);
    await aDayLater(reader);
    expect(await isDue(reader)).toBe(false);
  });
});
