import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readSession, signIn, signUp } from '#contract/users/identity.ts';
import { connect } from '#server/platform/postgres/db.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aUser, PASSWORD } from '#test/make.ts';
import { findUserByEmail, registerUser } from './identity.service.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const anAddress = (): string => `u${randomUUID().slice(0, 12)}@example.com`;

/** A user who has not signed in yet; answers the address. */
const aPerson = async (password = PASSWORD): Promise<string> => {
  const email = anAddress();
  await registerUser(t.db, { email, name: 'Ada Reader', password });
  return email;
};

const tryPassword = async (email: string, password: string, ip = '127.0.0.1') =>
  t.call(signIn, { body: { email, password } }, { ip });

describe('signing in', () => {
  test('takes the address in any case and answers the person with their roles, the highest first', async () => {
    const user = await aUser(t, { roles: ['buyer', 'admin', 'seller'] });
    const answer = await tryPassword(user.email.toUpperCase().replace('.COM', '.com'), PASSWORD);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      user: {
        uid: user.id,
        email: user.email,
        displayName: user.name,
        photoURL: '',
        roles: ['admin', 'seller', 'buyer'],
        emailProven: true,
        timeZone: '',
      },
    });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  // Planted hole, seen failing here: a sentence of its own where there is no account.
  test('a wrong password and an address without an account look the same', async () => {
    const [wrong, nobody] = [await tryPassword(await aPerson(), 'Wrong#1'), await tryPassword(anAddress(), 'Wrong#1')];
    for (const answer of [wrong, nobody]) {
      expect(answer.status).toBe(401);
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.body).toEqual({
        user: null,
        error: {
          code: 'wrong_credentials',
          message: 'The email address or the password is wrong.',
          requestId: expect.any(String),
        },
      });
    }
    expect(Object.keys(wrong.headers).sort()).toEqual(Object.keys(nobody.headers).sort());
  });

  test('a password stored under older rules still signs in', async () => {
    expect((await tryPassword(await aPerson('old'), 'old')).status).toBe(200);
  });

  test.each(['ada', 'ada@example.info', `${'a'.repeat(300)}@example.com`, `${'a.'.repeat(200)}!`])(
    'refuses %s as an address by the rule of the form',
    async (email) => {
      const answer = await tryPassword(email, PASSWORD);
      expect(answer.status).toBe(400);
      expect(answer.body.error?.fields).toEqual({ email: 'Please provide a valid email' });
    },
  );

  test('someone who only comes through a provider, or was deleted, has no password', async () => {
    const [provider, deleted] = [await aPerson(), await aPerson()];
    await t.db.updateTable('users').set({ password_hash: null }).where('email', '=', provider).execute();
    await t.db.updateTable('users').set({ deleted_at: new Date() }).where('email', '=', deleted).execute();
    for (const [email, password] of [
      [provider, ''],
      [provider, PASSWORD],
      [deleted, PASSWORD],
    ] as const) {
      expect((await tryPassword(email, password)).status).toBe(401);
    }
    expect(await findUserByEmail(t.db, deleted)).toBeUndefined();
  });

  // Planted hole, seen failing here: startSession going on with the token that the browser sent.
  test('never adopts a session token that the browser came with', async () => {
    const email = await aPerson();
    const planted = `dogear=${'A'.repeat(43)}`;
    const answer = await t.call(signIn, { body: { email, password: PASSWORD } }, { as: { cookie: planted } });
    const cookie = String(answer.headers['set-cookie']).split(';', 1)[0] ?? '';
    expect(cookie).not.toBe(planted);
    expect((await t.call(readSession, {}, { as: { cookie: planted } })).body.user).toBeNull();
    expect((await t.call(readSession, {}, { as: { cookie } })).body.user?.email).toBe(email);
  });

  test('ends the session the browser had, and only that one', async () => {
    const user = await aUser(t);
    const elsewhere = await tryPassword(user.email, PASSWORD);
    const again = await t.call(signIn, { body: { email: user.email, password: PASSWORD } }, { as: user });
    expect(again.status).toBe(200);
    expect((await t.call(readSession, {}, { as: { cookie: user.cookie } })).body.user).toBeNull();
    const other = String(elsewhere.headers['set-cookie']).split(';', 1)[0];
    expect((await t.call(readSession, {}, { as: { cookie: other } })).body.user?.uid).toBe(user.id);
  });

  test('a failed sign-in leaves the session the browser had alone', async () => {
    const user = await aUser(t);
    const failed = await t.call(signIn, { body: { email: user.email, password: 'Wrong#1' } }, { as: user });
    expect(failed.status).toBe(401);
    expect((await t.call(readSession, {}, { as: user })).body.user?.uid).toBe(user.id);
  });
});

describe('ten wrong passwords', () => {
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status);

  const fail = async (email: string, times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) expect((await tryPassword(email, 'Wrong#1', `10.1.0.${n}`)).status).toBe(401);
  };

  /** Makes the account's last counted attempt this much older. */
  const wait = (seconds: number) =>
    sql`UPDATE attempt_counters SET window_started_at = window_started_at - ${seconds} * interval '1 second'`.execute(
      t.db,
    );

  test.each(['an account', 'no account'])(
    'close the door of %s from every network, and say until when',
    async (whose) => {
      const email = whose === 'an account' ? await aPerson() : anAddress();
      await fail(email, 10);
      const refused = await tryPassword(email, PASSWORD, '10.9.9.9');
      expect(refused.status).toBe(429);
      expect(refused.body).toMatchObject({ user: null, error: { code: 'too_many' } });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(14 * 60);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(15 * 60);
      expect((await tryPassword(email.toUpperCase().replace('.COM', '.com'), PASSWORD)).status).toBe(429);
    },
  );

  // Planted hole, seen failing here: the count read before the password is checked and written after a wrong one.
  test('of a hundred at once through several processes, no more than ten are tried', async () => {
    const email = await aPerson();
    // Modules of their own, as another process has: what each does in turns by itself must not be what holds.
    const anotherProcess = async (network: number) => {
      vi.resetModules();
      const { signInUser } = await import('./identity.service.ts');
      const { db, close } = connect(t.databaseUrl, { connections: 3 });
      const tryAt = (n: number): Promise<number> =>
        signInUser(db, t.config, {
          email,
          password: 'Wrong#1',
          ip: `10.${network}.0.${n}`,
          userAgent: '',
          replaces: undefined,
        }).then(
          () => 200,
          (error: unknown) => (error instanceof Error && 'status' in error ? Number(error.status) : 500),
        );
      return { tryAt, close };
    };
    const processes = [];
    for (const network of [2, 3, 4, 5, 6]) processes.push(await anotherProcess(network));
    const answers = await Promise.all(processes.flatMap(({ tryAt }) => Array.from({ length: 20 }, (_, n) => tryAt(n))));
    await Promise.all(processes.map(({ close }) => close()));
    const tried = answers.filter((status) => status === 401);
    // Each process lets three wait for one account.
    expect(tried.length).toBeGreaterThan(2);
    expect(tried.length).toBeLessThanOrEqual(10);
    expect(answers.filter((status) => status === 429)).toHaveLength(100 - tried.length);
  });

  test('nine and a right one start anew', async () => {
    const email = await aPerson();
    await fail(email, 9);
    expect((await tryPassword(email, PASSWORD)).status).toBe(200);
    await fail(email, 9);
    expect((await tryPassword(email, PASSWORD)).status).toBe(200);
  });

  test('open the door again after 15 minutes without another, however often it was tried meanwhile', async () => {
    const email = await aPerson();
    await fail(email, 10);
    await wait(14 * 60);
    expect(statuses([await tryPassword(email, PASSWORD), await tryPassword(email, PASSWORD)])).toEqual([429, 429]);
    await wait(61);
    expect((await tryPassword(email, PASSWORD)).status).toBe(200);
  });

  test('count over the edge of a quarter of an hour too', async () => {
    const email = await aPerson();
    await fail(email, 5);
    await wait(14 * 60);
    await fail(email, 5);
    await wait(2 * 60);
    expect((await tryPassword(email, PASSWORD)).status).toBe(429);
  });

  test('are never filled by right ones, however many at once', async () => {
    const email = await aPerson();
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(Array.from({ length: 3 }, () => tryPassword(email, PASSWORD)));
      expect(statuses(answers)).toEqual([200, 200, 200]);
    }
  });

  test('of a browser its owner has signed in with are counted by themselves, and those of strangers do not close its door', async () => {
    const email = await aPerson();
    const first = await tryPassword(email, PASSWORD);
    const device = /dogear-device=[^;]+/.exec(String(first.headers['set-cookie']))?.[0] ?? '';
    const known = (password: string, whose = email) =>
      t.call(signIn, { body: { email: whose, password } }, { as: { cookie: device } });
    await fail(email, 10);
    expect((await tryPassword(email, PASSWORD)).status).toBe(429);
    expect((await known(PASSWORD)).status).toBe(200);
    // It opened its own door only.
    expect((await tryPassword(email, PASSWORD)).status).toBe(429);
    for (let n = 0; n < 10; n += 1) expect((await known('Wrong#1')).status).toBe(401);
    expect((await known(PASSWORD)).status).toBe(429);
    // And it is known for nobody else.
    const other = await aPerson();
    await fail(other, 10);
    expect((await known(PASSWORD, other)).status).toBe(429);
  });

  test('keep neither address readable', async () => {
    const email = anAddress();
    await fail(email, 1);
    await t.call(signUp, { body: { name: 'Ada', email: anAddress(), password: 'Secret#1' } }, { ip: '10.77.0.1' });
    const counters = JSON.stringify(await t.db.selectFrom('attempt_counters').selectAll().execute());
    expect(counters).not.toContain(email);
    expect(counters).not.toContain('10.77.0.1');
  });
});
