import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { searchListings, type SearchAnswer, type SearchQuery } from '#contract/catalog/search.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aCategory, aListing, aSeller } from '#test/make.ts';

// Copies around a place, wherever their sellers wrote they are.

let t: TestApp;

const LOCATIONS = [
  'Portland, OR',
  'Portland',
  'Portland, ME',
  'Vancouver, WA',
  'Salem, OR',
  'Springfield, IL',
  'Springfield, Missouri',
  'Paris, TX',
  'Paris, France',
  'Boulogne-Billancourt',
  'München',
  'Munich, Germany',
  'Portland Bay',
  'The Old Mill',
] as const;

beforeAll(async () => {
  t = await testApp();
  const seller = await aSeller(t);
  const category_id = await aCategory(t, seller);
  for (const location of LOCATIONS) await aListing(t, seller, { category_id, location, title: 'Emma' });
});
afterAll(() => t.close());

const search = async (query: SearchQuery): Promise<SearchAnswer> => {
  const { status, body } = await t.call(searchListings, { query: { facets: '1', ...query } });
  expect(status).toBe(200);
  expect(body.facets?.total).toBe(body.listings.length);
  return body;
};

const locations = async (query: SearchQuery): Promise<string[]> =>
  (await search(query)).listings.map(({ location }) => location).toSorted();

it.each<[string, SearchQuery['within'], string[]]>([
  ['Portland', '10', ['Portland', 'Portland, OR']],
  ['Portland', '25', ['Portland', 'Portland, OR', 'Vancouver, WA']],
  ['portland or', '100', ['Portland', 'Portland, OR', 'Salem, OR', 'Vancouver, WA']],
  ['Portland, Maine', '25', ['Portland, ME']],
  ['Springfield', '25', ['Springfield, Missouri']],
  ['Springfield, Illinois', '25', ['Springfield, IL']],
  ['Paris', '10', ['Boulogne-Billancourt', 'Paris, France']],
  ['Paris, TX', '100', ['Paris, TX']],
  ['Munich', '10', ['Munich, Germany', 'München']],
  ['Muenchen', '25', ['Munich, Germany', 'München']],
])('near %s within %s km', async (near, within, found) => {
  expect(await locations({ near, within })).toEqual(found);
});

test('a name that exists twice: the largest is taken and the others are offered, each by its id', async () => {
  const { near } = await search({ near: 'Springfield', within: '25' });
  expect(near?.taken).toMatchObject({ name: 'Springfield', region: 'Missouri', country: 'United States' });
  expect(near?.others.slice(0, 2)).toMatchObject([{ region: 'Massachusetts' }, { region: 'Illinois' }]);
  const id = near?.others.find(({ region }) => region === 'Illinois')?.id ?? '';
  const other = await search({ near: id, within: '10' });
  expect(other.listings.map(({ location }) => location)).toEqual(['Springfield, IL']);
  expect(other.near).toMatchObject({
    taken: { id },
    others: [{ region: 'Missouri' }, { region: 'Massachusetts' }, {}, {}, {}, {}, {}],
  });
  // Without a distance an id is still a place.
  expect(await locations({ near: id })).toEqual(['Springfield, IL']);
});

test('a place that is not known is looked for as sellers wrote it, and that is said', async () => {
  const answer = await search({ near: 'The Old', within: '25' });
  expect(answer.listings.map(({ location }) => location)).toEqual(['The Old Mill']);
  expect(answer.near).toEqual({ taken: null, others: [] });
  expect(await locations({ near: 'Nowhere At All', within: '25' })).toEqual([]);
});

test('without a distance a name is what locations begin with, as ever', async () => {
  const answer = await search({ near: 'Portland' });
  expect(answer.near).toBeNull();
  expect(answer.listings.map(({ location }) => location).toSorted()).toEqual([
    'Portland',
    'Portland Bay',
    'Portland, ME',
    'Portland, OR',
  ]);
  expect((await search({ q: 'emma near Portland' })).understood).toMatchObject({ q: 'emma', near: 'Portland' });
});
