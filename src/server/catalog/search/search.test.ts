import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { searchListings, suggestSearches, type SearchAnswer, type SearchQuery } from '#contract/catalog/search.ts';
import { searchKeyOf } from './search.queries.ts';
import { isAscii, keyOfAscii } from './wording.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBuyer, aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let seller: TestUser;
let shelf: string;
let other: string;

const GOODS = [
  { title: 'Dune', authors: 'Frank Herbert', isbn13: '9780441172719', published_year: 1965, resale_price: '6.00' },
  { title: 'Dune Messiah', authors: 'Frank Herbert', published_year: 1969, resale_price: '5.00', location: 'Boston' },
  { title: 'The Road to Dune', authors: 'Frank Herbert, Brian Herbert', resale_price: '9.00', condition: 'Fair' },
  { title: 'Sandworms', authors: 'Brian Herbert', details: 'The last of the Dune saga.', resale_price: '4.00' },
  { title: 'The Hobbit', authors: 'J.R.R. Tolkien', publisher: 'Allen & Unwin', resale_price: '12.00' },
  { title: 'Les Misérables', authors: 'Victor Hugo', resale_price: '3.00', original_price: '30.00' },
  { title: 'Charlotte’s Web', authors: 'E. B. White', resale_price: '2.00' },
  { title: 'The Hitchhiker’s Guide to the Galaxy', authors: 'Douglas Adams', resale_price: '7.00' },
  { title: 'Война и мир', authors: 'Лев Толстой', resale_price: '8.00' },
] as const;

beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  shelf = await aCategory(t, seller);
  other = await aCategory(t, seller);
  for (const [place, goods] of GOODS.entries()) {
    await aListing(t, seller, { ...goods, category_id: place % 2 === 0 ? shelf : other });
  }
});
afterAll(() => t.close());

const search = async (query: Partial<SearchQuery>): Promise<SearchAnswer> => {
  const answer = await t.call(searchListings, { query });
  expect(answer.status).toBe(200);
  return answer.body;
};

const titles = async (query: Partial<SearchQuery>): Promise<string[]> =>
  (await search(query)).listings.map(({ title }) => title);

describe('GET /search', () => {
  it('finds the very title first, then titles that begin so, words in the title, words anywhere', async () => {
    expect(await titles({ q: 'dune' })).toEqual(['Dune', 'Dune Messiah', 'The Road to Dune', 'Sandworms']);
  });

  it.each([
    ['an author', 'victor hugo', 'Les Misérables'],
    ['initials with dots', 'j.r.r. tolkien', 'The Hobbit'],
    ['initials without dots', 'jrr tolkien', 'The Hobbit'],
    ['initials apart', 'e. b. white', 'Charlotte’s Web'],
    ['a publisher', 'allen unwin', 'The Hobbit'],
    ['title and author together', 'hobbit tolkien', 'The Hobbit'],
    ['without accents', 'les miserables', 'Les Misérables'],
    ['with accents and capitals', 'LÉS MISÉRABLES', 'Les Misérables'],
    ['without an apostrophe', 'charlottes web', 'Charlotte’s Web'],
    ['another alphabet, in capitals', 'ВОЙНА', 'Война и мир'],
    ['the beginning of the last word', 'road to du', 'The Road to Dune'],
    ['an ISBN-13', '9780441172719', 'Dune'],
    ['an ISBN-13 with hyphens', '978-0-441-17271-9', 'Dune'],
    ['its ISBN-10', '0-441-17271-7', 'Dune'],
  ])('finds by %s', async (_, q, title) => {
    const answer = await search({ q });
    expect({ title: answer.listings[0]?.title, corrected: answer.corrected }).toEqual({ title, corrected: null });
  });

  it.each([
    ['two letters swapped', 'tolkein', 'tolkien', 'The Hobbit'],
    ['a letter too few', 'misrables', 'miserables', 'Les Misérables'],
    ['two words misspelt', 'sandwroms hebert', 'sandworms herbert', 'Sandworms'],
    ['two words written as one', 'dunemessiah', 'dune messiah', 'Dune Messiah'],
    ['one word written as two', 'hitch hiker galaxy', 'hitchhikers galaxy', 'The Hitchhiker’s Guide to the Galaxy'],
  ])('corrects %s and says so', async (_, q, corrected, title) => {
    const answer = await search({ q });
    expect(answer).toMatchObject({ corrected, instead: null, left_out: [] });
    expect(answer.listings[0]?.title).toBe(title);
  });

  it('leaves out a word that no book has, and says which', async () => {
    expect(await search({ q: 'qqzzyx dune' })).toMatchObject({ corrected: 'dune', left_out: ['qqzzyx'] });
  });

  it('offers a better wording beside the few books of the typed one', async () => {
    await aListing(t, seller, { title: 'A Tolkein Reader', category_id: shelf });
    await aListing(t, seller, { title: 'The Silmarillion', authors: 'J.R.R. Tolkien', category_id: shelf });
    const answer = await search({ q: 'tolkein' });
    expect(answer).toMatchObject({ corrected: null, instead: 'tolkien' });
    expect(answer.listings.map(({ title }) => title)).toEqual(['A Tolkein Reader']);
  });

  it('answers nothing, and 200, for what no book is like', async () => {
    expect(await search({ q: '¿?!' })).toMatchObject({ corrected: null });
    expect(await search({ q: 'qqzzyx' })).toMatchObject({ listings: [], next: null, corrected: null, left_out: [] });
    expect(await titles({ q: '9780000000002' })).toEqual([]);
  });

  it('sorts by price, saving and time', async () => {
    expect(await titles({ q: 'dune', sort: 'price-up' })).toEqual([
      'Sandworms',
      'Dune Messiah',
      'Dune',
      'The Road to Dune',
    ]);
    expect((await titles({ q: 'dune', sort: 'price-down' }))[0]).toBe('The Road to Dune');
    expect((await titles({ q: 'dune', sort: 'newest' }))[0]).toBe('Sandworms');
    expect((await titles({ sort: 'saving' }))[0]).toBe('Les Misérables');
  });

  it('narrows by category, condition, price, place, year, seller and availability, in any combination', async () => {
    expect(await titles({ q: 'dune', category: shelf })).toEqual(['Dune', 'The Road to Dune']);
    expect(await titles({ q: 'dune', condition: 'Fair' })).toEqual(['The Road to Dune']);
    expect(await titles({ q: 'dune', condition: 'Fair,Good', min: '5', max: '6.00' })).toEqual([
      'Dune',
      'Dune Messiah',
    ]);
    expect(await titles({ q: 'dune', location: 'Boston' })).toEqual(['Dune Messiah']);
    expect(await titles({ q: 'dune', from: '1966' })).toEqual(['Dune Messiah']);
    expect(await titles({ q: 'dune', to: '1966' })).toEqual(['Dune']);
    expect(await titles({ q: 'dune', verified: '1' })).toEqual([]);
  });

  it.each(['relevance', 'newest', 'price-up', 'price-down', 'saving'] as const)(
    'walks past every copy exactly once by %s',
    async (sort) => {
      const all = await titles({ q: 'herbert', sort, limit: '100' });
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await search({ q: 'herbert', sort, limit: '1', ...(cursor !== undefined && { cursor }) });
        seen.push(...page.listings.map(({ title }) => title));
        cursor = page.next ?? undefined;
      } while (cursor !== undefined && seen.length < 20);
      expect(seen).toEqual(all);
      expect(seen).toHaveLength(4);
    },
  );

  it('counts what each choice would leave, given all others', async () => {
    const { facets } = await search({ q: 'dune', condition: 'Good', facets: '1' });
    expect(facets).toMatchObject({
      total: 3,
      more: false,
      condition: [
        { value: 'Good', count: 3 },
        { value: 'Fair', count: 1 },
      ],
      price: [
        { from: null, to: 4.99, count: 1 },
        { from: 5, to: 9.99, count: 2 },
      ],
      location: [
        { value: 'Portland', count: 2 },
        { value: 'Boston', count: 1 },
      ],
      year: [{ from: 1950, to: 1979, count: 2 }],
      verified: 0,
      available: 3,
    });
    expect(facets?.category.toSorted((a, b) => a.count - b.count)).toMatchObject([
      { value: shelf, count: 1 },
      { value: other, count: 2 },
    ]);
  });

  it('shows a reserved copy as such, and not at all among the available ones', async () => {
    const category_id = await aCategory(t, seller);
    const copy = await aListing(t, seller, { title: 'Reserved for Reading', category_id });
    await aBooking(t, await aBuyer(t), copy);
    expect((await search({ q: 'reserved for reading' })).listings[0]?.status).toBe('Reserved');
    expect(await titles({ q: 'reserved for reading', available: '1' })).toEqual([]);
    expect((await search({ category: category_id, facets: '1' })).facets).toMatchObject({ total: 1, available: 0 });
  });

  it('shows the seller’s contact to nobody but them', async () => {
    const anonymous = await t.call(searchListings, { query: { q: 'dune' } });
    expect(anonymous.body.listings[0]).toMatchObject({ email: '', phone: '' });
    expect(anonymous.headers['vary']).toBe('Authorization, Accept-Encoding');
    const signedIn = await t.call(searchListings, { query: { q: 'dune' } }, { as: await aBuyer(t) });
    expect(signedIn.body.listings[0]).toMatchObject({ email: '', phone: '' });
    expect(signedIn.headers['cache-control']).toBe('no-store');
    const own = await t.call(searchListings, { query: { q: 'dune' } }, { as: seller });
    expect(own.body.listings[0]).toMatchObject({ email: seller.email });
  });

  it.each([
    ['a span of prices upside down', 'min=9&max=3'],
    ['a span of years upside down', 'from=2000&to=1990'],
    ['a price that is none', 'min=abc'],
    ['a condition that is none', 'condition=Mint'],
    ['an order that is none', 'sort=random'],
    ['a cursor that is none', 'cursor=xyz'],
    ['a cursor of another order', 'sort=price-up&cursor=newest.0.abc'],
    ['a repeated key', 'q=a&q=b'],
    ['a NUL byte', 'q=a%00b'],
    ['too long a text', `q=${'a'.repeat(201)}`],
  ])('refuses %s with 400', async (_, query) => {
    expect((await t.send('GET', `/api/search?${query}`)).statusCode).toBe(400);
  });

  it.each(["'", '"', '\\', '%', '_', '&', '|', '!', ':*', '<->', '()', "a' | 'b", '--', ';', '{1}', '‮', '😀'])(
    'takes %s for what it is',
    async (q) => {
      expect((await t.send('GET', `/api/search?facets=1&q=${encodeURIComponent(q)}`)).statusCode).toBe(200);
      expect((await t.send('GET', `/api/search/suggestions?q=${encodeURIComponent(q)}`)).statusCode).toBe(200);
    },
  );
});

test.each([
  ['ligatures, each of them three letters', `hitchhikers${'ﬃ'.repeat(120)}`],
  ['nothing but ligatures', 'ﬃ'.repeat(200)],
  ['numerals in circles', `dune ${'㉈'.repeat(190)}`],
  ['letters with many marks', `dune${'\u0301'.repeat(190)}`],
  ['letters of four bytes', '𝔥'.repeat(100)],
  ['words as long as can be', `${'tolkien'.repeat(14)} ${'dune'.repeat(25)}`],
])('takes %s for a search', async (_, q) => {
  for (const sort of ['relevance', 'newest']) {
    const answer = await t.send('GET', `/api/search?facets=1&sort=${sort}&q=${encodeURIComponent(q)}`);
    expect({ status: answer.statusCode, body: answer.json() }).toMatchObject({ status: 200 });
  }
  expect((await t.send('GET', `/api/search/suggestions?q=${encodeURIComponent(q)}`)).statusCode).toBe(200);
});

describe('GET /search/suggestions', () => {
  const suggest = async (q: string): Promise<string[]> =>
    (await t.call(suggestSearches, { query: { q } })).body.map(({ kind, text }) => `${kind}: ${text}`);

  it('answers titles and authors that begin with what is typed', async () => {
    expect(await suggest('dun')).toEqual(['title: Dune', 'title: Dune Messiah', 'title: The Road to Dune']);
    expect(await suggest('tolki')).toContain('author: J.R.R. Tolkien');
    expect(await suggest('les mis')).toEqual(['title: Les Misérables']);
  });

  it('answers nothing before there are two letters', async () => {
    expect(await suggest('d')).toEqual([]);
  });
});

describe('the wording of a search', () => {
  it('is the same for plain text here and in the database', async () => {
    const texts = [
      "J.R.R. Tolkien's  Hobbit!",
      'E. B. White',
      'U.S.A. a.b c. d.e.',
      'Catch-22 (1961)',
      'A_b 3.5 x.9 9.x',
      '`tick` & "quote"',
      'f. scott. k. l. mno. p.',
      '  ',
      'O\u0007K\ttab\nline',
      '3d 4x4 007 1e 2x5',
    ];
    for (const text of texts) {
      const known = await searchKeyOf(t.db, text);
      expect({ text, ...keyOfAscii(text), words: keyOfAscii(text).words.filter((word) => word !== '') }).toEqual({
        text,
        ...known,
      });
    }
  });

  it('is left to the database where it parts words by itself', async () => {
    expect(isAscii('Model 9e9xx')).toBe(false);
    expect(await searchKeyOf(t.db, 'Model 9e9xx')).toEqual({ key: 'model 9e9xx', words: ['model', '9e9', 'xx'] });
  });
});
