import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { openRow } from './rows.ts';
import { openShop, type RunningShop } from './shop.ts';
import { signIn } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

const PHONE = 390;

let shop: RunningShop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const gradeOf = (page: Page) => page.getByLabel('Grade of the book');

test('a seller names the defects of a copy on a phone, sees its grade change and why, and a visitor reads it', async () => {
  const seller = await aVisitor(browser, shop.url, { width: PHONE });
  const { page } = seller;
  await signIn(page, 'Seller');
  await page.goto('/dashboard/add_product');
  await page.getByLabel('Title', { exact: true }).fill('The Worn Atlas');
  const buffer = await sharp({ create: { width: 600, height: 800, channels: 3, background: 'brown' } })
    .jpeg()
    .toBuffer();
  await page.getByLabel('Choose pictures').last().setInputFiles({ name: 'atlas.jpg', mimeType: 'image/jpeg', buffer });
  await page.getByRole('region', { name: 'Photos' }).getByText('Cover', { exact: true }).waitFor();
  await page.getByLabel('Condition').selectOption('Excellent');
  await page.getByLabel(/^Category$/).selectOption({ index: 1 });
  await page.getByLabel('Resale price').fill('7.50');
  await page.getByLabel('Price when new: not known').check();
  await page.getByLabel('Age: not known').check();
  await page.getByLabel('Details').fill('An atlas that was used.');
  await page.getByText('Describe this copy').click();
  await page.getByText('Nothing is ticked, so no grade is told').waitFor();

  await page.getByRole('checkbox', { name: 'Corners bumped' }).check();
  await page.getByText('Near Fine is proposed. Corners bumped (slight) leaves no better grade.').waitFor();
  await page.getByRole('checkbox', { name: 'Writing, notes' }).check();
  await page.getByText('Very Good is proposed.').waitFor();
  expect(await page.getByLabel('Condition').inputValue()).toBe('Good');
  await page
    .getByRole('radiogroup', { name: 'How much: Writing, notes' })
    .getByRole('radio', { name: 'heavy' })
    .check();
  await page.getByText('Fair is proposed. Writing, notes (heavy) leaves no better grade.').waitFor();
  await page.getByText('Fair: Worn; the text is complete').waitFor();
  expect(await page.getByLabel('Condition').inputValue()).toBe('Fair');
  expect(await gradeOf(page).locator('option').allTextContents()).toEqual(['As proposed: Fair', 'Poor']);
  await page.getByLabel('Note on: Writing, notes').fill('Routes in red ink');
  await page.getByLabel('Photo of: Writing, notes').selectOption('Photo 1, the cover');
  await page.getByLabel('Binding', { exact: true }).selectOption('hardcover');
  await page.getByLabel('Signed', { exact: true }).selectOption('Not signed');
  await page.getByLabel('Jacket', { exact: true }).selectOption('With its jacket');
  await page.getByRole('checkbox', { name: 'Jacket rubbed' }).check();
  await expectAccessible(page, 'the form with the description of a copy');
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.getByText('Product Added Successful').waitFor();
  await openRow(page.getByRole('row').filter({ has: page.getByRole('cell') }));
  await page.getByRole('link', { name: 'Edit' }).first().click();
  await page.getByText('Describe this copy').click();
  await page.getByText('Fair is proposed.').waitFor();
  expect(await page.getByLabel('Note on: Writing, notes').inputValue()).toBe('Routes in red ink');
  await seller.leave();

  const visitor = await aVisitor(browser, shop.url, { width: PHONE });
  await visitor.page.goto('/search?q=Worn+Atlas');
  await visitor.page.getByRole('link', { name: 'The Worn Atlas' }).first().click();
  const copy = visitor.page.getByRole('region', { name: 'This copy' });
  await copy.getByText('Routes in red ink').waitFor();
  expect(await copy.getByRole('list', { name: 'Defects' }).getByRole('listitem').allTextContents()).toEqual([
    'Corners bumped (slight)',
    'Writing, notes (heavy)Routes in red ink',
    'Jacket rubbed (slight)',
  ]);
  expect(await copy.getByRole('listitem').nth(1).getByRole('img').count()).toBe(1);
  await copy.getByText('Not signed').waitFor();
  await expectAccessible(visitor.page, 'the page of a described copy');
  await copy.getByRole('link', { name: 'Fair' }).click();
  await visitor.page.getByRole('heading', { name: 'How books are graded' }).waitFor();
  await visitor.page.getByRole('row', { name: /Writing, notes/ }).waitFor();
  await expectAccessible(visitor.page, 'the page of grades');
  await visitor.leave();
});
