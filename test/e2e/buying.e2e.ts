import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountDialog } from './account-dialog.ts';
import { launchBrowser } from './browser.ts';
import { openShop, runScript, type RunningShop } from './shop.ts';
import { aVisitor } from './visitor.ts';

const root = path.join(import.meta.dirname, '../..');
const CATALOGUE = path.join(root, 'db/seed/dirty-books.csv');

let shop: RunningShop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

test('a visitor finds an imported book, becomes a buyer, is declined once, pays and sees Paid', async () => {
  const flags = ['--seller', 'seller@example.com', '--category', 'travel', '--demo'];
  await runScript(shop, 'scripts/import.ts', CATALOGUE, ...flags);
  const { page, leave } = await aVisitor(browser, shop.url);

  await page.goto('/');
  await page.getByRole('link', { name: 'Travel' }).first().click();
  await page.getByRole('heading', { name: 'Travel', level: 1 }).waitFor();
  const card = page.getByRole('article').first();
  const title = (await card.getByRole('heading').first().textContent()) ?? '';
  await card
    .getByRole('link', { name: /Book Now/ })
    .or(card.getByRole('button', { name: /Book Now/ }))
    .click();

  // Also by the pages of signing up, signing in and choosing a type the way leads back to the very copy.
  await accountDialog(page).waitFor();
  const { pathname, search } = new URL(page.url());
  await page.goto(`/login?from=${encodeURIComponent(`${pathname}${search}`)}`);
  await page.getByRole('heading', { name: 'Sign In', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Create Account' }).click();
  await page.getByRole('heading', { name: 'Create Account', level: 1 }).waitFor();
  await page.getByLabel('Name').fill('Mary Shelley');
  await page.getByLabel('Email').fill('mary@example.com');
  await page.getByLabel('Password', { exact: true }).fill('Frank#1818');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByText('Registered successfully!').waitFor();
  await page.getByRole('button', { name: /Buyer/ }).click();
  await page.getByText('Make buyer Successful').waitFor();

  // The address travelled along; after signing in the same book is there with the form open.
  await page.getByRole('heading', { name: 'Sign In', level: 1 }).waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe('mary@example.com');
  await page.getByLabel('Password', { exact: true }).fill('Frank#1818');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByText('Sign In!').waitFor();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  expect(await dialog.getByLabel('Title').inputValue()).toBe(title);
  await dialog.getByLabel(/Phone/).fill('+1 555 0142');
  await dialog.getByLabel(/Location/).fill('Geneva');
  await dialog.getByRole('button', { name: /Book/ }).click();
  await page.getByText('Booking successful').waitFor();

  await page.goto('/dashboard/my_orders');
  const order = page.getByRole('row').filter({ hasText: title });
  await order
    .getByRole('link', { name: /^Pay/ })
    .or(order.getByRole('button', { name: /^Pay/ }))
    .click();
  const pay = page.getByRole('button', { name: /^Pay/ });
  await page.getByLabel('Card number').fill('4000000000000002');
  await page.getByLabel(/Expiration/).fill('1232');
  await page.getByLabel(/CVC/).fill('123');
  await pay.click();
  await page.getByText('Your card was declined.').waitFor();
  await page.getByLabel('Card number').fill('4242424242424242');
  await pay.click();
  await page.getByText('Congrats! Your payment completed').waitFor();
  expect(
    await page
      .getByText(/pi_\w+/)
      .first()
      .textContent(),
  ).toMatch(/pi_\w+/);

  await page.goto('/dashboard/my_orders');
  const paid = order.getByRole('button', { name: 'Paid' });
  await paid.waitFor();
  expect(await paid.isDisabled()).toBe(true);
  await leave();
});
