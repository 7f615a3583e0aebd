// Who is behind a book: the page of a seller, as a visitor, a buyer and the seller see it, on a phone.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

const PHONE = 360;
const SLUG = 'marlow-books';

let shop: RunningShop;
let browser: Browser;
beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop({ env: { DEMO_ORDERS: '1' } }), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const record = (page: Page) => page.getByRole('region', { name: 'Record' });

test('a visitor is led from a book to its seller, reads their record and reviews, and searches their shelf', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: PHONE });
  // The demo's past is written while the shop is open.
  await expect
    .poll(
      async () => {
        await page.goto(`/seller/${SLUG}`);
        return record(page).innerText();
      },
      { timeout: 90_000 },
    )
    .toMatch(/\d\d orders/);
  await page.goto('/');
  await page.getByRole('link', { name: 'Marlow Books', exact: true }).first().click();
  await page.waitForURL(`**/seller/${SLUG}`);
  await page.getByRole('heading', { level: 1, name: /Marlow Books/ }).waitFor();
  await page.getByText('Come by on Saturdays').waitFor();
  const reviews = page.getByRole('region', { name: 'Reviews' });
  await reviews.getByRole('listitem').first().waitFor();
  expect(await reviews.getByRole('listitem').count()).toBe(5);
  await reviews.getByRole('button', { name: 'More reviews' }).click();
  await expect.poll(() => reviews.getByRole('listitem').count()).toBeGreaterThan(5);
  await expectAccessible(page, 'the page of a seller');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE);
  const source = await (await fetch(`${shop.url}/seller/${SLUG}`)).text();
  for (const secret of ['seller@example.com', '555 0141', '14 Paper Lane']) expect(source).not.toContain(secret);
  expect(source).toContain('here since');

  await page.getByLabel('Search this shelf').fill('silent spring');
  await page.getByRole('button', { name: 'Search and filter' }).click();
  await page.waitForURL(/\/search\?.*seller=/);
  await page.getByRole('link', { name: 'Silent Spring' }).first().waitFor();
  await leave();
});

test('what is not there is not found, other ways of writing lead to the one, and it is in the sitemap', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: PHONE });
  const answer = await page.goto('/seller/nobody-at-all');
  expect(answer?.status()).toBe(404);
  await page.getByText('There is no such seller here.').waitFor();
  await page.goto('/seller/Marlow-Books');
  await page.waitForURL(`**/seller/${SLUG}`);
  expect(await (await fetch(`${shop.url}/sitemap-pages.xml`)).text()).toContain(`/seller/${SLUG}</loc>`);
  await leave();
});

test('a buyer follows a seller, who says something of themselves and sees it', async () => {
  const buyer = await aMember(browser, shop.url, 'Buyer', { width: PHONE });
  await buyer.page.goto(`/seller/${SLUG}`);
  await buyer.page.getByRole('button', { name: 'Follow Marlow Books' }).click();
  await buyer.page.getByRole('button', { name: 'Following Marlow Books' }).waitFor();
  // Whoever presses before the shop has said how it was: the late answer changes nothing.
  await buyer.page.getByRole('button', { name: 'Following Marlow Books' }).click();
  await buyer.page.getByRole('button', { name: 'Follow Marlow Books' }).waitFor();
  const late = Promise.withResolvers<void>();
  await buyer.page.route('**/api/sellers/*/follow', async (route) => {
    if (route.request().method() === 'GET') await late.promise;
    await route.continue().catch(() => undefined);
  });
  await buyer.page.reload();
  await buyer.page.getByRole('button', { name: 'Follow Marlow Books' }).click();
  await buyer.page.getByRole('button', { name: 'Following Marlow Books' }).waitFor();
  late.resolve();
  await buyer.page.unroute('**/api/sellers/*/follow');
  await buyer.page.reload();
  await buyer.page.getByRole('button', { name: 'Following Marlow Books' }).waitFor();

  const seller = await aMember(browser, shop.url, 'Seller', { width: PHONE });
  await seller.page.goto('/dashboard/account');
  const form = seller.page.getByRole('form', { name: 'Your seller page' });
  await form.getByLabel('About you').fill('Write to me at marlow@books.example');
  await form.getByRole('button', { name: 'Save page' }).click();
  await form.getByText(/^Leave links, addresses and phone numbers out/).waitFor();
  await form.getByLabel('About you').fill('We moved to the corner.');
  await form.getByRole('button', { name: 'Save page' }).click();
  await seller.page.getByText('Your page is saved').waitFor();
  await expectAccessible(seller.page, 'one’s own seller page');
  await seller.page.getByRole('link', { name: '/seller/marlow-books' }).click();
  await seller.page.waitForURL(`**/seller/${SLUG}`);
  await seller.page.getByText('We moved to the corner.').waitFor();
  expect(await seller.page.getByRole('button', { name: /^Follow/ }).count()).toBe(0);
  await buyer.page.reload();
  await buyer.page.getByText('We moved to the corner.').waitFor();
  await buyer.leave();
  await seller.leave();
});
