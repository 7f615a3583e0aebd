// The calls as the specification writes them: paths, keys and refusals spelled out here, and not taken from the
// contract.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Listing } from '#contract/catalog/catalog.ts';
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
  type TestUser,
} from '#test/make.ts';
import { confirmCard } from '#test/money/pay.ts';
import { aName, by, callsOf, rowsOf } from './ask.ts';

let t: TestApp;
let admin: TestUser;
let seller: TestUser;
let buyer: TestUser;
let category: string;
let ask: ReturnType<typeof callsOf>['ask'];
let statuses: ReturnType<typeof callsOf>['statuses'];

beforeAll(async () => {
  t = await testApp();
  ({ ask, statuses } = callsOf(t));
  [admin, seller, buyer] = await Promise.all([anAdmin(t), aSeller(t), aBuyer(t)]);
  category = await aCategory(t, seller);
});
afterAll(() => t.close());

describe('GET /categories', () => {
  test('needs no proof of who asks', async () => {
    expect((await ask('GET', '/categories')).statusCode).toBe(200);
  });

  test('answers all listings', async () => {
    const made = [await aListing(t, seller), await aListing(t, seller, { category_id: category })];
    const listed = rowsOf(await ask('GET', '/categories?limit=100'));
    expect(listed.map(({ _id }) => _id)).toEqual(expect.arrayContaining(made.map(({ _id }) => _id)));
  });
});

describe('POST /categories', () => {
  const SENT = {
    image_url: 'https://images.example/another.jpg',
    title: 'Their Eyes Were Watching God',
    original_price: 21,
    resale_price: 8.25,
    phone: '+1 555 0142',
    location: 'Eatonville',
    years_of_use: 4,
    details: 'A name on the flyleaf.',
    condition: 'Fair',
  } as const;
  const draft = (more: Record<string, unknown> = {}) => ({ ...aDraft(seller, category), ...SENT, ...more });

  test('needs the token of a seller', async () => {
    expect(await statuses('POST', '/categories', [undefined, buyer, seller], draft())).toEqual([401, 403, 201]);
  });

  test.each(['email', 'Seller'])('takes %s, and no other than one’s own', async (key) => {
    const wrong = await ask('POST', '/categories', by(seller), draft({ [key]: 'else@example.com' }));
    const missing = await ask('POST', '/categories', by(seller), draft({ [key]: undefined }));
    expect([wrong.statusCode, missing.statusCode]).toEqual([403, 400]);
  });

  test('takes category_id', async () => {
    const { insertedId } = (await ask('POST', '/categories', by(seller), draft())).json();
    const shelf = rowsOf(await ask('GET', `/category/${category}?limit=100`));
    expect(shelf.map(({ _id }) => _id)).toContain(insertedId);
  });

  test('takes category_name, and no other than the category has', async () => {
    const send = async (category_name: unknown): Promise<number> =>
      (await ask('POST', '/categories', by(seller), draft({ category_name }))).statusCode;
    // In this scene a category is called by its id.
    expect([await send(category), await send(` ${category} `), await send(undefined)]).toEqual([201, 201, 201]);
    expect([await send('Another'), await send(7)]).toEqual([409, 400]);
  });

  test.each(Object.keys(SENT) as (keyof typeof SENT)[])('takes %s', async (key) => {
    const { insertedId } = (await ask('POST', '/categories', by(seller), draft())).json();
    expect((await ask('GET', `/categories/${insertedId}`, by(seller))).json()[key]).toBe(SENT[key]);
  });

  test('answers acknowledged and insertedId', async () => {
    const answer = await ask('POST', '/categories', by(seller), draft());
    expect(answer.json()).toEqual({ acknowledged: true, insertedId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });
});

describe('GET /categories/my_products?email=', () => {
  test('needs the token of that seller', async () => {
    const path = `/categories/my_products?email=${seller.email}`;
    expect(await statuses('GET', path, [undefined, await aSeller(t), seller])).toEqual([401, 403, 200]);
  });

  test('answers the seller’s listings', async () => {
    const person = await aSeller(t);
    const { _id } = await aListing(t, person);
    await aListing(t, seller, { category_id: category });
    const listed = rowsOf(await ask('GET', `/categories/my_products?email=${person.email}`, by(person)));
    expect(listed.map((one) => one._id)).toEqual([_id]);
  });
});

describe('DELETE /categories/{id}', () => {
  test('needs the token of its seller', async () => {
    const { _id } = await aListing(t, seller, { category_id: category });
    const people = [undefined, await aSeller(t), seller];
    expect(await statuses('DELETE', `/categories/${_id}`, people)).toEqual([401, 404, 200]);
  });

  test('answers deletedCount', async () => {
    const { _id } = await aListing(t, seller, { category_id: category });
    expect((await ask('DELETE', `/categories/${_id}`, by(seller))).json()).toEqual({ deletedCount: 1 });
  });
});

describe('GET /category/{id}', () => {
  test('needs no proof of who asks', async () => {
    expect((await ask('GET', `/category/${category}`)).statusCode).toBe(200);
  });

  test('answers the listings of one category', async () => {
    const { _id, category_id } = await aListing(t, seller);
    await aListing(t, seller, { category_id: category });
    const listed = rowsOf(await ask('GET', `/category/${category_id}`));
    expect(listed.map((one) => one._id)).toEqual([_id]);
  });
});

describe('POST /bookings', () => {
  /** What the specification sends, for a copy like no other: it has no id of the copy. */
  const draft = async (person: TestUser): Promise<Record<string, unknown>> => {
    const listing = await aListing(t, seller, { category_id: category, title: `A copy of ${aName()}` });
    const { listingId: _id, ...sent } = aBookingDraft(person, listing);
    return sent;
  };

  test('needs no more than a buyer’s token', async () => {
    const person = await aBuyer(t);
    expect(await statuses('POST', '/bookings', [undefined, seller, person], await draft(person))).toEqual([
      401, 403, 201,
    ]);
  });

  test.each(['title', 'image_url'])('takes %s, by which the copy is found', async (key) => {
    const person = await aBuyer(t);
    const sent = await draft(person);
    const wrong = await ask('POST', '/bookings', by(person), { ...sent, [key]: 'https://images.example/none.jpg' });
    const missing = await ask('POST', '/bookings', by(person), { ...sent, [key]: undefined });
    const right = await ask('POST', '/bookings', by(person), sent);
    expect([wrong.statusCode, missing.statusCode, right.statusCode]).toEqual([404, 400, 201]);
  });

  test('takes price, and no other than the copy’s', async () => {
    const person = await aBuyer(t);
    const listing = await aListing(t, seller, { category_id: category });
    const sent = { ...aBookingDraft(person, listing), price: 0.5 };
    expect((await ask('POST', '/bookings', by(person), sent)).statusCode).toBe(409);
  });

  test('takes email, and no other than one’s own', async () => {
    const person = await aBuyer(t);
    const sent = await draft(person);
    expect((await ask('POST', '/bookings', by(person), { ...sent, email: buyer.email })).statusCode).toBe(409);
  });

  test('takes buyer, and no other than one’s own name', async () => {
    const person = await aBuyer(t);
    const sent = await draft(person);
    const statusOf = async (name: unknown) =>
      (await ask('POST', '/bookings', by(person), { ...sent, buyer: name })).statusCode;
    expect([await statusOf(7), await statusOf('Somebody Else'), await statusOf(person.name)]).toEqual([400, 409, 201]);
  });

  test.each(['phone', 'location'])('takes %s', async (key) => {
    const person = await aBuyer(t);
    const sent = { ...(await draft(person)), phone: '+1 555 0177', location: 'Olympia' };
    const { insertedId } = (await ask('POST', '/bookings', by(person), sent)).json();
    const booking = (await ask('GET', `/bookings/${insertedId}`, by(person))).json();
    expect(booking[key]).toBe(sent[key as keyof typeof sent]);
  });

  test('answers acknowledged', async () => {
    const person = await aBuyer(t);
    const answer = await ask('POST', '/bookings', by(person), await draft(person));
    expect(answer.json()).toMatchObject({ acknowledged: true });
  });
});

describe('a booking', () => {
  let person: TestUser;
  let listing: Listing;
  let id: string;
  beforeAll(async () => {
    person = await aBuyer(t);
    listing = await aListing(t, seller, { category_id: category });
    id = await aBooking(t, person, listing);
  });

  test('GET /bookings?email= needs the token of that buyer', async () => {
    expect(await statuses('GET', `/bookings?email=${person.email}`, [undefined, buyer, person])).toEqual([
      401, 403, 200,
    ]);
  });

  test('GET /bookings?email= answers the buyer’s bookings', async () => {
    const listed = rowsOf(await ask('GET', `/bookings?email=${person.email}`, by(person)));
    expect(listed.map(({ _id }) => _id)).toEqual([id]);
  });

  test('GET /bookings/{id} is for those it concerns', async () => {
    const people = [undefined, buyer, person, seller, admin];
    expect(await statuses('GET', `/bookings/${id}`, people)).toEqual([401, 404, 200, 200, 200]);
  });

  test('GET /bookings/{id} answers one booking', async () => {
    expect((await ask('GET', `/bookings/${id}`, by(person))).json()).toMatchObject({ _id: id, title: listing.title });
  });
});

describe('POST /create-payment-intent', () => {
  test('needs the token of a buyer', async () => {
    const person = await aBuyer(t);
    const listing = await aListing(t, seller, { category_id: category });
    await aBooking(t, person, listing);
    const body = { price: listing.resale_price };
    expect(await statuses('POST', '/create-payment-intent', [undefined, seller, person], body)).toEqual([
      401, 403, 200,
    ]);
  });

  test('takes price, by which the unpaid booking is found', async () => {
    const person = await aBuyer(t);
    const listing = await aListing(t, seller, { category_id: category });
    await aBooking(t, person, listing);
    const wrong = await ask('POST', '/create-payment-intent', by(person), { price: listing.resale_price + 1 });
    const missing = await ask('POST', '/create-payment-intent', by(person), {});
    expect([wrong.statusCode, missing.statusCode]).toEqual([409, 400]);
  });

  test('answers clientSecret', async () => {
    const person = await aBuyer(t);
    const listing = await aListing(t, seller, { category_id: category });
    await aBooking(t, person, listing);
    const answer = await ask('POST', '/create-payment-intent', by(person), { price: listing.resale_price });
    expect(answer.json()).toMatchObject({ clientSecret: expect.stringMatching(/^pi_\w+_secret_\w+$/) });
  });
});

describe('POST /payments', () => {
  /** Everything up to the moment in which the card was charged; answers what the browser then sends. */
  const charged = async (): Promise<{ person: TestUser; body: Record<string, unknown> }> => {
    const person = await aBuyer(t);
    const listing = await aListing(t, seller, { category_id: category });
    const bookingId = await aBooking(t, person, listing);
    const price = listing.resale_price;
    const { clientSecret } = (await ask('POST', '/create-payment-intent', by(person), { price })).json();
    const intent = await confirmCard(t.standinUrl, clientSecret, '4242424242424242');
    return { person, body: { price, transactionId: intent['id'], email: person.email, bookingId } };
  };

  test('needs the token of the buyer', async () => {
    const { person, body } = await charged();
    expect(await statuses('POST', '/payments', [undefined, seller, person], body)).toEqual([401, 403, 200]);
  });

  test.each([
    ['price', 0.5, 409],
    ['transactionId', 'pi_unknown', 409],
    ['email', 'else@example.com', 403],
    ['bookingId', randomUUID(), 404],
  ])('takes %s, and no other than the right one', async (key, wrong, status) => {
    const { person, body } = await charged();
    const answers = [
      await ask('POST', '/payments', by(person), { ...body, [key]: wrong }),
      await ask('POST', '/payments', by(person), { ...body, [key]: undefined }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([status, 400]);
  });

  test('answers insertedId', async () => {
    const { person, body } = await charged();
    const answer = await ask('POST', '/payments', by(person), body);
    expect(answer.json()).toEqual({ insertedId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });
});
