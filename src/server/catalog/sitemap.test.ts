import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testApp, type TestApp } from '#test/app.ts';
import { connect } from '#server/platform/postgres/db.ts';
import { aBooking, aBuyer, aCategory, aListing, aSeller } from '#test/make.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';

const ORIGIN = 'http://books.example:8080';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ env: { PUBLIC_URL: ORIGIN } });
});
afterAll(() => t.close());

const get = (url: string, headers: Record<string, string> = {}) => t.send('GET', url, { headers });

const entries = (xml: string): { loc: string; lastmod: string | undefined }[] =>
  [...xml.matchAll(/<(url|sitemap)><loc>([^<]*)<\/loc>(?:<lastmod>([^<]*)<\/lastmod>)?<\/\1>/g)].map(
    ([, , loc = '', lastmod]) => ({ loc, lastmod }),
  );

const pathOf = (address: string): string => {
  expect(address.startsWith(`${ORIGIN}/`)).toBe(true);
  return address.slice(ORIGIN.length);
};

/** The parts as the index names them, each with its entries. */
const parts = async () => {
  const index = await get('/sitemap.xml');
  expect(index.statusCode).toBe(200);
  expect(index.headers['content-type']).toBe('application/xml; charset=utf-8');
  const named = entries(index.body);
  return Promise.all(
    named.map(async ({ loc, lastmod }) => {
      const answer = await get(pathOf(loc));
      expect(answer.statusCode).toBe(200);
      expect(answer.body).toMatch(
        /^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset xmlns="[^"]+">\n[\s\S]*<\/urlset>\n$/,
      );
      return { path: pathOf(loc), lastmod, entries: entries(answer.body) };
    }),
  );
};

/** Lists `count` copies more, without the time limit of a request. */
const stock = async (count: number): Promise<void> => {
  const { db, close } = connect(t.databaseUrl, { connections: 1, timeouts: false });
  await sql`INSERT INTO listings (seller_id, category_id, title, authors, original_cents, resale_cents, years_of_use, location,
      phone, details, condition, published_at)
    SELECT seller_id, category_id, 'Copy ' || n, CASE WHEN n % 2 = 0 THEN 'Sam Often' ELSE '' END, 1000, 500, 1, 'Portland', '', '', 'Good',
      -- several at the same moment, so that the id decides as well
      now() - (n / 7) * interval '1 second'
    FROM (SELECT seller_id, category_id FROM listings LIMIT 1) AS one, generate_series(1, ${count}::integer) AS n`.execute(
    db,
  );
  await close();
};

describe('the sitemap', () => {
  it('names each copy on the shelf once with its last change, the categories, and nothing that is gone', async () => {
    const seller = await aSeller(t);
    const free = await aListing(t, seller);
    const held = await aListing(t, seller);
    const sold = await aListing(t, seller);
    const withdrawn = await aListing(t, seller);
    await aBooking(t, await aBuyer(t), held);
    await t.db.updateTable('listings').set(becoming('sold')).where('id', '=', sold._id).execute();
    await t.db.updateTable('listings').set(becoming('withdrawn')).where('id', '=', withdrawn._id).execute();
    await sql`UPDATE listings SET updated_at = '2026-05-04T03:02:01.9Z' WHERE id = ${free._id}`.execute(t.db);
    await sql`UPDATE listings SET updated_at = '2026-06-05T04:03:02Z' WHERE id = ${held._id}`.execute(t.db);

    const [pages, books] = await parts();
    expect(books?.lastmod).toBe('2026-06-05T04:03:02Z');
    expect(books?.entries).toEqual([
      { loc: `${ORIGIN}/book/${free._id}`, lastmod: '2026-05-04T03:02:01Z' },
      { loc: `${ORIGIN}/book/${held._id}`, lastmod: '2026-06-05T04:03:02Z' },
    ]);
    const found = pages?.entries.map(({ loc }) => pathOf(loc)) ?? [];
    expect(found).toEqual(expect.arrayContaining(['/', '/blog', `/category/${free.category_id}`]));
    expect(new Set(found).size).toBe(found.length);
  });

  it('names each edition and each author with copies on the shelf once, in the part of their oldest copy', async () => {
    const seller = await aSeller(t);
    const facts = { isbn13: '9780441478125', authors: 'Ursula K. Le Guin', category_id: await aCategory(t, seller) };
    await aListing(t, seller, facts);
    await aListing(t, seller, { ...facts, authors: 'Le Guin, Ursula K. & Ana Gómez' });
    const gone = await aListing(t, seller, { ...facts, isbn13: '9780441013593', authors: 'Frank Herbert' });
    await aListing(t, seller, { ...facts, isbn13: '', authors: 'Various' });
    await t.db.updateTable('listings').set(becoming('withdrawn')).where('id', '=', gone._id).execute();
    const named = (entry: { loc: string }): boolean => /\/(isbn|author)\//.test(entry.loc);
    const all = (await parts()).flatMap(({ entries: found }) => found.filter(named).map(({ loc }) => pathOf(loc)));
    expect(all).toEqual(['/isbn/9780441478125', '/author/ana-gomez', '/author/ursula-k-le-guin']);
  });

  it('splits above 10,000 copies and loses none', async () => {
    await stock(10_003);
    const { rows } = await sql<{ id: string }>`SELECT id FROM listings WHERE status IN ('available', 'held')`.execute(
      t.db,
    );
    const [, first, second, ...more] = await parts();
    expect(more).toEqual([]);
    const booksOf = (part: typeof first): string[] =>
      (part?.entries ?? []).map(({ loc }) => loc).filter((loc) => loc.startsWith(`${ORIGIN}/book/`));
    expect([booksOf(first).length, booksOf(second).length]).toEqual([10_000, rows.length - 10_000]);
    const listed = [...booksOf(first), ...booksOf(second)];
    expect(new Set(listed)).toEqual(new Set(rows.map(({ id }) => `${ORIGIN}/book/${id}`)));
    expect(listed.length).toBe(rows.length);
    // Those of the test above, and who wrote every other copy of both parts.
    const others = [first, second].flatMap((part) => part?.entries ?? []).filter(({ loc }) => !loc.includes('/book/'));
    expect(new Set(others.map(({ loc }) => loc)).size).toBe(others.length);
    expect(others.length).toBe(4);
  });

  it('comes compressed, and may be kept for an hour', async () => {
    const path = (await parts())[1]?.path ?? '';
    const plain = await get(path);
    const packed = await get(path, { 'accept-encoding': 'gzip' });
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
      'cache-control': 'public, max-age=3600',
    });
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
  });

  it('refuses a beginning that is none', async () => {
    for (const query of ['', '?from=', '?from=xyz', '?from=a&from=b', '?from=%00']) {
      const answer = await get(`/sitemap-books.xml${query}`);
      expect([query, answer.statusCode]).toEqual([query, 400]);
    }
  });
});

describe('robots.txt', () => {
  it('points to the sitemap and keeps robots out of the API and of private pages, not of public ones', async () => {
    const answer = await get('/robots.txt');
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    const lines = answer.body.split('\n');
    expect(lines).toContain('User-agent: *');
    expect(lines).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
    const disallowed = lines.filter((line) => line.startsWith('Disallow: ')).map((line) => line.slice(10));
    const isOut = (path: string): boolean => disallowed.some((start) => path.startsWith(start));
    for (const path of ['/api/categories', '/dashboard', '/dashboard/my_orders', '/categories', '/user_type']) {
      expect([path, isOut(path)]).toEqual([path, true]);
    }
    for (const path of [
      '/',
      '/home',
      '/category/fantasy',
      '/book/1',
      '/isbn/9780441478125',
      '/author/ursula-k-le-guin',
      '/blog',
      '/login',
      '/sitemap.xml',
      '/assets/x.js',
    ]) {
      expect([path, isOut(path)]).toEqual([path, false]);
    }
  });
});
