import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { openRow } from './rows.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, signIn } from './sign-in.ts';
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

const PHONE = 390;

/** How many copies anybody finds. */
const onTheShelf = async (): Promise<number> =>
  ((await (await fetch(`${shop.url}/api/categories/count`)).json()) as { count: number }).count;
const day = (ahead: number): string => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
const rowOf = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });

test('a seller pauses a book, goes on holiday and comes back, on a phone', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: PHONE });
  await signIn(page, 'Seller');
  await page.goto('/dashboard/my_products');
  const before = await onTheShelf();
  await openRow(rowOf(page, 'The Hobbit'));
  await page.getByRole('button', { name: /^Pause The Hobbit/ }).click();
  await page.getByText('The Hobbit is hidden until you put it back.').waitFor();
  await rowOf(page, 'The Hobbit').getByText('Paused', { exact: true }).waitFor();
  expect(await onTheShelf()).toBe(before - 1);

  await page.getByRole('button', { name: 'Pause my shelf' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/orders? under way/).waitFor();
  await expectAccessible(page, 'a shelf to pause');
  await dialog.getByLabel(/Day of return/).fill(day(-3));
  await dialog.getByRole('button', { name: 'Pause my shelf' }).click();
  await dialog.getByText('The day of return has to be after today').waitFor();
  await dialog.getByLabel(/Day of return/).fill(day(10));
  await dialog.getByRole('button', { name: 'Pause my shelf' }).click();
  await page
    .getByText(/^Your shelf is paused until /)
    .first()
    .waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await expectAccessible(page, 'a shelf to pause');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE);
  expect(await onTheShelf()).toBeLessThan(before - 1);

  await page.getByRole('link', { name: 'Add A Product' }).first().click();
  await page.getByText('Your listing goes live when you are back.').waitFor();
  const buffer = await sharp({ create: { width: 300, height: 400, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  await page.getByLabel('Choose pictures').last().setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer });
  await page.getByLabel('Title', { exact: true }).fill('Listed on holiday');
  await page.getByLabel('Condition').selectOption('Good');
  await page.getByLabel('Resale price').fill('7.50');
  await page.getByLabel('Price when new: not known').check();
  await page.getByLabel('Age: not known').check();
  const hidden = await onTheShelf();
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.getByText(/^Listed on holiday appears when you are back on \w+ \d+, \d+\./).waitFor();
  expect(await onTheShelf()).toBe(hidden);

  await page.goto('/dashboard/my_products');
  await page.getByRole('button', { name: 'I am back' }).click();
  await page.getByText('Welcome back').waitFor();
  await page.getByRole('button', { name: 'Pause my shelf' }).waitFor();
  // With the book that was listed meanwhile.
  expect(await onTheShelf()).toBe(before);
  await openRow(rowOf(page, 'The Hobbit'));
  await page.getByRole('button', { name: /^Put back The Hobbit/ }).click();
  await page.getByText('The Hobbit can be found and bought again.').waitFor();
  expect(await onTheShelf()).toBe(before + 1);
  await leave();
});

test('a seller finds a paused book by its address, and nobody else learns that there is one', async () => {
  const seller = await aMember(browser, shop.url, 'Seller', { width: PHONE });
  const { page } = seller;
  const mine = await seller.call<{ _id: string; title: string; status: string }[]>(
    'GET',
    '/categories/my_products?email=seller@example.com',
  );
  const book = mine.find(({ status }) => status === 'Available');
  if (book === undefined) throw new Error('nothing on the shelf');
  await seller.call('PUT', `/products/${book._id}/pause`, { paused: true });

  const none = randomUUID();
  const stranger = await aMember(browser, shop.url, 'Buyer', { width: PHONE });
  const visitor = await aVisitor(browser, shop.url, { width: PHONE });
  // The paths are of one length: what is told in each case is the same but for them.
  const rawOf = async (id: string): Promise<unknown[]> => {
    const answers = await Promise.all(
      [`/book/${id}`, `/book/${id}.data`, `/api/categories/${id}`, `/api/categories/${id}/copies`].map((path) =>
        fetch(`${shop.url}${path}`),
      ),
    );
    return Promise.all(
      answers.map(async (answer) => [
        answer.status,
        answer.headers.get('cache-control'),
        (await answer.text()).replaceAll(id, 'ID').replaceAll(/"[\w-]{20,}={0,2}"|\b[0-9a-f-]{32,36}\b/g, 'RANDOM'),
      ]),
    );
  };
  const [ofPaused, ofNone] = [await rawOf(book._id), await rawOf(none)];
  expect(ofPaused).toEqual(ofNone);
  for (const { page: others } of [stranger, visitor]) {
    const answer = await others.goto(`/book/${book._id}`);
    expect(answer?.status()).toBe(404);
    await others.getByRole('heading', { name: 'Not Found' }).waitFor();
    expect(await others.title()).toMatch(/^Something is missing/);
  }

  const answer = await page.goto(`/book/${book._id}`);
  expect(answer?.status()).toBe(404);
  await page.getByRole('heading', { level: 1, name: book.title }).waitFor();
  await page.getByText('Paused: only you see this').waitFor();
  await expectAccessible(page, 'an own paused book');
  expect(await page.getByRole('link', { name: 'Manage' }).getAttribute('href')).toBe('/dashboard/my_products');
  await page.getByRole('button', { name: 'Put it back' }).click();
  await page.getByText(`${book.title} can be found and bought again.`).waitFor();
  await page.getByText('Paused: only you see this').waitFor({ state: 'hidden' });
  expect((await visitor.page.goto(`/book/${book._id}`))?.status()).toBe(200);
  for (const { context } of [seller, stranger, visitor]) await context.close();
});

test('what is begun on a phone goes on at the desk, and neither overwrites the other unasked', async () => {
  const phone = await aVisitor(browser, shop.url, { width: PHONE });
  await signIn(phone.page, 'Seller');
  await phone.page.goto('/dashboard/add_product');
  const saved = phone.page.waitForResponse(
    (answer) => answer.url().endsWith('/api/listing-draft') && answer.ok() && answer.request().method() === 'PUT',
  );
  await phone.page.getByLabel('Title', { exact: true }).fill('Begun on the phone');
  await saved;

  const desk = await aVisitor(browser, shop.url);
  await signIn(desk.page, 'Seller');
  await desk.page.goto('/dashboard/add_product');
  await desk.page.getByText('Goes on where you stopped on').waitFor();
  const title = desk.page.getByLabel('Title', { exact: true });
  expect(await title.inputValue()).toBe('Begun on the phone');
  const savedAtDesk = desk.page.waitForResponse(
    (answer) => answer.url().endsWith('/api/listing-draft') && answer.request().method() === 'PUT',
  );
  await title.fill('Gone on with at the desk');
  expect((await savedAtDesk).status()).toBe(200);

  await phone.page.getByLabel('Title', { exact: true }).fill('Typed on the phone again');
  await phone.page.getByText('There is a newer draft from another device').waitFor();
  await expectAccessible(phone.page, 'a newer draft');
  // While the newer one cannot be read, what was typed stays.
  const message = 'Please wait a minute, then try again.';
  await phone.page.route('**/api/listing-draft', (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ status: 429, json: { error: { code: 'rate_limited', message } } })
      : route.continue(),
  );
  await phone.page.getByRole('button', { name: 'Use it' }).click();
  await phone.page.getByText(message).waitFor();
  expect(await phone.page.getByLabel('Title', { exact: true }).inputValue()).toBe('Typed on the phone again');
  expect(await phone.page.evaluate(() => sessionStorage.getItem('drafts'))).toContain('Typed on the phone again');
  await phone.page.unroute('**/api/listing-draft');
  await phone.page.getByRole('button', { name: 'Use it' }).click();
  await phone.page.getByText('There is a newer draft from another device').waitFor({ state: 'hidden' });
  expect(await phone.page.getByLabel('Title', { exact: true }).inputValue()).toBe('Gone on with at the desk');
  await phone.page.getByRole('button', { name: 'Begin anew' }).click();
  await phone.page.getByText('Goes on where you stopped on').waitFor({ state: 'hidden' });
  expect(await phone.page.getByLabel('Title', { exact: true }).inputValue()).toBe('');
  await phone.leave();
  await desk.context.close();
});
