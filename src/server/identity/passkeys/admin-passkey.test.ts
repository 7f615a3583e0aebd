import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addPasskey,
  passkeyToAdd,
  passkeyToConfirm,
  passkeyToSignIn,
  readAccount,
  removePasskey,
  renewRecoveryCodes,
  reauthenticate,
  signInWithPasskey,
} from '#contract/users/account.ts';
import {
  deleteUser,
  listSellers,
  listUsers,
  makeAdmin,
  removeAdmin,
  removeVerification,
  verifySeller,
} from '#contract/admin/admin.ts';
import { listCategoryUse } from '#contract/catalog/category-admin.ts';
import { isAdmin, issueAccessToken } from '#contract/users/identity.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { anAuthenticator, type TestAuthenticator } from '#test/sign-in/authenticator.ts';
import { aUser, credentialsOf, type TestUser } from '#test/make.ts';

// Each of these holes was planted and seen by a test below: an admin's role enough to act, and a fresh sign-in enough
// to change what guards an admin's account.

let t: TestApp;
let admin: TestUser;
let key: TestAuthenticator;
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
beforeEach(async () => {
  admin = await aUser(t, { roles: ['admin'] });
  key = anAuthenticator(t.config.publicUrl);
});

const add = async (as: { accessToken: string }) => {
  const { body } = await t.call(passkeyToAdd, {}, { as });
  return t.call(addPasskey, { body: { name: 'Key', passkey: key.create(body.options) } }, { as });
};

/** What each act of an admin answers at this moment. */
const acts = async (as: { accessToken: string }) => {
  const target = await aUser(t, { roles: ['seller'] });
  const params = { id: target.id };
  const answers = [
    await t.call(listUsers, { query: {} }, { as }),
    await t.call(listSellers, { query: {} }, { as }),
    await t.call(listCategoryUse, {}, { as }),
    await t.call(verifySeller, { params }, { as }),
    await t.call(removeVerification, { params, body: { reason: 'By mistake' } }, { as }),
    await t.call(makeAdmin, { params }, { as }),
    await t.call(removeAdmin, { params, body: { reason: 'By mistake' } }, { as }),
    await t.call(deleteUser, { params }, { as }),
  ];
  return answers.map(({ status, body }) => [status, 'error' in body ? body.error?.code : undefined]);
};
const REFUSED = Array.from({ length: 8 }, () => [403, 'second_factor_needed']);
const DONE = Array.from({ length: 8 }, () => [200, undefined]);

const secondFactorOf = async (as: { accessToken: string }) => (await t.call(readAccount, {}, { as })).body.secondFactor;

test('an admin without a passkey does nothing as one, and everything after adding one; other sessions show it first', async () => {
  const elsewhere = await credentialsOf(t, admin.email);
  expect(await acts(admin)).toEqual(REFUSED);
  expect(await secondFactorOf(admin)).toBe('to be made');
  // They are an admin all the same, and are told so.
  const asked = await t.call(isAdmin, { params: { email: admin.email } }, { as: admin });
  expect(asked.body).toEqual({ isAdmin: true });

  const added = await add(admin);
  expect([added.status, added.body.recoveryCodes?.length]).toEqual([201, 10]);
  expect(await acts(admin)).toEqual(DONE);
  expect(await secondFactorOf(elsewhere)).toBe('to be shown');
  expect(await acts(elsewhere)).toEqual(REFUSED);
});

describe('an admin with a passkey who signed in by password', () => {
  let codes: string[];
  let session: { cookie: string; accessToken: string };
  beforeEach(async () => {
    codes = (await add(admin)).body.recoveryCodes ?? [];
    session = await credentialsOf(t, admin.email);
  });

  test('acts after showing the passkey, in this session', async () => {
    const { options } = (await t.call(passkeyToConfirm, {}, { as: { cookie: session.cookie } })).body;
    const body = { passkey: key.get(options) };
    expect((await t.call(reauthenticate, { body }, { as: { cookie: session.cookie } })).status).toBe(200);
    expect(await acts(session)).toEqual(DONE);
    expect(await acts(await credentialsOf(t, admin.email))).toEqual(REFUSED);
  });

  test('acts after a recovery code, which is spent; the password again is not enough', async () => {
    const again = (body: object, cookie: string) => t.send('POST', '/api/auth/again', { as: { cookie }, body });
    const byPassword = await again({ password: 'Correct#Horse' }, session.cookie);
    expect(byPassword.statusCode).toBe(200);
    expect(await acts(session)).toEqual(REFUSED);
    const cookie = String(byPassword.headers['set-cookie']).split(';', 1)[0] ?? '';
    expect((await again({ recoveryCode: codes[0] }, cookie)).statusCode).toBe(200);
    expect(await acts(session)).toEqual(DONE);
    const next = await credentialsOf(t, admin.email);
    expect((await again({ recoveryCode: codes[0] }, next.cookie)).statusCode).toBe(401);
    expect(await acts(next)).toEqual(REFUSED);
  });

  test('cannot give the account another passkey or new codes, nor take the passkey away: a stolen password is not enough', async () => {
    const { passkeys } = (await t.call(readAccount, {}, { as: session })).body;
    const asked = { user: { id: 'AA' }, challenge: 'A'.repeat(43) };
    const ofThief = anAuthenticator(t.config.publicUrl).create(asked);
    const refusals = [
      await t.call(passkeyToAdd, {}, { as: session }),
      await t.call(addPasskey, { body: { name: 'Mine', passkey: ofThief } }, { as: session }),
      await t.call(renewRecoveryCodes, {}, { as: session }),
      await t.call(removePasskey, { params: { id: passkeys[0]?._id ?? '' } }, { as: session }),
    ];
    for (const { status, body } of refusals) {
      expect([status, body.error?.code]).toEqual([403, 'second_factor_needed']);
    }
  });
});

test('an admin who signs in with the passkey acts at once, and keeps the last passkey', async () => {
  await add(admin);
  const { options } = (await t.call(passkeyToSignIn, {})).body;
  const signedIn = await t.call(signInWithPasskey, { body: { passkey: key.get(options) } });
  const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? '';
  const token = await t.call(issueAccessToken, { query: { email: admin.email } }, { as: { cookie } });
  const session = { accessToken: token.body.accessToken };
  expect(await acts(session)).toEqual(DONE);
  const { passkeys } = (await t.call(readAccount, {}, { as: session })).body;
  const kept = await t.call(removePasskey, { params: { id: passkeys[0]?._id ?? '' } }, { as: session });
  expect([kept.status, kept.body.error?.code]).toEqual([409, 'last_way_in']);
});

test('somebody who is made an admin shows a second factor before they act, in sessions they have already', async () => {
  await add(admin);
  const user = await aUser(t, { roles: ['buyer'] });
  expect(await secondFactorOf(user)).toBe('not needed');
  await t.call(makeAdmin, { params: { id: user.id } }, { as: admin });
  expect(await secondFactorOf(user)).toBe('to be made');
  expect(await acts(user)).toEqual(REFUSED);
});

test('asking for passkey challenges is limited for each network', async () => {
  const ask = () => t.call(passkeyToSignIn, {}, { ip: '192.0.2.77' });
  const answers = await Promise.all(Array.from({ length: 105 }, ask));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
  expect(Number((await ask()).headers['retry-after'])).toBeGreaterThan(0);
  expect((await t.call(passkeyToSignIn, {}, { ip: '192.0.2.78' })).status).toBe(200);
});
