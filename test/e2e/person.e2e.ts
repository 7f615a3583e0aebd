// All that admins know of somebody on one page, found by name, on a phone and at a desk.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListedUser } from '#contract/admin/admin.ts';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { LOOKS } from './looks.ts';
import { openRow } from './rows.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember } from './sign-in.ts';

let shop: RunningShop;
let browser: Browser;
beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

test.each(LOOKS)('an admin reads who somebody is, in the $theme theme at $width px', async (look) => {
  const admin = await aMember(browser, shop.url, 'Admin', look);
  const { page } = admin;
  await page.goto('/dashboard/all_sellers?q=Marlow');
  await openRow(page.getByRole('row').filter({ hasText: 'Marlow Books' }));
  await page.getByRole('link', { name: /^Details\s*: Marlow Books/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Marlow Books' }).waitFor();
  await page.getByText('seller@example.com').first().waitFor();
  const sold = page.getByRole('region', { name: 'As a seller' });
  expect(await sold.getByRole('definition').first().innerText()).toMatch(/^\d+$/);
  await page.getByRole('region', { name: 'Sign-ins' }).waitFor();
  await expectAccessible(page, 'the page of a person');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.getByRole('link', { name: 'their page' }).click();
  await page.waitForURL('**/seller/marlow-books');
  await admin.leave();
});

test('and suspends them there; nobody else sees the page', async () => {
  const admin = await aMember(browser, shop.url, 'Admin', { width: 360 });
  const [seller] = await admin.call<ListedUser[]>('GET', '/users?q=seller@example.com');
  const path = `/dashboard/people/${seller?._id}`;
  await admin.page.goto(path);
  await admin.page.getByRole('button', { name: /^Suspend/ }).click();
  const dialog = admin.page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('To be looked at');
  await dialog.getByRole('button', { name: 'Suspend', exact: true }).click();
  await admin.page.getByText('To be looked at').waitFor();
  await admin.page.getByRole('button', { name: /^Lift suspension/ }).click();
  await admin.page.getByRole('button', { name: /^Suspend/ }).waitFor();
  const buyer = await aMember(browser, shop.url, 'Buyer', { width: 360 });
  await buyer.page.goto(path);
  await buyer.page.getByText('This page is for admins.').waitFor();
  await admin.page.goto('/dashboard/people/00000000-0000-4000-8000-000000000000');
  await admin.page.getByText('There is no such user.').waitFor();
  for (const one of [admin, buyer]) await one.leave();
});
