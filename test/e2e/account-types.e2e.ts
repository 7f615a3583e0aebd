// Becoming a buyer and a seller, and leaving, as people meet it.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember } from './sign-in.ts';
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

test('a newcomer is welcomed as one, begins to sell without signing in again, and has nothing left to choose then', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: 360 });
  await page.goto('/register');
  await page.getByLabel('Email').fill('nora@example.com');
  await page.getByLabel('Name').fill('Nora Newcomer');
  await page.getByLabel('Password', { exact: true }).fill('Marked#Page1');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByRole('button', { name: /^Buyer/ }).click();
  await page.getByText('Make buyer Successful').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Sign In' }).waitFor();
  await page.getByLabel('Password', { exact: true }).fill('Marked#Page1');
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByText('Welcome to Dogear, Nora Newcomer.').waitFor();

  await page.goto('/');
  await page.getByRole('main').getByRole('link', { name: 'Sell yours' }).click();
  await page.getByText('You are a buyer already. You can add the other type, and you stay signed in.').waitFor();
  expect(await page.getByRole('main').getByRole('button').allTextContents()).toEqual([
    expect.stringMatching(/^Seller/),
  ]);
  await page.getByRole('button', { name: /^Seller/ }).click();
  await page.getByText('Make Seller Successful').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Add A Product' }).waitFor();
  // As a document: that alone may use the camera.
  const loaded = await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.name);
  expect(loaded).toContain('/dashboard/add_product');

  await page.goto('/');
  await page.getByRole('main').getByRole('link', { name: 'Sell yours' }).click();
  await page.getByRole('heading', { level: 1, name: 'Add A Product' }).waitFor();
  await page.goto('/user_type');
  await page.getByRole('heading', { name: 'You are a buyer and a seller' }).waitFor();
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  await page.getByRole('main').getByRole('link', { name: 'Your dashboard' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await leave();
});

test('who signs out while the shop cannot be reached is out at once, and the session ends when it can be', async () => {
  const { page, context } = await aMember(browser, shop.url, 'Buyer');
  const token = () => page.evaluate(() => localStorage.getItem('accessToken'));
  const signedIn = async (): Promise<unknown> =>
    ((await (await context.request.get('/api/auth/session')).json()) as { user: unknown }).user;
  await page.goto('/blog');
  await context.route(/\/api\/auth\/sign-out$/, (route) => route.abort());
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await page.getByText('Signed out in this browser').waitFor();
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).waitFor();
  expect(await token()).toBeNull();
  // Neither is another visit signed in by the cookie that could not be taken away.
  const later = await context.newPage();
  await later.goto('/dashboard');
  await later.getByRole('heading', { level: 1, name: 'Sign In' }).waitFor();
  expect(await signedIn()).not.toBeNull();
  await context.unroute(/\/api\/auth\/sign-out$/);
  // It is tried again after 2, 4, 8 … seconds, however long the pages above took.
  await expect.poll(signedIn, { timeout: 90_000 }).toBeNull();
  await context.close();
});
