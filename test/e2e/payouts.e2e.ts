// From posted to the seller's bank: one order's money, and what stands in its way.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Db } from '#server/platform/postgres/db.ts';
import type { StatementSummary } from '#contract/money/ledger.ts';
import { STANDIN_SECRET_KEY } from '#standins/stripe/keys.ts';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { copiesThat } from './copies.ts';
import { shoot } from './pictures.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, type Member } from './sign-in.ts';

const PHONE_PX = 390;

let shop: RunningShop;
let browser: Browser;
let db: Db;
let close: () => Promise<void>;
let buyer: Member;
let seller: Member;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop({ env: { RECONCILE_SECONDS: '1' } }), launchBrowser()]);
  ({ db, close } = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 }));
  [buyer, seller] = await Promise.all([
    aMember(browser, shop.url, 'Buyer', { width: PHONE_PX }),
    aMember(browser, shop.url, 'Seller', { width: PHONE_PX }),
  ]);
});
afterAll(async () => {
  await close();
  await browser.close();
  await shop.close();
});

const advance = async (hours: number): Promise<void> => {
  const answer = await fetch(`${shop.url}/standins/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceHours: hours }),
  });
  expect(answer.status).toBe(200);
};

/** What the stand-in knows, as Stripe would tell it. */
const atStripe = async <Row>(kind: string, account?: string): Promise<Row[]> => {
  const headers = {
    authorization: `Bearer ${STANDIN_SECRET_KEY}`,
    ...(account !== undefined && { 'stripe-account': account }),
  };
  const answer = await fetch(`${shop.url}/standins/stripe/v1/${kind}`, { headers });
  return ((await answer.json()) as { data: Row[] }).data;
};

const summary = () => seller.call<StatementSummary>('GET', '/statement/summary');

/** A copy of the demo seller is paid for and posted; answers its order. */
const sellByPost = async (): Promise<{ order: string; booking: string; price: number }> => {
  const mine = new Set(
    (
      await db
        .selectFrom('listings as l')
        .innerJoin('users as u', 'u.id', 'l.seller_id')
        .select('l.id')
        .where('u.email', '=', 'seller@example.com')
        .execute()
    ).map(({ id }) => id),
  );
  const [copy] = await copiesThat(shop.url, ({ _id, delivery }) => mine.has(_id) && delivery.post);
  if (copy === undefined) throw new Error('the seller posts nothing');
  const { _id: listingId, title, image_url, resale_price: price } = copy;
  const who = { buyer: '', email: 'buyer@example.com', phone: '+1 555 0142', location: '' };
  const { insertedId: booking } = await buyer.call<{ insertedId: string }>('POST', '/bookings', {
    listingId,
    title,
    image_url,
    price,
    ...who,
  });
  const { page } = buyer;
  await page.goto(`/dashboard/payment/${booking}`);
  await page.getByRole('radio', { name: /^By post/ }).check();
  const address = {
    Name: 'Bea Buyer',
    'Address line 1': '1 Page Street',
    City: 'Portland',
    State: 'OR',
    'ZIP code': '97201',
  };
  for (const [label, value] of Object.entries(address)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByLabel(/Expiration/).fill('1232');
  await page.getByLabel(/CVC/).fill('123');
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.getByText('Congrats! Your payment completed').waitFor();
  const { orderId: order } = await buyer.call<{ orderId: string }>('GET', `/bookings/${booking}`);
  await seller.call('POST', `/orders/${order}/moves`, { move: 'post', carrier: 'USPS', tracking: '9400' });
  return { order, booking, price };
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
  const { order, price } = await sellByPost();
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
  await page
    .getByText(/document/i)
    .first()
    .waitFor();
  await expectAccessible(page, 'Payouts, refused');
  await shoot(page, 'payouts-refused');

  await buyer.call('POST', `/orders/${order}/moves`, { move: 'receive' });
  await advance(73);
  await expect.poll(async () => (await summary()).due, { timeout: 20_000 }).toBeGreaterThan(before.due);
  const { due } = await summary();
  expect(await atStripe('transfers')).toEqual([]);

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
  const transfers = await atStripe<{ amount: number; destination: string; metadata: Record<string, string> }>(
    'transfers',
  );
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
  await advance(8 * 24);
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
