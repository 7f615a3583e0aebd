import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteUser, listSellers, listUsers, type ListedUser, type UsersSort } from '#contract/admin/admin.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, aSeller, aUser, anAdmin, type TestUser } from '#test/make.ts';
import { nextCursor } from '#test/next-cursor.ts';
import { orderSteps } from '#test/order-steps.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await anAdmin(t);
});
afterAll(() => t.close());

const { sold, move, ahead } = orderSteps(() => t);

/** Every row of a list, read page by page. */
const readAll = async (
  list: typeof listUsers | typeof listSellers,
  query: { q?: string; limit?: string; sort?: UsersSort } = {},
) => {
  const rows: ListedUser[] = [];
  let cursor: string | undefined;
  do {
    const page = await t.call(list, { query: { ...query, ...(cursor && { cursor }) } }, { as: admin });
    expect(page.status).toBe(200);
    rows.push(...page.body);
    cursor = nextCursor(page.headers['link']);
  } while (cursor !== undefined);
  return rows;
};

describe.each([
  ['GET /users', listUsers],
  ['GET /users/all_sellers', listSellers],
] as const)('%s', (_, list) => {
  test('is refused to nobody, to buyers and to sellers, with nothing but the error', async () => {
    const refused = [
      [undefined, 401, 'unauthenticated'],
      [await aBuyer(t), 403, 'forbidden'],
      [await aSeller(t), 403, 'forbidden'],
      [await aUser(t), 403, 'forbidden'],
    ] as const;
    for (const [as, status, code] of refused) {
      const answer = await t.call(list, { query: {} }, { as });
      expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
      expect(Object.keys(answer.body)).toEqual(['error']);
    }
  });

  test('is for admins, is never kept by a cache and counts', async () => {
    const answer = await t.call(list, { query: { limit: '1' } }, { as: admin });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(Number(answer.headers['x-total-count'])).toBe((await readAll(list)).length);
  });

  test('takes neither the cookie for the token, nor a cursor or limit that is none', async () => {
    const byCookie = await t.call(list, { query: {} }, { as: { cookie: admin.cookie } });
    expect(byCookie.status).toBe(401);
    for (const query of [{ cursor: 'nonsense' }, { limit: '0' }, { limit: '101' }, { q: 'x'.repeat(255) }]) {
      expect((await t.call(list, { query }, { as: admin })).status).toBe(400);
    }
    expect((await t.send('GET', `/api${list.path}?q=a&q=b`, { as: admin })).statusCode).toBe(400);
  });
});

test('a user is shown with the highest role, all roles and the status, and with nothing secret', async () => {
  const email = 'Many.Roles@example.com';
  const { id } = await aUser(t, { email, name: 'Mary Roles', roles: ['buyer', 'seller'], verified: true });
  const [row] = await readAll(listUsers, { q: email });
  expect(row).toEqual({
    _id: id,
    name: 'Mary Roles',
    email,
    role: 'seller',
    roles: ['seller', 'buyer'],
    status: 'verified',
    suspended: false,
    joined: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
  const fresh = await aUser(t);
  expect((await readAll(listUsers, { q: fresh.email }))[0]).toMatchObject({
    role: '',
    roles: [],
    status: 'unverified',
  });
});

test('of sellers admins see how often they did not send what was paid', async () => {
  const shownOf = async ({ email }: TestUser, list: typeof listUsers | typeof listSellers = listSellers) =>
    (await readAll(list, { q: email })).map(({ cancelled }) => cancelled);
  const refused = await sold();
  expect(await shownOf(refused.seller)).toEqual([0]);
  expect(await move(refused, refused.seller, { move: 'refuse', reason: 'Lost' })).toMatchObject({ status: 200 });
  expect(await shownOf(refused.seller)).toEqual([1]);
  expect(await shownOf(refused.seller, listUsers)).toEqual([undefined]);
  // What its buyer cancels is not their doing; what they do not post is.
  const [given, silent] = [await sold(), await sold()];
  expect(await move(given, given.buyer, { move: 'cancel' })).toMatchObject({ status: 200 });
  await ahead(30);
  expect([await shownOf(given.seller), await shownOf(silent.seller)]).toEqual([[0], [1]]);
});

test('both lists go on to the last person, newest first, each once; sellers list sellers only', async () => {
  const sellers = [];
  for (let made = 0; made < 5; made += 1) {
    sellers.unshift((await aUser(t, { roles: made % 2 === 0 ? ['seller'] : ['buyer', 'seller'] })).id);
    await aBuyer(t);
  }
  const listed = await readAll(listSellers, { limit: '2' });
  expect(listed.slice(0, 5).map(({ _id }) => _id)).toEqual(sellers);
  expect(listed.every(({ roles }) => roles.includes('seller'))).toBe(true);
  const everybody = await readAll(listUsers, { limit: '3' });
  expect(new Set(everybody.map(({ _id }) => _id)).size).toBe(everybody.length);
  const rows = await t.db.selectFrom('users').select('id').execute();
  expect(everybody.length).toBe(rows.length);
});

test('a search finds a part of the name or address, whatever its case, and takes % and _ as they are', async () => {
  const one = await aUser(t, { name: 'Zoë 100%_Wright', email: 'find.me@example.com', roles: ['seller'] });
  const finds = async (q: string) => (await readAll(listUsers, { q })).map(({ _id }) => _id);
  for (const q of ['zoë', 'WRIGHT', '100%_', ' find.ME@ ', 'd.me@example.c']) expect(await finds(q)).toEqual([one.id]);
  expect(await finds('find%me')).toEqual([]);
  expect(await finds('find_me')).toEqual([]);
  expect((await readAll(listSellers, { q: 'wright' })).map(({ _id }) => _id)).toEqual([one.id]);
  const none = await t.call(listUsers, { query: { q: 'nobody at all' } }, { as: admin });
  expect([none.body, none.headers['x-total-count']]).toEqual([[], '0']);
  expect((await finds('  ')).length).toBeGreaterThan(1);
});

test('both lists are read by name, whatever its case and accents, page by page, with the same search and count', async () => {
  const names = ['Sorted ärla', 'sorted Anton', 'Sorted Zoë', 'Sorted O’Neill', 'Sorted Oneil'];
  for (const name of names) await aUser(t, { name, roles: ['seller'] });
  const sorted = ['sorted Anton', 'Sorted ärla', 'Sorted Oneil', 'Sorted O’Neill', 'Sorted Zoë'];
  for (const list of [listUsers, listSellers]) {
    const read = async (sort: UsersSort) =>
      (await readAll(list, { q: 'sorted', sort, limit: '2' })).map(({ name }) => name);
    expect(await read('name-up')).toEqual(sorted);
    expect(await read('name-down')).toEqual(sorted.toReversed());
    expect(await read('newest')).toEqual(names.toReversed());
    const one = await t.call(list, { query: { q: 'sorted', sort: 'name-up', limit: '1' } }, { as: admin });
    expect(one.headers['x-total-count']).toBe('5');
    const cursor = nextCursor(one.headers['link']) ?? '';
    for (const sort of ['newest', 'name-down'] as const)
      expect((await t.call(list, { query: { sort, cursor } }, { as: admin })).status).toBe(400);
    expect((await t.send('GET', `/api${list.path}?sort=email`, { as: admin })).statusCode).toBe(400);
  }
});

test('the deleted are in no list and no count', async () => {
  const gone = await aUser(t, { roles: ['seller'], name: 'Soon Gone' });
  await t.call(deleteUser, { params: { id: gone.id } }, { as: admin });
  for (const list of [listUsers, listSellers]) {
    const answer = await t.call(list, { query: { q: 'Soon Gone' } }, { as: admin });
    expect([answer.body, answer.headers['x-total-count']]).toEqual([[], '0']);
  }
});
