import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLIC_CACHING } from './cache/cached-responses.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBookingDraft, aBuyer, aCategory, aDraft, aListing, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let seller: TestUser;
let buyer: TestUser;
let category: string;

beforeAll(async () => {
  t = await testApp();
  [seller, buyer] = await Promise.all([aSeller(t), aBuyer(t)]);
  category = await aCategory(t, seller);
});
afterAll(() => t.close());

let address: Promise<string> | undefined;
const listening = (): Promise<string> => (address ??= t.listen());

describe('what is refused everywhere', () => {
  test.each([
    ['an array', ['a']],
    ['an object', { $ne: 1 }],
    ['a number', 7],
    ['a NUL byte', 'a\0b'],
    ['a lone surrogate', 'a\ud800'],
    ['null', null],
  ])('%s where a string belongs is 400 and names the field', async (_, title) => {
    const body = { ...aDraft(seller, category), title };
    const answer = await t.send('POST', '/api/categories', { as: seller, body });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      acknowledged: false,
      error: { code: 'bad_request', fields: { title: /./ } },
    });
  });

  test.each([[-1], [0], [0.001], ['1e309'], ['NaN'], ['12abc'], ['1e2'], ['9'.repeat(20)], [''], [' '], [true], [[5]]])(
    'the price %j is 400',
    async (resale_price) => {
      const body = { ...aDraft(seller, category), resale_price };
      const answer = await t.send('POST', '/api/categories', { as: seller, body });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error.fields).toHaveProperty('resale_price');
    },
  );

  test('repeated query keys are 400', async () => {
    const answer = await t.send('GET', `/api/bookings?email=${buyer.email}&email=${seller.email}`, { as: buyer });
    expect(answer.statusCode).toBe(400);
  });

  test('unknown fields are dropped and never stored', async () => {
    const listing = await aListing(t, seller, { category_id: category });
    const body = { ...aBookingDraft(buyer, listing), paid: true, _id: listing._id, price_cents: 1 };
    const answer = await t.send('POST', '/api/bookings', { as: buyer, body });
    expect(answer.statusCode).toBe(201);
    expect(answer.json().insertedId).not.toBe(listing._id);
  });

  test('__proto__ in a body changes nothing', async () => {
    const text = JSON.stringify(aDraft(seller, category)).replace('{', '{"__proto__":{"isAdmin":true},');
    const answer = await t.send('POST', '/api/categories', {
      as: seller,
      body: text,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.statusCode).toBe(400);
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });

  test('a body over 100 kB is 413, another type 415, broken JSON 400', async () => {
    const json = { 'content-type': 'application/json' };
    const send = (body: string, headers: Record<string, string>) =>
      t.send('POST', '/api/categories', { as: seller, body, headers });
    const large = await send(JSON.stringify({ details: 'x'.repeat(101_000) }), json);
    expect([large.statusCode, large.json().error.code]).toEqual([413, 'too_large']);
    expect((await send('{}', { 'content-type': 'text/plain' })).statusCode).toBe(415);
    expect((await send('{', json)).statusCode).toBe(400);
  });

  test.each(['nonsense', '1', "1' OR '1'='1", '%00', 'x'.repeat(2_000)])('the id %j is 404', async (id) => {
    const answer = await t.send('GET', `/api/categories/${encodeURIComponent(id)}`);
    expect(answer.statusCode).toBe(404);
    expect(answer.json().error.code).toBe('not_found');
  });
});

describe('every answer', () => {
  test('to an address that cannot be read is 400 with all headers', async () => {
    const answer = await t.send('GET', '/%E0%A4%A');
    expect(answer.statusCode).toBe(400);
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
    expect(answer.json().error).toMatchObject({ code: 'bad_request' });
  });

  test('has a type with charset, nosniff, a policy and a request id where it refuses', async () => {
    const answer = await t.send('GET', '/api/nothing-here');
    expect(answer.statusCode).toBe(404);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(answer.json().error.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('of a public list carries an ETag and is 304 when nothing changed', async () => {
    const first = await t.send('GET', `/api/category/${category}`);
    const etag = String(first.headers.etag);
    const headers = { 'if-none-match': etag };
    expect((await t.send('GET', `/api/category/${category}`, { headers })).statusCode).toBe(304);
    await aListing(t, seller, { category_id: category });
    expect((await t.send('GET', `/api/category/${category}`, { headers })).statusCode).toBe(200);
  });

  test('is private once a person is known', async () => {
    const answer = await t.send('GET', '/api/categories', { as: buyer });
    expect(answer.headers['cache-control']).toBe('no-store');
    const anonymous = await t.send('GET', '/api/categories');
    expect(anonymous.headers).toMatchObject({
      vary: 'Authorization, Accept-Encoding',
      'cache-control': PUBLIC_CACHING,
    });
  });

  test('of a defect says nothing of it', async () => {
    await t.db.schema.alterTable('categories').renameTo('categories_away').execute();
    const answer = await t.send('GET', '/api/categoryName');
    await t.db.schema.alterTable('categories_away').renameTo('categories').execute();
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('categories_away');
    expect(answer.json().error).toMatchObject({ code: 'internal', message: 'Something went wrong on our side' });
  });
});

describe('the API describes itself', () => {
  test('as OpenAPI 3.1 with every call', async () => {
    const document = (await t.send('GET', '/api/openapi.json')).json();
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/api/categories', '/api/bookings', '/api/create-payment-intent', '/api/jwt']),
    );
  });

  test('with no two paths that are the same, and nothing unnamed', async () => {
    const { paths, tags } = (await t.send('GET', '/api/openapi.json')).json() as {
      paths: Record<string, Record<string, { tags: string[]; parameters?: { name: string; in: string }[] }>>;
      tags: { name: string }[];
    };
    const shapes = Object.keys(paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(shapes).toHaveLength(new Set(shapes).size);
    expect(Object.keys(paths['/api/users/admin/{email}'] ?? {}).toSorted()).toEqual(['delete', 'get', 'put']);
    const named = new Set(tags.map(({ name }) => name));
    for (const [path, methods] of Object.entries(paths)) {
      for (const operation of Object.values(methods)) {
        expect(operation.tags.every((tag) => named.has(tag))).toBe(true);
        const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
        expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      }
    }
  });

  test('as a page to read', async () => {
    const page = await t.send('GET', '/api/docs');
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.body).toContain('/api/create-payment-intent');
  });
});

test.each(['//HOST/x', '/\\HOST/x', '//HOST', 'http://HOST/x'])(
  'the stand-in’s mount never leads elsewhere: %s',
  async (path) => {
    let visited = 0;
    const elsewhere = createServer((_request, response) => {
      visited += 1;
      response.end('elsewhere');
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const address = elsewhere.address();
    const host = typeof address === 'object' ? `127.0.0.1:${address?.port}` : '';
    const shop = new URL(await listening());
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const options = { host: shop.hostname, port: shop.port, path: `/standins/stripe${path.replace('HOST', host)}` };
      get(options, (response) => resolve(response.resume().statusCode)).on('error', reject);
    });
    elsewhere.close();
    expect(visited).toBe(0);
    expect(answer).toBe(404);
  },
);

test('the stand-in is shown by the shop, and gets no cookie of ours', async () => {
  const answer = await fetch(`${await listening()}/standins/stripe/stripe.js`, {
    headers: { cookie: 'dogear=secret' },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('javascript');
});
