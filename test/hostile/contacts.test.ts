// Nobody's address or phone is in any answer to a stranger or another member: all that the demo shop has is walked.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedDemoShop } from '#db/seed/demo-shop.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, anAdmin, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let people: { email: string; phone: string }[];
let pages: string[];
let paths: string[];

const long = process.env['DOGEAR_TEST_LONG'] === '1';
/** One in so many pages is walked: whoever asks, the renderer is told nothing of who it is (http/pages/web.ts). */
const FEWER_PAGES = long ? { stranger: 1, user: 1 } : { stranger: 3, user: 13 };

const column = async (text: string): Promise<string[]> => {
  const { rows } = await sql<{ one: string }>`${sql.raw(text)}`.execute(t.db);
  return rows.map(({ one }) => encodeURIComponent(one));
};

beforeAll(async () => {
  t = await testApp({ web: true });
  await seedDemoShop(t.db);
  people = await t.db
    .selectFrom('users as u')
    .leftJoin('listings as l', 'l.seller_id', 'u.id')
    .select(['u.email', sql<string>`coalesce(l.phone, '')`.as('phone')])
    .distinct()
    .execute();
  const [books, isbns, categories, sellers, authors] = await Promise.all([
    column('SELECT id::text AS one FROM listings'),
    column("SELECT DISTINCT isbn13 AS one FROM listings WHERE isbn13 <> ''"),
    column('SELECT id AS one FROM categories'),
    column('SELECT seller_slug AS one FROM users WHERE seller_slug IS NOT NULL'),
    column("SELECT DISTINCT split_part(authors, ',', 1) AS one FROM listings WHERE authors <> ''"),
  ]);
  const addresses = [
    '/',
    '/categories',
    '/search',
    '/search?q=the&facets=1',
    ...books.map((id) => `/book/${id}`),
    ...isbns.map((isbn) => `/isbn/${isbn}`),
    ...categories.map((id) => `/category/${id}`),
    ...sellers.map((slug) => `/seller/${slug}`),
  ];
  // With the data that leads from one to the other.
  pages = addresses.flatMap((page) => [page, page === '/' ? '/_root.data' : page.replace(/(\?|$)/, '.data$1')]);
  paths = [
    ...authors.map((author) => `/author/${author}`),
    '/sitemap.xml',
    '/sitemap-pages.xml',
    '/robots.txt',
    '/.well-known/security.txt',
    '/api/categories?limit=100',
    '/api/categoryName',
    '/api/popular',
    ...['the', 'a', 'marlow', 'seller@example.com', '503', '555'].flatMap((q) => [
      `/api/search?limit=100&facets=1&q=${q}`,
      `/api/search/suggestions?q=${q}`,
    ]),
    ...books.flatMap((id) => [`/api/categories/${id}`, `/api/categories/${id}/copies`, `/api/categories/${id}/line`]),
    ...isbns.flatMap((isbn) => [`/api/isbn/${isbn}`, `/api/editions/${isbn}`, `/api/editions/${isbn}/prices`]),
    ...categories.map((id) => `/api/category/${id}?limit=100`),
    ...sellers.flatMap((slug) => [
      `/api/sellers/${slug}`,
      `/api/sellers/${slug}/reviews`,
      `/api/sellers/${slug}/follow`,
    ]),
    '/api/threads',
    '/api/follows',
    '/api/notices',
    '/api/account/decisions',
    '/api/dashboard/summary',
  ];
}, 120_000);
afterAll(() => t.close());

const leaksIn = (text: string): string[] =>
  people.flatMap(({ email, phone }) => [email, phone]).filter((secret) => secret !== '' && text.includes(secret));

test.each([
  ['a stranger', () => Promise.resolve(undefined)],
  ['another buyer', () => aBuyer(t)],
  ['another seller', () => aSeller(t)],
])(
  '%s reads nobody’s address or phone',
  async (_who, who) => {
    expect(people.length).toBeGreaterThanOrEqual(10);
    expect(people.some(({ phone }) => phone !== '')).toBe(true);
    const as: TestUser | undefined = await who();
    let read = 0;
    const fewer = FEWER_PAGES[as === undefined ? 'stranger' : 'user'];
    const walked = [...pages.filter((_, at) => at % fewer === 0), ...paths];
    for (const path of walked) {
      const answer = await t.send('GET', path, { as });
      if (answer.statusCode < 400) read += 1;
      // What was asked for is said again.
      const said = answer.body.replaceAll('q=seller@example.com', '').replaceAll('q=seller%40example.com', '');
      const leaks = leaksIn(said).filter((leak) => !path.includes(leak));
      expect([path, leaks]).toEqual([path, []]);
    }
    expect(read).toBeGreaterThan(walked.length / 2);
  },
  300_000,
);

test('an admin reads them, so that there is something to find', async () => {
  const { body } = await t.send('GET', '/api/categories?limit=100', { as: await anAdmin(t) });
  expect(leaksIn(body).length).toBeGreaterThan(10);
});
