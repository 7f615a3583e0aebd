// What people write to each other about a book: before it is bought, live across two processes, on a phone, and what
// each can do about the other. Nobody's address or number is shown.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { copiesThat } from './copies.ts';
import { openMail } from './mailbox.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

const PHONE = 360;

let shop: RunningShop;
let browser: Browser;
beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop({ env: { WORKERS: '2' } }), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const log = (page: Page) => page.getByRole('log');
const say = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel('Your message').fill(text);
  await page.getByRole('button', { name: 'Send message' }).click();
  await log(page).getByText(text).waitFor();
};
const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
const aCopy = async (place: number) => {
  const copy = (await copiesThat(shop.url, ({ Seller }) => Seller === 'Marlow Books'))[place];
  if (copy === undefined) throw new Error('Marlow Books has no such copy');
  return copy;
};

test('two people write to each other about a book, each sees it at once, and a mail leads to it', async () => {
  const copy = await aCopy(0);
  const [buyer, seller] = await Promise.all(
    (['Buyer', 'Seller'] as const).map((who) => aMember(browser, shop.url, who, { width: PHONE })),
  );
  if (buyer === undefined || seller === undefined) throw new Error('nobody is there');
  await buyer.page.goto(`/book/${copy._id}`);
  await buyer.page.getByRole('link', { name: 'Message the seller' }).click();
  await buyer.page.getByRole('heading', { name: `Message ${copy.Seller}` }).waitFor();
  // Nothing said is nothing sent.
  await buyer.page.getByRole('button', { name: 'Send message' }).click();
  await buyer.page.getByText('Write something first').waitFor();
  await say(buyer.page, 'Is the spine still tight?');
  await buyer.page.waitForURL(/\/dashboard\/messages\/[0-9a-f-]{36}$/);

  await seller.page.goto('/dashboard');
  await seller.page.getByRole('banner').getByRole('link', { name: 'Messages, 1 new' }).click();
  const list = seller.page.getByRole('list', { name: 'Messages, the newest first' });
  await list.getByText('Is the spine still tight?').waitFor();
  await expectAccessible(seller.page, 'the list of messages');
  await list.getByRole('link').first().click();
  await log(seller.page).getByText('Is the spine still tight?').waitFor();
  await seller.page.getByRole('banner').getByRole('link', { name: 'Messages', exact: true }).waitFor();

  // Neither page is loaded again: each hears of the other, whichever process serves it.
  for (const [from, to, text] of [
    [seller, buyer, 'It is. Nothing is loose.'],
    [buyer, seller, 'Then I take it.'],
    [seller, buyer, 'Good.'],
  ] as const) {
    await say(from.page, text);
    await log(to.page).getByText(text).waitFor();
  }
  for (const { page } of [buyer, seller]) {
    await expectAccessible(page, 'a conversation');
    expect(await fits(page)).toBe(true);
    const text = await page.locator('main').innerText();
    for (const secret of ['buyer@example.com', 'seller@example.com', '555 0141']) expect(text).not.toContain(secret);
  }

  const stranger = await aVisitor(browser, shop.url, { width: PHONE });
  await openMail(stranger.page, `A message about ${copy.title}`);
  await stranger.page.getByText('has written to you about this book').first().waitFor();
  expect(await stranger.page.locator('body').innerText()).not.toContain('Is the spine still tight?');
  // Who is nobody signs in first, and an admin has no part in it.
  const path = new URL(buyer.page.url()).pathname;
  await stranger.page.goto(path);
  await stranger.page.waitForURL(/\/login/);
  const admin = await aMember(browser, shop.url, 'Admin', { width: PHONE });
  await admin.page.goto(path);
  await admin.page.getByText('There is no such conversation of yours').waitFor();
  for (const one of [buyer, seller, stranger, admin]) await one.leave();
});

test('what leads outside is warned of on both sides; one who goes too far is blocked, and let in again', async () => {
  const copy = await aCopy(1);
  const [buyer, seller] = await Promise.all(
    (['Buyer', 'Seller'] as const).map((who) => aMember(browser, shop.url, who, { width: PHONE })),
  );
  if (buyer === undefined || seller === undefined) throw new Error('nobody is there');
  await buyer.page.goto(`/dashboard/messages?about=${copy._id}`);
  await say(buyer.page, '<img src=x onerror=alert(1)> Write to me@example.com, I pay by PayPal');
  await buyer.page.getByText('the other side is warned').waitFor();
  const path = new URL(buyer.page.url()).pathname;
  await seller.page.goto(path);
  await seller.page.getByText('what is paid elsewhere the shop cannot give back').waitFor();
  await seller.page.getByRole('button', { name: 'Block Nora Lindqvist' }).click();
  await seller.page.getByText('You blocked messages from here').waitFor();
  await buyer.page.getByLabel('Your message').fill('Why do you not answer?');
  await buyer.page.getByRole('button', { name: 'Send message' }).click();
  await buyer.page.getByText('You cannot write here any more.').first().waitFor();
  await seller.page.getByRole('button', { name: 'Unblock Nora Lindqvist' }).click();
  await seller.page.getByLabel('Your message').waitFor();
  await buyer.page.reload();
  await say(buyer.page, 'Sorry. I pay here.');
  // The same book leads to the same conversation.
  await buyer.page.goto(`/dashboard/messages?about=${copy._id}`);
  await buyer.page.waitForURL(`**${path}`);
  await seller.page.goto(`/dashboard/messages?about=${copy._id}`);
  await seller.page.getByText('This is your own book').waitFor();
  for (const one of [buyer, seller]) await one.leave();
});

test('with the network gone nothing typed is lost, and the conversation goes on when it is back', async () => {
  const copy = await aCopy(2);
  const buyer = await aMember(browser, shop.url, 'Buyer', { width: PHONE });
  await buyer.page.goto(`/dashboard/messages?about=${copy._id}`);
  await say(buyer.page, 'Is it signed?');
  await buyer.context.setOffline(true);
  await buyer.page.getByLabel('Your message').fill('And is the jacket there?');
  await buyer.page.getByRole('button', { name: 'Send message' }).click();
  await buyer.page
    .getByRole('alert')
    .getByText(/cannot be reached/)
    .waitFor();
  expect(await buyer.page.getByLabel('Your message').inputValue()).toBe('And is the jacket there?');
  await buyer.context.setOffline(false);
  await buyer.page.getByRole('button', { name: 'Send message' }).click();
  await log(buyer.page).getByText('And is the jacket there?').waitFor();
  expect(await log(buyer.page).getByRole('listitem').count()).toBe(2);
  // Not left: being without a network shows as an error in the console.
  await buyer.context.close();
});
