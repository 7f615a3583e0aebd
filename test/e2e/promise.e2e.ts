// What was promised of a copy, how long it is kept, and how its two sides reach each other.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { becoming } from '#server/catalog/listings/listing.queries.ts';
import { connect, type Db } from '#server/platform/postgres/db.ts';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { LOOKS } from './looks.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, type Member } from './sign-in.ts';

let shop: RunningShop;
let browser: Browser;
let db: Db;
let close: () => Promise<void>;
let buyer: Member;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  ({ db, close } = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 }));
  buyer = await aMember(browser, shop.url, 'Buyer');
});
afterAll(async () => {
  await close();
  await browser.close();
  await shop.close();
});

interface Booked {
  readonly id: string;
  readonly listingId: string;
  readonly title: string;
}

/** Where the demo shop has one copy of each book: others have their buttons on its page. */
const SINGLE_COPIES = ['travel', 'art-design', 'memoir', 'fantasy'];

/** Copies that were booked here. */
const used: string[] = [];

/** The price of a copy that was changed, in cents. */
const CHANGED_CENTS = 1_234;

/**
 * A booking of a copy that was free and that `changeAfterLapse` makes worse and dearer, with a phone number unless said
 * otherwise.
 */
const aBookedCopy = async (phone = '+1 555 0142'): Promise<Booked> => {
  const copy = await db
    .selectFrom('listings')
    .select(['id', 'title', 'image_url', 'resale_cents'])
    .where('status', '=', 'available')
    .where('category_id', 'in', SINGLE_COPIES)
    .where('condition', '<>', 'Fair')
    .where('resale_cents', '<', CHANGED_CENTS)
    // What is only posted is paid for with an address.
    .where('seller_id', 'not in', (eb) =>
      eb.selectFrom('delivery_terms').select('seller_id').where('pickup', '=', false),
    )
    .where('id', 'not in', [...used, '00000000-0000-4000-8000-000000000000'])
    .orderBy('id')
    .executeTakeFirstOrThrow();
  used.push(copy.id);
  const draft = { listingId: copy.id, title: copy.title, image_url: copy.image_url, price: copy.resale_cents / 100 };
  const { name } = await db
    .selectFrom('users')
    .select('name')
    .where('email', '=', 'buyer@example.com')
    .executeTakeFirstOrThrow();
  const who = { buyer: name, email: 'buyer@example.com', phone, location: '' };
  const { insertedId: id } = await buyer.call<{ insertedId: string }>('POST', '/bookings', { ...draft, ...who });
  return { id, listingId: copy.id, title: copy.title };
};

/** The hold is over and the copy on the shelf, where its seller changes it. */
const changeAfterLapse = async ({ id, listingId }: Booked, to: { details: string }): Promise<void> => {
  await db.deleteFrom('holds').where('booking_id', '=', id).execute();
  await db
    .updateTable('listings')
    .set({ ...becoming('available'), ...to, condition: 'Fair', resale_cents: CHANGED_CENTS })
    .where('id', '=', listingId)
    .execute();
};

const giveUp = ({ id }: Booked) => buyer.call('DELETE', `/bookings/${id}`);

const fillCard = async (page: Page, number: string): Promise<void> => {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel(/Expiration/).fill('1232');
  await page.getByLabel(/CVC/).fill('123');
};
const payButton = (page: Page) => page.getByRole('button', { name: /^Pay \$/ });

describe('a copy that was changed after its hold lapsed', () => {
  test('is shown as it was and as it is; its buyer goes on with it and pays', async () => {
    const { page } = buyer;
    const booked = await aBookedCopy();
    await changeAfterLapse(booked, { details: 'Water stains on the last pages.' });
    await page.goto(`/dashboard/payment/${booked.id}`);
    const changed = page.getByRole('region', { name: `${booked.title} has changed` });
    const cells = (name: string) => changed.getByRole('row', { name }).getByRole('cell');
    await changed.waitFor();
    expect(await cells('Condition').nth(1).textContent()).toBe('Fair');
    expect(await cells('Details').nth(1).textContent()).toBe('Water stains on the last pages.');
    expect(await cells('Price').nth(1).textContent()).toBe('$12.34');
    expect(await payButton(page).count()).toBe(0);
    await changed.getByRole('button', { name: /^Go on/ }).click();
    await expect.poll(() => payButton(page).textContent()).toBe('Pay $12.34');
    await fillCard(page, '4242424242424242');
    await payButton(page).click();
    await page.getByRole('heading', { name: 'Congrats! Your payment completed' }).waitFor();
  });

  test('is told of when Pay meets it first, on a page that was open', async () => {
    const { page } = buyer;
    const booked = await aBookedCopy();
    // Once it can be paid the page reads the booking anew: what is changed before that, it tells by itself.
    const told = page
      .waitForResponse((response) => response.url().endsWith('/api/create-payment-intent'))
      .then(() => page.waitForResponse((response) => response.url().endsWith(`/api/bookings/${booked.id}`)));
    await page.goto(`/dashboard/payment/${booked.id}`);
    await told;
    await expect.poll(() => payButton(page).isEnabled()).toBe(true);
    await fillCard(page, '4242424242424242');
    await changeAfterLapse(booked, { details: 'A page is missing.' });
    await payButton(page).click();
    await page.getByRole('region', { name: `${booked.title} has changed` }).waitFor();
    await page.getByRole('button', { name: /^Give up/ }).click();
    await page.getByText('This booking was cancelled').waitFor();
  });

  test.each(LOOKS)('is decided about in My Orders, too, in the $theme theme at $width px', async ({ theme, width }) => {
    const booked = await aBookedCopy();
    await changeAfterLapse(booked, { details: 'Water stains on the last pages.' });
    const { page, leave } = await aMember(browser, shop.url, 'Buyer', { theme, width });
    await page.goto('/dashboard/my_orders');
    const changed = page.getByRole('region', { name: `${booked.title} has changed` });
    await changed.getByText('Water stains on the last pages.').waitFor();
    await expectAccessible(page, 'My Orders with a changed copy');
    await changed.getByRole('button', { name: /^Give up/ }).click();
    await expect.poll(() => changed.count()).toBe(0);
    expect((await buyer.call<{ cancelled: boolean }>('GET', `/bookings/${booked.id}`)).cancelled).toBe(true);
    await leave();
  });
});

describe('the payment page', () => {
  test('asks for a phone or a place where the booking has neither, and tells who the seller is once it is paid', async () => {
    const { page } = buyer;
    const booked = await aBookedCopy('');
    await page.goto(`/dashboard/payment/${booked.id}`);
    await expect.poll(() => payButton(page).isEnabled()).toBe(true);
    await fillCard(page, '4242424242424242');
    await payButton(page).click();
    await page.getByText(/^Please give a phone number or a place/).waitFor();
    await expect.poll(() => page.getByLabel('Phone').evaluate((field) => field === document.activeElement)).toBe(true);
    expect((await buyer.call<{ paid: boolean }>('GET', `/bookings/${booked.id}`)).paid).toBe(false);
    await page.getByLabel('Place').fill('Geneva');
    await payButton(page).click();
    await page.getByRole('heading', { name: 'Congrats! Your payment completed' }).waitFor();
    const { Seller: seller, ...paid } = await buyer.call<{ Seller: string; location: string; seller_phone: string }>(
      'GET',
      `/bookings/${booked.id}`,
    );
    expect(paid.location).toBe('Geneva');
    await page.getByText(`${seller}, who sells it, sees your place now and can get in touch.`).waitFor();
    await page.getByRole('link', { name: paid.seller_phone }).waitFor();
    await page.goto('/dashboard/my_orders');
    await page.getByRole('link', { name: paid.seller_phone }).first().waitFor();
    await page.getByRole('link', { name: booked.title, exact: true }).click();
    await page.waitForURL(/\/dashboard\/orders\/[0-9a-f-]{36}$/);
  });

  test('does not ask who left one', async () => {
    const { page } = buyer;
    const booked = await aBookedCopy();
    await page.goto(`/dashboard/payment/${booked.id}`);
    await page.getByLabel('Card number').waitFor();
    expect(await page.getByLabel('Phone').count()).toBe(0);
    await giveUp(booked);
  });

  test('says until when the copy is reserved, and by when to pay once that is not renewed any more', async () => {
    const { page } = buyer;
    const booked = await aBookedCopy();
    await page.goto(`/dashboard/payment/${booked.id}`);
    const book = page.getByRole('region', { name: 'Your book' });
    await book.getByText(/^Reserved for you until \d+:\d\d [AP]M$/).waitFor();
    await db
      .updateTable('holds')
      .set({ expires_at: new Date(Date.now() + 90_000), renewable_until: new Date(Date.now() + 90_000) })
      .where('booking_id', '=', booked.id)
      .execute();
    await page.reload();
    await book.getByText(/^Pay by \d+:\d\d [AP]M$/).waitFor();
    expect(await book.getByRole('timer').textContent()).toMatch(/^1:\d\d left to pay$/);
    await giveUp(booked);
  });

  test('says of a declined card that nothing was charged and until when the book stays reserved', async () => {
    const { page } = buyer;
    const booked = await aBookedCopy();
    await page.goto(`/dashboard/payment/${booked.id}`);
    await fillCard(page, '4000000000000002');
    await payButton(page).click();
    await page
      .getByText(
        /^Your card was declined\. Nothing was charged, the book stays yours until \d+:\d\d [AP]M; try another card\.$/,
      )
      .waitFor();
    await giveUp(booked);
  });

  test('says that one is offline, and to press Pay again', async () => {
    const { page, context } = buyer;
    const booked = await aBookedCopy();
    await page.goto(`/dashboard/payment/${booked.id}`);
    await fillCard(page, '4242424242424242');
    await expect.poll(() => payButton(page).isEnabled()).toBe(true);
    await context.setOffline(true);
    await payButton(page).click();
    await page
      .getByRole('form', { name: 'Payment' })
      .getByRole('alert')
      .filter({ hasText: /you seem to be offline/ })
      .waitFor();
    await context.setOffline(false);
    await payButton(page).click();
    await page.getByRole('heading', { name: 'Congrats! Your payment completed' }).waitFor();
  });
});

test('a sixth unpaid booking is refused with the names of the five, and leads to My Orders', async () => {
  const { page } = buyer;
  const five = [
    await aBookedCopy(),
    await aBookedCopy(),
    await aBookedCopy(),
    await aBookedCopy(),
    await aBookedCopy(),
  ];
  const { id } = await db
    .selectFrom('listings')
    .select('id')
    .where('status', '=', 'available')
    .where('id', 'not in', used)
    .where('category_id', 'in', SINGLE_COPIES)
    .executeTakeFirstOrThrow();
  await page.goto(`/book/${id}`);
  await page.getByRole('button', { name: /^Book Now/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Book for/ }).click();
  const refused = dialog.getByRole('alert');
  for (const { title } of five) await refused.getByText(title.slice(0, 50)).waitFor();
  await refused.getByRole('link', { name: 'My Orders' }).click();
  await page.getByRole('heading', { level: 1, name: 'My Orders' }).waitFor();
  for (const one of five) await giveUp(one);
});
