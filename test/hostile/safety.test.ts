import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { calculateJwkThumbprint, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { editAccount } from '#contract/users/account.ts';
import { offerListing } from '#contract/catalog/catalog.ts';
import { readSession } from '#contract/users/identity.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, aCategory, aDraft, aListing, anAdmin, aSeller, credentialsOf } from '#test/make.ts';
import { PRODUCTION } from '#test/production.ts';
import { aSale } from '#test/deal.ts';
import { operationsOf, type OpenApi } from './requests.ts';

const root = path.join(import.meta.dirname, '../..');

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ web: true });
});
afterAll(() => t.close());

describe('every answer on https', () => {
  let shop: TestApp;
  beforeAll(async () => {
    shop = await testApp({ web: true, env: PRODUCTION });
  });
  afterAll(() => shop.close());

  const ASKED: readonly { readonly method: string; readonly url: string; readonly body?: object }[] = [
    { method: 'GET', url: '/' },
    { method: 'GET', url: '/login' },
    { method: 'GET', url: '/dashboard/payment/x' },
    { method: 'GET', url: '/no-such-page' },
    { method: 'GET', url: '/favicon.svg' },
    { method: 'GET', url: '/robots.txt' },
    { method: 'GET', url: '/sitemap.xml' },
    { method: 'GET', url: '/sitemap-books.xml?from=nonsense' },
    { method: 'GET', url: '/%E0%A4%A' },
    { method: 'POST', url: '/' },
    { method: 'GET', url: '/standins/mailbox' },
    { method: 'GET', url: '/api/docs' },
    { method: 'GET', url: '/api/openapi.json' },
    { method: 'GET', url: '/api/categoryName' },
    { method: 'GET', url: '/api/nothing' },
    { method: 'GET', url: '/api/account' },
    { method: 'GET', url: '/api/auth/google' },
    { method: 'POST', url: '/api/auth/sign-in', body: {} },
    { method: 'POST', url: '/api/auth/sign-in', body: { email: 'nobody@example.com', password: 'Wrong#Horse' } },
    { method: 'POST', url: '/api/csp-reports', body: { a: 1 } },
    { method: 'POST', url: '/api/webhooks/stripe', body: {} },
    { method: 'OPTIONS', url: '/api/account' },
  ];

  test.each(ASKED)('to $method $url has the headers that keep others out', async ({ method, url, body }) => {
    const { headers } = await shop.send(method, url, { body });
    expect(headers).toMatchObject({
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'/),
      'permissions-policy': expect.stringContaining('camera=()'),
    });
    expect(String(headers['content-security-policy'])).not.toMatch(/unsafe-|\*(?!\.(js\.)?stripe\.com)/);
    if (!url.startsWith('/dashboard/payment'))
      expect(String(headers['content-security-policy'])).not.toContain('stripe');
    if (headers['content-length'] !== '0' && headers['content-type'] !== undefined) {
      expect(headers['content-type']).toMatch(/charset=utf-8$|^image\/x-icon$|^image\/png$/);
    }
  });
});

test.each(['https://evil.example', 'null', 'https://site.evil', 'http://localhost:3000.evil.example'])(
  'the origin %s may read nothing',
  async (origin) => {
    for (const [method, url] of [
      ['GET', '/api/categories'],
      ['OPTIONS', '/api/bookings'],
      ['GET', '/'],
    ] as const) {
      const headers = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      };
      const answer = await t.send(method, url, { headers });
      const granted = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
      expect(granted).toEqual([]);
    }
  },
);

test('a request that shows a copy or a user fetches no picture, and leads nobody to one that is elsewhere', async () => {
  let visits = 0;
  const canary = createServer((socket) => {
    visits += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(canary, 'listening');
  const { port } = canary.address() as AddressInfo;
  const seller = await aSeller(t);
  const category = await aCategory(t, seller);
  const hosts = [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `2130706433:${port}`,
    `0x7f000001:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
  ];
  for (const host of hosts) {
    const draft = aDraft(seller, category, { image_url: `https://${host}/a.jpg`, title: `At ${host}` });
    const made = await t.call(offerListing, { body: draft }, { as: seller });
    expect(made.status).toBe(201);
    for (const url of [
      `/book/${made.body.insertedId}`,
      `/category/${category}`,
      '/',
      `/api/categories/${made.body.insertedId}`,
    ]) {
      expect((await t.send('GET', url)).body).not.toMatch(/<(img|link|meta)[^>]*https:\/\//);
    }
    await t.call(editAccount, { body: { photoURL: `https://${host}/me.jpg` } }, { as: seller });
  }
  await t.mailTo(seller.email);
  canary.close();
  expect(visits).toBe(0);
});

test('reading changes nothing: every GET as everybody, twice, leaves the tables as they were', async () => {
  const [buyer, seller, admin] = [await aBuyer(t), await aSeller(t), await anAdmin(t)];
  const { bookingId, copy } = await aSale(t, { buyer, seller });
  const free = await aListing(t, seller);
  const document = (await t.send('GET', '/api/openapi.json')).json() as OpenApi;
  const gets = operationsOf(document).filter(({ method, path: at }) => method === 'GET' && !/\/auth\//.test(at));
  expect(gets.length).toBeGreaterThan(20);
  const tables = [
    'users',
    'categories',
    'listings',
    'bookings',
    'holds',
    'waitlist_entries',
    'payments',
    'payment_intents',
  ];
  tables.push('refunds', 'ledger_entries', 'outbox', 'audit_entries', 'passkeys', 'signing_keys');
  const stateOf = async (): Promise<Record<string, string>> => {
    const states: Record<string, string> = {};
    for (const table of tables) {
      const { rows } = await sql<{ row: string }>`SELECT t::text AS row FROM ${sql.table(table)} t ORDER BY 1`.execute(
        t.db,
      );
      states[table] = createHash('sha256').update(JSON.stringify(rows)).digest('hex');
    }
    return states;
  };
  const before = await stateOf();
  for (const round of [1, 2]) {
    for (const person of [undefined, buyer, seller, admin]) {
      for (const { path: at } of gets) {
        const ids = /bookings/.test(at) ? [bookingId] : [copy._id, free._id];
        for (const id of ids) {
          const url = at.replace('{id}', id).replace('{email}', buyer.email);
          const query = /jwt|my_|bookings$/.test(at) && person ? `?email=${encodeURIComponent(person.email)}` : '';
          await t.send('GET', `${url}${query}`, { as: person });
        }
      }
    }
    expect(await stateOf(), `round ${round}`).toEqual(before);
  }
});

test('a new signing key is taken up beside the old one: tokens of both are believed in every process', async () => {
  const person = await aBuyer(t);
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  await sql`INSERT INTO signing_keys (kid, private_jwk, created_at)
    VALUES (${kid}, ${JSON.stringify(jwk)}, now() + interval '1 second')`.execute(t.db);
  const other = await testApp({ beside: t });
  try {
    const fresh = await credentialsOf(other, person.email);
    expect(decodeProtectedHeader(fresh.accessToken).kid).toBe(kid);
    expect(decodeProtectedHeader(person.accessToken).kid).not.toBe(kid);
    const isKnown = async (shop: TestApp, accessToken: string): Promise<boolean> =>
      (await shop.call(readSession, {}, { as: { accessToken } })).body.user !== null;
    expect(await isKnown(other, person.accessToken)).toBe(true);
    expect(await isKnown(t, person.accessToken)).toBe(true);
    // The other process looks again for a key it does not know, though not with every request.
    await expect.poll(() => isKnown(t, fresh.accessToken)).toBe(true);
  } finally {
    await other.close();
  }
});

test('no id, token or secret of the server comes from Math.random', () => {
  const folder = path.join(root, 'src/server');
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => readFileSync(path.join(folder, file), 'utf8').includes('Math.random'));
  expect(found).toEqual([]);
});

test('every window of every journey is one that hears what the policies stop', () => {
  const folder = path.join(root, 'test/e2e');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const opening = files.filter((file) =>
    /\b(browser|launchBrowser\(\))\.(newContext|newPage)\b/.test(readFileSync(path.join(folder, file), 'utf8')),
  );
  expect(opening).toEqual(['visitor.ts']);
});
