import { afterAll, beforeAll, expect, test } from 'vitest';
import { inProcessApi } from './api.ts';
import { createResponseCache } from './cache/response-cache.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let seller: TestUser;
let category: string;

beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  category = await aCategory(t, seller);
  for (let n = 0; n < 12; n += 1) await aListing(t, seller, { category_id: category, title: `Volume “${n}”` });
});
afterAll(() => t.close());

const asked = (path: string) => ({ method: 'GET', path, headers: {}, body: undefined });

test('pages are told what the network is told, to the letter', async () => {
  const api = inProcessApi(t.app, undefined, '127.0.0.1');
  for (const path of ['/categoryName', `/category/${category}`, '/users', '/nowhere', '/search?q=volume']) {
    const [told, sent] = [await api(asked(path)), await t.send('GET', `/api${path}`)];
    const named = (text: string): string => text.replace(/(?<="requestId":")[^"]*/, 'of its own');
    expect([path, told.status, named(told.body)]).toEqual([path, sent.statusCode, named(sent.body)]);
  }
});

test('the answers to many pages at once are not mistaken for each other', async () => {
  const api = inProcessApi(t.app, undefined, '127.0.0.1');
  const paths = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? '/categoryName' : `/category/${category}`));
  const answers = await Promise.all(paths.map((path) => api(asked(path))));
  expect(new Set(answers.filter((_, n) => n % 2 === 0).map(({ body }) => body)).size).toBe(1);
  expect(new Set(answers.filter((_, n) => n % 2 === 1).map(({ body }) => body)).size).toBe(1);
  expect(answers[0]?.body).not.toBe(answers[1]?.body);
});

test('what all pages show is kept for them, a list for its own page alone', async () => {
  const cache = createResponseCache({ maxBytes: 1_000_000, isCurrent: () => true });
  const api = inProcessApi(t.app, { cache, tagsOf: () => ['lists'] }, '127.0.0.1');
  const list = await api(asked(`/category/${category}`));
  expect([list.status, list.body.length > 4_000, cache.entries()]).toEqual([200, true, 0]);
  await api(asked('/categoryName'));
  expect(cache.entries()).toBe(1);
});
