import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { becomeBuyer, becomeSeller, readSession, saveProfile, signIn, signUp } from '#contract/users/identity.ts';
import { forgotPassword } from '#contract/users/mail-links.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aUser, PASSWORD, type TestUser } from '#test/make.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({
    env: {
      DOGEAR_MODE: 'production',
      PUBLIC_URL: 'https://shop.example',
      DATABASE_URL: 'postgres://unused',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
      SMTP_URL: 'smtp://127.0.0.1:9',
    },
  });
});
afterAll(() => t.close());

const isSignedIn = async (user: TestUser): Promise<boolean> =>
  (await t.call(readSession, {}, { as: { cookie: user.cookie } })).body.user !== null;

const takesToken = async (user: TestUser): Promise<boolean> => {
  const body = { name: user.name, email: user.email };
  return (await t.call(saveProfile, { body }, { as: { accessToken: user.accessToken } })).status === 200;
};

const age = (user: TestUser, column: 'used_at' | 'created_at', interval: string) =>
  sql`UPDATE sessions SET ${sql.ref(column)} = ${sql.ref(column)} - ${interval}::interval
    WHERE user_id = ${user.id}`.execute(t.db);

describe("an admin's session in production", () => {
  test('ends after 30 minutes without use', async () => {
    const admin = await aUser(t, { roles: ['admin'] });
    await age(admin, 'used_at', '29 minutes');
    expect(await isSignedIn(admin)).toBe(true);
    await age(admin, 'used_at', '31 minutes');
    expect(await isSignedIn(admin)).toBe(false);
    expect(await takesToken(admin)).toBe(false);
  });

  test('ends after 12 hours, also when they became an admin meanwhile, and so does its cookie', async () => {
    const user = await aUser(t, { roles: ['seller'] });
    await age(user, 'created_at', '12 hours 1 minute');
    expect(await isSignedIn(user)).toBe(true);
    await t.db.updateTable('users').set({ is_admin: true }).where('id', '=', user.id).execute();
    expect(await isSignedIn(user)).toBe(false);
    const again = await t.call(signIn, { body: { email: user.email, password: PASSWORD } });
    expect(String(again.headers['set-cookie'])).toContain('Max-Age=43200');
  });

  test('of everybody else lasts as usual', async () => {
    const seller = await aUser(t, { roles: ['seller'] });
    await age(seller, 'used_at', '6 days');
    expect(await isSignedIn(seller)).toBe(true);
  });
});

describe('an address that is not proven', () => {
  const choose = (user: TestUser, become: typeof becomeSeller | typeof becomeBuyer) =>
    t.call(become, { query: { email: user.email } }, { as: user });

  test('may buy but not sell until it is', async () => {
    const user = await aUser(t);
    await t.db.updateTable('users').set({ email_proven_at: null }).where('id', '=', user.id).execute();
    const refused = await choose(user, becomeSeller);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      modifiedCount: 0,
      error: { code: 'forbidden', message: /confirm your email/ },
    });
    expect((await choose(user, becomeBuyer)).body.modifiedCount).toBe(1);
    await t.db.updateTable('users').set({ email_proven_at: new Date() }).where('id', '=', user.id).execute();
    expect((await choose(user, becomeSeller)).body.modifiedCount).toBe(1);
  });
});

describe('signing up from one network', () => {
  const signUpFrom = (ip: string, headers: Record<string, string> = {}) => {
    const body = { name: 'Ada', email: `u${randomUUID().slice(0, 12)}@example.com`, password: 'Secret#1' };
    return t.call(signUp, { body }, { ip, headers });
  };

  test('is limited to 20 an hour, told with Retry-After, and forged headers do not help', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => signUpFrom('192.0.2.1')));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = await signUpFrom('192.0.2.1', { 'x-forwarded-for': '192.0.2.99', forwarded: 'for=192.0.2.98' });
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ user: null, error: { code: 'too_many' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
    expect((await signUpFrom('192.0.2.2')).status).toBe(201);
    await sql`UPDATE attempt_counters SET window_started_at = window_started_at - interval '1 hour'`.execute(t.db);
    expect((await signUpFrom('192.0.2.1')).status).toBe(201);
  });

  test('counts taken addresses, and not what the form refuses', async () => {
    const taken = await aUser(t);
    const body = { name: 'Ada', email: taken.email, password: 'Secret#1' };
    for (let n = 0; n < 25; n += 1) await t.call(signUp, { body: { ...body, password: 'x' } }, { ip: '192.0.2.3' });
    const answers = await Promise.all(Array.from({ length: 21 }, () => t.call(signUp, { body }, { ip: '192.0.2.3' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(20).fill(409), 429]);
  });

  test('takes all addresses of an IPv6 household for one, and a mapped IPv4 address for itself', async () => {
    const household = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:0DB8:0001:0002:1:2:3:4'];
    await Promise.all(Array.from({ length: 20 }, (_, n) => signUpFrom(household[n % household.length] ?? '')));
    expect((await signUpFrom('2001:db8:1:2:a:b:c:d')).status).toBe(429);
    expect((await signUpFrom('2001:db8:1:3::1')).status).toBe(201);
    await Promise.all(Array.from({ length: 20 }, () => signUpFrom('::ffff:192.0.2.4')));
    expect((await signUpFrom('192.0.2.4')).status).toBe(429);
    expect((await signUpFrom('::1')).status).toBe(201);
  });
});

test('asking for new passwords from one network is limited to 20 an hour, and forged headers do not help', async () => {
  const ask = (ip: string, headers: Record<string, string> = {}) =>
    t.call(forgotPassword, { body: { email: `u${randomUUID().slice(0, 12)}@example.com` } }, { ip, headers });
  const answers = await Promise.all(Array.from({ length: 25 }, () => ask('192.0.2.9')));
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(20);
  const refused = await ask('192.0.2.9', { 'x-forwarded-for': '192.0.2.99' });
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({ accepted: false, error: { code: 'too_many' } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
  expect((await ask('192.0.2.10')).status).toBe(202);
});

test('a /48 of IPv6 asks for new passwords and makes accounts as often as five networks, however many of its networks are used', async () => {
  const ask = (network: number) => {
    const body = { email: `u${randomUUID().slice(0, 12)}@example.com` };
    return t.call(forgotPassword, { body }, { ip: `2001:db8:48:${network.toString(16)}::1` });
  };
  const answers: number[] = [];
  for (let network = 0; network < 102; network += 1) answers.push((await ask(network)).status);
  expect(answers).toEqual([...Array<number>(100).fill(202), 429, 429]);
  const signUpFrom = (network: number) => {
    const body = { name: 'Ada', email: `u${randomUUID().slice(0, 12)}@example.com`, password: 'Secret#1' };
    return t.call(signUp, { body }, { ip: `2001:db8:49:${network.toString(16)}::1` });
  };
  expect((await signUpFrom(1)).status).toBe(201);
  await sql`UPDATE attempt_counters SET attempts = 100 WHERE kind = 'sign-up, by /48'`.execute(t.db);
  expect((await signUpFrom(2)).status).toBe(429);
});

test('the mailbox stand-in is not there in production', async () => {
  for (const url of ['/standins/mailbox', '/standins/mailbox/', '/standins/mailbox/address']) {
    expect((await t.send('GET', url)).statusCode).toBe(404);
  }
});
