// An admin suspends a seller: their books go out of sight, they are told why, and all is back when it is lifted.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { copiesThat } from './copies.ts';
import { openMail } from './mailbox.ts';
import { openRow } from './rows.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

const PHONE = 360;

let shop: RunningShop;
let browser: Browser;
beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

test('a suspended seller is out of sight and told why, and is back once it is lifted', async () => {
  const [copy] = await copiesThat(shop.url, ({ Seller }) => Seller === 'Marlow Books');
  const admin = await aMember(browser, shop.url, 'Admin', { width: PHONE });
  const seller = await aMember(browser, shop.url, 'Seller', { width: PHONE });
  const visitor = await aVisitor(browser, shop.url, { width: PHONE });
  const statusOf = async () => (await visitor.page.goto(`/book/${copy?._id}`))?.status();
  expect(await statusOf()).toBe(200);

  const { page } = admin;
  const openSeller = async () => {
    await page.goto('/dashboard/all_users?q=seller@example.com');
    await openRow(page.getByRole('row').filter({ hasText: 'Marlow Books' }));
  };
  await openSeller();
  await page.getByRole('button', { name: /^Suspend\s*: Marlow Books/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Suspend Marlow Books?' });
  await dialog.getByRole('button', { name: 'Suspend', exact: true }).click();
  await dialog.getByText('Please give a reason').waitFor();
  await dialog.getByLabel('Reason').fill('Three buyers got nothing');
  await dialog.getByLabel('For how long').selectOption('A week');
  await expectAccessible(page, 'the dialog that suspends');
  await dialog.getByRole('button', { name: 'Suspend', exact: true }).click();
  await page.getByText('Marlow Books is told by email.').waitFor();
  await page.getByRole('button', { name: /^Lift suspension\s*: Marlow Books/ }).waitFor();

  await expect.poll(statusOf).toBe(404);
  await seller.page.goto('/dashboard');
  await seller.page.getByText('Your account is suspended').waitFor();
  await seller.page.getByText('Three buyers got nothing').waitFor();
  await expectAccessible(seller.page, 'the dashboard of somebody who is suspended');
  expect(await seller.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE);
  await openMail(visitor.page, 'Your account is suspended');
  await visitor.page.getByText('Three buyers got nothing').first().waitFor();

  await openSeller();
  await page.getByRole('button', { name: /^Lift suspension\s*: Marlow Books/ }).click();
  await page.getByRole('button', { name: /^Suspend\s*: Marlow Books/ }).waitFor();
  await expect.poll(statusOf, { timeout: 15_000 }).toBe(200);
  await seller.page.reload();
  await seller.page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  expect(await seller.page.getByText('Your account is suspended').count()).toBe(0);
  for (const one of [admin, seller, visitor]) await one.leave();
});
