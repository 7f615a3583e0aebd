import { randomUUID } from 'node:crypto';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  listCategoryListings,
  listListings,
  listMyListings,
  readListing,
  type Listing,
} from '#contract/catalog/catalog.ts';
import { pathOf, type EndpointSpec } from '#contract/endpoint.ts';
import { SearchAnswer, searchListings } from '#contract/catalog/search.ts';
import { aBooking, aBuyer, aCategory, aListing, anAdmin, aSeller, aUser, type TestUser } from './make.ts';
import { testApp, type TestApp } from './app.ts';

// Answers that PostgreSQL writes as JSON are not written by their schema, so each is compared with it here, to the
// field and the byte.

const ODD = [
  '"quoted" and \\back\\slashed\\',
  'controls \u0001\u0008\t\n\f\r\u001f and \u007f',
  'lines\u2028and\u2029paragraphs',
  'emoji 😀 👩‍👩‍👧, combining é, كتاب, 本',
  '</script><!-- & <b>',
  '{"json":[1,null]}, $1 %s \\u0041',
  "it''s 'quoted'",
  '',
];

/** A name of 22 letters of base32, and what is told of such a photo. */
const NAME = 'abcdefghijklmnopqrst27';
const PHOTO = { name: NAME, width: 1_200, height: 1_600, colour: '0a80ff' };
const PHOTO_IDS = [randomUUID(), randomUUID()] as const;

let t: TestApp;
let seller: TestUser;
let admin: TestUser;
let category: string;

beforeAll(async () => {
  t = await testApp();
  seller = await aUser(t, { roles: ['seller'], verified: true, name: 'Ada "Quote" \\ 😀 Reader' });
  [admin, category] = await Promise.all([anAdmin(t), aCategory(t, seller)]);
  await t.db.updateTable('categories').set({ name: 'Odd "things" \\ 本' }).where('id', '=', category).execute();
  for (const [place, odd] of ODD.entries()) {
    const copy = await aListing(t, seller, { category_id: category, resale_price: (50 + place * 33.33).toFixed(2) });
    await t.db
      .updateTable('listings')
      .set({
        title: odd === '' ? ' ' : odd,
        authors: odd,
        publisher: odd,
        location: odd,
        phone: odd,
        details: odd,
        image_url: odd,
        isbn13: place % 2 === 0 ? '' : '9780441478125',
        published_year: [null, -800, 0, 1969][place % 4] ?? null,
        years_of_use: ['0', '0.5', '10.0', '100.5'][place % 4] ?? '0',
        years_known: place % 5 !== 0,
        original_known: place % 5 !== 1,
        original_cents: [50, 9_999_999, 1_000, 12_345][place % 4] ?? 50,
        condition: (['Excellent', 'Good', 'Fair'] as const)[place % 3] ?? 'Good',
        published_at: new Date(Date.UTC(2026, 0, place + 1, 0, 0, 0, place)),
      })
      .where('id', '=', copy._id)
      .execute();
  }
  await t.db
    .insertInto('photo_files')
    .values({ ...PHOTO, bytes: 9, stored_at: new Date(), going_at: null })
    .execute();
  const held = await aListing(t, seller, { category_id: category, title: 'Held' });
  await t.db.updateTable('listings').set({ image_url: NAME }).where('id', '=', held._id).execute();
  for (const [position, id] of PHOTO_IDS.entries()) {
    const file = { owner_id: seller.id, name: NAME, digest: Buffer.alloc(32), fetched_from: null, deleted_at: null };
    await t.db
      .insertInto('photos')
      .values({ id, ...file })
      .execute();
    const caption = position === 0 ? ('spine' as const) : null;
    await t.db.insertInto('listing_photos').values({ listing_id: held._id, position, photo_id: id, caption }).execute();
  }
  await aBooking(t, await aBuyer(t), (await t.call(readListing, { params: { id: held._id } })).body);
  await t.db.insertInto('waitlist_entries').values({ listing_id: held._id, buyer_id: admin.id }).execute();
});
afterAll(() => t.close());

/** What the contract says of the copies, put together from the tables; newest first. */
const expected = async (contact: boolean): Promise<Listing[]> => {
  const rows = await t.db
    .selectFrom('listings as l')
    .innerJoin('users as u', 'u.id', 'l.seller_id')
    .innerJoin('categories as c', 'c.id', 'l.category_id')
    .selectAll('l')
    .select(['u.name', 'u.seller_slug', 'u.email', 'u.verified', 'c.name as categoryName'])
    .orderBy('l.published_at', 'desc')
    .execute();
  return rows.map((row) => ({
    _id: row.id,
    title: row.title,
    authors: row.authors,
    isbn13: row.isbn13,
    published_year: row.published_year,
    publisher: row.publisher,
    image_url: row.image_url === NAME ? `${t.config.publicUrl}/photos/${NAME}/720.webp` : row.image_url,
    photo: row.image_url === NAME ? PHOTO : null,
    Seller: row.name,
    seller_slug: row.seller_slug ?? '',
    seller_verified: row.verified,
    email: contact ? row.email : '',
    phone: contact ? row.phone : '',
    original_price: row.original_known ? row.original_cents / 100 : 0,
    original_known: row.original_known,
    resale_price: row.resale_cents / 100,
    years_of_use: Number(row.years_of_use),
    years_known: row.years_known,
    location: row.location,
    published_date: row.published_at.toISOString(),
    details: row.details,
    condition: row.condition,
    category_id: row.category_id,
    category_name: row.categoryName,
    status: row.status === 'available' ? 'Available' : 'Reserved',
    waiting: row.status === 'held' ? 1 : 0,
  }));
};

const rawOf = async (spec: EndpointSpec, input: object, as?: TestUser): Promise<string> => {
  const answer = await t.send(spec.method, `/api${pathOf(spec, input)}`, { as });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  return answer.body;
};

/** Fits the schema with nothing missing, and nothing beside it. */
const expectExact = (schema: TSchema, raw: string): void => {
  const answer: unknown = JSON.parse(raw);
  expect([...Value.Errors(schema, answer)]).toEqual([]);
  expect(Value.Clean(schema, structuredClone(answer))).toEqual(answer);
  // as the schema's own writer does it: no space, the shortest numbers, nothing escaped that need not be
  expect(JSON.stringify(answer)).toBe(raw);
};

describe.each([
  ['nobody', false],
  ['an admin', true],
])('for %s', (_, contact) => {
  const viewer = (): TestUser | undefined => (contact ? admin : undefined);

  test.each([
    ['all copies', listListings, () => ({ query: {} })],
    ['a category', listCategoryListings, () => ({ params: { id: category }, query: {} })],
  ] as const)('the list of %s is what the tables hold, as the contract writes it', async (_name, spec, input) => {
    const raw = await rawOf(spec, input(), viewer());
    expectExact(spec.answer, raw);
    expect(raw).toBe(JSON.stringify(await expected(contact)));
  });

  test('each book is, with how it comes to its buyer', async () => {
    for (const copy of await expected(contact)) {
      const raw = await rawOf(readListing, { params: { id: copy._id } }, viewer());
      expectExact(readListing.answer, raw);
      const delivery = {
        pickup: true,
        pickupPlace: copy.location,
        post: false,
        first: 0,
        further: 0,
        freeFrom: null,
        countries: [],
        home: 'US',
        daysToPost: 3,
      };
      const shown = PHOTO_IDS.map((id, place) => ({
        id,
        ...PHOTO,
        caption: place === 0 ? 'spine' : null,
        sample: false,
      }));
      const photos = copy.photo === null ? [] : shown;
      // Who is named by which text: src/server/catalog/authors/author.test.ts.
      const { author_pages } = JSON.parse(raw) as { author_pages: unknown };
      const more = {
        author_pages,
        photos,
        delivery,
        passport: null,
        seller_id: seller.id,
        seller_sells_as: '',
        reduced_from: null,
        offered: false,
      };
      expect(raw).toBe(JSON.stringify({ ...copy, ...more }));
    }
  });

  test.each(['', 'quoted', 'helf', 'reader'])('the search for "%s" is, with and without facets', async (q) => {
    for (const facets of ['1', undefined]) {
      const raw = await rawOf(searchListings, { query: { q, facets } }, viewer());
      expectExact(SearchAnswer, raw);
      const copies = await expected(contact);
      for (const found of (JSON.parse(raw) as SearchAnswer).listings) expect(copies).toContainEqual(found);
      if (q === '') expect((JSON.parse(raw) as SearchAnswer).listings).toHaveLength(copies.length);
    }
  });
});

test('own listings are, and nothing is an empty list', async () => {
  const mine = await rawOf(listMyListings, { query: { email: seller.email } }, seller);
  expectExact(listMyListings.answer, mine);
  expect(mine).toBe(JSON.stringify(await expected(true)));
  const other = await aSeller(t);
  expect(await rawOf(listMyListings, { query: { email: other.email } }, other)).toBe('[]');
  const none = await rawOf(searchListings, { query: { q: 'zzzz' } });
  expectExact(SearchAnswer, none);
  expect(JSON.parse(none)).toMatchObject({ listings: [], next: null });
});

test('every page but the last names the way on', async () => {
  for (const limit of [1, 3, 8, 9, 10]) {
    const answer = await t.send('GET', `/api/categories?limit=${limit}`);
    expect(answer.json()).toHaveLength(Math.min(limit, ODD.length + 1));
    expect(answer.headers['link'] !== undefined).toBe(limit < ODD.length + 1);
    const found = await t.send('GET', `/api/search?limit=${limit}`);
    expect(found.json().next !== null).toBe(limit < ODD.length + 1);
  }
});
