import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteUser } from '#contract/admin/admin.ts';
import { deleteListing, type Listing, type ListingDraft } from '#contract/catalog/catalog.ts';
import { readEditionPage, type EditionAnswer } from '#contract/catalog/editions/edition-page.ts';
import { pauseListing } from '#contract/catalog/pausing.ts';
import type { PassportDraft } from '#contract/catalog/passport/passport.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBuyer, aCategory, aListing, anAdmin, aSeller, aUser, type TestUser } from '#test/make.ts';
import { tagsChangedBy, tagsOf } from '#server/catalog/cache-tags.service.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';

let t: TestApp;
let seller: TestUser;
let category_id: string;
beforeAll(async () => {
  t = await testApp();
  seller = await aUser(t, { roles: ['seller'], verified: true, name: 'Sylvia Beach' });
  category_id = await aCategory(t, seller);
});
afterAll(() => t.close());

let next = 0;
/** An ISBN that no other test uses. */
const freshIsbn = (): string => {
  const twelve = `978123456${String((next += 1)).padStart(3, '0')}`;
  const sum = [...twelve].reduce((all, digit, place) => all + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return `${twelve}${(10 - (sum % 10)) % 10}`;
};

const copy = (isbn13: string, price: number, more: Partial<ListingDraft> = {}, of = seller): Promise<Listing> =>
  aListing(t, of, { category_id, isbn13, title: 'Dune', authors: 'Frank Herbert', resale_price: price, ...more });

const ask = (isbn: string, query: Parameters<typeof t.call<typeof readEditionPage>>[1]['query'] = {}) =>
  t.call(readEditionPage, { params: { isbn }, query });
const page = async (isbn: string): Promise<EditionAnswer> => (await ask(isbn)).body;
const pricesIn = ({ copies }: EditionAnswer): number[] => copies.map(({ resale_price }) => resale_price);

const become = async ({ _id: id }: Listing, ...states: ('held' | 'sold')[]): Promise<void> => {
  for (const state of states) await t.db.updateTable('listings').set(becoming(state)).where('id', '=', id).execute();
};

const sell = async (of: TestUser, isbn13: string, price: number, buyer: TestUser): Promise<void> => {
  const sold = await copy(isbn13, price, {}, of);
  await become(sold, 'held', 'sold');
  await sql`INSERT INTO bookings (listing_id, buyer_id, title, authors, image_url, condition, buyer_name, buyer_email, phone,
      location, price_cents, created_at, paid_at)
    SELECT id, ${buyer.id}, title, authors, image_url, condition, 'Ada', 'ada@example.com', '', '', resale_cents,
      now() - interval '3 days', now() - interval '3 days' FROM listings WHERE id = ${sold._id}`.execute(t.db);
};

const anEdition = (isbn13: string) =>
  t.db
    .insertInto('editions')
    .values({
      isbn13,
      title: 'The Left Hand of Darkness',
      authors: 'Ursula K. Le Guin',
      publisher: 'Ace Books',
      year: 1987,
      language: 'eng',
      binding: 'mass market',
      pages: 304,
      source: 'dump',
    })
    .execute();

it('is kept until a copy, or what is said of one, changes', () => {
  for (const path of ['/isbn/9780441013593', '/api/isbn/9780441013593']) {
    const tags = tagsOf(path) ?? [];
    for (const payload of ['listing 1 fantasy', 'copies 1'])
      expect([path, payload, tags.some((tag) => tagsChangedBy(payload)?.has(tag))]).toEqual([path, payload, true]);
  }
  for (const path of ['/author/frank-herbert', '/api/author/frank-herbert']) expect(tagsOf(path)).toEqual(['lists']);
});

describe('GET /isbn/:isbn', () => {
  it('tells an edition with its copies side by side, the cheapest first', async () => {
    const isbn13 = freshIsbn();
    const passport: PassportDraft = {
      defects: [{ defect: 'corners', degree: 'slight', note: 'front only' }],
      binding: 'paperback',
      pages: 412,
      signed: 'signed',
      jacket: 'none issued',
    };
    const described = await copy(isbn13, 9, {
      passport,
      condition: 'Excellent',
      publisher: 'Ace',
      published_year: 1990,
    });
    const plain = await copy(isbn13, 4.5, { publisher: 'Ace', published_year: 1990 });
    const answer = await ask(isbn13);
    expect(answer.body).toEqual({
      isbn13,
      title: 'Dune',
      authors: 'Frank Herbert',
      author_pages: [{ name: 'Frank Herbert', slug: 'frank-herbert' }],
      publisher: 'Ace',
      year: 1990,
      language: '',
      binding: 'paperback',
      pages: 412,
      source: 'shop',
      image_url: '',
      photo: null,
      count: 2,
      from: 4.5,
      next: null,
      copies: [
        {
          _id: plain._id,
          title: 'Dune',
          condition: 'Good',
          resale_price: 4.5,
          location: 'Portland',
          Seller: 'Sylvia Beach',
          seller_slug: 'sylvia-beach',
          seller_verified: true,
          status: 'Available',
          waiting: 0,
          passport: null,
        },
        expect.objectContaining({
          _id: described._id,
          condition: 'Excellent',
          passport: {
            grade: 'Near Fine',
            jacketGrade: null,
            jacket: 'none issued',
            signed: 'signed',
            noDefects: false,
            defects: [{ defect: 'corners', degree: 'slight' }],
          },
        }),
      ],
      prices: [
        { condition: 'Excellent', asked: { count: 1, low: 900, high: 900 }, sold: null },
        { condition: 'Good', asked: { count: 1, low: 450, high: 450 }, sold: null },
      ],
      history: [],
    });
    expect(JSON.stringify(answer.body)).not.toMatch(/555 0100|@example\.com/);
  });

  it('takes an ISBN in any form, and says which is the one', async () => {
    const isbn13 = '9780441013593';
    await copy(isbn13, 5);
    for (const isbn of ['978-0-441-01359-3', '0441013597', 'ISBN 0-441-01359-7'])
      expect(await page(isbn)).toMatchObject({ isbn13, count: 1 });
  });

  it('stands by grade, what is not itemised after what is, of equal ones the cheaper first', async () => {
    const isbn13 = freshIsbn();
    const graded = (grade: 'Fine' | 'Very Good' | 'Poor', price: number, condition: 'Excellent' | 'Good' | 'Fair') =>
      copy(isbn13, price, { condition, passport: { noDefects: true, grade } });
    await graded('Poor', 1, 'Fair');
    await graded('Very Good', 8, 'Good');
    await graded('Very Good', 7, 'Good');
    await copy(isbn13, 2, { condition: 'Good' });
    await copy(isbn13, 6, { condition: 'Excellent' });
    await graded('Fine', 9, 'Excellent');
    const byGrade = [9, 6, 7, 8, 2, 1];
    expect(pricesIn((await ask(isbn13, { sort: 'grade' })).body)).toEqual(byGrade);
    for (const [sort, prices] of [
      ['grade', byGrade],
      ['price', byGrade.toSorted((a, b) => a - b)],
    ] as const) {
      const seen: number[] = [];
      let cursor: string | undefined;
      do {
        const { body } = await ask(isbn13, { sort, limit: '2', ...(cursor !== undefined && { cursor }) });
        expect(body.count).toBe(6);
        seen.push(...pricesIn(body));
        cursor = body.next ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual(prices);
    }
    const { next: cursor } = (await ask(isbn13, { limit: '2' })).body;
    for (const query of [
      { cursor: cursor ?? '', sort: 'grade' },
      { cursor: 'x' },
      { sort: 'title' },
      { limit: '101' },
    ] as const)
      expect((await ask(isbn13, query as { cursor: string })).status).toBe(400);
  });

  it('shows what is free or reserved, and nothing that is paused, sold, deleted or of somebody who has left', async () => {
    const isbn13 = freshIsbn();
    const leaver = await aSeller(t);
    const [free, held, paused, sold, gone] = [
      await copy(isbn13, 1),
      await copy(isbn13, 2),
      await copy(isbn13, 3),
      await copy(isbn13, 4),
      await copy(isbn13, 5),
    ];
    await copy(isbn13, 6, { category_id }, leaver);
    await aBooking(t, await aBuyer(t), held);
    await t.call(pauseListing, { params: { id: paused._id }, body: { paused: true } }, { as: seller });
    await become(sold, 'held', 'sold');
    await t.call(deleteListing, { params: { id: gone._id } }, { as: seller });
    expect((await t.call(deleteUser, { params: { id: leaver.id } }, { as: await anAdmin(t) })).status).toBe(200);
    const { copies, count, prices } = await page(isbn13);
    expect(copies.map(({ _id, status }) => [_id, status])).toEqual([
      [free._id, 'Available'],
      [held._id, 'Reserved'],
    ]);
    expect([count, prices]).toEqual([2, [{ condition: 'Good', asked: { count: 2, low: 100, high: 200 }, sold: null }]]);
  });

  it('says what was sold by the thresholds of price help: five, by three sellers, none with more than half', async () => {
    const isbn13 = freshIsbn();
    const buyer = await aBuyer(t);
    const [a, b, c] = [seller, await aSeller(t), await aSeller(t)];
    const sold = async () => (await page(isbn13)).prices.map((prices) => prices.sold);
    for (const [of, price] of [
      [a, 4],
      [a, 5],
      [b, 6],
      [b, 7],
    ] as const)
      await sell(of, isbn13, price, buyer);
    expect(await sold()).toEqual([]);
    await sell(b, isbn13, 8, buyer);
    expect(await sold()).toEqual([]);
    await sell(c, isbn13, 9, buyer);
    expect(await sold()).toEqual([{ count: 6, low: 500, high: 800 }]);
    await sell(b, isbn13, 8, buyer);
    expect(await sold()).toEqual([]);
  });

  it('says what the table knows of an edition without copies, and of one with copies what they leave out', async () => {
    const isbn13 = freshIsbn();
    await anEdition(isbn13);
    expect(await page(isbn13)).toMatchObject({
      title: 'The Left Hand of Darkness',
      author_pages: [{ slug: 'ursula-k-le-guin' }],
      language: 'eng',
      pages: 304,
      source: 'table',
      count: 0,
      from: null,
      copies: [],
      prices: [],
    });
    await copy(isbn13, 5, { title: 'Left Hand', passport: { pages: 300 } });
    expect(await page(isbn13)).toMatchObject({
      title: 'Left Hand',
      language: 'eng',
      binding: 'mass market',
      pages: 300,
      source: 'shop',
      count: 1,
    });
  });

  it('is 404 for an ISBN that nobody knows or only a paused copy has, and 400 for what is none', async () => {
    const isbn13 = freshIsbn();
    const hidden = await copy(isbn13, 5);
    await t.call(pauseListing, { params: { id: hidden._id }, body: { paused: true } }, { as: seller });
    for (const isbn of [isbn13, freshIsbn()])
      expect([(await ask(isbn)).status, await page(isbn)]).toMatchObject([404, { isbn13: null }]);
    for (const isbn of ['9780441013594', 'dune', '9790260000438'])
      expect([(await ask(isbn)).status, await page(isbn)]).toMatchObject([400, { isbn13: null }]);
  });
});
