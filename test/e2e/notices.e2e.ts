import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { copiesThat } from './copies.ts';
import { openMail } from './mailbox.ts';
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

const PHONE = 360;

test('a buyer hears of a booking by the bell, goes to it, and has such mails ended by the link of one', async () => {
  const buyer = await aMember(browser, shop.url, 'Buyer', { width: PHONE });
  const { page } = buyer;
  const [book, another] = await copiesThat(shop.url, ({ Seller }) => Seller === 'Marlow Books');
  const bookIt = (copy: typeof book) =>
    buyer.call('POST', '/bookings', {
      listingId: copy?._id,
      title: copy?.title,
      image_url: copy?.image_url,
      price: copy?.resale_price,
      buyer: '',
      email: 'buyer@example.com',
      phone: '+1 555 0142',
      location: '',
    });
  await page.goto('/dashboard/notices');
  const bell = page.getByRole('banner').getByRole('link', { name: /^Notices/ });
  await bell.waitFor();
  await bookIt(book);
  await page.goto('/dashboard');
  await page.getByRole('banner').getByRole('link', { name: 'Notices, 1 new' }).click();
  const list = page.getByRole('list', { name: 'Notices, the newest first' });
  await list.getByText('New:').first().waitFor();
  await expectAccessible(page, 'notices');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE);
  // Seen: nothing is new in the bell, and the list says so the next time.
  await page.getByRole('banner').getByRole('link', { name: 'Notices', exact: true }).waitFor();
  await list.getByRole('link', { name: `Reserved for you: ${book?.title}` }).click();
  await page.waitForURL(/\/dashboard\/(payment|my_orders)/);
  await page.goBack();
  await list.waitFor();
  expect(await list.getByText('New:').count()).toBe(0);

  // Whoever opens the link of the mail need not be signed in.
  const stranger = await aVisitor(browser, shop.url, { width: PHONE });
  await openMail(stranger.page, `Reserved for you: ${book?.title}`);
  const link = await stranger.page
    .getByText(/\/unsubscribe#token=/)
    .first()
    .innerText();
  const address = /https?:\/\/\S+\/unsubscribe#token=[0-9a-f]{64}/.exec(link)?.[0] ?? '';
  await stranger.page.goto(address.replace(/^https?:\/\/[^/]+/, shop.url));
  const box = stranger.page.getByRole('checkbox', { name: 'Books you booked' });
  expect(await box.isChecked()).toBe(true);
  await box.uncheck();
  await expectAccessible(stranger.page, 'what is mailed, by a link');
  await stranger.page.getByRole('button', { name: 'Save' }).click();
  await stranger.page.getByText('What you unticked stands in your notices alone.').waitFor();
  await stranger.leave();

  await page.goto('/dashboard/account#mail');
  const own = page.getByRole('checkbox', { name: 'Books you booked' });
  expect(await own.isChecked()).toBe(false);
  await bookIt(another);
  await page.goto('/dashboard/notices');
  await page.getByRole('link', { name: `Reserved for you: ${another?.title}` }).waitFor();
  await page.goto('/standins/mailbox');
  await page.getByText(`Reserved for you: ${book?.title}`).first().waitFor();
  expect(await page.getByText(`Reserved for you: ${another?.title}`).count()).toBe(0);
  await buyer.leave();
});

test('a link that is cut off says so, and what could not be saved is as it was', async () => {
  const stranger = await aVisitor(browser, shop.url, { width: PHONE });
  await stranger.page.goto('/unsubscribe#token=1234');
  await stranger.page.getByText('This link does not work any more').waitFor();
  await stranger.leave();

  const seller = await aMember(browser, shop.url, 'Seller');
  await seller.page.goto('/dashboard/account#mail');
  const box = seller.page.getByRole('checkbox', { name: 'Messages' });
  await box.waitFor();
  await seller.page.route('**/api/mail-choices', (route) => route.fulfill({ status: 429, body: '' }));
  await box.click();
  await seller.page.getByRole('alert').first().waitFor();
  expect(await box.isChecked()).toBe(true);
  await seller.page.unroute('**/api/mail-choices');
  await box.uncheck();
  await seller.page.getByText('Saved').first().waitFor();
  await seller.page.reload();
  await box.waitFor();
  expect(await box.isChecked()).toBe(false);
  await seller.leave();
});
