// What the pages say before any script runs, as the specification has it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Listing } from '#contract/catalog/catalog.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { all, one, parse, textOf } from '#test/html.ts';
import { aListing, aSeller } from '#test/make.ts';

let t: TestApp;
let listing: Listing;

beforeAll(async () => {
  t = await testApp({ web: true });
  const seller = await aSeller(t);
  listing = await aListing(t, seller, { title: 'A Room of One’s Own', resale_price: '6.50' });
  await aListing(t, seller, { title: 'The Waves' });
});
afterAll(() => t.close());

const page = async (path: string) => parse((await t.send('GET', path)).body);

test('the landing page presents a second-hand book store', async () => {
  expect(textOf(one(await page('/'), 'main'))).toContain('second-hand book store');
});

test('the footer speaks of favourite used books in the best condition at low prices', async () => {
  const footer = textOf(one(await page('/blog'), 'footer'));
  expect(footer).toMatch(/favourite used books in the best condition,? at low prices/);
});

test('the landing page says how many books there really are', async () => {
  expect(textOf(one(await page('/'), 'main'))).toContain('2 books are on the shelves');
});

test('anybody reads the landing page, a category and a listing', async () => {
  for (const path of ['/', `/category/${listing.category_id}`, `/book/${listing._id}`]) {
    expect(textOf(one(await page(path), 'main')), path).toContain('A Room of One’s Own');
  }
});

test('every page has a switch between light and dark', async () => {
  for (const path of ['/', '/login', '/categories', '/dashboard', '/no-such-page']) {
    const switches = all(one(await page(path), 'header'), 'button', { 'aria-label': 'Switch to the dark theme' });
    expect(switches.length, path).toBeGreaterThan(0);
  }
});

test('a price is shown with a $ before it', async () => {
  expect(textOf(one(await page(`/book/${listing._id}`), 'main'))).toContain('$6.50');
});

test('the landing page shows six static sample cards', async () => {
  const popular = all(await page('/'), 'section', { 'aria-labelledby': 'popular' });
  expect(popular.flatMap((section) => all(section, 'li'))).toHaveLength(6);
});
