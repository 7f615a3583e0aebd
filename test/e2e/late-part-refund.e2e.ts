// A book that is not as described: a part of its price goes back before its seller is paid, and more of it afterwards,
// while they still have the money at Stripe and once they have not.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StatementRow, StatementSummary } from '#contract/money/ledger.ts';
import { parcelShares } from '#contract/money/parcel-shares.ts';
import { partRefund } from '#contract/money/part-refunds.ts';
import type { SaleTerms } from '#contract/money/shares.ts';
import type { Order } from '#contract/orders/orders.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { balanceAtStripe, listAtStripe } from '#test/e2e/money/at-stripe.ts';
import { expectAccessible } from './axe.ts';
import { advance, buyByPost } from './by-post.ts';
import { alive } from './failing.ts';
import { openJourney } from './journey.ts';
import { ledgerOf, paymentOf } from '#test/e2e/money/ledger.ts';
import { openMail } from './mailbox.ts';
import { shoot } from './pictures.ts';
import type { RunningShop } from './shop.ts';
import type { Member } from './sign-in.ts';

/** What is agreed on, what the seller gives back later of their own will, and what an admin does. */
const [AGREED, GIVEN, DECIDED] = [150, 125, 70];

let shop: RunningShop;
let db: Db;
let close: () => Promise<void>;
let buyer: Member;
let seller: Member;
let admin: Member;

beforeAll(async () => {
  ({ shop, db, buyer, seller, admin, close } = await openJourney({ RECONCILE_SECONDS: '1', COMMISSION_PERCENT: '10' }));
});
afterAll(() => close());

interface Transfer {
  readonly id: string;
  readonly amount: number;
  readonly amount_reversed: number;
  readonly destination: string;
  readonly metadata: Record<string, string>;
}

const cents = (dollars: number): number => Math.round(dollars * 100);
const words = (amount: number): string => `$${(amount / 100).toFixed(2)}`;
const step = (page: Page) => page.getByRole('region', { name: /^What (to do|happens) now$/ });
const more = (page: Page) => page.getByRole('group', { name: 'More' });
const hasHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const open = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await alive(page);
};
const summary = () => seller.call<StatementSummary>('GET', '/statement/summary');

/** A part of the price of a closed order goes back, by whoever looks at its page. */
const giveBack = async (page: Page, amount: number): Promise<void> => {
  await page.getByRole('button', { name: 'Give money back', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Give money back' });
  await dialog.getByLabel('Amount in dollars').fill((amount / 100).toFixed(2));
  await expectAccessible(page, 'giving money back');
  await shoot(page, `late-give-back-${amount}`);
  await dialog.getByRole('button', { name: 'Give money back' }).click();
  await page.getByText('The money goes back').first().waitFor();
};

test('parts of a price go back before and after the payout, and four accounts end as reckoned', async () => {
  const atFirst = await balanceAtStripe(shop);
  const before = await summary();
  const terms = await seller.call<SaleTerms>('GET', '/selling-terms');
  const { order: id, booking, copy } = await buyByPost(shop, db, buyer);
  const path = `/dashboard/orders/${id}`;
  const { total, postage } = await buyer.call<Order>('GET', `/orders/${id}`);
  const [share] = parcelShares([{ priceCents: cents(copy.resale_price), postageCents: cents(postage) }], terms);
  if (share === undefined) throw new Error('nothing was bought');
  const price = {
    amountCents: share.priceCents,
    sellerCents: share.sellerPriceCents,
    commissionCents: share.commissionCents,
  };

  // Sent, received, and not as described: seller and buyer agree on a part.
  await seller.call('POST', `/orders/${id}/moves`, { move: 'post', carrier: 'USPS', tracking: '9400' });
  await open(buyer.page, path);
  await step(buyer.page).getByRole('button', { name: 'I have it', exact: true }).click();
  await hasHeading(buyer.page, 'Received');
  await more(buyer.page).getByRole('button', { name: 'Report a problem' }).click();
  const report = buyer.page.getByRole('dialog', { name: 'Report a problem' });
  await report.getByLabel('Something else is not as described').check();
  await report.getByLabel('In your words').fill('It is the second edition, not the first.');
  await report.getByRole('button', { name: 'Report a problem' }).click();
  await hasHeading(buyer.page, 'There is a problem');
  await open(seller.page, path);
  await more(seller.page).getByRole('button', { name: 'Offer a part back' }).click();
  const offer = seller.page.getByRole('dialog', { name: 'Offer a part back' });
  await offer.getByLabel('Amount in dollars').fill((AGREED / 100).toFixed(2));
  await offer.getByRole('button', { name: 'Offer a part back' }).click();
  await hasHeading(seller.page, 'Part of the price is offered back');
  await open(buyer.page, path);
  await step(buyer.page)
    .getByRole('button', { name: `Accept ${words(AGREED)}` })
    .click();
  await hasHeading(buyer.page, 'Partly refunded');

  // What is left is due, and goes to the seller's account at Stripe.
  const agreed = partRefund(price, 0, AGREED);
  const paidOut = share.sellerPriceCents + share.sellerPostageCents - agreed.sellerCents - agreed.restCents;
  await expect.poll(async () => cents((await summary()).due - before.due), { timeout: 20_000 }).toBe(paidOut);
  await open(seller.page, '/dashboard/payouts');
  await seller.page.getByRole('button', { name: 'Set up payouts at Stripe' }).click();
  await seller.page.getByRole('button', { name: /^All is well/ }).click();
  await seller.page.waitForURL('**/dashboard/payouts');
  const transferred = async (): Promise<Transfer | undefined> =>
    (await listAtStripe<Transfer>(shop, 'transfers')).find(({ metadata }) => metadata['order_id'] === id);
  await expect.poll(async () => (await transferred())?.amount, { timeout: 20_000 }).toBe(paidOut);
  await expect.poll(async () => (await summary()).onItsWay).toBe(0);

  // The seller gives more back: it is taken from what their account there still has.
  await open(seller.page, path);
  await hasHeading(seller.page, 'Partly refunded');
  await giveBack(seller.page, GIVEN);
  const given = partRefund(price, AGREED, AGREED + GIVEN);
  const reversed = given.sellerCents + given.restCents;
  await expect.poll(async () => (await transferred())?.amount_reversed, { timeout: 30_000 }).toBe(reversed);
  const { destination: account = '' } = (await transferred()) ?? {};
  expect(await balanceAtStripe(shop, account)).toBe(paidOut - reversed);

  // A week on their bank has it all. What an admin gives back now, the seller owes, and the shop bears the fee.
  await advance(shop, 9 * 24);
  await expect.poll(() => balanceAtStripe(shop, account), { timeout: 20_000 }).toBe(0);
  await open(admin.page, path);
  await giveBack(admin.page, DECIDED);
  const decided = partRefund(price, AGREED + GIVEN, AGREED + GIVEN + DECIDED);
  const refunds = async () =>
    (
      await listAtStripe<{ amount: number; status: string }>(
        shop,
        `refunds?payment_intent=${await paymentOf(db, booking)}`,
      )
    )
      .filter(({ status }) => status === 'succeeded')
      .map(({ amount }) => amount);
  await expect.poll(refunds, { timeout: 20_000 }).toEqual([DECIDED, GIVEN, AGREED]);
  const isSettled = async () => {
    const { state, books } = await buyer.call<Order>('GET', `/orders/${id}`);
    return [state, books[0]?.refunding, books[0]?.refunded];
  };
  const back = AGREED + GIVEN + DECIDED;
  await expect.poll(isSettled, { timeout: 20_000 }).toEqual(['closed', 0, back / 100]);

  await open(buyer.page, path);
  await buyer.page.getByText(`${words(back)} went back`).waitFor();
  await shoot(buyer.page, 'late-buyer');
  await openMail(buyer.page, `Refunded: ${copy.title}`);
  await buyer.page.getByText(words(DECIDED)).first().waitFor();
  await open(seller.page, '/dashboard/statement');
  await seller.page.getByText('You owe the shop').waitFor();
  await seller.page.getByText(/was taken back, as its buyer got money back/).waitFor();
  await expectAccessible(seller.page, 'a statement below zero');
  await shoot(seller.page, 'late-statement');
  await open(seller.page, '/dashboard/payouts');
  await seller.page.getByText(`${words(reversed)} taken back`).waitFor();
  await shoot(seller.page, 'late-payouts');

  // The ledger, as it is reckoned from the terms and the three parts.
  const fees = share.priceFeeCents + share.postageFeeCents;
  const parts = [agreed, given, decided];
  const commission = share.commissionCents - parts.reduce((sum, { commissionCents }) => sum + commissionCents, 0);
  const reckoned = {
    provider: cents(total) - back - paidOut + reversed,
    'provider-fees': -fees,
    commission: -commission,
    'refund-costs': decided.restCents,
    seller: decided.sellerCents,
  };
  expect(Object.values(reckoned).reduce((sum, amount) => sum + amount, 0)).toBe(0);
  expect(await ledgerOf(db, id)).toEqual(
    Object.fromEntries(Object.entries(reckoned).filter(([, amount]) => amount !== 0)),
  );
  const rows = await seller.call<StatementRow[]>('GET', '/statement');
  expect(cents(rows[0]?.balance ?? Number.NaN)).toBe(cents(before.due) - decided.sellerCents);

  // And the provider has the same: its balance, the transfer, what of it came back, and what went to buyers.
  expect((await balanceAtStripe(shop)) - atFirst).toBe(reckoned.provider + reckoned['provider-fees']);
  expect(await listAtStripe<Transfer>(shop, 'transfers')).toMatchObject([
    { amount: paidOut, amount_reversed: reversed, destination: account },
  ]);
  const { id: transfer = '' } = (await transferred()) ?? {};
  const reversals = await listAtStripe<{ amount: number }>(shop, `transfers/${transfer}/reversals`);
  expect(reversals.map(({ amount }) => amount)).toEqual([reversed]);
  await open(admin.page, '/dashboard/money');
  await admin.page.getByText('All balances match', { exact: true }).waitFor();
  await Promise.all([buyer.leave(), seller.leave(), admin.leave()]);
});
