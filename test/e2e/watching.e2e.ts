import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { LOOKS } from './looks.ts';
import { openRow } from './rows.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, fillSignIn } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

let shop: RunningShop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

test.each(LOOKS)('a reader remembers a book and a search, and forgets them ($theme, $width px)', async (look) => {
  const { page, call, leave } = await aMember(browser, shop.url, 'Buyer', look);
  await page.goto('/dashboard/watched');
  await page.getByText('No book is remembered yet').waitFor();
  await expectAccessible(page, 'Remembered, empty');

  const found = await call<{ listings: { _id: string; title: string; seller_slug: string }[] }>(
    'GET',
    '/search?q=dune&available=1',
  );
  const [copy] = found.listings;
  if (copy === undefined) throw new Error('The demo has no Dune.');
  await page.goto(`/book/${copy._id}`);
  await page.getByRole('button', { name: `Remember ${copy.title}` }).click();
  await page.getByRole('button', { name: `Remembered ${copy.title}`, pressed: true }).waitFor();
  await expectAccessible(page, 'A book, remembered');
  // It is so when they come back.
  await page.reload();
  await page.getByRole('button', { name: `Remembered ${copy.title}`, pressed: true }).waitFor();

  // A list shows it, too, and takes one more.
  await page.goto('/search?q=dune');
  const cards = page.locator('.copy-card');
  await cards
    .getByRole('button', { name: `Remembered ${copy.title}`, pressed: true })
    .first()
    .waitFor();
  const other = cards.getByRole('button', { pressed: false, name: /^Remember / }).first();
  const name = (await other.textContent()) ?? '';
  await other.click();
  await cards
    .getByRole('button', { name: name.trim().replace('Remember', 'Remembered'), pressed: true })
    .nth(0)
    .waitFor();
  await expectAccessible(page, 'A search, remembered');
  await cards.getByRole('button', { pressed: true }).nth(1).click();
  await expect.poll(() => cards.getByRole('button', { pressed: true }).count()).toBe(1);

  await call('PUT', `/sellers/${copy.seller_slug}/follow`);
  await page.goto('/search?q=dune&max=20');
  await page.getByRole('button', { name: 'Save this search' }).click();
  await page.getByRole('link', { name: 'Saved: see all' }).click();
  await page.getByRole('heading', { name: 'Remembered', level: 1 }).waitFor();
  await page.getByRole('link', { name: copy.title }).first().waitFor();
  await page.getByRole('button', { name: 'Feed of dune' }).click();
  const feed = page.getByRole('link', { name: /\/api\/feeds\/saved\// });
  const before = (await feed.getAttribute('href')) ?? '';
  expect((await page.request.get(before)).status()).toBe(200);
  await expectAccessible(page, 'Remembered');
  await page.getByRole('button', { name: 'Change the address of dune' }).click();
  await expect.poll(() => feed.getAttribute('href')).not.toBe(before);
  expect((await page.request.get(before)).status()).toBe(404);

  await page.getByRole('button', { name: /^Unfollow / }).click();
  await page.getByText('Press “Follow” on the page of a seller').waitFor();
  await page.getByRole('button', { name: 'Forget the search dune' }).click();
  await page.getByText('Search for something and press').waitFor();
  await openRow(page.getByRole('row').filter({ hasText: copy.title }));
  await page.getByRole('button', { name: `Forget ${copy.title}` }).click();
  await page.getByText('No book is remembered yet').waitFor();
  await leave();
});

test('a stranger is led to sign in, and back to the book', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: 390 });
  const found = await page.request.get(`${shop.url}/api/search?q=dune`);
  const { listings } = (await found.json()) as { listings: { _id: string }[] };
  const book = `/book/${listings[0]?._id}`;
  await page.goto(book);
  await page.getByRole('link', { name: /^Remember/ }).click();
  await page.getByRole('heading', { name: 'Sign In', level: 1 }).waitFor();
  await fillSignIn(page, 'Buyer');
  await page.waitForURL((url) => url.pathname === book);
  await page.getByRole('button', { name: /^Remember/ }).waitFor();
  await leave();
});
