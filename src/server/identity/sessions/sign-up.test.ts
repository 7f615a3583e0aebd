import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueAccessToken, readSession, signIn, signUp } from '#contract/users/identity.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aUser } from '#test/make.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const anAddress = (): string => `u${randomUUID().slice(0, 12)}@example.com`;
const aForm = (more: object = {}) => ({ name: 'Ada Reader', email: anAddress(), password: 'Secret#1', ...more });
const cookieOf = (headers: Record<string, unknown>): string => String(headers['set-cookie']).split(';', 1)[0] ?? '';

const countUsers = async (email: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM users WHERE lower(email) = lower(${email})`.execute(t.db);
  return rows[0]?.n ?? -1;
};

describe('signing up', () => {
  test('makes an account without a role and signs it in', async () => {
    const form = aForm({ name: '  Ada Reader ' });
    const made = await t.call(signUp, { body: form });
    expect(made.status).toBe(201);
    expect(made.body.user).toMatchObject({ email: form.email, displayName: 'Ada Reader', photoURL: '', roles: [] });
    expect(made.headers['cache-control']).toBe('no-store');
    const cookie = cookieOf(made.headers);
    const session = await t.call(readSession, {}, { as: { cookie } });
    expect(session.body).toEqual({ user: made.body.user });
    const token = await t.call(issueAccessToken, { query: { email: form.email } }, { as: { cookie } });
    expect(token.status).toBe(200);
  });

  test('never answers the session token or anything of the password', async () => {
    const form = aForm();
    const made = await t.send('POST', '/api/auth/sign-up', { body: form });
    const token = cookieOf(made.headers).split('=')[1] ?? 'no token';
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(made.body).not.toContain(token);
    expect(made.body).not.toMatch(/password|hash|argon2/);
  });

  test('stores the password as argon2id and the session token as a hash only', async () => {
    const form = aForm();
    const made = await t.call(signUp, { body: form });
    const token = cookieOf(made.headers).split('=')[1] ?? 'no token';
    const user = await t.db.selectFrom('users').selectAll().where('email', '=', form.email).executeTakeFirstOrThrow();
    expect(user.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    const sessions = await t.db.selectFrom('sessions').selectAll().where('user_id', '=', user.id).execute();
    expect(sessions).toHaveLength(1);
    expect(JSON.stringify(sessions)).not.toContain(token);
    expect(sessions[0]?.token_hash.toString('latin1')).not.toContain(token);
  });

  test('takes no role, status or id from the form', async () => {
    const form = aForm({
      role: 'admin',
      roles: ['admin'],
      is_admin: true,
      verified: true,
      status: 'verified',
      id: '1',
    });
    const made = await t.call(signUp, { body: form });
    expect(made.body.user.roles).toEqual([]);
    const user = await t.db.selectFrom('users').selectAll().where('email', '=', form.email).executeTakeFirstOrThrow();
    expect(user).toMatchObject({ is_admin: false, is_seller: false, is_buyer: false, verified: false });
    expect(user.email_proven_at).toBeNull();
  });

  test.each([
    [{ email: 'ada@example.info' }, 'email', 'Please provide a valid email'],
    [{ email: `${'a'.repeat(250)}@example.com` }, 'email', 'Please provide a valid email'],
    [{ email: `${'a.-'.repeat(90)}!` }, 'email', 'Please provide a valid email'],
    [{ password: 'A!bcd' }, 'password', 'Must be at least 6 character'],
    [{ password: 'abcdef' }, 'password', 'At least 1 Especial character'],
    [{ password: 'abcde!' }, 'password', 'At least 1 Uppercase character'],
    [{ password: `A!${'a'.repeat(511)}` }, 'password', 'Must be at most 512 characters'],
    [{ name: ' \u0001\n ' }, 'name', 'Please provide your name'],
  ])('refuses %j with the message of the rule', async (wrong, field, message) => {
    const answer = await t.call(signUp, { body: aForm(wrong) });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ user: null, error: { code: 'bad_request', fields: { [field]: message } } });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('names every wrong field at once', async () => {
    const answer = await t.call(signUp, { body: { name: '', email: 'x', password: 'x' } });
    expect(Object.keys(answer.body.error?.fields ?? {})).toEqual(['name', 'email', 'password']);
  });

  test.each([[['a@b.co']], [{ $ne: 1 }], [7], [null], [undefined]])('refuses %j as a password', async (password) => {
    const answer = await t.send('POST', '/api/auth/sign-up', { body: aForm({ password }) });
    expect(answer.statusCode).toBe(400);
  });

  test('a common password is allowed by default', async () => {
    expect((await t.call(signUp, { body: aForm({ password: 'Password1!' }) })).status).toBe(201);
  });

  test('line breaks and other control characters in a name become spaces', async () => {
    const made = await t.call(signUp, { body: aForm({ name: 'Ada\r\nBcc: x\u001b[2J' }) });
    expect(made.body.user.displayName).toBe('Ada Bcc: x [2J');
  });

  test('a taken address is told, whatever its case, and changes nothing', async () => {
    const taken = await aUser(t);
    const answer = await t.call(signUp, { body: aForm({ email: taken.email.toUpperCase().replace('.COM', '.com') }) });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      user: null,
      error: { code: 'email_taken', message: 'The email address is already in use by another account.' },
    });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(await countUsers(taken.email)).toBe(1);
    expect((await t.call(readSession, {}, { as: taken })).body.user?.displayName).toBe(taken.name);
  });

  // Planted hole, seen failing here: looking for the address and then inserting, on an index that is not unique.
  test('of many at once with one address in different case, one makes the account', async () => {
    const email = anAddress();
    const spellings = [email, email.toUpperCase(), email.replace('u', 'U'), email.replace('example', 'Example')];
    const answers = await Promise.all(
      [...spellings, ...spellings].map((spelling) => t.call(signUp, { body: aForm({ email: spelling }) })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(await countUsers(email)).toBe(1);
  });
});

describe('a password', () => {
  const signsIn = async (email: string, password: string): Promise<boolean> =>
    (await t.call(signIn, { body: { email, password } })).status === 200;

  test.each([73, 128, 512])('of %i characters counts to its last', async (length) => {
    const password = `A!${'p'.repeat(length - 2)}`;
    const form = aForm({ password });
    expect((await t.call(signUp, { body: form })).status).toBe(201);
    expect(await signsIn(form.email, `${password.slice(0, -1)}q`)).toBe(false);
    expect(await signsIn(form.email, password.slice(0, -1))).toBe(false);
    expect(await signsIn(form.email, password)).toBe(true);
  });

  test('may hold any script and spaces, and is the same however accents are composed', async () => {
    const form = aForm({ password: ' ÇaB!字📚 ' });
    expect((await t.call(signUp, { body: form })).status).toBe(201);
    expect(await signsIn(form.email, ' ÇaB!字📚 '.normalize('NFD'))).toBe(true);
    expect(await signsIn(form.email, 'ÇaB!字📚')).toBe(false);
  });
});

describe('with PASSWORD_PROFILE=nist', () => {
  let strict: TestApp;
  beforeAll(async () => {
    strict = await testApp({ env: { PASSWORD_PROFILE: 'nist' } });
  });
  afterAll(() => strict.close());

  test.each([
    ['Secret#1', 'Must be at least 15 characters'],
    ['fourteen chars', 'Must be at least 15 characters'],
    ['passwordpassword', 'This password is too easy to guess'],
    ['Password12345678Aa1!', 'This password is too easy to guess'],
    ['aaaaaaaaaaaaaaaaaaaa', 'This password is too easy to guess'],
    ['qwertyuiop12345678', 'This password is too easy to guess'],
    ['DogearBookstore2026', 'This password is too easy to guess'],
    ['ada-lovelace-books!', 'This password is too easy to guess'],
  ])('refuses %s', async (password, message) => {
    const body = { name: 'Lovelace', email: 'ada.reader@example.com', password: password.replace('ada-', 'reader-') };
    const answer = await strict.call(signUp, { body });
    expect(answer.body).toMatchObject({ error: { code: 'bad_request', fields: { password: message } } });
  });

  test.each(['correct horse battery staple', 'Every dog-eared page tells', '春眠不覚暁処処聞啼鳥夜来風雨声'])(
    'takes %s, which needs no mark and no capital',
    async (password) => {
      expect((await strict.call(signUp, { body: aForm({ password }) })).status).toBe(201);
    },
  );
});
