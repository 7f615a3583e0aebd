import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { listCategoryListings, listListings, type Listing } from '#contract/catalog/catalog.ts';
import { testApp, type TestApp, type TestAnswer } from '#test/app.ts';
import { aBuyer, aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';
import { becoming } from './listing.queries.ts';

let t: TestApp;
let seller: TestUser;
let categoryId: string;
const opened: TestApp[] = [];
beforeEach(async () => {
  t = await testApp();
  opened.push(t);
  seller = await aSeller(t);
  categoryId = await aCategory(t, seller);
});
afterAll(async () => {
  for (const app of opened) await app.close();
});

const list = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1)
    ids.push((await aListing(t, seller, { category_id: categoryId, title: `Book ${n}` }))._id);
  return ids;
};

/** Address of the next page, from the Link header. */
const nextOf = (answer: TestAnswer<Listing[]> | { headers: Record<string, unknown> }): string | undefined =>
  /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link']))?.[1];

const walk = async (from: string, between: () => Promise<unknown> = async () => {}): Promise<string[]> => {
  const seen: string[] = [];
  for (let url: string | undefined = from; url !== undefined;) {
    const answer = await t.send('GET', url);
    expect(answer.statusCode).toBe(200);
    seen.push(...answer.json<Listing[]>().map((listing) => listing._id));
    url = nextOf(answer);
    await between();
  }
  return seen;
};

describe('GET /categories', () => {
  it('lists newest first, 24 at a time unless told otherwise, with the way on and the count', async () => {
    const ids = await list(27);
    const first = await t.call(listListings, { query: {} });
    expect(first.body.map((listing) => listing._id)).toEqual(ids.toReversed().slice(0, 24));
    expect(first.headers['x-total-count']).toBe('27');
    const second = await t.send('GET', nextOf(first) ?? '');
    expect(second.json<Listing[]>().map((listing) => listing._id)).toEqual(ids.toReversed().slice(24));
    expect(nextOf(second)).toBeUndefined();
    expect((await t.call(listListings, { query: { limit: '2' } })).body).toHaveLength(2);
  });

  it('walks past every copy exactly once while others are listed and copies share an instant', async () => {
    const ids = await list(23);
    await t.db
      .updateTable('listings')
      .set({ published_at: new Date('2026-01-01T00:00:00Z') })
      .where('id', 'in', ids.slice(3, 15))
      .execute();
    const seen = await walk('/api/categories?limit=5', () => list(1));
    expect(seen.filter((id) => ids.includes(id)).toSorted()).toEqual(ids.toSorted());
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('leaves out what is sold or withdrawn, and shows what is held as Reserved', async () => {
    const [available = '', held = '', sold = '', withdrawn = ''] = await list(4);
    const become = (id: string, status: 'held' | 'sold' | 'withdrawn') =>
      t.db.updateTable('listings').set(becoming(status)).where('id', '=', id).execute();
    await Promise.all([become(held, 'held'), become(sold, 'sold'), become(withdrawn, 'withdrawn')]);
    const { body, headers } = await t.call(listListings, { query: {} });
    expect(body.map((listing) => [listing._id, listing.status])).toEqual([
      [held, 'Reserved'],
      [available, 'Available'],
    ]);
    expect(headers['x-total-count']).toBe('2');
  });

  it("keeps the sellers' phone and address from everybody but them", async () => {
    await list(1);
    const anonymous = await t.call(listListings, { query: {} });
    expect(anonymous.body.map((listing) => listing.email + listing.phone)).toEqual(['']);
    const forged = await t.call(listListings, { query: {} }, { headers: { authorization: 'Bearer x.y.z' } });
    expect(forged.body.map((listing) => listing.email + listing.phone)).toEqual(['']);
    const signedIn = await t.call(listListings, { query: {} }, { as: await aBuyer(t) });
    expect(signedIn.body.map((listing) => listing.email + listing.phone)).toEqual(['']);
    const own = await t.call(listListings, { query: {} }, { as: seller });
    expect(own.body.map((listing) => listing.email)).toEqual([seller.email]);
    expect(signedIn.headers['cache-control']).toBe('no-store');
  });

  it('answers 304 to whoever has this very page', async () => {
    await list(1);
    const first = await t.call(listListings, { query: {} });
    const headers = { 'if-none-match': String(first.headers['etag']) };
    expect((await t.send('GET', '/api/categories', { headers })).statusCode).toBe(304);
    await list(1);
    expect((await t.send('GET', '/api/categories', { headers })).statusCode).toBe(200);
  });

  it('is an empty list of nothing in an empty shop', async () => {
    const { status, body, headers } = await t.call(listListings, { query: {} });
    expect([status, body, headers['x-total-count'], headers['link']]).toEqual([200, [], '0', undefined]);
  });

  it('refuses a cursor that is none of its own and a limit out of range', async () => {
    const forged = Buffer.from("2026-99-99T00:00:00.000000Z_x' OR 1=1").toString('base64url');
    const impossible = Buffer.from(
      `2026-13-45T99:99:99.000000Z_${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`,
    ).toString('base64url');
    const noId = Buffer.from(`2026-01-01T00:00:00.000000Z_${'-'.repeat(36)}`).toString('base64url');
    const dayless = Buffer.from(`2026-02-31T00:00:00.000000Z_11111111-1111-4111-8111-111111111111`).toString(
      'base64url',
    );
    const yearless = Buffer.from(`0000-01-01T00:00:00.000000Z_11111111-1111-4111-8111-111111111111`).toString(
      'base64url',
    );
    for (const cursor of ['x', yearless, forged, impossible, noId, dayless, '', 'é', '%00']) {
      const answer = await t.send('GET', `/api/categories?cursor=${encodeURIComponent(cursor)}`);
      expect([cursor, answer.statusCode]).toEqual([cursor, 400]);
    }
    for (const limit of ['0', '101', '-1', 'ten', '1.5', '']) {
      expect((await t.send('GET', `/api/categories?limit=${limit}`)).statusCode).toBe(400);
    }
    expect((await t.send('GET', '/api/categories?limit=1&limit=2')).statusCode).toBe(400);
  });
});

describe('GET /category/:id', () => {
  it('lists that category only, paged, with its count', async () => {
    await aListing(t, seller);
    const ids = await list(5);
    const first = await t.call(listCategoryListings, { params: { id: categoryId }, query: { limit: '3' } });
    expect(first.headers['x-total-count']).toBe('5');
    expect(await walk(`/api/category/${categoryId}?limit=3`)).toEqual(ids.toReversed());
  });

  it('is an empty list for a category without copies, and 404 for one that does not exist', async () => {
    const empty = await t.call(listCategoryListings, { params: { id: categoryId }, query: {} });
    expect([empty.status, empty.body]).toEqual([200, []]);
    for (const id of ['nowhere', 'a b', 'x'.repeat(65), '..%2F..']) {
      expect((await t.send('GET', `/api/category/${encodeURIComponent(id)}`)).statusCode).toBe(404);
    }
  });
});
