import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aVisitor } from './visitor.ts';

const PHONE = 390;
const NARROWEST = 320;

let shop: RunningShop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const filters = (page: Page) => page.getByRole('list', { name: 'Filters' });
const titles = (page: Page) => page.getByRole('article').getByRole('heading').allTextContents();

test('a buyer narrows to hardcover, signed, not ex-library, within 25 km, on a phone', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: PHONE });
  await page.goto('/search');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('link', { name: /^Hardcover/ }).click();
  await page.waitForURL('**/search?binding=hardcover');
  await page.getByRole('link', { name: /^Signed/ }).click();
  await page.waitForURL('**/search?binding=hardcover&signed=1');
  await page.getByRole('link', { name: /^Not ex-library/ }).click();
  await page.waitForURL('**/search?binding=hardcover&signed=1&without=ex-library');
  await expectAccessible(page, 'the filters of a search');
  await page.getByLabel('Near', { exact: true }).fill('Portland');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.waitForURL('**/search?binding=hardcover&signed=1&without=ex-library&near=Portland&within=25');
  await page.getByRole('button', { name: 'Show 1 book' }).click();
  await expect.poll(() => titles(page)).toEqual(['Heat']);
  await page.getByText('Within 25 km of Portland, Oregon, United States.').waitFor();
  await page.getByRole('link', { name: 'Portland, Maine' }).waitFor();
  await expectAccessible(page, 'a search around a place');

  // Of some it is not known whether they are so, and they can be included.
  await page.getByText(/it is not known whether all of this is so\./).waitFor();
  await page.getByRole('link', { name: /^Include (it|them)$/ }).click();
  await page.waitForURL('**&unknown=1');
  await expect.poll(async () => (await titles(page)).length).toBeGreaterThan(1);
  expect(await titles(page)).toContain('Heat');
  await filters(page).getByRole('link', { name: 'Remove filter: Also where not known' }).click();
  await filters(page).getByRole('link', { name: 'Remove filter: Within 25 km of Portland, Oregon' }).click();
  await page.waitForURL('**/search?binding=hardcover&signed=1&without=ex-library');
  await expect.poll(async () => (await titles(page)).toSorted()).toEqual(expect.arrayContaining(['Cosmos', 'Heat']));

  // Another place of that name: nobody sells there.
  await page.goBack();
  await page.getByRole('link', { name: 'Portland, Maine' }).click();
  await page.getByText('Within 25 km of Portland, Maine, United States.').waitFor();
  await page.getByText('No book fits this search').waitFor();
  await leave();
});

test('the same without JavaScript, and at 320 pixels nothing stands out sideways in either theme', async () => {
  const without = await aVisitor(browser, shop.url, { javaScript: false });
  await without.page.goto('/search?binding=hardcover&signed=1');
  await without.page.getByLabel('Near', { exact: true }).fill('Brooklyn');
  await without.page.getByRole('button', { name: 'Find', exact: true }).click();
  await without.page.getByText('Within 25 km of Brooklyn, New York, United States.').waitFor();
  expect(await titles(without.page)).toEqual(['Cosmos']);
  await without.leave();
  for (const theme of ['light', 'dark'] as const) {
    const { page, leave } = await aVisitor(browser, shop.url, { width: NARROWEST, theme });
    await page.goto('/search?near=Portland&within=25&binding=hardcover&signed=1&without=ex-library&unknown=1');
    await page.getByRole('button', { name: /^Filter/ }).click();
    await page.getByLabel('Near', { exact: true }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(NARROWEST);
    await expectAccessible(page, `the filters of a search, ${theme}`);
    await leave();
  }
});
