// A seller who does nothing: the order ends by itself, its buyer has all of the money back, and both books agree.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StatementRow, StatementSummary } from '#contract/money/ledger.ts';
import { feeOf, type SaleTerms } from '#contract/money/shares.ts';
import type { Order } from '#contract/orders/orders.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { askStripe, balanceAtStripe, listAtStripe } from '#test/e2e/money/at-stripe.ts';
import { expectAccessible } from './axe.ts';
import { advance, buyByPost } from './by-post.ts';
import { alive } from './failing.ts';
import { openJourney, PHONE_PX } from './journey.ts';
import { ledgerOf, paymentOf } from '#test/e2e/money/ledger.ts';
import { openMail } from './mailbox.ts';
import { shoot } from './pictures.ts';
import type { RunningShop } from './shop.ts';
import { aMember, type Member } from './sign-in.ts';

const HOUR_MS = 3_600_000;

let shop: RunningShop;
let browser: Browser;
let db: Db;
let close: () => Promise<void>;
let buyer: Member;
let seller: Member;

beforeAll(async () => {
  ({ shop, browser, db, buyer, seller, close } = await openJourney());
});
afterAll(() => close());

test('a book that is never posted is cancelled in time, and its buyer has all of the money back', async () => {
  const atFirst = await balanceAtStripe(shop);
  const before = await seller.call<StatementSummary>('GET', '/statement/summary');
  const { order: id, booking, copy } = await buyByPost(shop, db, buyer);
  const { title } = copy;
  const read = () => buyer.call<Order>('GET', `/orders/${id}`);
  const { due, total, postage } = await read();
  const totalCents = Math.round(total * 100);
  const feeCents = feeOf(totalCents, await seller.call<SaleTerms>('GET', '/selling-terms'));
  expect(postage).toBeGreaterThan(0);
  const { page } = buyer;

  // The promise is said to both sides; its seller is reminded, and does nothing.
  await page.goto(`/dashboard/orders/${id}`);
  await page.getByRole('heading', { level: 1, name: 'Paid, waiting to be posted' }).waitFor();
  await page.getByText(/Else we cancel the order and all of your money goes back/).waitFor();
  await advance(shop, 25);
  await openMail(seller.page, `Please post it: ${title}`);
  await shoot(page, 'silent-waiting-buyer');

  const left = (Date.parse(due?.at ?? '') - Date.now()) / HOUR_MS - 25;
  // Not an hour too soon.
  await advance(shop, left - 2);
  expect((await read()).state).toBe('paid');
  await advance(shop, 3);
  await expect.poll(async () => (await read()).state, { timeout: 20_000 }).toBe('cancelled');
  await expect.poll(async () => (await read()).books[0]?.refunded, { timeout: 20_000 }).toBe(total);

  await page.goto(`/dashboard/orders/${id}`);
  await alive(page);
  await page.getByRole('heading', { level: 1, name: 'Not posted in time, cancelled' }).waitFor();
  await page.getByText('Nothing was posted in time: the order was cancelled').waitFor();
  await page.getByText(`$${total.toFixed(2)} went back`).waitFor();
  await page.getByText('Banks take up to ten days to show money that goes back.').waitFor();
  await expectAccessible(page, 'an order that was not posted');
  await shoot(page, 'silent-cancelled-buyer');
  await page.getByRole('link', { name: 'My Orders', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'My Orders' }).waitFor();
  const row = page.getByRole('row').filter({ hasText: title });
  await row.getByRole('button', { name: 'Refunded', disabled: true }).waitFor();
  await shoot(page, 'silent-my-orders');
  await openMail(page, `Refunded: ${title}`);
  await page
    .getByText(`$${total.toFixed(2)}`)
    .first()
    .waitFor();
  await openMail(page, `Cancelled: ${title}`);

  // Its seller bears the fee, reads why, and does not have the book on sale.
  await seller.page.goto(`/dashboard/orders/${id}`);
  await alive(seller.page);
  await seller.page.getByRole('heading', { level: 1, name: 'Not posted in time, cancelled' }).waitFor();
  await seller.page.getByText('The payment fee that you bear is on your statement.').waitFor();
  await shoot(seller.page, 'silent-cancelled-seller');
  await seller.page.goto('/dashboard/statement');
  await seller.page
    .getByText(
      `The sale of “${title}” was refunded to its buyer: your share of it is taken back, and you bear the payment fee of $${(feeCents / 100).toFixed(2)}, which the payment provider keeps.`,
    )
    .waitFor();
  await expectAccessible(seller.page, 'the statement of who did not post');
  await shoot(seller.page, 'silent-statement');
  const rows = await seller.call<StatementRow[]>('GET', '/statement');
  const ofSale = rows.filter(({ bookingId }) => bookingId === booking);
  expect(Math.round(ofSale.reduce((sum, { amount }) => sum + amount, 0) * 100)).toBe(-feeCents);
  const after = await seller.call<StatementSummary>('GET', '/statement/summary');
  expect([after.pending, after.due]).toEqual([before.pending, before.due - feeCents / 100]);
  await page.goto(`/book/${copy._id}`);
  await page.getByText('There is no such book.').waitFor();

  // Both books, to the cent: the payment came and went, and what it cost is the seller's.
  const intent = await paymentOf(db, booking);
  expect(await ledgerOf(db, id)).toEqual({ 'provider-fees': -feeCents, seller: feeCents });
  const charges = await listAtStripe<{ amount: number; amount_refunded: number }>(
    shop,
    `charges?payment_intent=${intent}`,
  );
  expect(charges.map(({ amount, amount_refunded: back }) => [amount, back])).toEqual([[totalCents, totalCents]]);
  const refunds = await listAtStripe<{ amount: number; status: string }>(shop, `refunds?payment_intent=${intent}`);
  expect(refunds.map(({ amount, status }) => [amount, status])).toEqual([[totalCents, 'succeeded']]);
  expect((await askStripe<{ amount_received: number }>(shop, `payment_intents/${intent}`)).amount_received).toBe(
    totalCents,
  );
  expect((await balanceAtStripe(shop)) - atFirst).toBe(-feeCents);

  const admin = await aMember(browser, shop.url, 'Admin', { width: PHONE_PX });
  await admin.page.goto('/dashboard/money');
  await admin.page.getByText('All balances match', { exact: true }).waitFor();
  await admin.leave();
  await Promise.all([buyer.leave(), seller.leave()]);
});
