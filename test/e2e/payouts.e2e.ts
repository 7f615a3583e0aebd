// From posted to the seller's bank: one order's money, and what stands in its way.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/platform/postgres/db.ts';
import type { StatementSummary } from '#contract/money/ledger.ts';
import { expectAccessible } from './axe.ts';
import { listAtStripe } from '#test/e2e/money/at-stripe.ts';
import { advance, buyByPost, type Bought } from './by-post.ts';
import { openJourney } from './journey.ts';
import { shoot } from './pictures.ts';
import type { RunningShop } from './shop.ts';
import type { Member } from './sign-in.ts';

let shop: RunningShop;
let db: Db;
let close: () => Promise<void>;
let buyer: Member;
let seller: Member;

beforeAll(async () => {
  ({ shop, db, buyer, seller, close } = await openJourney({ RECONCILE_SECONDS: '1' }));
});
afterAll(() => close());

const summary = () => seller.call<StatementSummary>('GET', '/statement/summary');

/** A copy of the demo seller is paid for and posted. */
const sellByPost = async (): Promise<Bought> => {
  const bought = await buyByPost(shop, db, buyer);
  await seller.call('POST', `/orders/${bought.order}/moves`, { move: 'post', carrier: 'USPS', tracking: '9400' });
  return bought;
};

/** Looks again until the page says so. */
const says = (page: Page, text: string | RegExp): Promise<unknown> =>
  expect
    .poll(
      async () => {
        await page.getByRole('button', { name: 'Look again' }).click();
        return page.getByRole('main').innerText();
      },
      { timeout: 20_000, interval: 500 },
    )
    .toMatch(text);

test('a book is posted and received, and its seller paid once Stripe knows where to', async () => {
  const before = await summary();
  const { order, copy } = await sellByPost();
  const price = copy.resale_price;
  const { page } = seller;
  await page.goto('/dashboard/payouts');
  await page.getByText('Say where you want to be paid').waitFor();
  await page.getByText('Nothing paid out yet').waitFor();
  await expectAccessible(page, 'Payouts, new');
  await shoot(page, 'payouts-new');

  // Refused first, and said so in words; then mended.
  await page.getByLabel('Country of your bank account').selectOption('US');
  await page.getByRole('button', { name: 'Set up payouts at Stripe' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tell Stripe who you are' }).waitFor();
  await page.getByRole('button', { name: /^Refused/ }).click();
  await page.waitForURL('**/dashboard/payouts');
  await page.getByRole('button', { name: 'Go on at Stripe' }).waitFor();
  // Stripe tells the shop of it in its own time.
  await says(page, /document/i);
  await expectAccessible(page, 'Payouts, refused');
  await shoot(page, 'payouts-refused');

  await buyer.call('POST', `/orders/${order}/moves`, { move: 'receive' });
  await advance(shop, 73);
  await expect.poll(async () => (await summary()).due, { timeout: 20_000 }).toBeGreaterThan(before.due);
  const { due } = await summary();
  expect(await listAtStripe(shop, 'transfers')).toEqual([]);

  await page.getByRole('button', { name: 'Go on at Stripe' }).click();
  await page.getByRole('button', { name: /^All is well/ }).click();
  await page.waitForURL('**/dashboard/payouts');
  await page.getByText('Payouts come by themselves').waitFor();
  await says(page, /Sent/);
  await page.getByRole('table', { name: 'Your payouts, newest first' }).waitFor();
  await expectAccessible(page, 'Payouts');
  await shoot(page, 'payouts');

  // Both books agree to the cent.
  await expect.poll(async () => (await summary()).onItsWay).toBe(0);
  const after = await summary();
  expect([after.due, after.paidOut]).toEqual([0, due]);
  const transfers = await listAtStripe<{ amount: number; metadata: Record<string, string> }>(shop, 'transfers');
  expect(transfers.reduce((sum, { amount }) => sum + amount, 0)).toBe(Math.round(due * 100));
  expect(transfers.map(({ metadata }) => metadata['order_id'])).toContain(order);
  expect(due).toBeGreaterThan(price * 0.8);

  await page.goto('/dashboard/statement');
  await page
    .getByRole('definition')
    .filter({ hasText: `$${due.toFixed(2)}` })
    .first()
    .waitFor();
  await page
    .getByText(/is paid out to you/)
    .first()
    .waitFor();
  await expectAccessible(page, 'Statement, paid out');
  await shoot(page, 'statement');

  // A week on, their bank has it.
  await advance(shop, 8 * 24);
  await page.goto('/dashboard/payouts');
  await says(page, /To your bank/);
  await shoot(page, 'payouts-bank');
});

test('a link that was used up leads back to a page that says so', async () => {
  const { page } = seller;
  const { url } = await seller.call<{ url: string }>('POST', '/payouts/account/link', {});
  await page.goto(url);
  await page.goto(url);
  await page.waitForURL('**/dashboard/payouts?again=1');
  await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor();
});
