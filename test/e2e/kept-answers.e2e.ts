import { randomInt } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Listing } from '#contract/catalog/catalog.ts';
import type { EditionCopy } from '#contract/catalog/editions/editions.ts';
import type { SearchAnswer } from '#contract/catalog/search.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { openShop, type RunningShop } from './shop.ts';

const STEPS = process.env['DOGEAR_TEST_LONG'] === '1' ? 400 : 40;

let database: TestDatabase;
let db: pg.Client;
let shops: RunningShop[];
let copies: Listing[];

beforeAll(async () => {
  database = await createTestDatabase();
  const first = await openShop({ env: { DATABASE_URL: database.url } });
  shops = [first, await openShop({ env: { DATABASE_URL: database.url } })];
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
  copies = (await (await fetch(`${first.url}/api/categories?limit=5`)).json()) as Listing[];
  for (const { _id } of copies) beside.set(_id, await anotherLike(_id));
});
afterAll(async () => {
  await db.end();
  for (const shop of shops) await shop.close();
  await database.drop();
});

/** For each copy another one of its edition, which its page and the API show it beside. */
const beside = new Map<string, string>();

const anotherLike = async (id: string): Promise<string> => {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO listings (seller_id, category_id, title, authors, isbn13, image_url, original_cents, resale_cents, years_of_use, location, phone, details, condition)
     SELECT seller_id, category_id, title, authors, isbn13, image_url, 900000, 900000, years_of_use, location, phone, details, condition
     FROM listings WHERE id = $1 RETURNING id`,
    [id],
  );
  return rows[0]?.id ?? '';
};

const read = async <A>(url: string): Promise<A> => (await (await fetch(url)).json()) as A;

/** What a place of a shop shows of a copy: its price in cents, or nothing. */
type Place = (shop: string, copy: Listing) => Promise<number | undefined>;

const priceIn = (rows: readonly EditionCopy[], { _id }: Listing): number | undefined => {
  const row = rows.find((listing) => listing._id === _id);
  return row && Math.round(row.resale_price * 100);
};

const PLACES: Record<string, Place> = {
  'the list': async (shop, copy) => priceIn(await read<Listing[]>(`${shop}/api/categories?limit=100`), copy),
  'its category': async (shop, copy) =>
    priceIn(await read<Listing[]>(`${shop}/api/category/${copy.category_id}?limit=100`), copy),
  itself: async (shop, copy) =>
    Math.round((await read<Listing>(`${shop}/api/categories/${copy._id}`)).resale_price * 100),
  'a search': async (shop, copy) =>
    priceIn((await read<SearchAnswer>(`${shop}/api/search?q=${encodeURIComponent(copy.title)}`)).listings, copy),
  'its page': async (shop, copy) => {
    const page = await (await fetch(`${shop}/book/${copy._id}`)).text();
    const price = /property="product:price:amount" content="([\d.]+)"|"price":"?([\d.]+)"?/.exec(page);
    return Math.round(Number(price?.[1] ?? price?.[2]) * 100);
  },
  'the other copies of its edition': async (shop, copy) => {
    const { copies: others } = await read<{ copies: EditionCopy[] }>(
      `${shop}/api/categories/${beside.get(copy._id)}/copies`,
    );
    return priceIn(others, copy);
  },
  'the page of another copy': async (shop, copy) => {
    const page = await (await fetch(`${shop}/book/${beside.get(copy._id)}`)).text();
    const price = new RegExp(`href="/book/${copy._id}"[^>]*>\\$([\\d.]+)`).exec(page);
    return Math.round(Number(price?.[1]) * 100);
  },
};

/** What becomes of a copy, besides a new price; every other time it can be booked. */
const STATES = ['available', 'available', 'available', 'held', 'sold', 'withdrawn'] as const;
type State = (typeof STATES)[number];

/**
 * Where a copy is shown in which states: beside others only while it can be booked; who has its address sees what
 * became of it until it is withdrawn.
 */
const isShownAs = (state: State, place: string): boolean => {
  if (place === 'the other copies of its edition' || place === 'the page of another copy') return state === 'available';
  if (place === 'itself' || place === 'its page') return state !== 'withdrawn';
  return state === 'available' || state === 'held';
};

const CHANGE = `UPDATE listings SET resale_cents = $2, status = $3::text, on_shelf = $3::text IN ('available', 'held'),
  withdrawn_at = CASE WHEN $3::text = 'withdrawn' THEN now() END WHERE id = $1`;

test('no process shows a copy older than it showed it before, and each shows the last change soon', async () => {
  const truth = new Map(copies.map((copy) => [copy._id, 1_000]));
  const shown = new Map<string, number>();
  await db.query('UPDATE listings SET resale_cents = 1000 WHERE id = ANY ($1)', [copies.map(({ _id }) => _id)]);
  const names = Object.keys(PLACES);
  for (let step = 0; step < STEPS; step += 1) {
    const copy = copies[randomInt(copies.length)];
    if (copy === undefined) throw new Error('no copy');
    // Every change makes the copy dearer, so that an older answer is one with a lower price.
    const price = (truth.get(copy._id) ?? 0) + 1;
    const state = STATES[randomInt(STATES.length)] ?? 'available';
    truth.set(copy._id, price);
    // Readers are under way while it changes, so that some are computing.
    const readers = names.flatMap((name) => shops.map((shop) => PLACES[name]?.(shop.url, copy)));
    await db.query(CHANGE, [copy._id, price, state]);
    await Promise.all(readers);
    for (const name of names) {
      for (const shop of shops) {
        const place = `${name} at ${shop.url} of ${copy._id}`;
        await expect
          .poll(
            async () => {
              const now = await PLACES[name]?.(shop.url, copy);
              if (now === undefined || Number.isNaN(now)) return undefined;
              expect(now, `${place} went back`).toBeGreaterThanOrEqual(shown.get(place) ?? 0);
              shown.set(place, now);
              return now;
            },
            { message: `${place}, ${state}` },
          )
          .toBe(isShownAs(state, name) ? price : undefined);
      }
    }
  }
});

test('what changes while nothing can be told is shown all the same', async () => {
  const [copy] = copies;
  if (copy === undefined) throw new Error('no copy');
  for (const shop of shops) await PLACES['itself']?.(shop.url, copy);
  await db.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'dogear listen%'`);
  await db.query(CHANGE, [copy._id, 9_000, 'available']);
  for (const shop of shops) await expect.poll(() => PLACES['itself']?.(shop.url, copy)).toBe(9_000);
});

test('the same answer is given to everyone, with its tag, compressed as they take it', async () => {
  const url = `${shops[0]?.url}/api/categories`;
  const first = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  const etag = first.headers.get('etag') ?? '';
  const text = await first.text();
  expect(first.headers.get('cache-control')).toBe(
    'public, max-age=0, must-revalidate, s-maxage=5, stale-while-revalidate=5',
  );
  for (const encoding of ['br', 'gzip', 'identity']) {
    const answer = await fetch(url, { headers: { 'accept-encoding': encoding } });
    expect([answer.headers.get('etag'), await answer.text()]).toEqual([etag, text]);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  }
  const again = await fetch(url, { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  const bad = await fetch(url, { headers: { authorization: 'Bearer none.of.ours' } });
  expect([bad.status, bad.headers.get('etag')]).toEqual([200, etag]);
});

test('signed-in people get their own answer, which is kept for nobody', async () => {
  const shop = shops[0]?.url ?? '';
  const signedIn = await fetch(`${shop}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: shop },
    body: JSON.stringify({ email: 'admin@example.com', password: 'Admin#2026' }),
  });
  const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const jwt = await fetch(`${shop}/api/jwt?email=admin@example.com`, { headers: { cookie } });
  const { accessToken } = (await jwt.json()) as { accessToken: string };
  const url = `${shop}/api/categories?limit=3`;
  const own = await fetch(url, { headers: { authorization: `Bearer ${accessToken}` } });
  expect(own.headers.get('cache-control')).toBe('no-store');
  expect(((await own.json()) as Listing[])[0]?.email).toContain('@');
  expect((await read<Listing[]>(url))[0]?.email).toBe('');
});
