import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { alive } from './failing.ts';
import { LOOKS } from './looks.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, fillSignIn, signIn, type Person } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

let shop: RunningShop;
let browser: Browser;

/** A copy that the buyer has booked, one that is free, and one of the seller's own. */
let booking = '';
let free = '';
let own = '';

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  const buyer = await aMember(browser, shop.url, 'Buyer');
  const listed = await buyer.call<{ _id: string; title: string; image_url: string; resale_price: number }[]>(
    'GET',
    '/categories',
  );
  const [first, second] = listed;
  if (first === undefined || second === undefined) throw new Error('the shelves are empty');
  const { _id: listingId, title, image_url, resale_price: price } = first;
  const form = { buyer: '', email: 'buyer@example.com', phone: '', location: '' };
  const draft = { ...form, listingId, title, image_url, price };
  booking = (await buyer.call<{ insertedId: string }>('POST', '/bookings', draft)).insertedId;
  free = second._id;
  await buyer.leave();
  const seller = await aMember(browser, shop.url, 'Seller');
  const mine = await seller.call<{ _id: string }[]>('GET', '/categories/my_products?email=seller@example.com');
  own = mine.at(-1)?._id ?? '';
  await seller.leave();
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** Every page of the site and what its tab is called, by who sees it. */
const pagesOf = (who: Person | 'Visitor'): (readonly [path: string, title: string])[] => {
  const dashboard = (path: string, name: string) => [`/dashboard/${path}`, `${name} · Dogear`] as const;
  switch (who) {
    case 'Visitor':
      return [
        ['/', 'Dogear: second-hand books from readers to readers'],
        ['/home', 'Dogear: second-hand books from readers to readers'],
        ['/blog', 'Blog · Dogear'],
        ['/login', 'Sign In · Dogear'],
        ['/register', 'Create Account · Dogear'],
        ['/forgot-password', 'Forgot password? · Dogear'],
        ['/reset-password#token=x', 'New password · Dogear'],
        ['/confirm#token=x', 'Confirm your address · Dogear'],
        ['/search?q=dune', 'Search: dune · Dogear'],
        ['/search?q=xyzzyq', 'Search: xyzzyq · Dogear'],
        ['/category/fantasy', 'Fantasy · Dogear'],
        ['/isbn/9780441007318', 'The Left Hand of Darkness by Ursula K. Le Guin (9780441007318) · Dogear'],
        ['/author/ursula-k-le-guin', 'Books by Ursula K. Le Guin · Dogear'],
        ['/no-such-page', 'Something is missing · Dogear'],
      ];
    case 'Buyer':
      return [
        ['/user_type', 'Buyer or Seller · Dogear'],
        ['/categories', 'All books · Dogear'],
        [`/categories?book=${free}`, 'All books · Dogear'],
        ['/dashboard', 'Dashboard · Dogear'],
        dashboard('account', 'Account'),
        dashboard('my_orders', 'My Orders'),
        dashboard(`payment/${booking}`, 'Payment'),
      ];
    case 'Seller':
      return [
        ['/dashboard', 'Dashboard · Dogear'],
        dashboard('add_product', 'Add A Product'),
        dashboard('my_products', 'My Products'),
        dashboard(`edit_product/${own}`, 'Edit Product'),
        dashboard('my_buyers', 'My Buyers'),
        dashboard('delivery', 'Delivery'),
        dashboard('stock', 'Stock'),
      ];
    case 'Admin':
      return [
        dashboard('all_users', 'All Users'),
        dashboard('all_users?q=nobody', 'All Users'),
        dashboard('all_sellers', 'All Sellers'),
        dashboard('reported_items', 'Reported Items'),
        dashboard('categories', 'Categories'),
      ];
  }
};

/** The parts of every page by which people who do not see it find their way. */
const expectLandmarks = async (page: Page, path: string): Promise<void> => {
  // Outside of an open dialog everything is hidden from them.
  if ((await page.getByRole('dialog').count()) > 0) return;
  for (const role of ['banner', 'main', 'contentinfo'] as const) {
    expect.soft(await page.getByRole(role).count(), `${path}: one ${role}`).toBe(1);
  }
  expect.soft(await page.getByRole('heading', { level: 1 }).count(), `${path}: one h1`).toBe(1);
  const skip = page.getByRole('link', { name: 'Skip to content' });
  expect.soft(await skip.getAttribute('href'), `${path}: a skip link`).toBe('#content');
  expect.soft(await page.locator('main#content').count(), `${path}: where it leads`).toBe(1);
  expect.soft(await page.locator('body > [role="status"][aria-live="polite"]').count(), `${path}: notices`).toBe(1);
};

const look = async (page: Page, path: string, title: string): Promise<void> => {
  await page.goto(path);
  await page.locator('main h1').first().waitFor();
  await page.locator('[aria-busy="true"], .skeleton').first().waitFor({ state: 'detached' });
  if (path.includes('?book=')) await page.getByRole('dialog').getByLabel('Title').waitFor();
  expect.soft(await page.title(), `${path}: its title`).toBe(title);
  await expectLandmarks(page, path);
  await expectAccessible(page, path);
};

describe.each(LOOKS)('in the $theme theme at $width px', ({ theme, width }) => {
  test.each(['Visitor', 'Buyer', 'Seller', 'Admin'] as const)(
    'every page of the %s has a title, one h1, landmarks, a skip link, a place for notices and nothing for axe',
    async (who) => {
      const options = { theme, width };
      const open = who === 'Visitor' ? aVisitor(browser, shop.url, options) : aMember(browser, shop.url, who, options);
      const { page, leave } = await open;
      for (const [path, title] of pagesOf(who)) await look(page, path, title);
      if (width < 1024) {
        await page.getByRole('button', { name: 'Menu', exact: true }).click();
        await expectAccessible(page, 'the menu');
        await page.getByRole('button', { name: 'Close menu' }).click();
        if (who !== 'Visitor') {
          await page.getByRole('button', { name: 'Dashboard menu' }).click();
          await expectAccessible(page, 'the menu of the dashboard');
        }
      }
      await leave();
    },
  );
});

test('each step to another page moves the focus to its heading and says its title', async () => {
  const { page, leave } = await aMember(browser, shop.url, 'Seller');
  await page.goto('/dashboard');
  await page.locator('main h1').waitFor();
  const linkOf = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).first();
  // The form may use the camera, as only a document of its own may: the browser itself says its title.
  await linkOf('Add A Product').click();
  await expect.poll(() => page.title()).toBe('Add A Product · Dogear');
  await page.locator('main h1').waitFor();
  await alive(page);
  for (const [name, title] of [
    ['My Products', 'My Products · Dogear'],
    ['My Buyers', 'My Buyers · Dogear'],
    ['Categories', 'All books · Dogear'],
    ['Blog', 'Blog · Dogear'],
    ['Home', 'Dogear: second-hand books from readers to readers'],
    ['Dashboard', 'Dashboard · Dogear'],
  ] as const) {
    await linkOf(name).click();
    await expect.poll(() => page.locator('[aria-live="polite"][aria-atomic="true"]').textContent()).toBe(title);
    await page.locator('main h1:focus').waitFor();
  }
  await leave();
});

test('the theme is there before the first paint, kept, and removed when light again', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  const stored = () => page.evaluate(() => ({ ...localStorage }));
  const shown = () => page.evaluate(() => document.documentElement.dataset['theme']);
  await page.goto('/');
  expect(await shown()).toBe('light');
  await page.getByRole('button', { name: /dark/i }).first().click();
  expect([await shown(), await stored()]).toEqual(['dark', { theme: 'dark' }]);
  await page.reload({ waitUntil: 'commit' });
  await page.locator('body').waitFor({ state: 'attached' });
  expect(await shown()).toBe('dark');
  await page.getByRole('button', { name: /light/i }).first().click();
  expect([await shown(), await stored()]).toEqual(['light', {}]);
  await leave();
});

test('without JavaScript the shelves are complete: reading, following links, the next page', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { javaScript: false });
  await page.goto('/');
  const first = await page.getByRole('article').last().textContent();
  await page.getByRole('link', { name: /Show more/ }).click();
  expect(new URL(page.url()).searchParams.get('cursor')).not.toBeNull();
  expect(await page.getByRole('article').last().textContent()).not.toBe(first);
  await leave();
});

test('signing out in one tab signs out the others', async () => {
  const { page, context, leave } = await aVisitor(browser, shop.url);
  await signIn(page, 'Buyer');
  const other = await context.newPage();
  await other.goto('/');
  await other.getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull();
  await leave();
});

test('a private page asks to sign in and comes back', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/dashboard/my_orders');
  await fillSignIn(page, 'Buyer');
  await page.waitForURL('**/dashboard/my_orders');
  await leave();
});

test('what is not there, not yours or out of reach says so in its own words and leads on', async () => {
  const { page, context } = await aVisitor(browser, shop.url);
  const told = async (path: string, sentence: RegExp, next: string): Promise<void> => {
    await page.goto(path);
    await page.getByText(sentence).waitFor();
    for (const way of [next, 'Back to homepage'])
      await page.locator('section').getByRole('link', { name: way }).waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Sign Out' }).waitFor();
  };
  await page.goto('/login');
  await signIn(page, 'Buyer');
  const nobodys = '01890a5d-ac96-774b-bcce-b302099a8057';
  await told('/category/no-such-category', /^There is no such category\./, 'Search all categories');
  await told(`/book/${nobodys}`, /^There is no such book\./, 'Find another copy');
  await told(`/dashboard/payment/${nobodys}`, /^There is no such booking of yours\./, 'My Orders');
  await told('/dashboard/all_users', /^This page is for admins\.$/, 'Your dashboard');
  await told('/dashboard/add_product', /^This page is for sellers\.$/, 'Become a seller');
  await page.goto('/category/fantasy?cursor=mistyped');
  await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor();

  // Alive: before that a click leads to another document, for which the server asks the API itself.
  await page.goto('/search', { waitUntil: 'networkidle' });
  await context.route(/\/api\/categories\/[^/?]+$/, (route) => route.fulfill({ status: 503, body: '' }));
  await page.getByRole('article').getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: 'We will be right back' }).waitFor();
  await page.getByText('The shop is taking a short break. Please try again in a moment.').waitFor();
  await context.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'About this copy' }).waitFor();
  await context.close();
});

/** What a phone on a slow line can wait for: kB of compressed scripts, headers included, as the browser counts them. */
const LANDING_SCRIPT_KB = 130;

test('the landing page loads little JavaScript, and the rest where it is needed', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  const devtools = await page.context().newCDPSession(page);
  const scripts = new Set<string>();
  let bytes = 0;
  devtools.on('Network.responseReceived', ({ type, requestId }) => type === 'Script' && scripts.add(requestId));
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await devtools.send('Network.enable');
  await page.goto('/', { waitUntil: 'networkidle' });
  expect(scripts.size).toBeGreaterThan(3);
  expect(bytes / 1_000).toBeLessThan(LANDING_SCRIPT_KB);
  const before = scripts.size;
  await page.getByRole('combobox', { name: 'Search for a book' }).focus();
  await expect.poll(() => scripts.size).toBe(before + 1);
  await leave();
});

test('books near a place that is typed stand first, the place in the address alone', async () => {
  const { page, context, leave } = await aVisitor(browser, shop.url, { width: 360 });
  await page.goto('/');
  await page.getByLabel('Near', { exact: true }).fill('Portland');
  await page.getByRole('button', { name: 'Show books near it' }).click();
  await page.waitForURL(/\?near=Portland$/);
  const rail = page.getByRole('region', { name: /^Within 25 km of Portland, / });
  expect(await rail.getByRole('listitem').count()).toBeGreaterThan(0);
  expect(await page.getByLabel('Near', { exact: true }).inputValue()).toBe('Portland');
  expect(await context.cookies()).toEqual([]);
  await expectAccessible(page, 'the landing page with books near a place');
  await page.getByRole('link', { name: 'Portland, Maine' }).click();
  await page.waitForURL(/\?near=Portland%2C%20Maine$/);
  await page.getByText('No book within 25 km of Portland, Maine just now.').waitFor();
  await page.goto('/?near=Portland');
  await rail.getByRole('link', { name: /^See all/ }).click();
  await page
    .getByRole('list', { name: 'Filters' })
    .getByText(/Portland/)
    .waitFor();
  await page.goto('/?near=Nowhere%20at%20all');
  await page.getByText('We know no place called “Nowhere at all”.').waitFor();
  await leave();
});
