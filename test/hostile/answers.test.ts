import { readdir } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLIENT_FOLDER } from '#server/http/pages/web-build.ts';
import { testApp } from '#test/app.ts';
import { askForIntent, aDeal } from '#test/deal.ts';
import { openShop, type RunningShop } from '#test/e2e/shop.ts';

// Every kind of answer, over a socket, from a shop as people run it: on https, with cached answers and the stand-ins.

let shop: RunningShop;
let db: pg.Client;
beforeAll(async () => {
  shop = await openShop({ env: { PUBLIC_URL: 'https://books.example' } });
  db = new pg.Client({ connectionString: shop.env['DATABASE_MIGRATE_URL'] });
  await db.connect();
});
afterAll(async () => {
  await db.end();
  await shop.close();
});

const ask = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${shop.url}${url}`, { redirect: 'manual', ...init });

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', origin: 'https://books.example' },
  body: JSON.stringify(body),
});

const signingOut = async (): Promise<Response> => {
  const { headers } = await ask('/api/auth/sign-in', json({ email: 'buyer@example.com', password: 'Buyer#2026' }));
  const cookie = headers.getSetCookie().map((one) => one.split(';', 1)[0]);
  return ask('/api/auth/sign-out', {
    method: 'POST',
    headers: { cookie: cookie.join('; '), origin: 'https://books.example' },
  });
};

const tagOf = async (url: string): Promise<string> => (await ask(url)).headers.get('etag') ?? 'none';

const asKept = async (url: string): Promise<Response> => {
  await (await ask(url)).text();
  return ask(url, { headers: { 'if-none-match': await tagOf(url) } });
};

/** Runs `work` while the tables are locked, so that nothing can be read. */
const whileLocked = async <A>(work: () => Promise<A>): Promise<A> => {
  await db.query('BEGIN; LOCK TABLE categories, listings IN ACCESS EXCLUSIVE MODE');
  try {
    return await work();
  } finally {
    await db.query('ROLLBACK');
  }
};

const hashedFile = async (): Promise<string> => {
  const [file] = (await readdir(path.join(CLIENT_FOLDER, 'assets'))).filter((name) => name.endsWith('.js'));
  return `/assets/${file}`;
};

const UNKEPT = { headers: { 'cache-control': 'no-cache' } };

const KINDS: readonly (readonly [string, number, () => Promise<Response>])[] = [
  ['a page', 200, () => ask('/', UNKEPT)],
  ['a page that is kept', 200, async () => (await (await ask('/')).text(), ask('/'))],
  ['a page that has not changed', 304, () => asKept('/')],
  ['a page that is not kept', 200, () => ask('/login')],
  ['the payment page', 200, () => ask('/dashboard/payment/x')],
  ['a page there is not', 404, () => ask('/no-such-page')],
  ['a page that cannot be read from the database', 503, () => whileLocked(() => ask('/category/fantasy', UNKEPT))],
  ['what the router reads of a page', 200, () => ask('/_.data')],
  ['a page that is written to', 405, () => ask('/login', { method: 'POST' })],
  ['the head of a page', 200, () => ask('/blog', { method: 'HEAD' })],
  ['a file of the build', 200, async () => ask(await hashedFile())],
  ['a file that has not changed', 304, () => asKept('/favicon.svg')],
  ['a file there is not', 404, () => ask('/assets/nothing.js')],
  ['robots.txt', 200, () => ask('/robots.txt')],
  ['the sitemap', 200, () => ask('/sitemap.xml')],
  ['a part of the sitemap', 200, () => ask('/sitemap-pages.xml')],
  ['a list', 200, () => ask('/api/categories', UNKEPT)],
  ['a list that is kept', 200, async () => (await (await ask('/api/categories')).text(), ask('/api/categories'))],
  ['a list that has not changed', 304, () => asKept('/api/categories')],
  ['a list that cannot be read', 503, () => whileLocked(() => ask('/api/categories', UNKEPT))],
  ['nothing to say', 204, () => signingOut()],
  ['the way to a service', 303, () => ask('/api/auth/google')],
  ['a wrong form', 400, () => ask('/api/auth/sign-in', json({}))],
  ['a refusal to nobody', 401, () => ask('/api/account')],
  ['a request of another site', 403, () => ask('/api/jwt?email=a', { headers: { 'sec-fetch-site': 'cross-site' } })],
  ['a call there is not', 404, () => ask('/api/nothing')],
  ['a body that is too large', 413, () => ask('/api/auth/sign-in', json({ email: 'a'.repeat(200_000) }))],
  ['another language', 415, () => ask('/api/auth/sign-in', { method: 'POST', body: 'a' })],
  ['headers that are too large', 431, () => ask('/', { headers: { 'x-a': 'a'.repeat(20_000) } })],
  ['a page of a stand-in', 200, () => ask('/standins/mailbox')],
  ['a script of a stand-in', 200, () => ask('/standins/stripe/stripe.js')],
  ['a refusal of a stand-in', 404, () => ask('/standins/stripe/nothing')],
  ['the API to read', 200, () => ask('/api/docs')],
];

const expectClosed = (headers: Headers): void => {
  expect(Object.fromEntries(headers)).toMatchObject({
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'referrer-policy': expect.stringMatching(/^(strict-origin-when-cross-origin|no-referrer|same-origin)$/),
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
    'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'/),
  });
  expect(headers.get('content-security-policy')).not.toMatch(/unsafe-|stripe|\*/);
  for (const name of ['access-control-allow-origin', 'server', 'x-powered-by']) expect(headers.get(name)).toBeNull();
};

describe('every kind of answer is closed', () => {
  test.each(KINDS)('%s: %i', async (kind, status, answering) => {
    const answer = await answering();
    const body = await answer.text();
    expect(answer.status).toBe(status);
    expectClosed(answer.headers);
    const type = answer.headers.get('content-type');
    if (body !== '') expect(type).toMatch(/charset=utf-8$/);
    if (status === 503) expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    if (type?.startsWith('text/html') === true && !/stand-in|API/.test(kind)) {
      expect(answer.headers.get('content-security-policy')).toMatch(
        /require-trusted-types-for 'script'; trusted-types default; report-to csp$/,
      );
    }
  });

  test('a defect: 500', async () => {
    await db.query('ALTER TABLE categories RENAME TO categories_away');
    const answer = await ask('/api/categoryName', UNKEPT);
    await db.query('ALTER TABLE categories_away RENAME TO categories');
    expect(answer.status).toBe(500);
    expectClosed(answer.headers);
  });
});

test('a stand-in that is away is told of under the same headers: 502', async () => {
  const t = await testApp();
  const url = await t.listen();
  await t.standin.close();
  const answer = await fetch(`${url}/standins/stripe/stripe.js`);
  expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([502, 'nosniff']);
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
  await t.close();
});

test('without the payment provider paying says so in general words, and the shelves are open', async () => {
  const t = await testApp();
  const deal = await aDeal(t);
  await t.standin.close();
  const answer = await askForIntent(t, deal);
  expect(answer.status).toBe(502);
  expect(answer.body.error?.code).toBe('provider_unavailable');
  expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|ECONNREFUSED|Stripe|sk_/i);
  for (const url of ['/api/categories', `/api/categories/${deal.copy._id}`, '/api/search?q=darkness']) {
    expect((await t.send('GET', url)).statusCode).toBe(200);
  }
  await t.close();
});

test.each(['/metrics', '/health/ready', '/health/live', '/assets/', '/assets/entry.js.map', '/.vite/manifest.json'])(
  '%s is nothing to the outside',
  async (url) => {
    expect((await ask(url)).status).toBe(404);
  },
);
