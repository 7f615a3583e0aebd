import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('a new seller adds a category and a product, and a visitor finds it', async () => {
  const seller = await aVisitor(browser, shop.url);
  const { page } = seller;
  await page.goto('/register');
  await page.getByLabel('Name').fill('Sylvia Beach');
  await page.getByLabel('Email').fill('sylvia@example.com');
  await page.getByLabel('Password', { exact: true }).fill('Ulysses#1922');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByRole('button', { name: /Seller/ }).click();
  await page.getByText('Make Seller Successful').waitFor();
  await page.getByLabel('Password', { exact: true }).fill('Ulysses#1922');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByText('Sign In!').waitFor();

  await page.goto('/dashboard/add_product');
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await page.getByText('Choose one').waitFor();
  await page.getByRole('radio', { name: 'Privately' }).check();
  await page.getByLabel('I am 18 or older').check();
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await page.getByLabel('Title').waitFor();
  await page.getByLabel('Category ID').fill('modernism');
  await page.getByLabel('Category name').fill('Modernism');
  await page.getByRole('button', { name: /Add category/i }).click();
  await page.getByText('Category created successfully!').waitFor();

  expect(await page.getByLabel('Email').isDisabled()).toBe(true);
  expect(await page.getByLabel('Email').inputValue()).toBe('sylvia@example.com');
  expect(await page.getByLabel('Seller name').inputValue()).toBe('Sylvia Beach');
  await page.getByLabel('Title').fill('Ulysses');
  await page.getByLabel('Image URL').fill('https://images.example/ulysses.jpg');
  await page.getByLabel(/Original price/).fill('30');
  await page.getByLabel(/Resale price/).fill('0.1');
  await page.getByLabel(/Years of use/).fill('4');
  await page.getByLabel(/Location/).fill('Paris');
  await page.getByLabel(/Phone/).fill('+33 1 5550 100');
  await page.getByLabel(/Details/).fill('Blue wrappers, a little faded.');
  await page.getByLabel(/^Category$/).selectOption({ label: 'Modernism' });
  await page.getByLabel(/Condition/).selectOption('Good');
  const add = page.getByRole('button', { name: /Add product/i });
  await add.click();
  await page.getByText('Give a price from $0.50 to $99,999.99').waitFor();
  await page.getByLabel(/Resale price/).fill('12.50');
  await add.click();
  await page.getByText('Product Added Successful').waitFor();
  await page.goto('/dashboard/my_products');
  await page.getByRole('row').filter({ hasText: 'Ulysses' }).getByText('Available').waitFor();
  await seller.leave();

  const visitor = await aVisitor(browser, shop.url, { javaScript: false });
  await visitor.page.goto('/');
  await visitor.page.getByRole('link', { name: 'Modernism' }).first().click();
  const card = visitor.page.getByRole('article').filter({ hasText: 'Ulysses' });
  await card.waitFor();
  expect(await card.textContent()).toContain('$12.50');
  await visitor.context.close();
});
