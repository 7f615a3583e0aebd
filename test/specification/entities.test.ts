// The fields of what the shop keeps, by the names and with the values the specification gives them on the wire.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/app.ts';
import {
  aBooking,
  aBookingDraft,
  aBuyer,
  aCategory,
  aDraft,
  aListing,
  anAdmin,
  aSeller,
  aUser,
  type TestUser,
} from '#test/make.ts';

type Answer = Record<string, unknown>;

let t: TestApp;
let admin: TestUser;
let seller: TestUser;
let buyer: TestUser;

beforeAll(async () => {
  t = await testApp();
  [admin, seller, buyer] = await Promise.all([
    anAdmin(t),
    aUser(t, { roles: ['seller'], name: 'Sylvia Beach' }),
    aBuyer(t),
  ]);
});
afterAll(() => t.close());

const read = async (path: string, as?: { accessToken: string } | { cookie: string }): Promise<Answer> =>
  (await t.send('GET', `/api${path}`, { as })).json() as Answer;

const ID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** A user as admins list them. */
const listed = async ({ email }: TestUser): Promise<Answer | undefined> =>
  ((await read(`/users?q=${email}`, { accessToken: admin.accessToken })) as unknown as Answer[])[0];

describe('a user', () => {
  test.each([
    ['_id', (user: TestUser) => user.id],
    ['name', (user: TestUser) => user.name],
    ['email', (user: TestUser) => user.email],
  ])('has %s', async (key, value) => {
    expect((await listed(seller))?.[key]).toBe(value(seller));
  });

  test.each(['buyer', 'seller', 'admin'] as const)('has the role %s', async (role) => {
    expect((await listed(await aUser(t, { roles: [role] })))?.['role']).toBe(role);
  });

  test.each([
    [true, 'verified'],
    [false, 'unverified'],
  ])('who is verified (%s) has the status %s', async (verified, status) => {
    expect((await listed(await aUser(t, { roles: ['seller'], verified })))?.['status']).toBe(status);
  });
});

describe('the signed-in identity', () => {
  test.each([
    ['uid', () => seller.id],
    ['email', () => seller.email],
    ['displayName', () => seller.name],
    ['photoURL', () => ''],
  ])('has %s', async (key, value) => {
    const { user } = await read('/auth/session', { cookie: seller.cookie });
    expect((user as Answer)[key]).toBe(value());
  });
});

describe('a listing', () => {
  const TOLD = {
    title: 'Mrs Dalloway',
    image_url: 'https://images.example/dalloway.jpg',
    original_price: 19.5,
    resale_price: 6.25,
    years_of_use: 12,
    location: 'London',
    phone: '+44 1555 0100',
    details: 'A tram ticket between the pages.',
    condition: 'Excellent',
  } as const;
  let listing: Answer;
  beforeAll(async () => {
    const { _id } = await aListing(t, seller, TOLD);
    // Phone and address are the seller's own to see, and the admins'.
    listing = await read(`/categories/${_id}`, { accessToken: seller.accessToken });
  });

  test('has _id', () => expect(listing['_id']).toEqual(ID));

  test.each(Object.entries(TOLD))('has %s', (key, value) => expect(listing[key]).toBe(value));

  test('has Seller, a name', () => expect(listing['Seller']).toBe('Sylvia Beach'));

  test('has email', () => expect(listing['email']).toBe(seller.email));

  test('has published_date', () => {
    const published = String(listing['published_date']);
    expect(published).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(Math.abs(Date.parse(published) - Date.now())).toBeLessThan(3_600_000);
  });

  test.each(['category_name', 'category_id'])('has %s', async (key) => {
    const all = (await read('/categoryName')) as unknown as Answer[];
    expect(all.map((category) => category[key])).toContain(listing[key]);
  });
});

describe('the condition of a listing', () => {
  test.each(['Excellent', 'Good', 'Fair'] as const)('may be %s', async (condition) => {
    expect((await aListing(t, seller, { condition })).condition).toBe(condition);
  });

  test('is none but these three', async () => {
    const body = { ...aDraft(seller, await aCategory(t, seller)), condition: 'Mint' };
    expect((await t.send('POST', '/api/categories', { as: seller, body })).statusCode).toBe(400);
  });
});

test.each(['category_id', 'category_name'])('a category has %s', async (key) => {
  const { category_id } = await aListing(t, seller);
  const all = (await read('/categoryName')) as unknown as Answer[];
  // The tests' categories are called as their ids are.
  expect(all.map((category) => category[key])).toContain(category_id);
});

describe('a booking', () => {
  let booking: Answer;
  let expected: Answer;
  beforeAll(async () => {
    const listing = await aListing(t, await aSeller(t));
    const { listingId: _copy, ...sent } = aBookingDraft(buyer, listing);
    const _id = await aBooking(t, buyer, listing);
    expected = { _id, ...sent, paid: false };
    booking = await read(`/bookings/${_id}`, { accessToken: buyer.accessToken });
  });

  test.each(['_id', 'title', 'buyer', 'email', 'image_url', 'phone', 'price', 'location', 'paid'])('has %s', (key) => {
    expect(booking).toHaveProperty(key, expected[key]);
    expect(expected[key]).toBeDefined();
  });
});
