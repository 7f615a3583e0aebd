// Lists, menus, notices and prices stay true while the page is open: what happened elsewhere is there on coming back.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import { connect, type Db } from '#server/platform/postgres/db.ts';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { at, press } from './failing.ts';
import { hasFocus } from './keyboard.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, type Member } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

let shop: RunningShop;
let browser: Browser;
let db: Db;
let closeDb: () => Promise<void>;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  ({ db, close: closeDb } = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 }));
});
afterAll(async () => {
  await closeDb();
  await browser.close();
  await shop.close();
});

const comeBack = (page: Page): Promise<boolean> => page.evaluate(() => dispatchEvent(new Event('focus')));
const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' });
const setAdmin = (is_admin: boolean) =>
  db.updateTable('users').set({ is_admin }).where('email', '=', 'seller@example.com').execute();

test('a copy that is booked in one tab is reserved in the others on coming back to them', async () => {
  const { context, page, leave } = await aMember(browser, shop.url, 'Buyer');
  const lists = await Promise.all(
    ['/', '/categories', '/category/fantasy'].map(async (path) => {
      const tab = path === '/' ? page : await context.newPage();
      await at(path)(tab);
      return tab;
    }),
  );
  const tab = await context.newPage();
  await at('/category/fantasy')(tab);
  const card = tab
    .getByRole('article')
    .filter({ has: tab.getByRole('button', { name: /^Book Now/, disabled: false }) })
    .first();
  const title = (await card.getByRole('heading').textContent()) ?? '';
  const link = card.getByRole('link', { name: title });
  const address = (await link.getAttribute('href')) ?? '';
  await link.click();
  await press(/^Book Now/)(tab);
  const book = await context.newPage();
  await at(new URL(tab.url()).pathname)(book);
  await press(/^Book for/)(tab);
  await tab.getByText('Booking successful').waitFor();
  await tab.getByText('Reserved for you', { exact: true }).first().waitFor();
  for (const list of lists) {
    const copy = list.getByRole('article').filter({ has: list.locator(`a[href="${address}"]`) });
    expect(await copy.getByRole('button', { name: /^Book Now/, disabled: false }).count()).toBe(1);
    await comeBack(list);
    await copy.getByText('Reserved for you', { exact: true }).first().waitFor();
  }
  await comeBack(book);
  await book.getByText('Reserved for you', { exact: true }).first().waitFor();
  await leave();
});

test('what is done to people in one tab is seen in the other, which keeps its search', async () => {
  await registerUser(db, { email: 'stall@example.com', name: 'Stella Stall', roles: ['seller'] });
  const { context, page, leave } = await aMember(browser, shop.url, 'Admin');
  const other = await context.newPage();
  for (const tab of [page, other]) await at('/dashboard/all_sellers?q=stall')(tab);
  await press(/^Verified/)(other);
  await other.getByLabel('Reason').fill('Shop visited');
  await press('Verify')(other);
  await other.getByText('Verified Successful').waitFor();
  await comeBack(page);
  await page.getByText('Stella Stall is verified').waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('stall');
  await leave();
});

describe('the dashboard', () => {
  test('asks for the roles, shows no menu before the answer, and never a wrong entry', async () => {
    const { page, leave } = await aMember(browser, shop.url, 'Seller');
    const asked: string[] = [];
    const answer = Promise.withResolvers<void>();
    await page.route(/\/api\/users\/(admin|buyer|seller)\//, async (route) => {
      asked.push(route.request().url().split('/api')[1] ?? '');
      await answer.promise;
      return route.fallback();
    });
    await page.addInitScript(() => {
      const seen = new Set<string>();
      Object.assign(window, { seen });
      new MutationObserver(() => {
        for (const link of document.querySelectorAll('nav[aria-label=Dashboard] a')) seen.add(link.textContent);
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto('/dashboard');
    await expect.poll(() => asked.length).toBe(3);
    await page.getByRole('status').filter({ hasText: 'Loading your dashboard' }).waitFor();
    expect(await menuOf(page).count()).toBe(0);
    answer.resolve();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    expect(asked.toSorted()).toEqual(['admin', 'buyer', 'seller'].map((role) => `/users/${role}/seller%40example.com`));
    // Known for the session: going on asks nothing, and nothing else was ever shown.
    await menuOf(page).getByRole('link', { name: 'My Products' }).click();
    await page.getByRole('heading', { level: 1, name: 'My Products' }).waitFor();
    expect(asked).toHaveLength(3);
    const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
    const theirs = [
      'Account',
      'Add A Product',
      'Dashboard',
      'Delivery',
      'Messages',
      'My Buyers',
      'My Products',
      'Payouts',
      'Statement',
      'Stock',
      'Wanted by Readers',
    ];
    expect(seen.toSorted()).toEqual(theirs);
    await leave();
  });

  test('takes up a role that was given or taken elsewhere on coming back', async () => {
    const { page, leave } = await aMember(browser, shop.url, 'Seller');
    await at('/dashboard')(page);
    await setAdmin(true);
    await comeBack(page);
    await menuOf(page).getByRole('link', { name: 'All Users' }).click();
    await page.getByRole('heading', { level: 1, name: 'All Users' }).waitFor();
    await setAdmin(false);
    await comeBack(page);
    await page.getByText('This page is for admins.').waitFor();
    await expect.poll(() => menuOf(page).getByRole('link', { name: 'All Users' }).count()).toBe(0);
    await leave();
  });

  test('stays as it is when coming back to it finds the shop broken', async () => {
    const { page, context } = await aMember(browser, shop.url, 'Seller');
    await at('/dashboard/my_products')(page);
    await page.route(/\/api\/(users|categories)\//, (route) => route.fulfill({ status: 503, body: '' }));
    await comeBack(page);
    await page.getByText('You see this page as it was').waitFor();
    await page.getByRole('heading', { level: 1, name: 'My Products' }).waitFor();
    expect(await page.getByRole('row').count()).toBeGreaterThan(1);
    await context.close();
  });
});

test('a notice is above an open dialog and an open menu, and can be dismissed there', async () => {
  const { page, context } = await aVisitor(browser, shop.url, { width: 360, theme: 'dark' });
  await at('/register')(page);
  await page.route(/\/api\/users$/, (route) => route.abort());
  const menu = page.locator('#menu');
  const notice = (within: typeof menu) => within.getByRole('status').filter({ hasText: 'Your profile was not saved' });
  await page.getByLabel('Email').fill('noticed@example.com');
  await page.getByLabel('Name').fill('Nan Noticed');
  await page.getByLabel('Password', { exact: true }).fill('Marked#Page1');
  await press('Create Account')(page);
  const heading = page.getByRole('heading', { level: 1, name: 'How will you use Dogear?' });
  await heading.waitFor();
  // Arriving gives the heading the focus and closes what was open.
  await expect.poll(() => hasFocus(heading)).toBe(true);
  // By the keyboard: the notice may lie over the button.
  await page.getByRole('button', { name: 'Menu', exact: true }).press('Enter');
  await notice(menu).waitFor();
  await menu.getByRole('link', { name: 'Home', exact: true }).click();
  await press(/^Book Now/)(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Phone').waitFor();
  await notice(dialog).waitFor();
  await expectAccessible(page, 'a notice above a dialog');
  await notice(dialog).getByRole('button', { name: 'Dismiss' }).click();
  await notice(page.locator('body')).waitFor({ state: 'detached' });
  await context.close();
});

test('a password that many people have gets a warning beside the field, and no refusal', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await at('/register')(page);
  await page.getByLabel('Name').fill('Ada Reader');
  await page.getByLabel('Email').fill('ada.reader@example.com');
  const password = page.getByLabel('Password', { exact: true });
  const warning = page.getByRole('status').filter({ hasText: 'Many people have a password like this one' });
  await password.fill('Dog#Eats#Fern');
  await password.fill('P@ssw0rd!');
  await warning.waitFor();
  const id = (await warning.getAttribute('id')) ?? '';
  expect((await password.getAttribute('aria-describedby'))?.split(' ')).toContain(id);
  await password.fill('Dog#Eats#Fern');
  await warning.waitFor({ state: 'hidden' });
  await password.fill('Reader#2026');
  await warning.waitFor();
  await press('Create Account')(page);
  await page.getByText('Registered successfully!').waitFor();
  await leave();
});

describe('the payment page', () => {
  let buyer: Member;
  let id: string;
  beforeAll(async () => {
    buyer = await aMember(browser, shop.url, 'Buyer');
    const books = await buyer.call<
      { _id: string; title: string; image_url: string; resale_price: number; status: string }[]
    >('GET', '/categories');
    const book = books.find(({ status }) => status === 'Available');
    const draft = { listingId: book?._id, title: book?.title, image_url: book?.image_url, price: book?.resale_price };
    const who = { buyer: '', email: 'buyer@example.com', phone: '', location: '' };
    id = (await buyer.call<{ insertedId: string }>('POST', '/bookings', { ...draft, ...who })).insertedId;
  });
  afterAll(() => buyer.context.close());

  const pay = (page: Page) => page.getByRole('button', { name: /^Pay \$/, disabled: false });

  test('says what has become of the price, and goes on with the new one', async () => {
    const { page } = buyer;
    const path = /\/api\/create-payment-intent$/;
    const changed = Promise.withResolvers<void>();
    // Between reading the booking and asking for the payment.
    await page.route(path, (route) => changed.promise.then(() => route.fallback()));
    await at(`/dashboard/payment/${id}`)(page);
    const { listing_id: copy } = await db
      .updateTable('bookings')
      .set({ price_cents: 4_321 })
      .where('id', '=', id)
      .returning('listing_id')
      .executeTakeFirstOrThrow();
    await db.updateTable('listings').set({ resale_cents: 4_321 }).where('id', '=', copy).execute();
    changed.resolve();
    const alert = page.getByRole('alert').filter({ hasText: 'The price has changed' });
    await alert.getByText(/and is \$43\.21 now/).waitFor();
    await alert.getByRole('button', { name: 'Go on with $43.21' }).click();
    await pay(page).waitFor();
    expect(await pay(page).textContent()).toBe('Pay $43.21');
    await page.unrouteAll();
  });

  test.each([
    ['hold_lost', 409, 'This copy is gone', 'Find another book'],
    ['copy_taken', 409, 'This copy is gone', 'Find another book'],
    ['already_paid', 409, 'This booking is paid already', 'My Orders'],
    ['provider_unavailable', 502, 'The payment could not be prepared', 'Try again'],
    ['too_many', 429, 'Not just now', 'Try again'],
  ])('tells of %s, and what to do next', async (code, status, title, next) => {
    const { page } = buyer;
    const body = JSON.stringify({ error: { code, message: `As the shop says: ${code}`, requestId: '' } });
    await page.route(/\/api\/create-payment-intent$/, (route) =>
      route.fulfill({ status, contentType: 'application/json', body }),
    );
    await at(`/dashboard/payment/${id}`)(page);
    const main = page.getByRole('main');
    await main.getByText(title).waitFor();
    await main
      .getByRole('button', { name: next })
      .or(main.getByRole('link', { name: next }))
      .first()
      .waitFor();
    await page.unrouteAll();
  });
});
