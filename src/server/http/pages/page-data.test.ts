import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type * as written from '#server/platform/json-text.ts';
import type { TestApp } from '#test/app.ts';

const WRITTEN = '#server/platform/json-text.ts';
const PLANTED = 'planted-column';

let t: TestApp;
let pages: string[];

// The shop anew, with a column in the statements that write listings which no contract names.
beforeAll(async () => {
  vi.resetModules();
  vi.doMock(WRITTEN, async (load) => {
    const real = await load<typeof written>();
    return {
      ...real,
      objectOf: (fields: Parameters<typeof written.objectOf>[0]) =>
        real.objectOf([...fields, ['unsaid', `'${PLANTED}'`]]),
    };
  });
  const [{ testApp }, { aListing, aSeller }] = await Promise.all([import('#test/app.ts'), import('#test/make.ts')]);
  t = await testApp({ web: true });
  const { _id: id, category_id: category } = await aListing(t, await aSeller(t), {
    title: 'Planted',
    authors: 'Ann Other',
    isbn13: '9780441478125',
  });
  pages = [
    '/',
    `/category/${category}`,
    `/book/${id}`,
    '/search?q=planted',
    '/isbn/9780441478125',
    '/author/ann-other',
  ];
});
afterAll(async () => {
  vi.doUnmock(WRITTEN);
  vi.resetModules();
  await t.close();
});

test('a column that a query reads and no contract names is in no page and no data of one', async () => {
  expect((await t.send('GET', '/api/categories')).body).toContain(PLANTED);
  for (const page of pages) {
    const [path = '', query] = page.split('?');
    const data = `${path === '/' ? '/_' : path}.data${query === undefined ? '' : `?${query}`}`;
    for (const url of [page, data]) {
      const answer = await t.send('GET', url);
      expect([url, answer.statusCode, answer.body.includes('Planted')]).toEqual([url, 200, true]);
      expect(answer.body, url).not.toContain(PLANTED);
    }
  }
});
