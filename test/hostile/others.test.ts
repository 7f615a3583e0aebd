// What a curious member tries: ids and addresses of others in every place that takes one, others' keys, and fields that
// nobody may set.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bookCopy } from '#contract/bookings/bookings.ts';
import { testApp, type CallOptions, type TestApp } from '#test/app.ts';
import { aBookingDraft, aBuyer, aListing, aSeller, type TestUser } from '#test/make.ts';
import { setScene, type Scene } from '#test/matrix/scene.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';

let t: TestApp;
let scene: Scene;
/** Withdrawn: nobody but its seller and admins knows of it. */
let hidden: string;
/** What the buyer paid. */
let payment: string;
beforeAll(async () => {
  t = await testApp();
  scene = await setScene(t);
  hidden = (await aListing(t, scene.seller, { category_id: scene.category }))._id;
  await t.db.updateTable('listings').set(becoming('withdrawn')).where('id', '=', hidden).execute();
  const paid = t.db.selectFrom('payments').select('id').where('booking_id', '=', scene.paidBooking);
  payment = (await paid.executeTakeFirstOrThrow()).id;
});
afterAll(() => t.close());

interface Probe {
  readonly method: string;
  readonly url: (value: string) => string;
  readonly body?: (value: string) => object;
  /** Somebody else's, as it really is. */
  readonly theirs: () => string;
  /** What there is none of. */
  readonly none: () => string;
}

const anId = (): string => randomUUID();
const anAddress = (): string => encodeURIComponent('nobody-at-all@example.com');
const addressOf = (person: () => TestUser) => (): string => encodeURIComponent(person().email);
const byId = (method: string, path: string, theirs: () => string, body?: (value: string) => object): Probe => ({
  method,
  url: (id) => `/api${path.replace('ID', id)}`,
  theirs,
  none: anId,
  ...(body && { body }),
});
const byAddress = (method: string, path: string, person: () => TestUser): Probe => ({
  method,
  url: (address) => `/api${path.replace('ADDRESS', address)}`,
  theirs: addressOf(person),
  none: anAddress,
});

const PROBES: readonly Probe[] = [
  byId('GET', '/bookings/ID', () => scene.booking),
  byId('GET', '/bookings/ID', () => scene.paidBooking),
  byId('DELETE', '/bookings/ID', () => scene.booking),
  byId('POST', '/bookings/ID/refund', () => scene.paidBooking),
  byId('POST', '/money/payments/ID/refund', () => payment),
  byId(
    'POST',
    '/money/payments/ID/paid-otherwise',
    () => payment,
    () => ({ reference: 'Wire 7' }),
  ),
  byId(
    'POST',
    '/create-payment-intent',
    () => scene.booking,
    (bookingId) => ({ price: 7.5, bookingId }),
  ),
  byId('GET', '/orders/ID', () => scene.order),
  byId(
    'POST',
    '/orders/ID/moves',
    () => scene.order,
    () => ({ move: 'cancel' }),
  ),
  byId('GET', '/orders/ID/notes', () => scene.order),
  byId(
    'POST',
    '/orders/ID/notes',
    () => scene.order,
    () => ({ text: 'Let me in' }),
  ),
  byId('DELETE', '/account/sessions/ID', () => scene.session),
  byId(
    'PATCH',
    '/account/passkeys/ID',
    () => scene.passkey,
    () => ({ name: 'Mine now' }),
  ),
  byId('DELETE', '/account/passkeys/ID', () => scene.passkey),
  byId('GET', '/categories/ID', () => hidden),
  byId(
    'PATCH',
    '/categories/ID',
    () => hidden,
    () => ({ title: 'Mine now' }),
  ),
  byId('DELETE', '/categories/ID', () => hidden),
  byId('GET', '/products/ID/delivery', () => scene.copy._id),
  byId(
    'PUT',
    '/products/ID/delivery',
    () => scene.copy._id,
    () => ({ pickup: true }),
  ),
  byId('PUT', '/categories/ID/line', () => hidden),
  byId('GET', '/categories/ID/line', () => hidden),
  byId('PUT', '/categories/ID/relist', () => scene.refundedCopies.toRelist),
  byId('PUT', '/categories/ID/withdraw', () => scene.refundedCopies.toWithdraw),
  byId('DELETE', '/users/ID', () => scene.buyer.id),
  byId('PUT', '/users/admin/ID', () => scene.buyer.id),
  byId('PUT', '/users/verified/ID', () => scene.seller.id),
  byId('POST', '/deleted/users/ID/restore', () => scene.deleted.id),
  byId('POST', '/deleted/listings/ID/restore', () => hidden),
  byAddress('GET', '/jwt?email=ADDRESS', () => scene.buyer),
  byAddress('GET', '/users/admin/ADDRESS', () => scene.admin),
  byAddress('GET', '/users/buyer/ADDRESS', () => scene.buyer),
  byAddress('GET', '/users/seller/ADDRESS', () => scene.seller),
  byAddress('GET', '/bookings?email=ADDRESS', () => scene.buyer),
  byAddress('GET', '/bookings/my_buyers?email=ADDRESS', () => scene.seller),
  byAddress('GET', '/categories/my_products?email=ADDRESS', () => scene.seller),
  byAddress('PUT', '/users/buyer?email=ADDRESS', () => scene.seller),
  byAddress('PUT', '/users/seller?email=ADDRESS', () => scene.buyer),
];

describe('what is somebody else’s answers to the letter like what there is none of', () => {
  const ask = async (probe: Probe, value: string, as: TestUser): Promise<readonly [number, string]> => {
    const { statusCode, body } = await t.send(probe.method, probe.url(value), {
      as,
      ...(probe.body && { body: probe.body(value) }),
    });
    return [statusCode, body.replace(/"requestId":"[^"]*"/, '').replaceAll(value, 'VALUE')];
  };

  test.each(PROBES.map((probe) => [probe.method, probe.url('…'), probe] as const))('%s %s', async (_m, _u, probe) => {
    for (const stranger of [scene.otherBuyer, scene.otherSeller]) {
      const theirs = await ask(probe, probe.theirs(), stranger);
      expect(theirs).toEqual(await ask(probe, probe.none(), stranger));
      // Whether an address has a role is always answered, with no.
      if (!/"is(Admin|Buyer|Seller)":false/.test(theirs[1])) expect(theirs[0]).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('an Idempotency-Key', () => {
  const book = (as: TestUser, body: ReturnType<typeof aBookingDraft>, key: string) =>
    t.call(bookCopy, { body }, { as, headers: { 'idempotency-key': key } });

  test('of somebody else is no way to their answer, and no way to spoil it', async () => {
    const seller = await aSeller(t);
    const [first, second] = [await aListing(t, seller), await aListing(t, seller)];
    const [owner, thief] = [await aBuyer(t), await aBuyer(t)];
    const key = randomUUID();
    const made = await book(owner, aBookingDraft(owner, first), key);
    expect(made.status).toBe(201);
    // The same words, by somebody else: refused for the address in them, or for the copy that is gone.
    expect((await book(thief, aBookingDraft(owner, first), key)).status).toBe(409);
    expect((await book(thief, aBookingDraft(thief, first), key)).status).toBe(409);
    const own = await book(thief, aBookingDraft(thief, second), randomUUID());
    expect(own.body.insertedId).not.toBe(made.body.insertedId);
    const again = await book(owner, aBookingDraft(owner, first), key);
    expect([again.status, again.body.insertedId]).toEqual([201, made.body.insertedId]);
    expect((await book(owner, aBookingDraft(owner, second), key)).status).toBe(422);
  });
});

describe('fields that nobody may set are dropped or refused, and change nothing', () => {
  const RAISED = {
    _id: randomUUID(),
    id: randomUUID(),
    role: 'admin',
    roles: ['admin'],
    isAdmin: true,
    status: 'verified',
    verified: true,
    emailProven: true,
    email_verified: true,
    paid: true,
    price_cents: 1,
    deleted_at: null,
    prototype: { isAdmin: true },
  };
  const POLLUTING = { constructor: { prototype: { isAdmin: true } } };

  const personOf = async (id: string): Promise<object | undefined> =>
    (
      await sql<object>`SELECT email, is_admin, is_seller, is_buyer, verified, email_proven_at, deleted_at, password_hash FROM users WHERE id = ${id}`.execute(
        t.db,
      )
    ).rows[0];

  test.each([
    ['PATCH', '/api/account', (): object => ({ name: 'Ada', email: 'other@example.com' })],
    ['POST', '/api/users', (person: TestUser): object => ({ name: 'Ada', email: person.email })],
  ] as const)('%s %s', async (method, url, body) => {
    const person = await aBuyer(t);
    const before = await personOf(person.id);
    const options: CallOptions & { body: object } = { as: person, body: { ...body(person), ...RAISED } };
    expect((await t.send(method, url, options)).statusCode).toBe(200);
    const polluting = await t.send(method, url, { as: person, body: { ...body(person), ...POLLUTING } });
    expect(polluting.statusCode).toBe(400);
    expect(await personOf(person.id)).toEqual(before);
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });

  test('POST /api/bookings', async () => {
    const person = await aBuyer(t);
    const listing = await aListing(t, await aSeller(t));
    const made = await t.send('POST', '/api/bookings', {
      as: person,
      body: { ...aBookingDraft(person, listing), ...RAISED },
    });
    expect(made.statusCode).toBe(201);
    const { insertedId } = made.json() as { insertedId: string };
    expect(insertedId).not.toBe(RAISED._id);
    const booking = (await t.send('GET', `/api/bookings/${insertedId}`, { as: person })).json();
    expect(booking).toMatchObject({ paid: false, price: listing.resale_price, email: person.email, refunded: false });
  });
});
