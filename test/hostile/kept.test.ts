// Answers that are kept for all: whoever asks first must not choose what the next one gets.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type RunningShop } from '#test/e2e/shop.ts';
import { exchange } from './socket.ts';

let shop: RunningShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

interface Got {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Asks for `target` as it is written, with exactly these headers beside what HTTP needs. */
const ask = async (target: string, headers: Readonly<Record<string, string>> = {}): Promise<Got> => {
  const lines = Object.entries({ Host: new URL(shop.url).host, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const answer = await exchange(
    shop.url,
    [`GET ${target} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n'),
  );
  const end = answer.indexOf('\r\n\r\n');
  return {
    status: Number(answer.slice(9, 12)),
    // What differs from one answer to the next in any case.
    head: answer.slice(0, end).replace(/\r\n(date|x-request-id|connection|keep-alive):[^\r]*/gi, ''),
    body: answer.slice(end + 4),
  };
};

const EVIL = 'evil.example';
const FIRST: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['another host', { Host: EVIL }],
  ['a forwarded host', { 'X-Forwarded-Host': EVIL, 'X-Forwarded-Proto': 'gopher', 'X-Forwarded-Port': '1' }],
  ['a forwarded prefix', { 'X-Forwarded-Prefix': `//${EVIL}`, Forwarded: `host=${EVIL};proto=https` }],
  [
    'another address',
    { 'X-Original-URL': `/${EVIL}`, 'X-Rewrite-URL': `/${EVIL}`, 'X-HTTP-Method-Override': 'DELETE' },
  ],
  ['another type', { Accept: `application/json, ${EVIL}/x`, 'Accept-Language': EVIL }],
  ['a program', { 'User-Agent': `Googlebot/2.1 (+https://${EVIL})` }],
  ['a cookie', { Cookie: `dogear=${EVIL}; theme=dark; __proto__=1` }],
  ['a part', { Range: 'bytes=0-1', 'If-Range': `"${EVIL}"` }],
  ['a condition', { 'If-None-Match': '*', 'If-Modified-Since': 'Sat, 01 Jan 2050 00:00:00 GMT' }],
  ['a coding nobody knows', { 'Accept-Encoding': `${EVIL}, identity;q=0, *;q=0` }],
  ['another site', { Origin: `https://${EVIL}`, Referer: `https://${EVIL}/`, 'Sec-Fetch-Site': 'cross-site' }],
  [
    'what the router listens to',
    { 'X-Remix-Response': 'yes', 'X-React-Router-Redirect': `//${EVIL}`, 'X-Requested-With': 'x' },
  ],
];

const KEPT = [
  '/',
  '/category/fantasy',
  '/search?q=the',
  '/isbn/9780441007318',
  '/author/ursula-k-le-guin',
  '/api/categories',
  '/api/category/fantasy',
  '/api/search?q=the',
  '/api/isbn/9780441007318',
  '/api/author/ursula-k-le-guin',
];

const fresh = (
  (place = 0) =>
  (path: string): string =>
    `${path}${path.includes('?') ? '&' : '?'}v=number${String((place += 1)).padStart(6, '0')}`
)();
/** Each has its own number in it, so that nobody asked for it before. */
const without = (text: string): string => text.replaceAll(/number\d{6}/g, 'N');
/** In any order: an answer that is made anew, as in the first seconds of a shop, has them in another. */
const headersOf = (head: string): string[] =>
  without(head)
    .replaceAll(/etag: [^\r]*|content-length: [^\r]*|sha256-[^']*/gi, '')
    .split('\r\n')
    .toSorted();

test.each(FIRST)('whoever asks first with %s changes nothing for the next', async (_what, headers) => {
  for (const path of KEPT) {
    const [touched, untouched] = [fresh(path), fresh(path)];
    await ask(untouched);
    const expected = await ask(untouched);
    const first = await ask(touched, headers);
    const next = await ask(touched);
    expect([path, next.status]).toEqual([path, expected.status]);
    for (const got of [first, next]) expect(`${got.head}${got.body}`).not.toContain(EVIL);
    // Nonces are on pages that are not kept; of these the very bytes are the same.
    if (path.startsWith('/api/') || expected.head.includes('etag')) {
      expect(without(next.body)).toBe(without(expected.body));
      expect(headersOf(next.head)).toEqual(headersOf(expected.head));
    }
  }
});

test.each([
  ['//', 200],
  ['/%2f', 404],
  ['/%2F%2Fevil.example', 404],
  ['//evil.example/%2e%2e', 400],
  ['/\\evil.example', 400],
  ['/./', 400],
  ['/api//categories', 404],
  ['/API/categories', 404],
  ['/api/categories/', 404],
  ['/api/%63ategories', 200],
])('the address %s is %i, leads nowhere else, and leaves its neighbours as they are', async (target, status) => {
  const [home, list] = [await ask('/'), await ask('/api/categories')];
  const got = await ask(target);
  expect(got.status).toBe(status);
  expect(got.head).not.toMatch(/\r\nlocation:/i);
  expect((await ask('/')).body).toBe(home.body);
  expect((await ask('/api/categories')).body).toBe(list.body);
});

test('a whole address in the request line is read for nobody else’s host', async () => {
  const home = await ask('/');
  const got = await ask(`http://${EVIL}/`);
  expect(`${got.head}${got.body}`).not.toContain(EVIL);
  expect((await ask('/')).body).toBe(home.body);
});
