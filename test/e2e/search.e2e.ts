import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
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
    .locator('data, strong, span')
    .filter({ hasText: /^\$[\d.]+$/ })
    .allTextContents();
  expect(prices.length).toBeGreaterThan(0);
  await page
    .getByRole('list', { name: 'Chosen' })
    .getByRole('link', { name: /^Excellent/ })
    .click();
  await page.waitForURL('**/search?category=classics&sort=price-up');
  await expect.poll(() => found.textContent()).toBe(all);
  await page.getByRole('link', { name: 'Clear all' }).click();
  await page.waitForURL('**/search?sort=price-up');
  await leave();
});

test('on a phone the choices are in a sheet', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: 360, theme: 'dark' });
  await page.goto('/search?q=the');
  const choice = page.getByRole('link', { name: /^Good/ });
  expect(await choice.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Narrow down' }).click();
  await choice.waitFor();
  await expectAccessible(page, 'the sheet');
  await choice.click();
  await page.waitForURL('**/search?q=the&condition=Good');
  await expect.poll(() => page.getByRole('heading', { name: 'Narrow down' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Narrow down (1)' }).waitFor();
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
