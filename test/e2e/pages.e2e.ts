import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { LOOKS } from './looks.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aVisitor } from './visitor.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let shop: RunningShop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const PUBLIC_PAGES = ['/', '/blog', '/login', '/register', '/category/fantasy', '/no-such-page'];
const BUYER_PAGES = ['/categories', '/dashboard', '/dashboard/my_orders'];
const SELLER_PAGES = ['/dashboard/add_product', '/dashboard/my_products'];

declare global {
  interface Window {
    axe: { run: () => Promise<AxeResults> };
  }
}

/** What axe finds on the page, as lines to read. */
const axeFindings = async (page: Page): Promise<string[]> => {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations.flatMap((violation) => violation.nodes.map((node) => `${violation.id}: ${node.html}`));
};

const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const look = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  expect.soft(await page.getByRole('heading', { level: 1 }).count(), `${path}: one h1`).toBe(1);
  expect.soft(await page.title(), `${path}: a title`).toMatch(/Dogear/);
  expect.soft(await sidewaysScroll(page), `${path}: sideways scroll`).toBeLessThanOrEqual(0);
  expect.soft(await axeFindings(page), `${path}: axe`).toEqual([]);
};

const signIn = async (page: Page, email: string, password: string): Promise<void> => {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByText('Sign In!').waitFor();
};

describe.each(LOOKS)('in the $theme theme at $width px', ({ theme, width }) => {
  test('every page has a title, one h1, no sideways scroll, nothing for axe and no policy violation', async () => {
    const { page, leave } = await aVisitor(browser, shop.url, { theme, width });
    for (const path of PUBLIC_PAGES) await look(page, path);
    await signIn(page, 'buyer@example.com', 'Buyer#2026');
    for (const path of BUYER_PAGES) await look(page, path);
    await leave();
    const seller = await aVisitor(browser, shop.url, { theme, width });
    await signIn(seller.page, 'seller@example.com', 'Seller#2026');
    for (const path of SELLER_PAGES) await look(seller.page, path);
    await seller.leave();
  });
});

test('the theme is there before the first paint, kept, and removed when light again', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  const stored = () => page.evaluate(() => ({ ...localStorage }));
  const shown = () => page.evaluate(() => document.documentElement.dataset['theme']);
  await page.goto('/');
  expect(await shown()).toBe('light');
  await page.getByRole('button', { name: /dark/i }).first().click();
  expect([await shown(), await stored()]).toEqual(['dark', { theme: 'dark' }]);
  await page.reload({ waitUntil: 'commit' });
  await page.locator('body').waitFor({ state: 'attached' });
  expect(await shown()).toBe('dark');
  await page.getByRole('button', { name: /light/i }).first().click();
  expect([await shown(), await stored()]).toEqual(['light', {}]);
  await leave();
});

test('without JavaScript the shelves are complete: reading, following links, the next page', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { javaScript: false });
  await page.goto('/');
  const first = await page.getByRole('article').last().textContent();
  await page.getByRole('link', { name: /Show more/ }).click();
  expect(new URL(page.url()).searchParams.get('cursor')).not.toBeNull();
  expect(await page.getByRole('article').last().textContent()).not.toBe(first);
  await leave();
});

test('signing out in one tab signs out the others', async () => {
  const { page, context, leave } = await aVisitor(browser, shop.url);
  await signIn(page, 'buyer@example.com', 'Buyer#2026');
  const other = await context.newPage();
  await other.goto('/');
  await other.getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull();
  await leave();
});

test('a private page asks to sign in and comes back', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/dashboard/my_orders');
  await page.getByLabel('Email').fill('buyer@example.com');
  await page.getByLabel('Password', { exact: true }).fill('Buyer#2026');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL('**/dashboard/my_orders');
  await leave();
});
