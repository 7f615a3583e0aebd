import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteListing, type Listing } from '#contract/catalog/catalog.ts';
import { EDITION_COUNT_LIMIT, listEditionCopies } from '#contract/catalog/editions/editions.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBuyer, aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';
import { copiesOf, type Edition } from './editions.queries.ts';
import { becoming } from './listings/listing.queries.ts';

let t: TestApp;
let seller: TestUser;
let category: string;
beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  category = await aCategory(t, seller);
});
afterAll(() => t.close());

const copy = (title: string, price: number, more: Record<string, string> = {}): Promise<Listing> =>
  aListing(t, seller, { category_id: category, title, resale_price: price, original_price: 90, ...more });

const othersOf = async ({ _id }: Listing) => (await t.call(listEditionCopies, { params: { id: _id } })).body;

const pricesOf = async (listing: Listing): Promise<number[]> =>
  (await othersOf(listing)).copies.map(({ resale_price }) => resale_price);

describe('GET /categories/:id/copies', () => {
  it('tells the other copies with the same ISBN, the cheapest first, whatever their sellers call the book', async () => {
    const isbn13 = '9780441478125';
    const own = await copy('The Left Hand of Darkness', 7, { isbn13 });
    await copy('Left Hand of Darkness, The', 9.5, { isbn13 });
    const cheapest = await copy('The left hand of darkness (Ace)', 4.5, { isbn13: '0-441-47812-3' });
    await copy('The Left Hand of Darkness', 3);
    const { copies, count } = await othersOf(own);
    expect(copies.map(({ resale_price }) => resale_price)).toEqual([4.5, 9.5]);
    expect(count).toBe(2);
    expect(copies[0]).toEqual({
      _id: cheapest._id,
      title: 'The left hand of darkness (Ace)',
      condition: 'Good',
      years_of_use: 3,
      years_known: true,
      original_price: 90,
      original_known: true,
      resale_price: 4.5,
      location: 'Portland',
      Seller: seller.name,
      seller_slug: expect.any(String),
      seller_verified: false,
      status: 'Available',
    });
  });

  it('goes by title and authors where there is no ISBN, accents and case ignored', async () => {
    const own = await copy('Les Misérables', 6, { authors: 'Victor Hugo' });
    await copy('LES MISERABLES', 8, { authors: 'victor hugo' });
    await copy('Les Misérables', 5, { authors: 'Somebody Else' });
    await copy('Les Misérables', 4);
    await copy('Les Misérables', 3, { authors: 'Victor Hugo', isbn13: '9780140444308' });
    expect(await pricesOf(own)).toEqual([8]);
  });

  it('leaves out what is held, sold or deleted, and says so at once', async () => {
    const title = 'Parable of the Sower';
    const own = await copy(title, 5);
    const held = await copy(title, 6);
    const gone = await copy(title, 7);
    const sold = await copy(title, 8);
    expect(await pricesOf(own)).toEqual([6, 7, 8]);
    await aBooking(t, await aBuyer(t), held);
    await t.call(deleteListing, { params: { id: gone._id } }, { as: seller });
    await t.db.updateTable('listings').set(becoming('held')).where('id', '=', sold._id).execute();
    await t.db.updateTable('listings').set(becoming('sold')).where('id', '=', sold._id).execute();
    expect(await othersOf(own)).toEqual({ copies: [], count: 0 });
    expect(await pricesOf(sold)).toEqual([5]);
  });

  it('names the five cheapest of many and counts so far', async () => {
    const own = await copy('Kindred', 50);
    await sql`INSERT INTO listings (seller_id, category_id, title, image_url, original_cents, resale_cents, years_of_use, location, phone, details, condition)
      SELECT seller_id, category_id, title, image_url, original_cents, 1000 + n, years_of_use, location, phone, details, condition
      FROM listings, generate_series(1, ${EDITION_COUNT_LIMIT + 20}::integer) AS n WHERE id = ${own._id}`.execute(t.db);
    expect(await pricesOf(own)).toEqual([10.01, 10.02, 10.03, 10.04, 10.05]);
    expect((await othersOf(own)).count).toBe(EDITION_COUNT_LIMIT);
  });

  it('is 404 for a book that is not there', async () => {
    const deleted = await copy('Gone', 5);
    await t.call(deleteListing, { params: { id: deleted._id } }, { as: seller });
    for (const id of [deleted._id, '01890a5d-ac96-774b-bcce-b302099a8057', 'nonsense']) {
      const answer = await t.call(listEditionCopies, { params: { id } });
      expect([answer.status, answer.body]).toMatchObject([404, { copies: [], count: 0 }]);
    }
  });
});

describe('among many copies of many books', () => {
  const planOf = async (edition: Pick<Edition, 'isbn13' | 'titleKey'>): Promise<string> => {
    const own = { listingId: '01890a5d-ac96-774b-bcce-b302099a8057', limit: 5, countAtMost: 100 };
    const rows = await copiesOf(t.db, { ...edition, authorsKey: '', state: 'available' }, own).explain();
    return rows.map((row) => String(row['QUERY PLAN'])).join('\n');
  };

  it('walks an index in the order of prices and sorts nothing', async () => {
    for (let part = 0; part < 5; part += 1)
      await sql`INSERT INTO listings (seller_id, category_id, title, isbn13, image_url, original_cents, resale_cents, years_of_use, location, phone, details, condition)
      SELECT ${seller.id}::uuid, ${category}, 'Book ' || n % 40, CASE n % 2 WHEN 0 THEN '' ELSE '978000000' || 1000 + n % 40 END,
        '', 9000, 100 + n % 5000, 1, 'Here', '', '', 'Good' FROM generate_series(1, 2000) AS n`.execute(t.db);
    await sql`ANALYZE listings`.execute(t.db);
    const byIsbn = await planOf({ isbn13: '9780000001001', titleKey: '' });
    const byTitle = await planOf({ isbn13: '', titleKey: 'book 2' });
    expect(byIsbn).toMatch(/Index Scan using shelf_edition_isbn/);
    expect(byTitle).toMatch(/Index Scan using shelf_edition_title/);
    expect(byIsbn + byTitle).not.toMatch(/Sort|Seq Scan on listings/);
  });
});
