// Headers, queries and bodies that are made to keep a pattern busy: whatever is sent, its work grows with its length
// and no faster.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/app.ts';

/** Longer than Node lets headers be, so that what grows with the square of it takes seconds. */
const LENGTH = 120_000;
/** Of this process; what is linear takes a few thousandths. */
const MOST_CPU_MS = 1_000;

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ web: true });
  // What is computed once is not what is measured.
  for (const [method, url] of ASKED) await t.send(method, url);
});
afterAll(() => t.close());

const HEADERS = [
  'if-none-match',
  'accept-encoding',
  'accept',
  'accept-language',
  'user-agent',
  'cookie',
  'authorization',
];
const MORE_HEADERS = [
  'x-forwarded-for',
  'content-type',
  'origin',
  'referer',
  'range',
  'idempotency-key',
  'sec-fetch-site',
];
const ASKED = [
  ['GET', '/api/categoryName'],
  ['GET', '/api/auth/session'],
  ['GET', '/blog'],
  ['GET', '/favicon.svg'],
  ['POST', '/api/auth/sign-in'],
] as const;
const FILLINGS = [' ', ',', ';', ' ,', '; q=0', '.', '"', '=', 'a=', '%', '(', '/'];

const cpuOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

test.each([...HEADERS, ...MORE_HEADERS])('the header %s', async (name) => {
  for (const filling of FILLINGS) {
    const value = `Bearer br${filling.repeat(LENGTH / filling.length)}x`;
    for (const [method, url] of ASKED) {
      const spent = await cpuOf(() => t.send(method, url, { headers: { [name]: value } }));
      expect(spent, `${method} ${url} with ${JSON.stringify(filling)}`).toBeLessThan(MOST_CPU_MS);
    }
  }
});

test.each([
  '/api/search?q=',
  '/api/users/admin/',
  '/api/categories?cursor=',
  '/login?from=',
  '/category/',
  '/isbn/',
  '/author/',
  '/api/isbn/',
  '/api/author/',
  '/api/jwt?email=',
])('the address %s', async (url) => {
  for (const filling of [' ', '%', '/', '.', '@', 'a@', '&', '%20', '..%2f']) {
    const text = encodeURIComponent(filling.repeat(12_000 / filling.length)).slice(0, 12_000);
    const spent = await cpuOf(() => t.send('GET', `${url}${text}x`));
    expect(spent, `${url} with ${JSON.stringify(filling)}`).toBeLessThan(MOST_CPU_MS);
  }
});

test.each(['email', 'password', 'name'])('the field %s', async (field) => {
  for (const filling of ['a', '.', '@', 'a.', ' ', '"', '\\', 'A1!', '<']) {
    const text = filling.repeat(90_000 / filling.length / 2);
    const form = { name: 'Ada', email: 'ada@example.com', password: 'Short1', [field]: text };
    const spent = await cpuOf(() => t.send('POST', '/api/auth/sign-up', { body: form }));
    expect(spent, JSON.stringify(filling)).toBeLessThan(MOST_CPU_MS);
  }
});
