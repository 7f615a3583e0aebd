import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  changePassword,
  editAccount,
  endOneSession,
  endOtherSessions,
  listSessions,
  readAccount,
} from '#contract/users/account.ts';
import { readSession, signIn } from '#contract/users/identity.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aUser, credentialsOf, PASSWORD, type TestUser } from '#test/make.ts';
import { deviceWords } from '#server/identity/sessions/device-words.ts';

const LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let t: TestApp;
let user: TestUser;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  user = await aUser(t);
});

const isSignedIn = async (cookie: string): Promise<boolean> =>
  (await t.call(readSession, {}, { as: { cookie } })).body.user !== null;

const takesToken = async ({ accessToken }: { accessToken: string }): Promise<boolean> =>
  (await t.call(readAccount, {}, { as: { accessToken } })).status === 200;

const canSignIn = async (password: string): Promise<boolean> =>
  (await t.call(signIn, { body: { email: user.email, password } })).status === 200;

const age = (interval: string) =>
  sql`UPDATE sessions SET signed_in_at = signed_in_at - ${interval}::interval WHERE user_id = ${user.id}`.execute(t.db);

const mailsTo = (email: string) =>
  t.db.selectFrom('outbox').select(['kind', 'data']).where('to_email', '=', email).orderBy('queued_at').execute();

describe('the account', () => {
  test('is told to its owner alone, without anything secret', async () => {
    const answer = await t.call(readAccount, {}, { as: user });
    expect(answer.body).toEqual({
      name: user.name,
      email: user.email,
      emailProven: true,
      photoURL: '',
      hasPassword: true,
      passkeys: [],
      recoveryCodesLeft: 0,
      secondFactor: 'not needed',
    });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect((await t.call(readAccount, {})).status).toBe(401);
    // Not to a cookie alone: other sites could send it along.
    expect((await t.call(readAccount, {}, { as: { cookie: user.cookie } })).status).toBe(401);
  });

  test('takes a name and a picture, one or both, and is known by the name at once', async () => {
    const photoURL = 'https://images.example/me.jpg';
    const stored = () => t.db.selectFrom('users').select('photo_url').where('id', '=', user.id).executeTakeFirst();
    const edit = (body: object) => t.send('PATCH', '/api/account', { as: user, body });
    expect((await edit({ photoURL })).json()).toEqual({ modifiedCount: 1 });
    expect((await edit({ name: ' Grace  Hopper ' })).json()).toEqual({ modifiedCount: 1 });
    expect((await edit({})).json()).toEqual({ modifiedCount: 0 });
    const session = await t.call(readSession, {}, { as: user });
    expect(session.body.user).toMatchObject({ displayName: 'Grace Hopper', photoURL: '' });
    expect(await stored()).toEqual({ photo_url: photoURL });
    await edit({ photoURL: ' ' });
    expect(await stored()).toEqual({ photo_url: '' });
  });

  test('takes the time zone of a browser, and the session tells which it was', async () => {
    const zoneOf = async () => (await t.call(readSession, {}, { as: user })).body.user?.timeZone;
    expect(await zoneOf()).toBe('');
    const body = { timeZone: 'Asia/Kolkata' };
    expect((await t.call(editAccount, { body }, { as: user })).body).toEqual({ modifiedCount: 1 });
    expect(await zoneOf()).toBe('Asia/Kolkata');
  });

  test.each([
    ['timeZone', ''],
    ['timeZone', 'Mars/Olympus'],
    ['timeZone', '+05:30'],
    ['timeZone', 'A'.repeat(65)],
    ['photoURL', 'http://images.example/me.jpg'],
    ['photoURL', 'javascript:alert(1)'],
    ['photoURL', 'data:image/svg+xml,<svg/>'],
    ['photoURL', '//images.example/me.jpg'],
    ['photoURL', `https://images.example/${'x'.repeat(2_048)}`],
    ['name', '\u200b'],
    ['name', 'x'.repeat(201)],
    ['name', ['a']],
  ])('refuses %s %j', async (field, value) => {
    const answer = await t.send('PATCH', '/api/account', { as: user, body: { [field]: value } });
    expect([answer.statusCode, answer.json().modifiedCount]).toEqual([400, 0]);
    expect(Object.keys(answer.json().error.fields)).toEqual([field]);
  });

  test('takes nothing else, and nothing from nobody', async () => {
    const row = () => t.db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow();
    const before = await row();
    const body = { name: 'Grace', email: 'new@example.com', is_admin: true, roles: ['admin'], password_hash: 'x' };
    expect((await t.call(editAccount, { body }, { as: user })).status).toBe(200);
    expect(await row()).toEqual({ ...before, name: 'Grace' });
    expect((await t.call(editAccount, { body })).status).toBe(401);
  });
});

describe('changing the password', () => {
  const change = (body: object, as: TestUser | undefined = user) =>
    t.send('PUT', '/api/account/password', { ...(as && { as }), body });

  test('needs the current one, ends the other sessions with their tokens, and is told by mail', async () => {
    const other = await credentialsOf(t, user.email);
    const answer = await change({ current: PASSWORD, password: 'Another#1' });
    expect([answer.statusCode, answer.json()]).toEqual([200, { modifiedCount: 1 }]);
    expect([await isSignedIn(user.cookie), await takesToken(user)]).toEqual([true, true]);
    expect([await isSignedIn(other.cookie), await takesToken(other)]).toEqual([false, false]);
    expect([await canSignIn(PASSWORD), await canSignIn('Another#1')]).toEqual([false, true]);
    expect((await mailsTo(user.email)).filter(({ kind }) => kind === 'password-changed')).toHaveLength(1);
  });

  test('leaves the other sessions where the person says so', async () => {
    const other = await credentialsOf(t, user.email);
    await change({ current: PASSWORD, password: 'Another#1', endOthers: false });
    expect(await isSignedIn(other.cookie)).toBe(true);
  });

  test.each([
    ['a wrong current one', { current: 'Wrong#Horse', password: 'Another#1' }, 'current'],
    ['no current one', { password: 'Another#1' }, 'current'],
    ['one without a special character', { current: PASSWORD, password: 'Another1' }, 'password'],
    ['one that is too long', { current: PASSWORD, password: `A#${'a'.repeat(600)}` }, 'password'],
  ])('refuses %s, beside its field', async (_, body, field) => {
    const answer = await change(body);
    expect([answer.statusCode, Object.keys(answer.json().error.fields)]).toEqual([400, [field]]);
    expect([await canSignIn(PASSWORD), await isSignedIn(user.cookie)]).toEqual([true, true]);
    expect((await mailsTo(user.email)).filter(({ kind }) => kind === 'password-changed')).toEqual([]);
  });

  test('is refused to nobody, and to a sign-in older than 15 minutes even with the right password', async () => {
    const body = { current: PASSWORD, password: 'Another#1' };
    expect((await t.call(changePassword, { body })).status).toBe(401);
    await age('14 minutes 50 seconds');
    expect((await change({ ...body, endOthers: false })).statusCode).toBe(200);
    await age('11 seconds');
    const stale = await change({ current: 'Another#1', password: PASSWORD });
    expect([stale.statusCode, stale.json().error.code]).toEqual([403, 'fresh_sign_in_needed']);
  });

  test('counts wrong current passwords like wrong sign-ins: ten in 15 minutes', async () => {
    const answers: number[] = [];
    for (let n = 0; n < 11; n += 1) {
      answers.push((await change({ current: 'Wrong#Horse', password: 'Another#1' })).statusCode);
    }
    expect(answers).toEqual([...Array<number>(10).fill(400), 429]);
  });

  test('sets one for somebody who came another way, once', async () => {
    await t.db.updateTable('users').set({ password_hash: null }).where('id', '=', user.id).execute();
    const answers = await Promise.all([1, 2, 3].map((n) => change({ password: `Another#${n}`, endOthers: false })));
    expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 200)).toHaveLength(1);
    expect((await t.call(readAccount, {}, { as: user })).body.hasPassword).toBe(true);
  });
});

describe('sessions', () => {
  test('are listed with device and times, this one marked, and no token in it', async () => {
    const { cookie } = await credentialsOf(t, user.email);
    await t.call(signIn, { body: { email: user.email, password: PASSWORD } }, { headers: { 'user-agent': LINUX } });
    const { body } = await t.call(listSessions, {}, { as: user });
    expect(body.sessions).toHaveLength(3);
    expect(body.sessions.filter(({ current }) => current)).toHaveLength(1);
    expect(body.sessions.map(({ device }) => device)).toContain('Firefox on Linux');
    expect(Object.keys(body.sessions[0] ?? {}).sort()).toEqual([
      '_id',
      'current',
      'device',
      'lastUsedAt',
      'signedInAt',
    ]);
    expect(JSON.stringify(body)).not.toContain(cookie.split('=')[1]);
  });

  test('that are over are not listed', async () => {
    await credentialsOf(t, user.email);
    await sql`UPDATE sessions SET used_at = now() - interval '8 days'
      WHERE user_id = ${user.id} AND id <> (SELECT id FROM sessions WHERE user_id = ${user.id} ORDER BY created_at LIMIT 1)`.execute(
      t.db,
    );
    expect((await t.call(listSessions, {}, { as: user })).body.sessions).toHaveLength(1);
  });

  test('are ended one by one or all but this one, tokens at once', async () => {
    const [first, second, third] = [
      await credentialsOf(t, user.email),
      await credentialsOf(t, user.email),
      await credentialsOf(t, user.email),
    ];
    const { sessions } = (await t.call(listSessions, {}, { as: first })).body;
    const id = sessions.find(({ current }) => current)?._id ?? '';
    expect((await t.call(endOneSession, { params: { id } }, { as: user })).body).toEqual({ deletedCount: 1 });
    expect([await isSignedIn(first.cookie), await takesToken(first)]).toEqual([false, false]);
    expect((await t.call(endOneSession, { params: { id } }, { as: user })).status).toBe(404);
    expect((await t.call(endOtherSessions, {}, { as: user })).body).toEqual({ deletedCount: 2 });
    for (const other of [second, third]) {
      expect([await isSignedIn(other.cookie), await takesToken(other)]).toEqual([false, false]);
    }
    expect([await isSignedIn(user.cookie), await takesToken(user)]).toEqual([true, true]);
  });

  test('of somebody else are not there; nobody has any', async () => {
    const stranger = await aUser(t);
    const { sessions } = (await t.call(listSessions, {}, { as: user })).body;
    const params = { id: sessions[0]?._id ?? '' };
    expect((await t.call(endOneSession, { params }, { as: stranger })).status).toBe(404);
    expect((await t.call(endOtherSessions, {}, { as: stranger })).body).toEqual({ deletedCount: 0 });
    expect(await isSignedIn(user.cookie)).toBe(true);
    expect((await t.call(listSessions, {})).status).toBe(401);
    expect((await t.call(endOneSession, { params })).status).toBe(401);
    expect((await t.call(endOtherSessions, {})).status).toBe(401);
  });
});

describe('a sign-in with a browser that the person never used', () => {
  const signInWith = async (cookie?: string) => {
    const options = { headers: { 'user-agent': LINUX, ...(cookie && { cookie, origin: t.config.publicUrl }) } };
    const answer = await t.call(signIn, { body: { email: user.email, password: PASSWORD } }, options);
    expect(answer.status).toBe(200);
    return [answer.headers['set-cookie']].flat().map((line) => String(line).split(';', 1)[0] ?? '');
  };
  const news = async () => (await mailsTo(user.email)).filter(({ kind }) => kind === 'new-sign-in');

  test('is told by mail with its device; the first ever, and a known browser, are not', async () => {
    // The first was made with the user.
    expect(await news()).toEqual([]);
    const [session = '', device = ''] = await signInWith();
    expect(device).toMatch(/^dogear-device=[A-Za-z0-9_-]{43}$/);
    expect((await news()).map(({ data }) => data)).toEqual([{ at: expect.any(String), device: 'Firefox on Linux' }]);
    await signInWith(`${session}; ${device}`);
    await signInWith(device);
    expect(await news()).toHaveLength(1);
    // A cookie that we never gave is worth nothing.
    await signInWith(`dogear-device=${'A'.repeat(42)}!`);
    expect(await news()).toHaveLength(2);
  });

  test('is told to each who uses the browser, and the cookie itself is nowhere in the database', async () => {
    const [, device = ''] = await signInWith();
    const other = await aUser(t);
    user = other;
    await signInWith(device);
    expect(await news()).toHaveLength(1);
    const stored = await t.db.selectFrom('devices').select('token_hash').execute();
    const token = Buffer.from(device.split('=')[1] ?? '', 'base64url');
    expect(stored.some(({ token_hash }) => token_hash.equals(token))).toBe(false);
  });
});

test.each([
  [LINUX, 'Firefox on Linux'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Ubuntu Chromium/80.0 Chrome/80.0 Safari/537.36',
    'Chromium on Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    'Safari on an iPhone',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
    'Chrome on an iPad',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 OPR/120.0',
    'Opera on ChromeOS',
  ],
  ['curl/8.5.0', 'An unknown device'],
  ['', 'An unknown device'],
  ['Something (X11; Linux)', 'A browser on Linux'],
])('the User-Agent %j is %j', (userAgent, words) => {
  expect(deviceWords(userAgent)).toBe(words);
});
