import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountDialog } from './account-dialog.ts';
import { launchBrowser } from './browser.ts';
import { hasFocus, press, tabTo, type } from './keyboard.ts';
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

const inMain = (page: Page) => page.getByRole('main');

test('a visitor with a keyboard alone finds a category, opens a book, signs in beside it and gets to the form', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/');
  await press(page, inMain(page).getByRole('link', { name: 'Fantasy', exact: true }));
  await page.getByRole('heading', { level: 1, name: 'Fantasy' }).waitFor();
  const card = inMain(page)
    .getByRole('article')
    .filter({ has: page.getByRole('button', { name: /^Book Now/, disabled: false }) })
    .first();
  const link = card.getByRole('heading').getByRole('link');
  const title = (await link.textContent()) ?? '';
  await press(page, link);
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  const address = new URL(page.url()).pathname;
  await press(page, inMain(page).getByRole('button', { name: /^Book Now/, disabled: false }));
  const account = accountDialog(page);
  await account.getByLabel('Email').waitFor();
  await tabTo(page, account.getByRole('radio', { name: 'I’m new here' }));
  await page.keyboard.press('ArrowRight');
  await type(page, account.getByLabel('Email'), 'buyer@example.com');
  await type(page, account.getByLabel('Password', { exact: true }), 'Buyer#2026');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').waitFor();
  expect(await dialog.getByLabel('Title').inputValue()).toBe(title);
  expect(new URL(page.url()).pathname).toBe(address);
  // The focus stays within, and Escape leaves it.
  await tabTo(page, dialog.getByLabel(/Phone/));
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await leave();
});

test('a buyer with a keyboard alone books a copy, pays by card and sees Paid', async () => {
  const { page, leave } = await aMember(browser, shop.url, 'Buyer');
  await page.goto('/categories');
  const bookNow = inMain(page)
    .getByRole('button', { name: /^Book Now/, disabled: false })
    .first();
  await bookNow.waitFor();
  const title = ((await bookNow.textContent()) ?? '').replace('Book Now ', '');
  await press(page, bookNow);
  const dialog = page.getByRole('dialog');
  await type(page, dialog.getByLabel(/Phone/), '+1 555 0142');
  await type(page, dialog.getByLabel(/Location/), 'Geneva');
  await press(page, dialog.getByRole('button', { name: /^Book for/ }));
  await page.getByText('Booking successful').waitFor();

  await press(page, page.getByRole('banner').getByRole('link', { name: 'Dashboard' }));
  await press(page, page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'My Orders' }));
  const order = page.getByRole('row').filter({ hasText: title });
  await press(page, order.getByRole('link', { name: /^Pay/ }));
  await page.getByRole('button', { name: /^Pay \$/, disabled: false }).waitFor();
  // From one field to the next it goes by itself.
  await type(page, page.getByLabel('Card number'), '4242424242424242');
  await page.keyboard.type('1234');
  await page.keyboard.type('123');
  await page.keyboard.press('Enter');
  const congratulations = page.getByRole('heading', { name: 'Congrats! Your payment completed' });
  await congratulations.waitFor();
  await expect.poll(() => hasFocus(congratulations)).toBe(true);
  await press(page, inMain(page).getByRole('link', { name: 'My Orders' }).last());
  const paid = order.getByRole('button', { name: 'Paid' });
  await paid.waitFor();
  expect(await paid.isDisabled()).toBe(true);
  await leave();
});
