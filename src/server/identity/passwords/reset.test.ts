import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueAccessToken, readSession, signIn } from '#contract/users/identity.ts';
import { confirmAddress, forgotPassword, resetPassword } from '#contract/users/mail-links.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aUser, PASSWORD, type TestUser } from '#test/make.ts';
import { registerUser } from '#server/identity/sessions/identity.service.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const NEW_PASSWORD = 'Fresh#Start';
const anAddress = (): string => `u${randomUUID().slice(0, 12)}@example.com`;

const forgot = (email: string, options: Parameters<TestApp['call']>[2] = {}) =>
  t.call(forgotPassword, { body: { email } }, options);
const reset = (token: string, password = NEW_PASSWORD, options: Parameters<TestApp['call']>[2] = {}) =>
  t.call(resetPassword, { body: { token, password } }, options);
const tryPassword = async (email: string, password: string): Promise<number> =>
  (await t.call(signIn, { body: { email, password } })).status;

const linksTo = async (email: string): Promise<string[]> =>
  (await t.mailTo(email))
    .map(({ text }) => /\S+\/reset-password\S*/.exec(text)?.[0])
    .filter((link) => link !== undefined);
const tokenOf = (link = ''): string => new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? '';
/** Asks for a new password; the token of the link that came. */
const aToken = async (email: string): Promise<string> => {
  await forgot(email);
  return tokenOf((await linksTo(email))[0]);
};

describe('asking for a new password', () => {
  // Planted hole, seen failing here: 404 from requestReset for an address without an account.
  test('is answered the same whether there is an account or not; mail goes to accounts only', async () => {
    const user = await aUser(t);
    const deleted = await aUser(t);
    await sql`UPDATE users SET deleted_at = now() WHERE id = ${deleted.id}`.execute(t.db);
    const nobody = anAddress();
    const answers = [await forgot(user.email), await forgot(nobody), await forgot(deleted.email)];
    for (const answer of answers) {
      expect(answer.status).toBe(202);
      expect(answer.body).toEqual({ accepted: true, mailbox: '/standins/mailbox' });
      expect(Object.keys(answer.headers)).toEqual(Object.keys(answers[0]?.headers ?? {}));
      expect(answer.headers['content-length']).toBe(answers[0]?.headers['content-length']);
    }
    expect(await linksTo(user.email)).toHaveLength(1);
    for (const email of [nobody, deleted.email]) expect(await t.mailTo(email)).toEqual([]);
    const left = await sql`SELECT FROM reset_requests`.execute(t.db);
    expect(left.rows).toEqual([]);
  });

  // Planted hole, seen failing here: links resolved against another host.
  test('mails a link below PUBLIC_URL, whatever the request says of its host', async () => {
    const user = await aUser(t);
    const forged = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };
    await forgot(user.email, { headers: forged });
    const [mail] = await t.mailTo(user.email);
    expect((await linksTo(user.email))[0]).toMatch(/^http:\/\/localhost:3000\/reset-password#token=[A-Za-z0-9_-]{43}$/);
    expect(`${mail?.text}${mail?.html}`).not.toContain('evil.example');
  });

  test('takes the address in any case, and none that is no address', async () => {
    const user = await aUser(t);
    expect((await forgot(user.email.toUpperCase().replace('.COM', '.com'))).status).toBe(202);
    expect(await linksTo(user.email)).toHaveLength(1);
    for (const email of ['', 'ada', 'ada@example', `${user.email}\r\nBcc: eve@example.net`]) {
      const answer = await forgot(email);
      expect(answer.status).toBe(400);
      expect(answer.body.error?.fields).toEqual({ email: 'Please provide a valid email' });
    }
  });

  test('more than five times an hour fills nobody’s mailbox, and is answered as ever', async () => {
    const user = await aUser(t);
    for (let asked = 0; asked < 7; asked += 1) expect((await forgot(user.email)).status).toBe(202);
    expect(await linksTo(user.email)).toHaveLength(5);
  });

  test('with the cookie from another site is refused', async () => {
    const user = await aUser(t);
    const answer = await forgot(user.email, { headers: { cookie: user.cookie, origin: 'https://evil.example' } });
    expect([answer.status, answer.body.error?.code]).toEqual([403, 'cross_site']);
    expect(await t.mailTo(user.email)).toEqual([]);
  });
});

describe('the link', () => {
  const isSignedIn = async (user: TestUser): Promise<boolean> =>
    (await t.call(readSession, {}, { as: { cookie: user.cookie } })).body.user !== null;

  // Planted holes, seen failing here, one at a time: a link that is not used up, a reset that leaves the sessions.
  test('sets a new password, once; ends every session; signs in here; tells the person', async () => {
    const user = await aUser(t);
    const token = await aToken(user.email);
    const done = await reset(token);
    expect(done.status).toBe(200);
    expect(done.body).toMatchObject({ email: user.email, user: { uid: user.id } });
    expect(done.headers['cache-control']).toBe('no-store');
    const cookie = String(done.headers['set-cookie']).split(';', 1)[0] ?? '';
    expect((await t.call(readSession, {}, { as: { cookie } })).body.user?.uid).toBe(user.id);
    expect(await isSignedIn(user)).toBe(false);
    const stale = await t.call(readSession, {}, { as: { accessToken: user.accessToken } });
    expect(stale.body.user).toBeNull();
    expect((await t.call(issueAccessToken, { query: { email: user.email } }, { as: user })).status).toBe(401);
    expect(await tryPassword(user.email, PASSWORD)).toBe(401);
    expect(await tryPassword(user.email, NEW_PASSWORD)).toBe(200);
    const again = await reset(token, 'Another#One');
    expect([again.status, again.body.error?.code]).toEqual([410, 'link_over']);
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(await tryPassword(user.email, NEW_PASSWORD)).toBe(200);
    const [told] = (await t.mailTo(user.email)).filter(({ subject }) => subject === 'Your password was changed');
    expect(told?.text).toContain('http://localhost:3000/forgot-password');
  });

  test('is stored as a hash only, and the mail that carried it is forgotten', async () => {
    const user = await aUser(t);
    const token = await aToken(user.email);
    for (const table of ['account_links', 'outbox', 'reset_requests', 'sessions']) {
      const { rows } = await sql`SELECT * FROM ${sql.table(table)}`.execute(t.db);
      expect(JSON.stringify(rows), table).not.toContain(token);
    }
  });

  test('that is older than an hour, unknown, of another kind or of somebody deleted is over', async () => {
    const [late, gone, unproven] = [await aUser(t), await aUser(t), anAddress()];
    const tokens = [await aToken(late.email), await aToken(gone.email)];
    await sql`UPDATE account_links SET expires_at = now() WHERE user_id = ${late.id}`.execute(t.db);
    await sql`UPDATE users SET deleted_at = now() WHERE id = ${gone.id}`.execute(t.db);
    await t.send('POST', '/api/auth/sign-up', { body: { name: 'Una', email: unproven, password: PASSWORD } });
    const [welcome] = await t.mailTo(unproven);
    tokens.push(/#token=(\S+)/.exec(welcome?.text ?? '')?.[1] ?? 'no link');
    for (const token of [...tokens, '', 'x', 'A'.repeat(43), `${tokens[0]}A`, "' OR 1=1 --"]) {
      const answer = await reset(token);
      expect([answer.status, answer.body.error?.code], token).toEqual([410, 'link_over']);
    }
    expect(await tryPassword(late.email, PASSWORD)).toBe(200);
    // And a link to a new password proves an address by being used, not by being handed to the other door.
    const other = await t.call(confirmAddress, { body: { token: await aToken(unproven) } });
    expect(other.status).toBe(410);
  });

  test('lives an hour, as long as links are counted', async () => {
    const user = await aUser(t);
    await aToken(user.email);
    const { rows } = await sql<{ minutes: number }>`
      SELECT extract(epoch FROM expires_at - created_at)::float8 / 60 AS minutes FROM account_links WHERE user_id = ${user.id}`.execute(
      t.db,
    );
    expect(rows).toEqual([{ minutes: 60 }]);
  });

  test('is still good after a password that breaks the rules', async () => {
    const user = await aUser(t);
    const token = await aToken(user.email);
    const weak = await reset(token, 'short');
    expect(weak.status).toBe(400);
    expect(weak.body.error?.fields).toEqual({ password: 'Must be at least 6 character' });
    expect(await isSignedIn(user)).toBe(true);
    expect((await reset(token)).status).toBe(200);
  });

  test('of many uses at once, and beside another link of the same person, sets one password', async () => {
    const user = await aUser(t);
    const [first, second] = [await aToken(user.email), await aToken(user.email)];
    expect(first).not.toBe(second);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => reset(n % 2 === 0 ? first : second, `Fresh#Start${n}`)),
    );
    const won = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []));
    expect(won).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 410]));
    expect(await tryPassword(user.email, `Fresh#Start${won[0]}`)).toBe(200);
  });

  test('proves the address, as whoever opened it holds the mailbox', async () => {
    const email = anAddress();
    await registerUser(t.db, { email, name: 'Una Proven', password: PASSWORD });
    const done = await reset(await aToken(email));
    expect(done.body.user?.emailProven).toBe(true);
  });

  test('gives a password to somebody who came through a provider', async () => {
    const email = anAddress();
    await registerUser(t.db, { email, name: 'Gil Google', emailProven: true });
    expect((await reset(await aToken(email))).status).toBe(200);
    expect(await tryPassword(email, NEW_PASSWORD)).toBe(200);
  });

  // Planted hole, seen failing here: resetPassword starting a session for everybody.
  test('signs no admin in: their second factor is asked for where they sign in', async () => {
    const admin = await aUser(t, { roles: ['admin'] });
    const done = await reset(await aToken(admin.email));
    expect(done.status).toBe(200);
    expect(done.body).toEqual({ email: admin.email, user: null });
    expect(done.headers['set-cookie']).toBeUndefined();
    expect(await isSignedIn(admin)).toBe(false);
  });

  // Planted hole, seen failing here: a reset that leaves the counter of wrong passwords alone and starts no session.
  test('lets the owner in while somebody goes on guessing', async () => {
    const user = await aUser(t);
    const guess = (n: number) =>
      t.call(signIn, { body: { email: user.email, password: `Guess#${n}` } }, { ip: `203.0.113.${n}` });
    for (let n = 0; n < 10; n += 1) expect((await guess(n)).status).toBe(401);
    expect(await tryPassword(user.email, PASSWORD)).toBe(429);
    const token = await aToken(user.email);
    const [done] = await Promise.all([reset(token), ...Array.from({ length: 12 }, (_, n) => guess(20 + n))]);
    const cookie = String(done.headers['set-cookie']).split(';', 1)[0] ?? '';
    expect((await t.call(issueAccessToken, { query: { email: user.email } }, { as: { cookie } })).status).toBe(200);
  });

  test('is one that still works, whenever somebody else has used up the links of the hour', async () => {
    const user = await aUser(t);
    for (let asked = 0; asked < 5; asked += 1) await forgot(user.email);
    const newest = tokenOf((await linksTo(user.email))[0]);
    for (const table of ['attempt_counters', 'account_links'] as const) {
      const column = table === 'attempt_counters' ? sql`window_started_at` : sql`expires_at`;
      await sql`UPDATE ${sql.table(table)} SET ${column} = ${column} - interval '59 minutes 50 seconds'`.execute(t.db);
    }
    await forgot(user.email);
    expect(await linksTo(user.email)).toHaveLength(5);
    expect((await reset(newest)).status).toBe(200);
    // And who has just shown that the mailbox is theirs is sent the next one.
    await forgot(user.email);
    expect(await linksTo(user.email)).toHaveLength(6);
  });

  test('ends the session of whoever had the account before', async () => {
    const [user, other] = [await aUser(t), await aUser(t)];
    // The browser was signed in as somebody else: that session ends too, its cookie is replaced.
    const done = await reset(await aToken(user.email), NEW_PASSWORD, { as: { cookie: other.cookie } });
    expect(done.body.user?.uid).toBe(user.id);
    expect(await isSignedIn(other)).toBe(false);
    const foreign = await reset(await aToken(user.email), NEW_PASSWORD, {
      headers: { cookie: other.cookie, origin: 'https://evil.example' },
    });
    expect([foreign.status, foreign.body.error?.code]).toEqual([403, 'cross_site']);
  });
});
