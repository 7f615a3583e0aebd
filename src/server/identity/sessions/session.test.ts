import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  becomeBuyer,
  becomeSeller,
  isBuyer,
  issueAccessToken,
  readSession,
  saveProfile,
  signIn,
  signOut,
} from '#contract/users/identity.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aUser, credentialsOf, PASSWORD, type TestUser } from '#test/make.ts';
import { sweepIdentity } from './sessions.service.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const isSignedIn = async (cookie: string): Promise<boolean> =>
  (await t.call(readSession, {}, { as: { cookie } })).body.user !== null;

const takesToken = async (user: TestUser): Promise<boolean> => {
  const body = { name: user.name, email: user.email };
  return (await t.call(saveProfile, { body }, { as: { accessToken: user.accessToken } })).status === 200;
};

/** Makes what the database knows of the user's sessions this much older. */
const age = async (
  user: TestUser,
  column: 'used_at' | 'created_at' | 'expires_at',
  interval: string,
): Promise<void> => {
  await sql`UPDATE sessions SET ${sql.ref(column)} = ${sql.ref(column)} - ${interval}::interval
    WHERE user_id = ${user.id}`.execute(t.db);
};

const usedAgo = async (user: TestUser): Promise<number> => {
  const { rows } = await sql<{ seconds: number }>`
    SELECT extract(epoch FROM now() - used_at)::float8 AS seconds FROM sessions WHERE user_id = ${user.id}`.execute(
    t.db,
  );
  return rows[0]?.seconds ?? Number.NaN;
};

describe('the session', () => {
  test('of a visitor is nobody', async () => {
    for (const cookie of [undefined, '', 'dogear=', 'dogear=short', `dogear=${'A'.repeat(43)}`, `dogear=${'é'}`]) {
      const answer = await t.call(readSession, {}, { as: { cookie } });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ user: null });
    }
  });

  test('is known by the cookie, and by the access token where there is none', async () => {
    const user = await aUser(t, { roles: ['seller'] });
    const person = {
      uid: user.id,
      email: user.email,
      displayName: user.name,
      photoURL: '',
      roles: ['seller'],
      emailProven: true,
      timeZone: '',
    };
    for (const as of [{ cookie: user.cookie }, { accessToken: user.accessToken }]) {
      expect((await t.call(readSession, {}, { as })).body).toEqual({ user: person });
    }
  });

  test('ends after 7 days without use', async () => {
    const user = await aUser(t);
    await age(user, 'used_at', '6 days 23 hours');
    expect(await isSignedIn(user.cookie)).toBe(true);
    await age(user, 'used_at', '7 days 1 minute');
    expect(await isSignedIn(user.cookie)).toBe(false);
    expect(await takesToken(user)).toBe(false);
  });

  test('ends after 30 days, however often it is used', async () => {
    const user = await aUser(t);
    await age(user, 'expires_at', '29 days 23 hours');
    expect(await isSignedIn(user.cookie)).toBe(true);
    await age(user, 'expires_at', '1 hour 1 minute');
    expect(await isSignedIn(user.cookie)).toBe(false);
    expect(await takesToken(user)).toBe(false);
  });

  test('notes its use, by cookie or token, at most once a minute', async () => {
    const user = await aUser(t);
    await age(user, 'used_at', '50 seconds');
    await isSignedIn(user.cookie);
    expect(await usedAgo(user)).toBeGreaterThanOrEqual(50);
    for (const use of [() => isSignedIn(user.cookie), () => takesToken(user)]) {
      await age(user, 'used_at', '61 seconds');
      expect(await use()).toBe(true);
      expect(await usedAgo(user)).toBeLessThan(50);
    }
  });

  test('of a deleted person is over', async () => {
    const user = await aUser(t);
    await t.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', user.id).execute();
    expect(await isSignedIn(user.cookie)).toBe(false);
    expect(await takesToken(user)).toBe(false);
  });

  test('that is over leaves the database with the next sweep, and a live one stays', async () => {
    const [idle, old, live] = await Promise.all([aUser(t), aUser(t), aUser(t)]);
    await age(idle, 'used_at', '8 days');
    await age(old, 'expires_at', '30 days');
    await sql`INSERT INTO attempt_counters (kind, subject, window_started_at) VALUES ('old', 'x', now() - interval '25 hours')`.execute(
      t.db,
    );
    await sweepIdentity(t.db);
    const left = await t.db.selectFrom('sessions').select('user_id').execute();
    expect(left.filter(({ user_id }) => user_id === idle.id || user_id === old.id)).toEqual([]);
    expect(await isSignedIn(live.cookie)).toBe(true);
    expect(await t.db.selectFrom('attempt_counters').select('kind').where('kind', '=', 'old').execute()).toEqual([]);
  });
});

describe('signing out', () => {
  test('ends the session, clears the cookie and kills the access token at once', async () => {
    const user = await aUser(t);
    const answer = await t.send('POST', '/api/auth/sign-out', { as: { cookie: user.cookie } });
    expect(answer.statusCode).toBe(204);
    expect(answer.body).toBe('');
    expect(answer.headers['set-cookie']).toBe('dogear=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax');
    expect(await isSignedIn(user.cookie)).toBe(false);
    expect(await takesToken(user)).toBe(false);
  });

  test('works with the access token alone', async () => {
    const user = await aUser(t);
    expect((await t.call(signOut, {}, { as: { accessToken: user.accessToken } })).status).toBe(204);
    expect(await isSignedIn(user.cookie)).toBe(false);
  });

  test('works with the cookie beside an access token that has expired', async () => {
    const user = await aUser(t);
    const as = { cookie: user.cookie, accessToken: 'eyJhbGciOiJub25lIn0.e30.' };
    expect((await t.call(signOut, {}, { as })).status).toBe(204);
    expect(await isSignedIn(user.cookie)).toBe(false);
  });

  test('leaves other sessions of the same person alone', async () => {
    const user = await aUser(t);
    const other = await credentialsOf(t, user.email);
    await t.call(signOut, {}, { as: { cookie: user.cookie } });
    expect(await isSignedIn(other.cookie)).toBe(true);
  });

  test('without a session is 401, and the browser forgets its dead cookie', async () => {
    const user = await aUser(t);
    await t.call(signOut, {}, { as: { cookie: user.cookie } });
    for (const as of [undefined, { cookie: user.cookie }, { accessToken: user.accessToken }]) {
      const answer = await t.call(signOut, {}, { as });
      expect(answer.status).toBe(401);
      expect(answer.headers['set-cookie']).toMatch(/^dogear=; .*Max-Age=0/);
    }
  });
});

describe('the cookie', () => {
  test('on http has no Secure and no prefix, and lasts as long as the session may', async () => {
    const user = await aUser(t);
    const answer = await t.call(signIn, { body: { email: user.email, password: PASSWORD } });
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^dogear=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/),
      // names the browser, for 400 days
      expect.stringMatching(/^dogear-device=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test('on https is bound to the host and Secure; the one of http is not looked at', async () => {
    const secure = await testApp({ env: { PUBLIC_URL: 'https://shop.example' } });
    try {
      const user = await aUser(secure);
      expect(user.cookie).toMatch(/^__Host-dogear=/);
      const answer = await secure.call(signIn, { body: { email: user.email, password: PASSWORD } });
      expect(answer.headers['set-cookie']).toEqual([
        expect.stringMatching(
          /^__Host-dogear=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
        ),
        expect.stringMatching(
          /^__Host-dogear-device=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/,
        ),
      ]);
      const renamed = { cookie: user.cookie.replace('__Host-', '') };
      expect((await secure.call(readSession, {}, { as: renamed })).body.user).toBeNull();
      expect((await secure.call(readSession, {}, { as: user })).body.user?.uid).toBe(user.id);
    } finally {
      await secure.close();
    }
  });

  test('is no proof where a bearer token is asked for', async () => {
    const user = await aUser(t, { roles: ['buyer'] });
    const answer = await t.call(isBuyer, { params: { email: user.email } }, { as: { cookie: user.cookie } });
    expect(answer.body).toEqual({ isBuyer: false });
  });
});

describe('a request from another site', () => {
  const foreign: [string, Record<string, string>][] = [
    ['without an Origin', {}],
    ['with a foreign Origin', { origin: 'https://evil.example' }],
    ['with the Origin null', { origin: 'null' }],
    ['with an Origin that begins like ours', { origin: 'http://localhost:3000.evil.example' }],
    ['with a cross-site Sec-Fetch-Site', { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' }],
    ['with a same-site Sec-Fetch-Site', { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' }],
  ];

  // Planted hole, seen failing here: refuseCrossSite letting everybody pass.
  test.each(foreign)('%s cannot use the cookie on an unsafe method', async (_, headers) => {
    const user = await aUser(t);
    const cookie = { ...headers, cookie: user.cookie };
    const email = encodeURIComponent(user.email);
    for (const [method, url, body] of [
      ['POST', '/api/users', { name: 'Mallory', email: user.email }],
      ['PUT', `/api/users/buyer?email=${email}`, undefined],
      ['PUT', `/api/users/seller?email=${email}`, undefined],
      ['POST', '/api/auth/sign-out', undefined],
      ['POST', '/api/auth/sign-in', { email: user.email, password: PASSWORD }],
      ['POST', '/api/auth/sign-up', { email: 'x@example.com', password: PASSWORD, name: 'X' }],
      ['POST', '/api/auth/again', { password: PASSWORD }],
      ['POST', '/api/auth/forgot', { email: user.email }],
      ['POST', '/api/auth/reset', { token: 'A'.repeat(43), password: PASSWORD }],
      ['POST', '/api/auth/confirm', { token: 'A'.repeat(43) }],
    ] as const) {
      const answer = await t.send(method, url, { headers: cookie, body });
      expect([url, answer.statusCode, answer.json().error.code]).toEqual([url, 403, 'cross_site']);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    const after = await t.call(readSession, {}, { as: user });
    expect(after.body.user).toMatchObject({ displayName: user.name, roles: [] });
  });

  test('cannot sign a visitor in, cookie or not', async () => {
    const user = await aUser(t);
    const body = { email: user.email, password: PASSWORD };
    const answer = await t.call(signIn, { body }, { headers: { origin: 'https://evil.example' } });
    expect(answer.status).toBe(403);
  });

  test('cannot read who is signed in or fetch a token', async () => {
    const user = await aUser(t);
    for (const site of ['cross-site', 'same-site']) {
      const options = { as: user, headers: { 'sec-fetch-site': site } };
      const token = await t.call(issueAccessToken, { query: { email: user.email } }, options);
      expect(token.status).toBe(403);
      expect(token.body.accessToken).toBe('');
      expect((await t.call(readSession, {}, options)).body.user).toBeNull();
    }
  });

  test('from our own page is served', async () => {
    const user = await aUser(t);
    const options = { as: { cookie: user.cookie }, headers: { 'sec-fetch-site': 'same-origin' } };
    expect((await t.call(becomeBuyer, { query: { email: user.email } }, options)).status).toBe(200);
    expect((await t.call(becomeSeller, { query: { email: user.email } }, options)).status).toBe(200);
    expect((await t.call(issueAccessToken, { query: { email: user.email } }, options)).status).toBe(200);
  });
});
