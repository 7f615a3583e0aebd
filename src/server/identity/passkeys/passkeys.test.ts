import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addPasskey,
  passkeyToAdd,
  passkeyToConfirm,
  passkeyToSignIn,
  readAccount,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  reauthenticate,
  signInWithPasskey,
} from '#contract/users/account.ts';
import { readSession } from '#contract/users/identity.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { anAuthenticator, type Fault, type TestAuthenticator } from '#test/sign-in/authenticator.ts';
import { aUser, type TestUser } from '#test/make.ts';

// Each of these holes was planted and seen by a test below: no user verification asked for, any origin taken, a
// challenge taken by another session, the user handle not compared, a recovery code not marked as spent, the row of the
// ways in not locked.

let t: TestApp;
let user: TestUser;
let key: TestAuthenticator;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  user = await aUser(t);
  key = anAuthenticator(t.config.publicUrl);
});

const add = async (as: TestUser = user, authenticator = key, fault: Fault = {}) => {
  const { body } = await t.call(passkeyToAdd, {}, { as });
  const passkey = authenticator.create(body.options, fault);
  return t.call(addPasskey, { body: { name: 'My key', passkey } }, { as });
};

const optionsToSignIn = async () => (await t.call(passkeyToSignIn, {})).body.options;

const signIn = async (fault: Fault = {}, authenticator = key) =>
  t.call(signInWithPasskey, { body: { passkey: authenticator.get(await optionsToSignIn(), fault) } });

const cookieOf = (headers: Record<string, unknown>): string => String(headers['set-cookie']).split(';', 1)[0] ?? '';

/** Makes the user's sign-ins this much older. */
const age = (interval: string) =>
  sql`UPDATE sessions SET signed_in_at = signed_in_at - ${interval}::interval WHERE user_id = ${user.id}`.execute(t.db);

const secondFactors = async (): Promise<boolean[]> => {
  const rows = await t.db.selectFrom('sessions').select('second_factor_at').where('user_id', '=', user.id).execute();
  return rows.map((row) => row.second_factor_at !== null);
};

describe('adding a passkey', () => {
  test('asks for one that is kept on the device and verifies the person, and hands out ten recovery codes once', async () => {
    const { body } = await t.call(passkeyToAdd, {}, { as: user });
    expect(body.options).toMatchObject({
      rp: { id: 'localhost', name: 'Dogear' },
      user: { name: user.email, displayName: user.name },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const first = await add();
    expect(first.status).toBe(201);
    expect(first.headers['cache-control']).toBe('no-store');
    expect(new Set(first.body.recoveryCodes).size).toBe(10);
    for (const code of first.body.recoveryCodes ?? [])
      expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    expect((await add(user, anAuthenticator(t.config.publicUrl))).body.recoveryCodes).toBeNull();
    const account = await t.call(readAccount, {}, { as: user });
    expect(account.body.passkeys.map(({ name }) => name)).toEqual(['My key', 'My key']);
    expect(account.body.recoveryCodesLeft).toBe(10);
    // Neither is a code in the database as it is told.
    const stored = await t.db.selectFrom('recovery_codes').select('code_hash').where('user_id', '=', user.id).execute();
    expect(stored.map(({ code_hash }) => code_hash.length)).toEqual(Array<number>(10).fill(32));
  });

  test.each<[string, Fault]>([
    ['of another page', { origin: 'https://evil.example' }],
    ['of the same host on another port', { origin: 'http://localhost:9999' }],
    ['for another host', { rpId: 'evil.example' }],
    ['of a person who was not verified', { unverified: true }],
    ['that answers another question', { type: 'webauthn.get' }],
    ['for a challenge that was not ours', { challenge: 'A'.repeat(43) }],
  ])('refuses one %s', async (_, fault) => {
    const refused = await add(user, key, fault);
    expect([refused.status, refused.body.insertedId, refused.body.error?.fields]).toEqual([
      400,
      null,
      { passkey: expect.any(String) },
    ]);
    expect((await t.call(readAccount, {}, { as: user })).body.passkeys).toEqual([]);
  });

  test('takes a challenge once, within 5 minutes, from the session it was given to', async () => {
    const { options } = (await t.call(passkeyToAdd, {}, { as: user })).body;
    const passkey = key.create(options);
    const other = await aUser(t);
    const send = (as: TestUser) => t.call(addPasskey, { body: { name: 'x', passkey } }, { as });
    expect((await send(other)).status).toBe(400);
    expect((await send(user)).status).toBe(201);
    expect((await send(user)).status).toBe(400);
    const late = await t.call(passkeyToAdd, {}, { as: user });
    await sql`UPDATE passkey_challenges SET created_at = now() - interval '5 minutes 1 second'`.execute(t.db);
    const tooLate = anAuthenticator(t.config.publicUrl).create(late.body.options);
    expect((await t.call(addPasskey, { body: { name: 'x', passkey: tooLate } }, { as: user })).status).toBe(400);
  });

  test("does not take a passkey that is somebody's already", async () => {
    await add();
    const thief = await aUser(t);
    const stolen = await add(thief);
    expect([stolen.status, stolen.body.error?.code]).toEqual([409, 'already_exists']);
  });

  test('needs a name, a proven address and a fresh sign-in; nobody is 401', async () => {
    const { options } = (await t.call(passkeyToAdd, {}, { as: user })).body;
    const nameless = await t.call(
      addPasskey,
      { body: { name: ' \u200b', passkey: key.create(options) } },
      { as: user },
    );
    expect([nameless.status, nameless.body.error?.fields]).toEqual([400, { name: 'Give the passkey a name' }]);
    expect((await t.call(passkeyToAdd, {})).status).toBe(401);
    const ofNobody = { body: { name: 'x', passkey: key.create(options) } };
    expect((await t.call(addPasskey, ofNobody)).status).toBe(401);
    await age('15 minutes 1 second');
    for (const answer of [
      await t.call(passkeyToAdd, {}, { as: user }),
      await t.call(addPasskey, ofNobody, { as: user }),
    ]) {
      expect([answer.status, answer.body.error?.code]).toEqual([403, 'fresh_sign_in_needed']);
    }
    const unproven = await aUser(t);
    await t.db.updateTable('users').set({ email_proven_at: null }).where('id', '=', unproven.id).execute();
    expect((await t.call(passkeyToAdd, {}, { as: unproven })).status).toBe(403);
  });
});

describe('signing in with a passkey', () => {
  test('starts a session that has shown its second factor, and notes the use', async () => {
    await add();
    const answer = await signIn();
    expect(answer.status).toBe(200);
    expect(answer.body.user).toMatchObject({ uid: user.id, email: user.email });
    const session = await t.call(readSession, {}, { as: { cookie: cookieOf(answer.headers) } });
    expect(session.body.user?.uid).toBe(user.id);
    expect((await secondFactors()).sort()).toEqual([true, true]);
    const [passkey] = (await t.call(readAccount, {}, { as: user })).body.passkeys;
    expect(passkey?.lastUsedAt).not.toBeNull();
  });

  test('asks for no passkey by name, so that it tells nobody who has one', async () => {
    await add();
    const options = await optionsToSignIn();
    expect(options['allowCredentials'] ?? []).toEqual([]);
    expect(options['userVerification']).toBe('required');
  });

  test.each<[string, Fault]>([
    ['of another page', { origin: 'https://evil.example' }],
    ['for another host', { rpId: 'evil.example' }],
    ['of a person who was not verified', { unverified: true }],
    ['that answers another question', { type: 'webauthn.create' }],
    ['for a challenge that was not ours', { challenge: 'A'.repeat(43) }],
    ["in another person's name", { userHandle: Buffer.alloc(16, 7).toString('base64url') }],
    ['whose count did not go on, as that of a copy', { counter: 1 }],
  ])('refuses one %s', async (_, fault) => {
    await add();
    const refused = await signIn(fault);
    expect([refused.status, refused.body.user, refused.body.error?.code]).toEqual([401, null, 'wrong_credentials']);
    expect(refused.headers['set-cookie']).toBeUndefined();
    // And the right one still opens.
    expect((await signIn()).status).toBe(200);
  });

  test('refuses a signature of another key, and a passkey nobody added, in the same words', async () => {
    await add();
    const proof = key.get(await optionsToSignIn());
    const other = anAuthenticator(t.config.publicUrl).get(await optionsToSignIn());
    const forged = { ...other, id: proof.id, rawId: proof.id };
    const answers = [
      await t.call(signInWithPasskey, { body: { passkey: forged } }),
      await signIn({}, anAuthenticator(t.config.publicUrl)),
    ];
    for (const { status, body } of answers) {
      expect([status, body.error?.message]).toEqual([401, 'This passkey does not open an account here']);
    }
  });

  test('takes an answer once, also when it is sent many times at once', async () => {
    await add();
    const passkey = key.get(await optionsToSignIn());
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => t.call(signInWithPasskey, { body: { passkey } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
  });

  test('works for authenticators that do not count', async () => {
    const phone = anAuthenticator(t.config.publicUrl, { counts: false });
    await add(user, phone);
    expect((await signIn({}, phone)).status).toBe(200);
    expect((await signIn({}, phone)).status).toBe(200);
  });

  test('is over with the account and with the passkey', async () => {
    const { body } = await add();
    await t.call(removePasskey, { params: { id: body.insertedId } }, { as: user });
    expect((await signIn()).status).toBe(401);
    await add();
    await t.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', user.id).execute();
    expect((await signIn()).status).toBe(401);
  });

  test('is refused from another site', async () => {
    await add();
    const body = { passkey: key.get(await optionsToSignIn()) };
    const answer = await t.call(signInWithPasskey, { body }, { headers: { origin: 'https://evil.example' } });
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
  });
});

describe('passkeys', () => {
  test('are named and removed by their owner alone', async () => {
    const { body } = await add();
    const params = { id: body.insertedId };
    const stranger = await aUser(t);
    for (const [as, status] of [
      [undefined, 401],
      [stranger, 404],
    ] as const) {
      expect((await t.call(renamePasskey, { params, body: { name: 'Mine now' } }, { as })).status).toBe(status);
      expect((await t.call(removePasskey, { params }, { as })).status).toBe(status);
    }
    const renamed = await t.call(renamePasskey, { params, body: { name: '  Blue  key ' } }, { as: user });
    expect(renamed.body).toEqual({ modifiedCount: 1 });
    const account = await t.call(readAccount, {}, { as: user });
    expect(account.body.passkeys.map(({ name }) => name)).toEqual(['Blue key']);
    expect((await t.call(removePasskey, { params }, { as: user })).body).toEqual({ deletedCount: 1 });
  });

  test('the only way to sign in stays, also when all of them are taken away at once', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push((await add(user, anAuthenticator(t.config.publicUrl))).body.insertedId);
    await t.db.updateTable('users').set({ password_hash: null }).where('id', '=', user.id).execute();
    // Connections for all of them at once, so that none waits for another to be opened.
    await Promise.all(ids.map(() => sql`SELECT pg_sleep(0.1)`.execute(t.db)));
    const answers = await Promise.all(ids.map((id) => t.call(removePasskey, { params: { id } }, { as: user })));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.error?.code])).toEqual([[409, 'last_way_in']]);
    expect((await t.call(readAccount, {}, { as: user })).body.passkeys).toHaveLength(1);
  });
});

describe('confirming who is signed in', () => {
  const again = (body: object, as: Partial<TestUser> = { cookie: user.cookie }) =>
    t.send('POST', '/api/auth/again', { as, body });

  test('by passkey, password or recovery code makes the sign-in fresh and gives the session another cookie', async () => {
    const codes = (await add()).body.recoveryCodes ?? [];
    let { cookie } = user;
    const proofs = [
      async () => {
        const { options } = (await t.call(passkeyToConfirm, {}, { as: { cookie } })).body;
        expect(options['allowCredentials']).toMatchObject([{ id: key.get(options).id }]);
        return { passkey: key.get(options) };
      },
      async () => ({ password: 'Correct#Horse' }),
      async () => ({ recoveryCode: codes[0]?.toUpperCase().replaceAll('-', ' ') ?? '' }),
    ];
    for (const proofOf of proofs) {
      await age('1 hour');
      expect((await t.call(passkeyToAdd, {}, { as: user })).status).toBe(403);
      const answer = await t.call(reauthenticate, { body: await proofOf() }, { as: { cookie } });
      expect([answer.status, answer.body]).toEqual([200, { acknowledged: true }]);
      const renewed = cookieOf(answer.headers);
      expect(renewed).not.toBe(cookie);
      expect((await t.call(readSession, {}, { as: { cookie } })).body.user).toBeNull();
      cookie = renewed;
      expect((await t.call(readSession, {}, { as: { cookie } })).body.user?.uid).toBe(user.id);
      // The same session: its access token lives on, and counts as fresh now.
      expect((await t.call(passkeyToAdd, {}, { as: user })).status).toBe(200);
    }
  });

  test('refuses what is wrong, beside its field; a stale sign-in stays stale', async () => {
    const other = await aUser(t);
    const foreign = anAuthenticator(t.config.publicUrl);
    const codes = (await add(other, foreign)).body.recoveryCodes ?? [];
    await add();
    await age('1 hour');
    const { options } = (await t.call(passkeyToConfirm, {}, { as: user })).body;
    for (const [field, proof] of [
      ['password', { password: 'Wrong#Horse' }],
      ['recoveryCode', { recoveryCode: codes[0] }],
      ['recoveryCode', { recoveryCode: '' }],
      ['passkey', { passkey: foreign.get(options) }],
      // Its challenge was for signing in, by anybody.
      ['passkey', { passkey: key.get(await optionsToSignIn()) }],
    ] as const) {
      const answer = await again(proof);
      expect([answer.statusCode, answer.json().error.code]).toEqual([401, 'wrong_credentials']);
      expect(Object.keys(answer.json().error.fields)).toEqual([field]);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    for (const none of [{}, { password: 'a', recoveryCode: 'b' }]) expect((await again(none)).statusCode).toBe(400);
    expect((await t.call(passkeyToAdd, {}, { as: user })).status).toBe(403);
  });

  test('is for the session cookie of our own pages: no visitor, no bearer token alone, no other site', async () => {
    const proof = { password: 'Correct#Horse' };
    expect((await again(proof, {})).statusCode).toBe(401);
    expect((await again(proof, { accessToken: user.accessToken })).statusCode).toBe(401);
    const headers = { cookie: user.cookie, origin: 'https://evil.example' };
    expect((await t.send('POST', '/api/auth/again', { headers, body: proof })).statusCode).toBe(403);
  });

  test('takes ten wrong recovery codes in 15 minutes', async () => {
    await add();
    const answers: number[] = [];
    for (let n = 0; n < 11; n += 1) answers.push((await again({ recoveryCode: 'aaaa' })).statusCode);
    expect(answers).toEqual([...Array<number>(10).fill(401), 429]);
  });
});

test('a session is asked one question at a time for each purpose: the newest', async () => {
  await add();
  const ask = async () => (await t.call(passkeyToConfirm, {}, { as: user })).body.options;
  const [first] = [await ask(), ...(await Promise.all([ask(), ask(), ask()]))];
  const newest = await ask();
  await t.call(passkeyToAdd, {}, { as: user });
  const { rows } = await sql<{ purpose: string }>`
    SELECT c.purpose FROM passkey_challenges AS c JOIN sessions AS s ON s.id = c.session_id
    WHERE s.user_id = ${user.id} ORDER BY purpose`.execute(t.db);
  expect(rows.map(({ purpose }) => purpose)).toEqual(['add', 'again']);
  const confirm = (options: typeof newest) =>
    t.call(reauthenticate, { body: { passkey: key.get(options) } }, { as: { cookie: user.cookie } });
  expect((await confirm(first ?? newest)).status).toBe(401);
  expect((await confirm(newest)).status).toBe(200);
});

describe('recovery codes', () => {
  test('are worth something once, and nothing after they were renewed', async () => {
    const [first = '', second = ''] = (await add()).body.recoveryCodes ?? [];
    const spend = (code: string, as: { cookie: string }) =>
      t.call(reauthenticate, { body: { recoveryCode: code } }, { as });
    const spent = await spend(first, user);
    expect(spent.status).toBe(200);
    const cookie = cookieOf(spent.headers);
    expect((await spend(first, { cookie })).status).toBe(401);
    expect((await t.call(readAccount, {}, { as: user })).body.recoveryCodesLeft).toBe(9);
    const renewed = await t.call(renewRecoveryCodes, {}, { as: user });
    expect([renewed.status, renewed.body.recoveryCodes.length]).toEqual([201, 10]);
    expect((await spend(second, { cookie })).status).toBe(401);
    expect((await spend(renewed.body.recoveryCodes[0] ?? '', { cookie })).status).toBe(200);
  });

  test('of many who spend one at once, one does', async () => {
    const [code = ''] = (await add()).body.recoveryCodes ?? [];
    const others = await Promise.all(
      Array.from({ length: 3 }, async () => ({ cookie: cookieOf((await signIn()).headers) })),
    );
    const answers = await Promise.all(
      others.map((as) => t.call(reauthenticate, { body: { recoveryCode: code } }, { as })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  test('need a passkey to stand in for, and a fresh sign-in; nobody is 401', async () => {
    expect((await t.call(renewRecoveryCodes, {})).status).toBe(401);
    expect((await t.call(renewRecoveryCodes, {}, { as: user })).status).toBe(403);
    await add();
    await age('16 minutes');
    const stale = await t.call(renewRecoveryCodes, {}, { as: user });
    expect([stale.status, stale.body.error?.code]).toEqual([403, 'fresh_sign_in_needed']);
  });
});
