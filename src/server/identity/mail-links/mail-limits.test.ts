import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changePassword } from '#contract/users/account.ts';
import { bookCopy } from '#contract/bookings/bookings.ts';
import { readSession, signIn, signUp } from '#contract/users/identity.ts';
import { forgotPassword, sendConfirmation } from '#contract/users/mail-links.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBookingDraft, aBuyer, aListing, aSeller, aUser, credentialsOf, PASSWORD } from '#test/make.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const anAddress = (): string => `u${randomUUID().slice(0, 12)}@example.com`;
const kindsTo = async (email: string): Promise<string[]> => {
  await t.mailTo(email);
  const rows = await t.db
    .selectFrom('outbox')
    .select('kind')
    .where('to_email', '=', email)
    .orderBy('queued_at')
    .execute();
  return rows.map(({ kind }) => kind);
};
/** Signs in as a browser does that keeps no cookies. */
const signInAnew = async (email: string, times: number): Promise<void> => {
  for (let n = 0; n < times; n += 1) {
    expect((await t.call(signIn, { body: { email, password: PASSWORD } })).status).toBe(200);
  }
};
/** Lets the mails to an address be this much older. */
const age = (email: string, interval: string) =>
  sql`UPDATE outbox SET queued_at = queued_at - ${interval}::interval WHERE to_email = ${email}`.execute(t.db);

describe('mail that somebody else can cause', () => {
  test('is welcome and confirmation alone to an address that nobody has proven', async () => {
    const email = anAddress();
    await t.call(signUp, { body: { name: 'Not Me', email, password: PASSWORD } });
    await signInAnew(email, 5);
    const body = { current: PASSWORD, password: 'Another#1' };
    const as = await credentialsOf(t, email);
    expect((await t.call(changePassword, { body }, { as })).status).toBe(200);
    expect(await kindsTo(email)).toEqual(['welcome']);
    await t.call(sendConfirmation, {}, { as });
    expect(await kindsTo(email)).toEqual(['welcome', 'confirm-again']);
  });

  test('tells sign-ins and password changes one by one three times an hour, and more of them as one', async () => {
    const user = await aUser(t);
    await signInAnew(user.email, 12);
    const body = { current: PASSWORD, password: 'Another#1' };
    expect((await t.call(changePassword, { body }, { as: user })).status).toBe(200);
    expect((await kindsTo(user.email)).toSorted()).toEqual([
      'account-news',
      'new-sign-in',
      'new-sign-in',
      'new-sign-in',
    ]);
    const [digest] = await sql<{ waits: boolean }>`
      SELECT next_try_at > now() AS waits FROM outbox WHERE to_email = ${user.email} AND kind = 'account-news'`
      .execute(t.db)
      .then(({ rows }) => rows);
    expect(digest?.waits).toBe(true);
  });

  test('is ten an hour and thirty a day, but a link to a new password once an hour in any case', async () => {
    const user = await aUser(t);
    const fill = (count: number) =>
      sql`INSERT INTO outbox (key, kind, to_email, to_name, data, sent_at)
        SELECT gen_random_uuid()::text, 'confirm-again', ${user.email}, '', '{}', now() FROM generate_series(1, ${count}::int)`.execute(
        t.db,
      );
    const resets = async (): Promise<number> => (await kindsTo(user.email)).filter((kind) => kind === 'reset').length;
    const forgot = async (): Promise<void> => {
      // Not what is looked at here: five requests an hour.
      await sql`DELETE FROM attempt_counters`.execute(t.db);
      await t.call(forgotPassword, { body: { email: user.email } });
    };
    await fill(10);
    await forgot();
    expect(await resets()).toBe(1);
    await forgot();
    expect(await resets()).toBe(1);
    await age(user.email, '1 hour');
    await forgot();
    await forgot();
    expect(await resets()).toBe(3);
    await fill(17);
    await age(user.email, '2 hours');
    await forgot();
    await forgot();
    expect(await resets()).toBe(4);
    await age(user.email, '1 day');
    await forgot();
    await forgot();
    expect(await resets()).toBe(6);
  });

  test('tells of bookings within the ten as long as the address is not proven', async () => {
    const [seller, buyer] = [await aSeller(t), await aBuyer(t)];
    const book = async (): Promise<void> => {
      const listing = await aListing(t, seller);
      expect((await t.call(bookCopy, { body: aBookingDraft(buyer, listing) }, { as: buyer })).status).toBe(201);
    };
    await sql`INSERT INTO outbox (key, kind, to_email, to_name, data, sent_at)
      SELECT gen_random_uuid()::text, 'booking-made', ${buyer.email}, '', '{}', now() FROM generate_series(1, 9)`.execute(
      t.db,
    );
    await t.db.updateTable('users').set({ email_proven_at: null }).where('id', '=', buyer.id).execute();
    await book();
    await book();
    expect(await kindsTo(buyer.email)).toHaveLength(10);
    await t.db.updateTable('users').set({ email_proven_at: new Date() }).where('id', '=', buyer.id).execute();
    await book();
    expect(await kindsTo(buyer.email)).toHaveLength(11);
  });
});

test('an account has 50 sessions and 50 known browsers at most; those used longest ago go', async () => {
  const user = await aUser(t);
  await sql`INSERT INTO sessions (token_hash, user_id, expires_at, used_at)
    SELECT sha256(convert_to(${user.id} || n, 'UTF8')), ${user.id}, now() + interval '1 day', now() - n * interval '1 minute'
    FROM generate_series(1, 60) AS n`.execute(t.db);
  await sql`INSERT INTO devices (token_hash, user_id, used_at)
    SELECT sha256(convert_to(${user.id} || n, 'UTF8')), ${user.id}, now() - n * interval '1 minute'
    FROM generate_series(1, 60) AS n`.execute(t.db);
  const { cookie } = await credentialsOf(t, user.email);
  for (const table of ['sessions', 'devices'] as const) {
    const { rows } = await sql<{ count: number; oldest: number }>`
      SELECT count(*)::int AS count, round(extract(epoch FROM now() - min(used_at)) / 60)::int AS oldest
      FROM ${sql.table(table)} WHERE user_id = ${user.id}`.execute(t.db);
    expect(rows).toEqual([{ count: 50, oldest: 48 }]);
  }
  expect((await t.call(readSession, {}, { as: { cookie } })).body.user?.uid).toBe(user.id);
  expect((await t.call(readSession, {}, { as: { cookie: user.cookie } })).body.user?.uid).toBe(user.id);
});
