import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { signInToBook } from './account-dialog.ts';
import { launchBrowser } from './browser.ts';
import { press } from './keyboard.ts';
import { openShop, type RunningShop } from './shop.ts';
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

test('a book is found by keyboard from what is offered while typing', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/');
  const box = page.getByRole('combobox', { name: 'Search for a book' });
  await box.pressSequentially('wuther');
  await page.getByRole('option', { name: /Wuthering Heights/ }).waitFor();
  await expectAccessible(page, 'suggestions');
  await box.press('ArrowDown');
  expect(await box.getAttribute('aria-activedescendant')).not.toBeNull();
  await box.press('Escape');
  await expect.poll(() => page.getByRole('option').count()).toBe(0);
  await box.press('ArrowDown');
  await page.getByRole('option', { selected: true }).waitFor();
  await box.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Results for “Wuthering Heights”' }).waitFor();
  await page.getByRole('article').getByRole('link', { name: 'Wuthering Heights' }).first().waitFor();
  expect(await box.inputValue()).toBe('Wuthering Heights');
  await leave();
});

test('what is misspelt is corrected and said; nothing found leads on', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/search?q=wuthring%20hieghts');
  await page.getByRole('heading', { level: 1, name: 'Results for “wuthering heights”' }).waitFor();
  await page.getByText('Nothing was found for “wuthring hieghts”.').waitFor();
  await page.goto('/search?q=9780000000000');
  await page.getByText(/its check digit is wrong/).waitFor();
  await page.getByRole('link', { name: 'See all books' }).waitFor();
  await leave();
});

test('a result is narrowed, sorted and widened again, all of it in the address', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/search?category=classics');
  const found = page.getByRole('status').filter({ hasText: /found$/ });
  const all = await found.textContent();
  await page.getByRole('link', { name: /^Excellent/ }).click();
  await page.waitForURL('**/search?category=classics&condition=Excellent');
  await expect.poll(() => found.textContent()).not.toBe(all);
  await page.getByLabel('Sort').selectOption('price-up');
  await page.waitForURL('**/search?category=classics&condition=Excellent&sort=price-up');
  const prices = await page
    .getByRole('article')
    .locator('b')
    .filter({ hasText: /^\$[\d.]+$/ })
    .allTextContents();
  expect(prices.length).toBeGreaterThan(0);
  await page.getByRole('list', { name: 'Filters' }).getByRole('link', { name: 'Remove filter: Excellent' }).click();
  await page.waitForURL('**/search?category=classics&sort=price-up');
  await expect.poll(() => found.textContent()).toBe(all);
  await page.getByRole('link', { name: 'Clear all' }).click();
  await page.waitForURL('**/search?sort=price-up');
  await leave();
});

test('a price that was left empty leaves the address, and one that is none is said beside its field', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/search?q=the');
  await page.getByLabel('To $').fill('8');
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await page.waitForURL('**/search?q=the&max=8');
  await page.goto('/search?q=the&min=&max=8&sort=');
  await page.waitForURL('**/search?q=the&max=8');
  await page.goto('/search?q=the&min=abc');
  const from = page.getByRole('textbox', { name: 'From $' });
  expect(await from.inputValue()).toBe('abc');
  expect(await from.getAttribute('aria-invalid')).toBe('true');
  await page.getByText('Type a price such as 5 or 7.50', { exact: true }).waitFor();
  await page.getByText(/“abc” is not a price/).waitFor();
  await leave();
});

test('plain words become choices, and what is taken off stays off', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: 360, theme: 'dark' });
  await page.goto('/search?q=dune+under+%248+good+oakland');
  await page.getByRole('heading', { level: 1, name: 'Results for “dune”' }).waitFor();
  const chosen = page.getByRole('list', { name: 'Filters' });
  await chosen.waitFor();
  const labels = async (): Promise<string[]> =>
    (await chosen.getByRole('link').allTextContents()).map((text) => text.replace('Remove filter: ', ''));
  await expect.poll(labels).toEqual(['Good', expect.stringMatching(/^Up to \$8/), 'Oakland, CA', 'Clear all']);
  await expectAccessible(page, 'what was understood');
  await chosen.getByRole('link', { name: 'Remove filter: Good' }).click();
  await page.waitForURL('**/search?q=dune&max=8&location=Oakland%2C+CA&literal=1');
  await expect.poll(labels).toEqual([expect.stringMatching(/^Up to \$8/), 'Oakland, CA', 'Clear all']);
  await chosen.getByRole('link', { name: 'Clear all' }).click();
  await page.waitForURL('**/search?q=dune&literal=1');
  await page.getByRole('heading', { level: 1, name: 'Results for “dune”' }).waitFor();
  await leave();
});

test('without JavaScript what was understood is taken off by a link', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { javaScript: false });
  await page.goto('/search?q=science+fiction');
  await page.getByText('18 books found').waitFor();
  await page
    .getByRole('list', { name: 'Filters' })
    .getByRole('link', { name: 'Remove filter: Science Fiction' })
    .click();
  await page.waitForURL('**/search');
  await page.goto('/search?q=science+fiction');
  await page.getByRole('link', { name: 'search for all of the words' }).click();
  await page.waitForURL('**/search?q=science+fiction&literal=1');
  await leave();
});

test('what is not here is said to be not here, and of words that no copy has together the rarest are shown', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/search?q=harry+potter');
  await page.getByText('We don’t have “harry potter” right now').waitFor();
  expect(await page.getByRole('article').count()).toBe(0);
  await page.goto('/search?q=dune+good&literal=1');
  await page.getByText('No copy matches all of “dune good”. Showing “dune”.').waitFor();
  await page.getByRole('article').getByRole('link', { name: 'Dune' }).first().waitFor();
  await page.goto('/search?q=dune+under+%248+near+portland+in+good+condition');
  await page.getByText('1 book found').waitFor();
  await page.goto('/search?q=dune+under+%248+near+portland+in+excellent+condition');
  await page
    .getByText('No copy matches all of “dune under $8 near portland in excellent condition”. Showing “dune”.')
    .waitFor();
  await page.getByText('1 book found').waitFor();
  await page.goto('/search?q=portland');
  await page.getByText('23 books found').waitFor();
  await page.goto('/search?q=duen');
  await page.getByRole('heading', { level: 1, name: 'Results for “dune”' }).waitFor();
  await leave();
});

test('the copies of a book are one card that leads to all of them, or to those that fit what was chosen', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: 360 });
  await page.goto('/search?category=science-fiction');
  const dune = page.getByRole('article').filter({ has: page.getByRole('link', { name: 'Dune', exact: true }) });
  await dune.getByRole('link', { name: '6 copies from $3.50 of Dune' }).waitFor();
  expect(await dune.count()).toBe(1);
  await expectAccessible(page, 'gathered copies');
  await dune.getByRole('link', { name: '6 copies from $3.50 of Dune' }).click();
  await page.waitForURL(/\/isbn\/97\d{11}$/);
  await page.getByRole('heading', { level: 1, name: 'Dune' }).waitFor();
  await page.goto('/search?category=science-fiction&condition=Good');
  await dune.getByRole('link', { name: '4 copies from $6.00 of Dune' }).click();
  await page.waitForURL(/\/search\?q=97\d{11}&condition=Good&sort=price-up$/);
  await page.getByRole('heading', { level: 1, name: 'Copies of “Dune”' }).waitFor();
  expect(await dune.count()).toBe(4);
  // Where nothing else is found there is nothing to gather.
  await page.goto('/search?q=dune');
  expect(await dune.count()).toBe(6);
  await leave();
});

test('what was gathered is not shown again further on', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/search');
  const titles = page.getByRole('article').getByRole('heading');
  const before = await titles.count();
  await page.getByRole('link', { name: 'Show more' }).click();
  await expect.poll(() => titles.count()).toBeGreaterThan(before);
  const links = await page.getByRole('link', { name: / copies from / }).allTextContents();
  expect(links.length).toBeGreaterThan(2);
  expect(new Set(links).size).toBe(links.length);
  await leave();
});

test('what offers no choice shows none', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/search?q=qqzzyx');
  await page.getByText('Nothing found').waitFor();
  expect(await page.getByRole('heading', { name: 'Filter' }).count()).toBe(0);
  await page.goto('/search?q=hobb');
  await page.getByText('1 book found').waitFor();
  expect(await page.getByRole('link', { name: /^Available now 1 book/ }).count()).toBe(1);
  await leave();
});

test('on a phone the filters are in a sheet that stays open while one chooses, and leads to what was found', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: 360, theme: 'dark' });
  await page.goto('/search?q=the');
  const choice = page.getByRole('link', { name: /^Good/ });
  expect(await choice.isVisible()).toBe(false);
  const sheet = page.locator('#facets');
  await page.getByRole('button', { name: 'Filter' }).click();
  await choice.waitFor();
  await expectAccessible(page, 'the sheet');
  await choice.click();
  await page.waitForURL('**/search?q=the&condition=Good');
  // The choices are in their new order once this one is marked.
  await sheet.locator('[aria-current="true"]').filter({ hasText: 'Good' }).waitFor();
  await sheet.getByRole('link', { name: /^Portland, OR/ }).click();
  await page.waitForURL('**/search?q=the&condition=Good&location=Portland*');
  const found = page.getByRole('status').filter({ hasText: /found$/ });
  await sheet.locator('[aria-current="true"]').filter({ hasText: 'Portland, OR' }).waitFor();
  const count = /^[\d,]+ books?/.exec((await found.textContent()) ?? '')?.[0];
  await sheet.getByRole('button', { name: `Show ${count}` }).click();
  await expect.poll(() => page.getByRole('heading', { name: 'Filter' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Filter (2)' }).waitFor();
  await leave();
});

test('without JavaScript a search, its choices and its order work as links and forms', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { javaScript: false });
  await page.goto('/');
  await page.getByRole('combobox', { name: 'Search for a book' }).fill('jane austen');
  await page.getByRole('combobox', { name: 'Search for a book' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Results for “jane austen”' }).waitFor();
  await page.getByRole('link', { name: /^Good/ }).first().click();
  await page.waitForURL('**/search?q=jane+austen&condition=Good');
  await page.getByRole('article').first().waitFor();
  await leave();
});

const NARROWED = '/search?q=the&condition=Good%2CFair&max=100&available=1&sort=price-up';

/** The search that an address holds, without the copy that is being booked. */
const searchIn = (address: URL): [string, string][] =>
  [...address.searchParams].filter(([key]) => key !== 'book').toSorted();
const searchOf = (page: Page): [string, string][] => searchIn(new URL(page.url()));

test('booking from a search keeps its words, filters and order: opened, closed, through sign-in, booked', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto(NARROWED);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const asked = searchOf(page);
  expect(asked).toHaveLength(5);
  const heading = await page.getByRole('heading', { level: 1 }).textContent();
  const titles = () => page.getByRole('article').getByRole('heading').allTextContents();
  const found = await titles();
  expect(found.length).toBeGreaterThan(1);
  const bookNow = page
    .getByRole('main')
    .getByRole('button', { name: /^Book Now/, disabled: false })
    .first();
  await bookNow.click();
  await signInToBook(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Book for/ }).waitFor();
  expect(searchOf(page)).toEqual(asked);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(searchOf(page)).toEqual(asked);
  // By keyboard, to the end.
  await press(page, bookNow);
  await press(page, dialog.getByRole('button', { name: /^Book for/ }));
  await page.getByText('Booking successful').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  expect(searchOf(page)).toEqual(asked);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
  expect(await titles()).toEqual(found);
  await leave();
});

test('without JavaScript Book Now and Show more keep the search', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { javaScript: false });
  await page.goto(NARROWED);
  const asked = searchOf(page);
  await page
    .getByRole('button', { name: /^Book Now/ })
    .first()
    .click();
  // The booking dialog needs scripts: the way leads to the sign-in page, and from there back to the search.
  await page.waitForURL('**/login?from=*');
  const from = new URL(new URL(page.url()).searchParams.get('from') ?? '', shop.url);
  expect(searchIn(from)).toEqual(asked);
  expect(from.searchParams.has('book')).toBe(true);
  await page.goto('/search?sort=price-up');
  await page.getByRole('link', { name: 'Show more' }).click();
  await page.waitForURL(/cursor=/);
  expect(new URL(page.url()).searchParams.get('sort')).toBe('price-up');
  await page.getByRole('link', { name: 'Back to the start of the list' }).click();
  await page.waitForURL('**/search?sort=price-up');
  await leave();
});
