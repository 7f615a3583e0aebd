// What the law asks of a marketplace: who sells privately and who as a business, the withdrawal from a business's sale,
// and whom the shop must know, on a phone.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { connect, type Db } from '#server/platform/postgres/db.ts';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { LOOKS } from './looks.ts';
import { openMail } from './mailbox.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, memberWith } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

const PHONE = { width: 360 };
const STALL = { email: 'stall@example.com', password: 'Market#Day1' };

let shop: RunningShop;
let browser: Browser;
let db: Db;
let closeDb: () => Promise<void>;
beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop({ env: { DEMO_ORDERS: '1' } }), launchBrowser()]);
  ({ db, close: closeDb } = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 }));
  await registerUser(db, { ...STALL, name: 'Stella Stall', roles: ['seller'], emailProven: true });
});
afterAll(async () => {
  await closeDb();
  await browser.close();
  await shop.close();
});

test('a new seller says that they are a business before the first book, and everybody reads who it is', async () => {
  const seller = await memberWith(browser, shop.url, STALL, PHONE);
  const { page } = seller;
  await page.goto('/dashboard/add_product');
  await page.getByRole('heading', { name: 'Before you sell' }).waitFor();
  expect(await page.getByLabel('Title', { exact: true }).isVisible()).toBe(false);
  await page.getByRole('radio', { name: 'As a business' }).check();
  await expectAccessible(page, 'the form of a business');
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await page.getByText('Give the name of the business').waitFor();
  await page.getByLabel('Name of the business').fill('Stall & Daughters Ltd');
  await page.getByLabel('Address', { exact: true }).fill('4 Market Row\nYork YO1 8SL');
  await page.getByLabel('Country').selectOption({ label: 'United Kingdom' });
  await page.getByLabel('Email address of the business').fill('desk@stall.example');
  await page.getByLabel('I am 18 or older').check();
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await page.getByLabel('Title', { exact: true }).waitFor();
  const visitor = await aVisitor(browser, shop.url, PHONE);
  await visitor.page.goto('/seller/stella-stall');
  const business = visitor.page.getByRole('region', { name: 'Business' });
  for (const fact of ['Stall & Daughters Ltd', /4 Market Row[^]*United Kingdom/, 'desk@stall.example', 'may withdraw'])
    await business.getByText(fact).waitFor();
  await expectAccessible(visitor.page, 'the page of a business');
  await business.getByRole('link', { name: 'How to withdraw' }).click();
  await visitor.page.getByRole('heading', { name: 'Right of withdrawal' }).waitFor();
  // Said otherwise later, in Account.
  await page.goto('/dashboard/account');
  await page.getByRole('radio', { name: 'Privately' }).check();
  await page.getByRole('button', { name: 'Save how you sell' }).click();
  await page.getByText('How you sell is saved').waitFor();
  await visitor.page.goto('/seller/stella-stall');
  await visitor.page.getByText('Sold by a private person').waitFor();
  expect(await visitor.page.getByText('Stall & Daughters').count()).toBe(0);
  for (const one of [seller, visitor]) await one.leave();
});

test.each(LOOKS)('what a book’s page says of who sells it, in the $theme theme at $width px', async (look) => {
  const { page, leave } = await aVisitor(browser, shop.url, look);
  await page.goto('/search?q=Longitude');
  await page
    .getByRole('link', { name: /Longitude/ })
    .first()
    .click();
  await page.getByRole('heading', { level: 1, name: /Longitude/ }).waitFor();
  await page.getByText('Sold by a private person: there is no right of withdrawal').waitFor();
  await page.goto('/#imprint');
  await page.getByRole('heading', { name: 'Imprint' }).waitFor();
  await page
    .getByText(/Version \d{4}-\d{2}-\d{2}/)
    .first()
    .waitFor();
  await leave();
});

test('whoever bought of a business withdraws, confirms it, and has a dated receipt', async () => {
  const buyer = await aMember(browser, shop.url, 'Buyer', PHONE);
  const { page } = buyer;
  const withdrawable = async (): Promise<Order | undefined> => {
    const bookings = await buyer.call<{ orderId: string; order: { state: string } | null }[]>(
      'GET',
      '/bookings?email=buyer@example.com&limit=100',
    );
    for (const { orderId, order } of bookings) {
      if (order?.state !== 'received') continue;
      const read = await buyer.call<Order>('GET', `/orders/${orderId}`);
      if (read.moves.includes('withdraw')) return read;
    }
    return undefined;
  };
  // The demo's past is written while the shop is open.
  await expect.poll(async () => (await withdrawable())?.mayWithdraw, { timeout: 90_000 }).toBe(true);
  const order = await withdrawable();
  await page.goto(`/dashboard/orders/${order?._id}`);
  await page.getByRole('button', { name: 'Withdraw from the contract here' }).click();
  const dialog = page.getByRole('dialog', { name: 'Withdraw from the contract here' });
  await dialog.getByText('without a reason').waitFor();
  await expectAccessible(page, 'the dialog of a withdrawal');
  await dialog.getByRole('button', { name: 'Confirm the withdrawal' }).click();
  await page.getByText('You have withdrawn', { exact: true }).waitFor();
  await page.getByText('Withdrawn from the contract').first().waitFor();
  await page.getByText('PO Box 417').waitFor();
  // The demo's own withdrawal has another title.
  await openMail(page, `Your withdrawal: ${order?.books[0]?.title}`);
  await page.getByText('PO Box 417').first().waitFor();
  await buyer.leave();
});

test('an admin confirms who a seller is, by what they looked at', async () => {
  const admin = await aMember(browser, shop.url, 'Admin', PHONE);
  const { page } = admin;
  const [seller] = await admin.call<{ _id: string }[]>('GET', `/users?q=${STALL.email}`);
  await page.goto(`/dashboard/people/${seller?._id}`);
  const who = page.getByRole('region', { name: 'Who they are' });
  await who.getByText('Need not be known').waitFor();
  await who.getByRole('button', { name: /^Confirm identity/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Passport seen at the counter');
  await dialog.getByRole('button', { name: 'Confirm identity' }).click();
  await who.getByText('Passport seen at the counter').waitFor();
  expect(await who.getByRole('button', { name: /^Confirm identity/ }).count()).toBe(0);
  await admin.leave();
});
