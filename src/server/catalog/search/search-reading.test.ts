import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { addCategory } from '#contract/catalog/catalog.ts';
import { SEARCH_SORTS, searchListings, type SearchAnswer, type SearchQuery } from '#contract/catalog/search.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aListing, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let seller: TestUser;

const [OREGON, MAINE, AUSTIN] = ['Portland, OR', 'Portland, ME', 'Austin, TX'];
const GOODS = [
  { title: 'Dune', authors: 'Frank Herbert', resale_price: '6.00', condition: 'Good', location: OREGON },
  { title: 'Dune', authors: 'Frank Herbert', resale_price: '9.00', condition: 'Fair', location: AUSTIN },
  { title: 'Dune Messiah', authors: 'Frank Herbert', resale_price: '7.00', condition: 'Good', location: MAINE },
  { title: 'Good Omens', authors: 'Terry Pratchett', resale_price: '5.00', condition: 'Fair', location: OREGON },
  {
    title: 'The Fair Maid of Perth',
    authors: 'Walter Scott',
    resale_price: '4.00',
    condition: 'Good',
    location: AUSTIN,
  },
  { title: 'Excellent Women', authors: 'Barbara Pym', resale_price: '8.00', condition: 'Good', location: AUSTIN },
  { title: 'Paris', authors: 'Edward Rutherfurd', resale_price: '3.00', condition: 'Good', location: AUSTIN },
  { title: 'A Small Garden', authors: 'Ann Reed', resale_price: '3.00', condition: 'Good', location: 'Paris' },
  {
    title: '84, Charing Cross Road',
    authors: 'Helene Hanff',
    resale_price: '8.00',
    condition: 'Good',
    location: AUSTIN,
  },
  { title: 'Under 8', authors: 'Kit Nye', resale_price: '30.00', condition: 'Good', location: AUSTIN },
  { title: 'Chaos', authors: 'James Gleick', details: 'Popular science.', condition: 'Excellent', location: AUSTIN },
] as const;

beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  for (const [id, name] of [
    ['scifi', 'Science Fiction'],
    ['crime', 'Mystery & Crime'],
    ['other', 'Everything Else'],
  ] as const)
    await t.call(addCategory, { body: { category_id: id, category_name: name } }, { as: seller });
  for (const goods of GOODS) {
    const category_id = goods.authors === 'Frank Herbert' ? 'scifi' : goods.title === 'Paris' ? 'crime' : 'other';
    await aListing(t, seller, { details: 'As described.', ...goods, category_id });
  }
});
afterAll(() => t.close());

const search = async (query: SearchQuery): Promise<SearchAnswer> => {
  const { status, body } = await t.call(searchListings, { query: { facets: '1', ...query } });
  expect(status).toBe(200);
  expect({ query, total: body.facets?.total }).toEqual({ query, total: body.listings.length });
  return body;
};

const booksOf = ({ listings }: SearchAnswer): string[] =>
  listings.map(({ title, location }) => `${title}, ${location}`).toSorted();

describe('plain words become choices that can be taken off', () => {
  it.each([
    ['dune good', { q: 'dune', condition: 'Good' }, ['Dune Messiah, Portland, ME', 'Dune, Portland, OR']],
    ['dune under $8', { q: 'dune', max: '8' }, ['Dune Messiah, Portland, ME', 'Dune, Portland, OR']],
    ['dune good portland or', { q: 'dune', condition: 'Good', location: OREGON }, ['Dune, Portland, OR']],
    [
      'dune under $8 good portland',
      { q: 'dune', max: '8', condition: 'Good', near: 'Portland' },
      ['Dune Messiah, Portland, ME', 'Dune, Portland, OR'],
    ],
    [
      'Dune under 8 dollars near Portland, OR in good condition',
      { q: 'Dune', max: '8', condition: 'Good', location: OREGON },
      ['Dune, Portland, OR'],
    ],
    ['dune from $8 to 10', { q: 'dune', min: '8', max: '10' }, ['Dune, Austin, TX']],
    ['dune over 8 dollars', { q: 'dune', min: '8' }, ['Dune, Austin, TX']],
    [
      'dune in good or better condition, $6.50',
      { q: 'dune', condition: 'Excellent,Good', max: '6.50' },
      ['Dune, Portland, OR'],
    ],
    [
      'science fiction',
      { q: '', category: 'scifi' },
      ['Dune Messiah, Portland, ME', 'Dune, Austin, TX', 'Dune, Portland, OR'],
    ],
    ['science fiction books in austin', { q: '', category: 'scifi', location: AUSTIN }, ['Dune, Austin, TX']],
    ['mystery and crime', { q: '', category: 'crime' }, ['Paris, Austin, TX']],
    ['good omens portland', { q: 'good omens', near: 'Portland' }, ['Good Omens, Portland, OR']],
    ['frank herbert fair', { q: 'frank herbert', condition: 'Fair' }, ['Dune, Austin, TX']],
  ] as const)('%s', async (q, understood, books) => {
    const answer = await search({ q });
    expect({ understood: answer.understood, books: booksOf(answer) }).toEqual({ understood, books });
    // What was understood is the same search, and a link to it reads nothing anew.
    const { q: rest, ...choices } = understood;
    const again = await search({ ...(rest !== '' && { q: rest, literal: '1' }), ...choices });
    expect(booksOf(again)).toEqual(books);
    expect(again.understood).toBeNull();
  });

  it('in every order, and on every page', async () => {
    for (const sort of SEARCH_SORTS) {
      const whole = await search({ q: 'dune good portland', sort });
      expect(whole.understood).toEqual({ q: 'dune', condition: 'Good', near: 'Portland' });
      const first = await t.call(searchListings, { query: { q: 'dune good portland', sort, limit: '1' } });
      const cursor = first.body.next ?? '';
      const second = await t.call(searchListings, { query: { q: 'dune good portland', sort, limit: '1', cursor } });
      expect([...first.body.listings, ...second.body.listings]).toEqual(whole.listings);
    }
  });

  it('and the rest is corrected where it is misspelt', async () => {
    expect(await search({ q: 'duen under $8' })).toMatchObject({
      understood: { q: 'duen', max: '8' },
      corrected: 'dune',
      listings: [{ title: 'Dune Messiah' }, { title: 'Dune' }].toReversed(),
    });
  });
});

describe('plain words stay words', () => {
  it('where a bare place is more likely a name that is misspelt', async () => {
    await aListing(t, seller, { title: 'Emma', authors: 'Jane Austen', category_id: 'other', location: 'Boston' });
    await aListing(t, seller, { title: 'Jane Eyre', authors: 'C. Brontë', category_id: 'other', location: AUSTIN });
    expect(await search({ q: 'jane austin' })).toMatchObject({ understood: null, corrected: 'jane austen' });
    expect(await search({ q: 'jane near austin' })).toMatchObject({ understood: { q: 'jane', location: AUSTIN } });
  });

  it.each([
    ['good omens', 'Good Omens'],
    ['the fair maid', 'The Fair Maid of Perth'],
    ['excellent women', 'Excellent Women'],
    ['paris', 'Paris'],
    ['84 charing cross', '84, Charing Cross Road'],
    ['good', 'Good Omens'],
    ['under 8', 'Under 8'],
    ['women excellent pym', 'Excellent Women'],
    ['8', 'Under 8'],
  ])('where a title or an author has all of them: %s', async (q, title) => {
    for (const sort of SEARCH_SORTS) {
      const answer = await search({ q, sort });
      expect({ sort, understood: answer.understood, corrected: answer.corrected }).toEqual({
        sort,
        understood: null,
        corrected: null,
      });
      expect(answer.listings.map((listing) => listing.title)).toContain(title);
    }
    // Not even where something else was chosen that leaves it out.
    expect((await search({ q, max: '0.50' })).understood).toBeNull();
  });

  it('where the rest finds nothing with them: the rarest are shown, and it is said', async () => {
    expect(await search({ q: 'dune excellent' })).toMatchObject({
      understood: null,
      corrected: 'dune',
      left_out: ['excellent'],
    });
    expect(await search({ q: 'dune under $8 good austin' })).toMatchObject({
      understood: { q: 'dune', max: '8', condition: 'Good' },
      left_out: ['austin'],
      corrected: null,
      listings: [{}, {}],
    });
    expect(await search({ q: 'good omens under $4 austin' })).toMatchObject({
      understood: { q: 'good omens' },
      left_out: ['under', '4', 'austin'],
      listings: [{ title: 'Good Omens' }],
    });
    expect(await search({ q: 'harry potter under $8' })).toMatchObject({ understood: null, listings: [] });
  });

  it('where they are to be taken as words, or the same was chosen already', async () => {
    expect(await search({ q: 'dune good', literal: '1' })).toMatchObject({ understood: null, corrected: 'dune' });
    expect(await search({ q: 'dune good', condition: 'Fair' })).toMatchObject({ understood: null });
  });
});

describe('a place by its name', () => {
  it('is every location that is it or begins with it, and no other', async () => {
    expect(booksOf(await search({ near: 'portland' }))).toHaveLength(3);
    expect(booksOf(await search({ near: 'Portland, OR' }))).toHaveLength(2);
    expect(booksOf(await search({ near: 'Port' }))).toEqual([]);
    expect(booksOf(await search({ q: 'portland' }))).toHaveLength(3);
  });
});

test('no text of plain words is more than the shop can read', async () => {
  for (const q of ['good '.repeat(40), 'under $8 '.repeat(20), 'portland good $5 science fiction '.repeat(6)]) {
    const answer = await t.send('GET', `/api/search?facets=1&q=${encodeURIComponent(q.trim())}`);
    expect(answer.statusCode).toBe(200);
  }
});
