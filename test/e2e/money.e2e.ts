import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STANDIN_SECRET_KEY } from '#standins/stripe/keys.ts';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import { connect } from '#server/platform/postgres/db.ts';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { bytesOf } from './download.ts';
import { LOOKS } from './looks.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aVisitor, type Visitor } from './visitor.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';

const PASSWORD = 'Marked#Page1';

interface Book {
  readonly id: string;
  readonly title: string;
}

let shop: RunningShop;
let browser: Browser;
/** Books of the demo seller, one for each journey. */
let books: Book[];

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  const { db, close } = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 });
  const person = { password: PASSWORD, verified: false, emailProven: true } as const;
  await registerUser(db, { ...person, email: 'amal@example.com', name: 'Amal Farouk', roles: ['buyer'] });
  books = await db
    .selectFrom('listings as l')
    .innerJoin('users as u', 'u.id', 'l.seller_id')
    .select(['l.id', 'l.title'])
    .where('u.email', '=', 'seller@example.com')
    .where('l.status', '=', 'available')
    .limit(4)
    .execute();
  await close();
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const PEOPLE = {
  buyer: ['buyer@example.com', 'Buyer#2026'],
  amal: ['amal@example.com', PASSWORD],
  seller: ['seller@example.com', 'Seller#2026'],
  admin: ['admin@example.com', 'Admin#2026'],
} as const;

const as = async (who: keyof typeof PEOPLE, look: Parameters<typeof aVisitor>[2] = {}): Promise<Visitor> => {
  const visitor = await aVisitor(browser, shop.url, look);
  const { page } = visitor;
  await page.goto('/login');
  await page.getByLabel('Email').fill(PEOPLE[who][0]);
  await page.getByLabel('Password', { exact: true }).fill(PEOPLE[who][1]);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByText('Sign In!').waitFor();
  return visitor;
};

const bookIt = async (page: Page, { id }: Book): Promise<void> => {
  await page.goto(`/book/${id}`);
  await page.getByRole('button', { name: /^Book Now/, disabled: false }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Book for/ })
    .click();
  await page.getByText('Booking successful').waitFor();
};

/** The bank of a card decides a dispute for the shop. */
const bankDecides = async (intentId: string): Promise<void> => {
  const provider = `${shop.url}/standins/stripe`;
  const headers = { authorization: `Bearer ${STANDIN_SECRET_KEY}`, 'content-type': 'application/json' };
  const opened = await fetch(`${provider}/v1/disputes?payment_intent=${intentId}`, { headers });
  const { data } = (await opened.json()) as { data: { id: string }[] };
  const body = JSON.stringify({ status: 'won' });
  await fetch(`${provider}/disputes/${data[0]?.id}/close`, { method: 'POST', headers, body });
};

const order = (page: Page, { title }: Book) => page.getByRole('row').filter({ hasText: title });

test('a reader waits in line, gets the book when it is given up, and pays for it in time', async () => {
  const [book] = books;
  if (book === undefined) throw new Error('the demo seller has no books');
  const [first, second] = await Promise.all([as('amal'), as('buyer')]);
  await bookIt(first.page, book);

  const { page } = second;
  await page.goto(`/book/${book.id}`);
  await page.getByRole('button', { name: /^Join waiting list/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Nobody is waiting for it yet: you would be first.').waitFor();
  await dialog.getByRole('button', { name: 'Join waiting list' }).click();
  await dialog.getByText('You’re first on the waiting list.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('Reserved · 1 waiting').waitFor();

  await page.goto('/dashboard/my_orders');
  const waiting = page.getByRole('region', { name: 'Waiting for' });
  await waiting.getByText('You are next.').waitFor();
  // Leaving is one click, and coming back is the end of the line again.
  await waiting.getByRole('button', { name: /^Leave the waiting list/ }).click();
  await expect.poll(() => waiting.count()).toBe(0);
  await page.goto(`/book/${book.id}`);
  await page.getByRole('button', { name: /^Join waiting list/ }).click();
  await dialog.getByRole('button', { name: 'Join waiting list' }).click();
  await dialog.getByText('You’re first on the waiting list.').waitFor();

  // The other one sees that the book is theirs, and gives it up.
  await first.page.goto(`/book/${book.id}`);
  await first.page.getByText(/^Reserved for you until \d+:\d\d [AP]M\./).waitFor();
  await first.page.getByRole('link', { name: /^Pay now/ }).waitFor();
  expect(await first.page.getByRole('button', { name: /^Join waiting list/ }).count()).toBe(0);
  await first.page.goto('/dashboard/my_orders');
  await order(first.page, book)
    .getByRole('button', { name: /^Cancel/ })
    .click();
  await first.page.getByRole('dialog').getByRole('button', { name: 'Cancel the booking' }).click();
  await order(first.page, book).getByText('Cancelled').waitFor();
  await first.leave();

  await page.goto('/dashboard/my_orders');
  await order(page, book)
    .getByText(/^Reserved for you until/)
    .waitFor();
  expect(await waiting.count()).toBe(0);
  await order(page, book).getByRole('link', { name: /^Pay/ }).click();
  const timer = page.getByRole('timer', { name: 'Time left to pay' });
  await timer.waitFor();
  const left = await timer.textContent();
  expect(left).toMatch(/^(29:\d\d|30:00) left to pay$/);
  await expect.poll(() => timer.textContent()).not.toBe(left);
  await page.getByLabel('Phone').fill('+1 555 0142');
  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByLabel(/Expiration/).fill('1232');
  await page.getByLabel(/CVC/).fill('123');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByText('Congrats! Your payment completed').waitFor();
  await page.goto(`/book/${book.id}`);
  await page.getByText(/^You bought this on [A-Z][a-z]{2} \d+, \d{4}\./).waitFor();
  await page.getByRole('link', { name: /^See your order/ }).waitFor();
  await page.getByText('Another reader has bought this copy.').waitFor({ state: 'hidden' });
  await second.leave();
});

test('an admin sees that everything adds up, refunds it, and puts the book back; seller and buyer see why', async () => {
  const [book] = books;
  if (book === undefined) throw new Error('the demo seller has no books');
  const admin = await as('admin');
  await admin.page.goto('/dashboard');
  await admin.page
    .getByRole('navigation', { name: 'Dashboard' })
    .getByRole('link', { name: 'Money', exact: true })
    .click();
  await admin.page.getByText('All balances match', { exact: true }).waitFor();
  const row = order(admin.page, book);
  await row.getByRole('button', { name: /^Refund/ }).click();
  const dialog = admin.page.getByRole('dialog');
  await dialog.getByText(/The copy stays sold/).waitFor();
  await dialog.getByRole('button', { name: 'Refund in full' }).click();
  await row.getByText('Decide what happens to the copy').waitFor();
  expect(await row.getByRole('button', { name: /^Refund/ }).count()).toBe(0);
  await row.getByRole('button', { name: /^Put back on sale/ }).click();
  await admin.page.getByText('Back on sale', { exact: true }).waitFor();
  await expect.poll(() => row.getByRole('button').count()).toBe(0);
  await admin.page.getByText('All balances match', { exact: true }).waitFor();
  await admin.leave();

  const buyer = await as('buyer');
  await buyer.page.goto('/dashboard/my_orders');
  await order(buyer.page, book).getByRole('button', { name: 'Refunded', disabled: true }).waitFor();
  await buyer.page.goto(`/book/${book.id}`);
  await buyer.page.getByRole('button', { name: /^Book Now/, disabled: false }).waitFor();
  await buyer.leave();

  const seller = await as('seller');
  await seller.page.goto('/dashboard/statement');
  await seller.page.getByText(`The sale of “${book.title}” was refunded to its buyer`).waitFor();
  await seller.page.getByText(`“${book.title}” was sold for`).waitFor();
  await seller.page.getByRole('definition').filter({ hasText: '$0.00' }).first().waitFor();
  const [download] = await Promise.all([
    seller.page.waitForEvent('download'),
    seller.page.getByRole('button', { name: 'Download as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('dogear-statement.csv');
  const file = (await bytesOf(download)).toString('utf8');
  expect(file).toMatch(/^\uFEFF"Date \(UTC\)",/);
  expect(file.trim().split('\r\n')).toHaveLength(3);
  await seller.leave();
});

test('money for a lost copy that the provider will not give back is tried again by an admin until it is', async () => {
  const [, , , book] = books;
  if (book === undefined) throw new Error('the demo seller has no fourth book');
  const buyer = await as('amal');
  await bookIt(buyer.page, book);
  await buyer.page.goto('/dashboard/my_orders');
  await order(buyer.page, book).getByRole('link', { name: /^Pay/ }).click();
  await buyer.page.getByLabel('Place').fill('Geneva');
  await buyer.page.getByLabel('Card number').fill('4000000000000259');
  await buyer.page.getByLabel(/Expiration/).fill('1232');
  await buyer.page.getByLabel(/CVC/).fill('123');
  // The copy is lost while its buyer pays, as only a defect or a hand in the database could do it.
  await buyer.page.route('**/v1/payment_intents/*/confirm', async (route) => {
    const { db, close } = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 });
    await db.deleteFrom('holds').where('listing_id', '=', book.id).execute();
    await db.updateTable('listings').set(becoming('withdrawn')).where('id', '=', book.id).execute();
    await close();
    await route.continue();
  });
  await buyer.page.getByRole('button', { name: /^Pay/ }).click();
  await buyer.page.getByText('Your payment goes back to you').waitFor();
  await buyer.leave();

  const admin = await as('admin');
  const row = admin.page.getByRole('region', { name: 'Payments' }).getByRole('row').filter({ hasText: book.title });
  await expect
    .poll(
      async () => {
        await admin.page.goto('/dashboard/money');
        await row.waitFor();
        return row.getByText('Too late, refund refused').count();
      },
      { timeout: 30_000 },
    )
    .toBe(1);
  const again = row.getByRole('button', { name: /^Try refund again/ });
  await again.click();
  await row.getByRole('alert').waitFor();
  await bankDecides((await row.locator('code').textContent()) ?? '');
  // The shop hears of the bank's decision a moment after the bank has made it; until then it refuses.
  const givenBack = row.getByText('Too late, refunded', { exact: true });
  await expect
    .poll(async () => {
      if ((await givenBack.count()) === 0) await again.click({ timeout: 2_000 }).catch(() => {});
      return givenBack.count();
    })
    .toBe(1);
  await expect.poll(() => again.count()).toBe(0);
  await admin.leave();
});

describe.each(LOOKS)('in the $theme theme at $width px', ({ theme, width }) => {
  test('the line and the pages of money have nothing for axe and no sideways scroll', async () => {
    const book = books[theme === 'dark' ? 1 : 2];
    if (book === undefined) throw new Error('the demo seller has too few books');
    const holder = await as('amal');
    await holder.page.goto(`/book/${book.id}`);
    if ((await holder.page.getByRole('button', { name: /^Book Now/, disabled: false }).count()) > 0)
      await bookIt(holder.page, book);
    await holder.leave();

    const buyer = await as('buyer', { theme, width });
    await buyer.page.goto(`/book/${book.id}`);
    // In the second look of a theme the buyer waits already, which the page says once the session is known.
    await buyer.page.getByRole('button', { name: /^(Join|On) waiting list/ }).click();
    const dialog = buyer.page.getByRole('dialog');
    await dialog.getByRole('button', { name: /waiting list$/ }).waitFor();
    await expectAccessible(buyer.page, 'the waiting list');
    const join = dialog.getByRole('button', { name: 'Join waiting list' });
    if ((await join.count()) > 0) await join.click();
    await dialog.getByRole('button', { name: 'Leave the waiting list' }).waitFor();
    await buyer.page.goto('/dashboard/my_orders');
    await buyer.page.getByRole('region', { name: 'Waiting for' }).waitFor();
    await expectAccessible(buyer.page, 'My Orders');
    await buyer.leave();

    const seller = await as('seller', { theme, width });
    await seller.page.goto('/dashboard/statement');
    await seller.page.getByRole('heading', { level: 1, name: 'Statement' }).waitFor();
    await expectAccessible(seller.page, 'Statement');
    await seller.leave();

    const admin = await as('admin', { theme, width });
    await admin.page.goto('/dashboard/money');
    await admin.page.getByText('All balances match', { exact: true }).waitFor();
    await admin.page.getByText('What is checked').click();
    await expectAccessible(admin.page, 'Money');
    // A shop that pays by Stripe Connect says so.
    await admin.page.getByRole('link', { name: 'Payouts by hand' }).click();
    await admin.page.getByText('This shop does not pay out by hand').waitFor();
    await admin.page.getByRole('heading', { level: 2, name: 'Corrections' }).waitFor();
    await expectAccessible(admin.page, 'Payouts by hand, where there are none');
    await admin.leave();
  });
});
