import { once } from 'node:events';
import { get } from 'node:http';
import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addPasskey,
  deleteAccount,
  editAccount,
  passkeyToAdd,
  passkeyToSignIn,
  signInWithPasskey,
} from '#contract/users/account.ts';
import { deleteUser, makeAdmin } from '#contract/admin/admin.ts';
import { listListings, readListing } from '#contract/catalog/catalog.ts';
import { chooseMail } from '#contract/notices/notices.ts';
import { saveDelivery } from '#contract/delivery/delivery-calls.ts';
import { readSession, signIn, signUp } from '#contract/users/identity.ts';
import { createPaymentIntent, recordPayment } from '#contract/money/payments.ts';
import { releaseLapsedHolds } from '#server/payments/settlement/release.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { anAuthenticator } from '#test/sign-in/authenticator.ts';
import {
  aBooking,
  aBuyer,
  aListing,
  anAdmin,
  aSeller,
  aUser,
  credentialsOf,
  PASSWORD,
  type TestUser,
} from '#test/make.ts';
import { confirmCard } from '#test/money/pay.ts';
import { finishDepartures } from './departure.service.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const exportOf = async (as: TestUser) => {
  const answer = await t.app.inject({
    method: 'GET',
    url: '/api/account/export',
    headers: { authorization: `Bearer ${as.accessToken}` },
  });
  const files = answer.statusCode === 200 ? unzipSync(answer.rawPayload) : {};
  const read = (name: string) => JSON.parse(strFromU8(files[name] ?? new Uint8Array()));
  return {
    answer,
    names: Object.keys(files),
    read,
    text: Object.values(files)
      .map((file) => strFromU8(file))
      .join('\n'),
  };
};

const leave = (as: TestUser | undefined, confirm = 'DELETE') =>
  t.call(deleteAccount, { query: { confirm } }, { ...(as && { as }) });

const intentFor = async (buyer: TestUser, bookingId: string): Promise<string> =>
  (await t.call(createPaymentIntent, { body: { price: 7.5, bookingId } }, { as: buyer })).body.clientSecret;

const paidBooking = async (buyer: TestUser, seller: TestUser): Promise<string> => {
  const bookingId = await aBooking(t, buyer, await aListing(t, seller));
  const clientSecret = await intentFor(buyer, bookingId);
  await confirmCard(t.standinUrl, clientSecret, '4242424242424242');
  const transactionId = clientSecret.split('_secret')[0] ?? '';
  const body = { price: 7.5, transactionId, email: buyer.email, bookingId };
  expect((await t.call(recordPayment, { body }, { as: buyer })).status).toBe(200);
  return bookingId;
};

const addKey = async (as: TestUser) => {
  const key = anAuthenticator(t.config.publicUrl);
  const { options } = (await t.call(passkeyToAdd, {}, { as })).body;
  const { body } = await t.call(addPasskey, { body: { name: 'Key', passkey: key.create(options) } }, { as });
  return { key, codes: body.recoveryCodes ?? [] };
};

/** Where and how somebody's copies come to their buyers, and otherwise one of them. */
const sayDelivery = async (of: TestUser): Promise<void> => {
  const terms = { pickup: true, pickupPlace: 'The old mill', post: true, first: 4, further: 2, freeFrom: 40 };
  const body = { ...terms, countries: ['US'], daysToPost: 2 };
  expect((await t.call(saveDelivery, { body }, { as: of })).body.modifiedCount).toBe(1);
  const copies = await t.db.selectFrom('listings').select('id').where('seller_id', '=', of.id).execute();
  await t.db
    .insertInto('delivery_exceptions')
    .values(copies.map(({ id }) => ({ listing_id: id, first_cents: 950, countries: ['US'], free_from_own: true })))
    .execute();
};

const deliveryRowsOf = async ({ id }: TestUser): Promise<{ terms: number; exceptions: number }> => {
  const terms = await t.db.selectFrom('delivery_terms').select('seller_id').where('seller_id', '=', id).execute();
  const exceptions = await t.db
    .selectFrom('delivery_exceptions as e')
    .innerJoin('listings as l', 'l.id', 'e.listing_id')
    .select('l.id')
    .where('l.seller_id', '=', id)
    .execute();
  return { terms: terms.length, exceptions: exceptions.length };
};

const userRow = ({ id }: TestUser) =>
  t.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const bookingRow = (id: string) =>
  t.db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const unexpected = (error: unknown): never => {
  throw error;
};

describe('the export', () => {
  test('is a zip of JSON with everything about the person, and nothing secret or of anybody else', async () => {
    const user = await aUser(t, { roles: ['buyer', 'seller'], name: 'Ada Both' });
    const [seller, buyer, admin] = [await aSeller(t), await aBuyer(t), await anAdmin(t)];
    const bought = await paidBooking(user, seller);
    const sold = await paidBooking(buyer, user);
    await sayDelivery(user);
    const { codes } = await addKey(user);
    await t.call(editAccount, { body: { timeZone: 'Europe/Lisbon' } }, { as: user });
    await t.call(makeAdmin, { params: { id: user.id } }, { as: admin });
    const { answer, names, read, text } = await exportOf(user);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="dogear-my-data.zip"',
      'cache-control': 'no-store',
    });
    expect(names).toEqual(
      [
        'about',
        'profile',
        'sessions',
        'passkeys',
        'links',
        'devices',
        'wants',
        'watched',
        'delivery',
        'shelf-pause',
        'first-refusal',
        'listing-draft',
        'stock-files',
        'stock-edits',
        'programs',
        'listings',
        'bookings',
        'checkouts',
        'orders',
        'sold-orders',
        'notes',
        'reviews',
        'reviews-about-you',
        'payments',
        'sales',
        'payout-account',
        'payouts',
        'cards',
        'declarations',
        'seller-page',
        'notices',
        'mail-choices',
        'blocked',
        'reports',
        'decisions',
        'audit',
        'photos',
      ].map((name) => `${name}.json`),
    );
    expect(read('profile.json')).toMatchObject({
      email: user.email,
      name: 'Ada Both',
      time_zone: 'Europe/Lisbon',
      recovery_codes_left: 10,
    });
    expect(read('sessions.json')).toMatchObject([{ current: true }]);
    expect(read('passkeys.json')).toMatchObject([{ name: 'Key' }]);
    expect(read('delivery.json')).toMatchObject({ said: true, pickupPlace: 'The old mill', first: 4 });
    expect(read('listings.json')).toMatchObject([
      {
        status: 'sold',
        phone: '+1 555 0100',
        resale_price: 7.5,
        delivery: { first: 9.5, countries: ['US'], freeFrom: 'never' },
      },
    ]);
    expect(read('bookings.json')).toMatchObject([{ id: bought, phone: '+1 555 0199', price: 7.5 }]);
    expect(read('orders.json')).toMatchObject([
      { state: 'paid', delivery: 'pickup', timeline: [{ move: 'settle', by: 'settle' }] },
    ]);
    expect(read('sold-orders.json')).toMatchObject([{ state: 'paid', problem: null }]);
    expect(read('payments.json')).toMatchObject([
      { booking_id: bought, amount: 7.5, transaction_id: expect.stringMatching(/^pi_/) },
    ]);
    expect(read('sales.json')).toMatchObject([{ booking_id: sold, amount: 7.5 }]);
    expect(read('audit.json')).toMatchObject([{ action: 'user made admin', by: 'an admin' }]);
    const { token_hash } = await t.db
      .selectFrom('sessions')
      .select('token_hash')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow();
    const secrets = [
      (await userRow(user)).password_hash ?? '',
      user.cookie.split('=')[1] ?? '',
      token_hash.toString('hex'),
      codes[0] ?? '',
      ...[seller, buyer, admin].flatMap(({ email, id }) => [email, id]),
    ];
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  test('goes through lists of any length', async () => {
    const seller = await aSeller(t);
    const { category_id } = await aListing(t, seller);
    await sql`INSERT INTO listings (seller_id, category_id, title, original_cents, resale_cents, years_of_use, location, phone, details, condition, published_at)
      SELECT ${seller.id}, ${category_id}, 'Copy ' || n, 100, 100, 1, 'x', 'x', 'x', 'Good', now() - (n % 7) * interval '1 day'
      FROM generate_series(1, 1200) AS n`.execute(t.db);
    const { read } = await exportOf(seller);
    const titles = (read('listings.json') as { id: string }[]).map(({ id }) => id);
    expect([titles.length, new Set(titles).size]).toEqual([1201, 1201]);
  });

  test('is for the person alone, ten times an hour, and two at a time in a process', async () => {
    expect((await t.send('GET', '/api/account/export')).statusCode).toBe(401);
    const user = await aBuyer(t);
    expect((await t.send('GET', '/api/account/export', { as: { cookie: user.cookie } })).statusCode).toBe(401);
    const at = await t.listen();
    const headers = { authorization: `Bearer ${user.accessToken}` };
    const fetched = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const answer = await fetch(`${at}/api/account/export`, { headers });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    expect(fetched.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
    expect(fetched.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    // Whoever gives up half way leaves room for the next.
    for (let n = 0; n < 3; n += 1) {
      const asking = get(`${at}/api/account/export`, { headers, agent: false });
      const [answer] = await once(asking, 'response');
      answer.destroy();
    }
    await expect.poll(async () => (await exportOf(await aBuyer(t))).answer.statusCode).toBe(200);
    let last = 200;
    for (let n = 0; n < 11 && last !== 429; n += 1) last = (await exportOf(user)).answer.statusCode;
    expect(last).toBe(429);
  });
});

describe('deleting the own account', () => {
  test('ends sessions and ways in, frees the address and forgets who it was', async () => {
    const user = await aUser(t, { roles: ['buyer', 'seller'], name: 'Gone Girl' });
    const { key } = await addKey(user);
    await t.call(editAccount, { body: { timeZone: 'Europe/Lisbon' } }, { as: user });
    await t.call(chooseMail, { body: { notMailed: ['line'] } }, { as: user });
    await aBooking(t, user, await aListing(t, await aSeller(t)));
    const other = await credentialsOf(t, user.email);
    const answer = await leave(user, 'delete');
    expect([answer.status, answer.body]).toEqual([200, { deletedCount: 1 }]);
    expect(answer.headers['set-cookie']).toMatch(/^dogear=; .*Max-Age=0/);
    for (const { cookie, accessToken } of [user, other]) {
      expect((await t.call(readSession, {}, { as: { cookie } })).body.user).toBeNull();
      expect((await t.send('GET', '/api/account', { as: { accessToken } })).statusCode).toBe(401);
    }
    expect((await t.call(signIn, { body: { email: user.email, password: PASSWORD } })).status).toBe(401);
    const { options } = (await t.call(passkeyToSignIn, {})).body;
    expect((await t.call(signInWithPasskey, { body: { passkey: key.get(options) } })).status).toBe(401);
    expect(await userRow(user)).toMatchObject({
      email: `deleted-${user.id}@deleted.invalid`,
      name: 'Deleted user',
      photo_url: '',
      time_zone: '',
      password_hash: null,
      deleted_at: expect.any(Date),
    });
    for (const table of ['passkeys', 'recovery_codes', 'devices', 'sessions', 'notices', 'mail_choices'] as const) {
      expect(await t.db.selectFrom(table).select('user_id').where('user_id', '=', user.id).execute()).toEqual([]);
    }
    // The second sign-in was told by mail.
    expect(await t.db.selectFrom('outbox').select('id').where('to_email', '=', user.email).execute()).toEqual([]);
    const deeds = await t.db.selectFrom('audit_entries').selectAll().where('subject_id', '=', user.id).execute();
    expect(deeds).toMatchObject([{ action: 'own account deleted', actor_id: user.id }]);
    const again = await t.call(signUp, { body: { name: 'New', email: user.email, password: 'Secret#1' } });
    expect([again.status, again.body.user?.roles]).toEqual([201, []]);
  });

  test('gives unpaid bookings back, nameless, and what had just been paid stands', async () => {
    const [buyer, seller] = [await aBuyer(t), await aSeller(t)];
    const unpaidCopy = await aListing(t, seller);
    const unpaid = await aBooking(t, buyer, unpaidCopy);
    await intentFor(buyer, unpaid);
    const justPaid = await aBooking(t, buyer, await aListing(t, seller));
    await confirmCard(t.standinUrl, await intentFor(buyer, justPaid), '4242424242424242');
    expect((await leave(buyer)).status).toBe(200);
    const { buyer_name, buyer_email, phone, location } = await bookingRow(unpaid);
    expect([buyer_name, buyer_email, phone, location]).toEqual(['Deleted user', '', '', '']);
    expect((await bookingRow(justPaid)).paid_at).not.toBeNull();
    expect((await bookingRow(unpaid)).cancelled_at).not.toBeNull();
    expect((await t.call(readListing, { params: { id: unpaidCopy._id } })).body.status).toBe('Available');
  });

  test("takes a seller's copies off the shelves; a held one stays with its buyer, and is forgotten when its time is over", async () => {
    const [buyer, seller] = [await aBuyer(t), await aSeller(t)];
    const [free, held] = [await aListing(t, seller), await aListing(t, seller)];
    await aBooking(t, buyer, held);
    await sayDelivery(seller);
    expect((await leave(seller)).status).toBe(200);
    expect(await deliveryRowsOf(seller)).toEqual({ terms: 1, exceptions: 1 });
    const onShelf = await t.call(listListings, { query: {} });
    expect(onShelf.body.map(({ _id }) => _id)).not.toContain(free._id);
    const phoneOf = async (id: string) =>
      await t.db.selectFrom('listings').select(['phone', 'status']).where('id', '=', id).executeTakeFirstOrThrow();
    expect(await phoneOf(free._id)).toEqual({ phone: '', status: 'withdrawn' });
    expect(await phoneOf(held._id)).toEqual({ phone: '+1 555 0100', status: 'held' });
    await t.db
      .updateTable('holds')
      .set({ expires_at: new Date(0) })
      .where('buyer_id', '=', buyer.id)
      .execute();
    await releaseLapsedHolds(t.payments, unexpected);
    await finishDepartures(t.db, t.config.orders.addressDays, unexpected);
    expect(await phoneOf(held._id)).toEqual({ phone: '', status: 'withdrawn' });
    expect(await deliveryRowsOf(seller)).toEqual({ terms: 0, exceptions: 0 });
    expect(
      await t.db.selectFrom('departures').select('finished_at').where('user_id', '=', seller.id).execute(),
    ).toEqual([{ finished_at: expect.any(Date) }]);
  });

  test('needs a fresh sign-in and the word; nobody is 401, and nothing happens', async () => {
    const user = await aBuyer(t);
    expect((await leave(undefined)).status).toBe(401);
    const wordless = await leave(user, 'yes');
    expect([wordless.status, wordless.body.error?.fields]).toEqual([400, { confirm: 'Type DELETE' }]);
    await sql`UPDATE sessions SET signed_in_at = now() - interval '16 minutes' WHERE user_id = ${user.id}`.execute(
      t.db,
    );
    const stale = await leave(user);
    expect([stale.status, stale.body.deletedCount, stale.body.error?.code]).toEqual([403, 0, 'fresh_sign_in_needed']);
    expect((await userRow(user)).deleted_at).toBeNull();
  });

  test('is not for the last admin; of the last two who leave at once one stays', async () => {
    await t.db.updateTable('users').set({ is_admin: false }).execute();
    const admins = [await anAdmin(t), await anAdmin(t)];
    const answers = await Promise.all(admins.map((admin) => leave(admin)));
    expect(answers.map(({ status, body }) => [status, body.error?.code]).sort()).toEqual([
      [200, undefined],
      [409, 'last_admin'],
    ]);
    const left = await t.db
      .selectFrom('users')
      .select('id')
      .where('is_admin', '=', true)
      .where('deleted_at', 'is', null)
      .execute();
    expect(left).toHaveLength(1);
  });

  test('is another thing than being deleted by an admin, who may want to undo it: that forgets nothing', async () => {
    const [admin, user] = [await anAdmin(t), await aUser(t, { roles: ['buyer'], name: 'Kept Name' })];
    await t.call(deleteUser, { params: { id: user.id } }, { as: admin });
    await finishDepartures(t.db, t.config.orders.addressDays, unexpected);
    expect(await userRow(user)).toMatchObject({ email: user.email, name: 'Kept Name' });
  });
});
