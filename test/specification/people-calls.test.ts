// The calls as the specification writes them: paths, keys and refusals spelled out here, and not taken from the
// contract.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, aCategory, anAdmin, aSeller, aUser, type TestUser } from '#test/make.ts';
import { aName, by, callsOf, rowsOf } from './ask.ts';

let t: TestApp;
let admin: TestUser;
let seller: TestUser;
let buyer: TestUser;
let category: string;
let ask: ReturnType<typeof callsOf>['ask'];
let statuses: ReturnType<typeof callsOf>['statuses'];

beforeAll(async () => {
  t = await testApp();
  ({ ask, statuses } = callsOf(t));
  [admin, seller, buyer] = await Promise.all([anAdmin(t), aSeller(t), aBuyer(t)]);
  category = await aCategory(t, seller);
});
afterAll(() => t.close());

describe('GET /categoryName', () => {
  test('needs no proof of who asks', async () => {
    expect((await ask('GET', '/categoryName')).statusCode).toBe(200);
  });

  test('answers a list of category_id and category_name', async () => {
    expect((await ask('GET', '/categoryName')).json()).toContainEqual({
      category_id: category,
      category_name: category,
    });
  });
});

describe('POST /categoryName', () => {
  test('is for sellers and admins', async () => {
    const send = (person?: TestUser) =>
      ask('POST', '/categoryName', person && by(person), { category_id: aName(), category_name: aName() });
    const answers = [await send(), await send(buyer), await send(seller), await send(admin)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 403, 201, 201]);
  });

  test.each(['category_id', 'category_name'])('takes %s', async (key) => {
    const body: Record<string, string> = { category_id: aName(), category_name: aName() };
    await ask('POST', '/categoryName', by(admin), body);
    const added = rowsOf(await ask('GET', '/categoryName')).map((one) => one[key]);
    expect(added).toContain(body[key]);
  });

  test('answers acknowledged', async () => {
    const body = { category_id: aName(), category_name: aName() };
    expect((await ask('POST', '/categoryName', by(admin), body)).json()).toMatchObject({ acknowledged: true });
  });
});

describe.each([
  { role: 'admin', key: 'isAdmin' },
  { role: 'buyer', key: 'isBuyer' },
  { role: 'seller', key: 'isSeller' },
] as const)('GET /users/$role/{email}', ({ role, key }) => {
  const person = (): TestUser => ({ admin, buyer, seller })[role];

  test('needs no proof of who asks', async () => {
    expect((await ask('GET', `/users/${role}/${person().email}`)).statusCode).toBe(200);
  });

  test('answers whether they have it', async () => {
    const other = role === 'admin' ? buyer : await aUser(t);
    const answers = [
      await ask('GET', `/users/${role}/${person().email}`, by(person())),
      await ask('GET', `/users/${role}/${other.email}`, by(other)),
    ];
    expect(answers.map((answer) => answer.json())).toEqual([{ [key]: true }, { [key]: false }]);
  });
});

describe('POST /users', () => {
  test('needs no token, but the session of that address', async () => {
    const body = { name: 'Ada', email: buyer.email };
    const other = { name: 'Ada', email: seller.email };
    const answers = [
      await ask('POST', '/users', undefined, body),
      await ask('POST', '/users', { cookie: buyer.cookie }, other),
      await ask('POST', '/users', { cookie: buyer.cookie }, body),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 403, 200]);
  });

  test('takes the name', async () => {
    const person = await aUser(t);
    await ask('POST', '/users', { cookie: person.cookie }, { name: 'Zora Newname', email: person.email });
    const { user } = (await ask('GET', '/auth/session', { cookie: person.cookie })).json();
    expect(user.displayName).toBe('Zora Newname');
  });

  test('answers acknowledged and insertedId', async () => {
    const person = await aUser(t);
    const answer = await ask('POST', '/users', { cookie: person.cookie }, { name: 'Ada', email: person.email });
    expect(answer.json()).toEqual({ acknowledged: true, insertedId: person.id });
  });
});

describe('GET /users', () => {
  test('is for admins', async () => {
    expect(await statuses('GET', '/users', [undefined, seller, admin])).toEqual([401, 403, 200]);
  });

  test('answers a list of users', async () => {
    const listed = rowsOf(await ask('GET', '/users?limit=100', by(admin)));
    expect(listed.map(({ email }) => email)).toEqual(expect.arrayContaining([admin.email, seller.email, buyer.email]));
  });
});

describe('GET /users/all_sellers', () => {
  test('is for admins', async () => {
    expect(await statuses('GET', '/users/all_sellers', [undefined, seller, admin])).toEqual([401, 403, 200]);
  });

  test('answers a list of sellers', async () => {
    const listed = rowsOf(await ask('GET', '/users/all_sellers?limit=100', by(admin)));
    const addresses = listed.map(({ email }) => email);
    expect([addresses.includes(seller.email), addresses.includes(buyer.email)]).toEqual([true, false]);
  });
});

describe.each(['admin', 'verified'])('PUT /users/%s/{id}', (what) => {
  test('needs the token of an admin', async () => {
    const { id } = await aSeller(t);
    expect(await statuses('PUT', `/users/${what}/${id}`, [undefined, seller, admin])).toEqual([401, 403, 200]);
  });

  test('answers modifiedCount', async () => {
    const { id } = await aSeller(t);
    expect((await ask('PUT', `/users/${what}/${id}`, by(admin))).json()).toEqual({ modifiedCount: 1 });
  });
});

describe('DELETE /users/{id}', () => {
  test('needs the token of an admin', async () => {
    const { id } = await aUser(t);
    expect(await statuses('DELETE', `/users/${id}`, [undefined, seller, admin])).toEqual([401, 403, 200]);
  });

  test('answers deletedCount', async () => {
    const { id } = await aUser(t);
    expect((await ask('DELETE', `/users/${id}`, by(admin))).json()).toEqual({ deletedCount: 1 });
  });
});

describe.each(['buyer', 'seller'])('PUT /users/%s?email=', (role) => {
  test('is for that user alone', async () => {
    const person = await aUser(t);
    const path = `/users/${role}?email=${person.email}`;
    expect(await statuses('PUT', path, [undefined, seller, person])).toEqual([401, 403, 200]);
  });

  test('answers modifiedCount', async () => {
    const person = await aUser(t);
    const answer = await ask('PUT', `/users/${role}?email=${person.email}`, by(person));
    expect(answer.json()).toEqual({ modifiedCount: 1 });
  });
});
