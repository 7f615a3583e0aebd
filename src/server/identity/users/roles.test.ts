import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  becomeBuyer,
  becomeSeller,
  isAdmin,
  isBuyer,
  isSeller,
  readSession,
  saveProfile,
  type Role,
} from '#contract/users/identity.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aUser, anAdmin, type TestUser } from '#test/make.ts';

let t: TestApp;
let user: TestUser;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  user = await aUser(t);
});

const rolesOf = async (who: TestUser): Promise<Role[]> =>
  (await t.call(readSession, {}, { as: who })).body.user?.roles ?? [];

const rowOf = (who: TestUser) =>
  t.db.selectFrom('users').selectAll().where('id', '=', who.id).executeTakeFirstOrThrow();

/** Makes the user's sign-in this much older. */
const age = (who: TestUser, interval: string) =>
  sql`UPDATE sessions SET signed_in_at = signed_in_at - ${interval}::interval WHERE user_id = ${who.id}`.execute(t.db);

describe.each([
  ['buyer', becomeBuyer, 'seller'],
  ['seller', becomeSeller, 'buyer'],
] as const)('choosing to be a %s', (role, become, other) => {
  const choose = (email: string, as?: Partial<TestUser>) => t.call(become, { query: { email } }, { as });

  test('is 1 at first and 0 when repeated, by cookie or by token; nobody is verified by it', async () => {
    expect((await choose(user.email, { cookie: user.cookie })).body).toEqual({ modifiedCount: 1 });
    expect((await choose(user.email, { cookie: user.cookie })).body).toEqual({ modifiedCount: 0 });
    expect((await choose(user.email.toUpperCase(), { accessToken: user.accessToken })).body).toEqual({
      modifiedCount: 0,
    });
    expect(await rolesOf(user)).toEqual([role]);
    expect((await rowOf(user)).verified).toBe(false);
  });

  test('of many at once changes one', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => choose(user.email, user)));
    expect(answers.map(({ body }) => body.modifiedCount).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
  });

  test('is refused to nobody and to a stranger', async () => {
    const stranger = await aUser(t, { roles: ['admin', 'buyer', 'seller'] });
    const anonymous = await choose(user.email);
    expect([anonymous.status, anonymous.body.modifiedCount]).toEqual([401, 0]);
    const other = await choose(user.email, stranger);
    expect([other.status, other.body.modifiedCount]).toEqual([403, 0]);
    expect(await rolesOf(user)).toEqual([]);
  });

  test('as a second role needs a sign-in of the last 15 minutes to sell, and none to buy', async () => {
    const second = await aUser(t, { roles: [other] });
    await age(second, '14 minutes');
    expect((await choose(second.email, second)).body.modifiedCount).toBe(1);
    const late = await aUser(t, { roles: [other] });
    await age(late, '15 minutes 1 second');
    const answer = await choose(late.email, late);
    if (role === 'buyer') {
      expect([answer.status, answer.body.modifiedCount]).toEqual([200, 1]);
      return;
    }
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ modifiedCount: 0, error: { code: 'fresh_sign_in_needed' } });
    expect(await rolesOf(late)).toEqual([other]);
  });

  test('as the first role, or again, needs no fresh sign-in', async () => {
    await age(user, '5 hours');
    expect((await choose(user.email, user)).body.modifiedCount).toBe(1);
    expect((await choose(user.email, user)).body.modifiedCount).toBe(0);
  });

  test('takes an address once', async () => {
    for (const query of ['', `?email=${user.email}&email=${user.email}`, '?email[]=x']) {
      const answer = await t.send('PUT', `/api/users/${role}${query}`, { as: user });
      expect([answer.statusCode, answer.json().modifiedCount]).toEqual([400, 0]);
    }
  });
});

describe.each([
  ['admin', isAdmin, 'isAdmin'],
  ['buyer', isBuyer, 'isBuyer'],
  ['seller', isSeller, 'isSeller'],
] as const)('whether someone is %s', (role, ask, key) => {
  const answerOf = async (email: string, as?: Partial<TestUser>) => {
    const answer = await t.call(ask, { params: { email } }, { as });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    return answer.body;
  };

  test('is told to that person', async () => {
    const person = await aUser(t, { roles: [role] });
    expect(await answerOf(person.email, person)).toEqual({ [key]: true });
    expect(await answerOf(person.email.toUpperCase(), person)).toEqual({ [key]: true });
    expect(await answerOf(user.email, user)).toEqual({ [key]: false });
  });

  test('is told to an admin, not to a stranger, not to nobody', async () => {
    const person = await aUser(t, { roles: [role] });
    expect(await answerOf(person.email, await anAdmin(t))).toEqual({ [key]: true });
    expect(await answerOf(person.email, await aUser(t, { roles: ['buyer', 'seller'] }))).toEqual({ [key]: false });
    expect(await answerOf(person.email)).toEqual({ [key]: false });
    expect(await answerOf(person.email, { accessToken: 'a.b.c' })).toEqual({ [key]: false });
  });

  test('is false of one without the role, without an account or deleted, to an admin too', async () => {
    const admin = await anAdmin(t);
    const gone = await aUser(t, { roles: [role] });
    await t.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', gone.id).execute();
    for (const email of [user.email, gone.email, 'nobody@example.com', 'no address', '%']) {
      expect(await answerOf(email, admin)).toEqual({ [key]: false });
    }
  });
});

describe('POST /users', () => {
  test('takes the name and answers the same when repeated', async () => {
    const body = { name: ' Grace  Hopper ', email: user.email };
    for (const as of [{ cookie: user.cookie }, { accessToken: user.accessToken }]) {
      const answer = await t.call(saveProfile, { body }, { as });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ acknowledged: true, insertedId: user.id });
    }
    expect((await rowOf(user)).name).toBe('Grace Hopper');
  });

  test('keeps the name when the new one is empty', async () => {
    for (const name of ['', '   ', '\u0007']) {
      expect((await t.call(saveProfile, { body: { name, email: user.email } }, { as: user })).status).toBe(200);
    }
    expect((await rowOf(user)).name).toBe(user.name);
  });

  test('never takes a role, a status, an id or another address', async () => {
    const before = await rowOf(user);
    const body = {
      name: 'Grace',
      email: user.email.toUpperCase(),
      role: 'admin',
      roles: ['admin'],
      is_admin: true,
      status: 'verified',
      verified: true,
      _id: '00000000-0000-4000-8000-000000000000',
      photo_url: 'https://evil.example/x.png',
    };
    expect((await t.call(saveProfile, { body }, { as: user })).status).toBe(200);
    expect(await rowOf(user)).toEqual({ ...before, name: 'Grace' });
  });

  test('is refused to nobody and to a stranger, an admin too', async () => {
    const body = { name: 'Mallory', email: user.email };
    const anonymous = await t.call(saveProfile, { body });
    expect(anonymous.status).toBe(401);
    expect(anonymous.body).toMatchObject({ acknowledged: false, insertedId: null });
    for (const stranger of [await aUser(t), await anAdmin(t)]) {
      const answer = await t.call(saveProfile, { body }, { as: stranger });
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({ acknowledged: false, insertedId: null });
    }
    expect((await rowOf(user)).name).toBe(user.name);
  });

  test.each([[['a']], [{}], [1], [null], ['a\0b'], ['\ud800'], ['x'.repeat(201)]])(
    'refuses the name %j',
    async (name) => {
      const answer = await t.send('POST', '/api/users', { as: user, body: { name, email: user.email } });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ acknowledged: false, error: { fields: { name: /./ } } });
    },
  );
});
