// Section 2 of the specification: the dashboard of buyers, sellers and admins, as it stands in a browser.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Listing } from '#contract/catalog/catalog.ts';
import { confirmCard } from '#test/money/pay.ts';
import { launchBrowser } from './browser.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, type Member, type Person } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

let shop: RunningShop;
let browser: Browser;
const members = new Map<Person, Member>();
/** What the buyer has booked: the first is not paid, the second is. */
let booked: Listing[] = [];

const as = (who: Person): Member => {
  const member = members.get(who);
  if (member === undefined) throw new Error(`no ${who}`);
  return member;
};

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  for (const who of ['Buyer', 'Seller', 'Admin'] as const) members.set(who, await aMember(browser, shop.url, who));
  booked = await bookTwo();
});
afterAll(async () => {
  for (const member of members.values()) await member.leave();
  await browser.close();
  await shop.close();
});

const bookTwo = async (): Promise<Listing[]> => {
  const { call } = as('Buyer');
  const copies = (await call<Listing[]>('GET', '/category/fantasy')).slice(0, 2);
  for (const [place, copy] of copies.entries()) {
    const { _id: listingId, title, image_url, resale_price: price } = copy;
    const form = { buyer: '', email: 'buyer@example.com', phone: '', location: '' };
    const draft = { ...form, listingId, title, image_url, price };
    const { insertedId: bookingId } = await call<{ insertedId: string }>('POST', '/bookings', draft);
    if (place === 0) continue;
    const intent = await call<{ clientSecret: string }>('POST', '/create-payment-intent', { price, bookingId });
    const standin = new URL('/standins/stripe/', shop.url);
    const { id: transactionId } = await confirmCard(standin, intent.clientSecret, '4242424242424242');
    await call('POST', '/payments', { price, transactionId, email: 'buyer@example.com', bookingId });
  }
  return copies;
};

const main = (page: Page): Locator => page.getByRole('main');
const headings = (page: Page): Promise<string[]> => main(page).getByRole('heading', { level: 1 }).allTextContents();

/** Opens a page and waits until what it loads is there: menu and page come together. */
const open = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await main(page).locator('h1, nav').first().waitFor();
};

const rowsOf = (page: Page): Locator => page.getByRole('row').filter({ has: page.getByRole('cell') });
const columnsOf = (page: Page): Promise<string[]> => page.getByRole('columnheader').allTextContents();
/** What stands in one cell of each row. */
const cellsOf = (page: Page, header: string): Promise<string[]> =>
  columnsOf(page).then((columns) =>
    rowsOf(page).evaluateAll(
      (rows, place) => rows.map((row) => row.querySelectorAll('td')[place]?.innerText ?? ''),
      columns.indexOf(header),
    ),
  );

const dollars = (price: number): string => `$${price.toFixed(2)}`;

const hrefsOf = (links: Locator): Promise<(string | null)[]> =>
  links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));

describe('the dashboard', () => {
  beforeAll(() => Promise.all((['Buyer', 'Seller', 'Admin'] as const).map((who) => open(as(who).page, '/dashboard'))));

  test('is for signed-in users: visitors sign in first and come back', async () => {
    const { page, leave } = await aVisitor(browser, shop.url);
    await page.goto('/dashboard');
    await expect.poll(() => page.url()).toBe(`${shop.url}/login?from=%2Fdashboard`);
    await leave();
  });

  test('has the heading Dashboard', async () => {
    expect(await headings(as('Buyer').page)).toEqual(['Dashboard']);
  });

  test('has the header', async () => {
    expect(await as('Buyer').page.getByRole('banner').count()).toBe(1);
  });

  test('has a main content area', async () => {
    expect(await main(as('Buyer').page).getByRole('link', { name: 'Your orders' }).count()).toBe(1);
  });

  test('has the footer', async () => {
    expect(await as('Buyer').page.getByRole('contentinfo').count()).toBe(1);
  });

  const entries = (who: Person): Locator =>
    as(who).page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link');

  test.each([
    ['Admin', 'All Users', 'all_users'],
    ['Admin', 'All Sellers', 'all_sellers'],
    ['Admin', 'Reported Items', 'reported_items'],
    ['Seller', 'Add A Product', 'add_product'],
    ['Seller', 'My Products', 'my_products'],
    ['Seller', 'My Buyers', 'my_buyers'],
    ['Buyer', 'My Orders', 'my_orders'],
  ] as const)('has in the menu of the %s: %s', async (who, name, path) => {
    expect(await hrefsOf(entries(who).filter({ hasText: name }))).toEqual([`/dashboard/${path}`]);
  });

  test('has a menu that depends on the role', async () => {
    expect(await entries('Buyer').allTextContents()).toEqual([
      'Dashboard',
      'My Orders',
      'Wanted Books',
      'Remembered',
      'Messages',
      'Account',
    ]);
    expect(await entries('Seller').allTextContents()).not.toContain('My Orders');
  });

  test('has its menu in a drawer on small screens', async () => {
    const { page } = as('Buyer');
    const menu = page.getByRole('navigation', { name: 'Dashboard' });
    expect(await menu.isVisible()).toBe(true);
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await menu.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Dashboard menu' }).click();
    await expect.poll(() => menu.isVisible()).toBe(true);
    await menu.getByRole('link', { name: 'My Orders' }).click();
    await expect.poll(() => headings(page)).toEqual(['My Orders']);
    expect(await menu.isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

test.each([
  ['my_orders', 'buyer', 'Seller'],
  ['payment/1', 'buyer', 'Seller'],
  ['add_product', 'seller', 'Admin'],
  ['my_products', 'seller', 'Admin'],
  ['my_buyers', 'seller', 'Admin'],
  ['all_users', 'admin', 'Buyer'],
  ['all_sellers', 'admin', 'Buyer'],
  ['reported_items', 'admin', 'Buyer'],
] as const)('/dashboard/%s is for each %s, and not for the %s of the demo shop', async (path, role, stranger) => {
  const { page } = as(stranger);
  await page.goto(`/dashboard/${path}`);
  await expect.poll(() => main(page).locator('h1 + p').allTextContents()).toEqual([`This page is for ${role}s.`]);
});

describe('My Orders', () => {
  beforeAll(() => open(as('Buyer').page, '/dashboard/my_orders'));

  const orders = () => as('Buyer').page;
  /** The row of what is not paid, or of what is. */
  const order = (which: 'unpaid' | 'paid'): Locator =>
    rowsOf(orders()).filter({ hasText: booked[which === 'paid' ? 1 : 0]?.title ?? '' });

  test('is a table of the bookings of the buyer', async () => {
    expect(await orders().getByRole('table').count()).toBe(1);
    expect(await rowsOf(orders()).count()).toBe(2);
  });

  test('shows the image of each', async () => {
    const pictures = orders().getByRole('row').locator('.cover-frame');
    expect(await pictures.count()).toBe(2);
  });

  test('shows the title of each', async () => {
    const texts = await rowsOf(orders()).getByRole('paragraph').allTextContents();
    expect(texts).toEqual(expect.arrayContaining(booked.map(({ title }) => title)));
  });

  test('shows the price of each', async () => {
    const prices = booked.map(({ resale_price }) => dollars(resale_price));
    expect((await cellsOf(orders(), 'Price')).toReversed()).toEqual(prices);
  });

  test('has a Pay button that leads to the payment', async () => {
    const pay = order('unpaid').getByRole('link', { name: /^Pay/ });
    expect(await hrefsOf(pay)).toEqual([expect.stringMatching(/^\/dashboard\/payment\/[\da-f-]{36}$/)]);
    expect(await order('paid').getByRole('link', { name: /^Pay/ }).count()).toBe(0);
  });

  test('has a Paid button once it is paid', async () => {
    expect(await order('paid').getByRole('button', { name: 'Paid', disabled: true }).count()).toBe(1);
    expect(await order('unpaid').getByRole('button', { name: 'Paid' }).count()).toBe(0);
  });
});

describe.each([
  ['All Users', '/dashboard/all_users'],
  ['All Sellers', '/dashboard/all_sellers'],
])('%s', (title, path) => {
  beforeAll(() => open(as('Admin').page, path));

  const list = () => as('Admin').page;

  test('is a table', async () => {
    expect(await headings(list())).toEqual([title]);
    expect(await list().getByRole('table').count()).toBe(1);
  });

  test('shows the name of each', async () => {
    expect(await cellsOf(list(), 'Name')).toContain('Marlow Books');
  });

  test('shows the email of each', async () => {
    expect(await cellsOf(list(), 'Email')).toContain('seller@example.com');
  });

  test('shows the role of each', async () => {
    const roles = new Set(await cellsOf(list(), 'Role'));
    expect([...roles].toSorted()).toEqual(title === 'All Users' ? ['admin', 'buyer', 'seller'] : ['seller']);
  });

  test('numbers its rows from 1', async () => {
    const numbers = await cellsOf(list(), 'No.');
    expect(numbers.length).toBeGreaterThan(4);
    expect(numbers).toEqual(numbers.map((_, place) => String(place + 1)));
  });

  test('has a Delete button for each but oneself', async () => {
    const others = (await rowsOf(list()).count()) - (title === 'All Users' ? 1 : 0);
    expect(
      await rowsOf(list())
        .getByRole('button', { name: /^Delete/, disabled: false })
        .count(),
    ).toBe(others);
  });
});

describe('what an admin can do', () => {
  const list = () => as('Admin').page;
  const marlow = () => rowsOf(list()).filter({ hasText: 'seller@example.com' });
  const buttons = (row: Locator, name: RegExp) => row.getByRole('button', { name }).count();

  test('has a Make Admin button in All Users', async () => {
    await open(list(), '/dashboard/all_users');
    expect(await buttons(marlow(), /^Make Admin/)).toBe(1);
  });

  describe('in All Sellers', () => {
    beforeAll(() => open(list(), '/dashboard/all_sellers'));

    test('shows a verified tick for whoever is verified', async () => {
      expect(await marlow().getByText('Marlow Books is verified', { exact: true }).count()).toBe(1);
      expect(await marlow().getByTitle('Verified').locator('svg').count()).toBe(1);
    });

    test('has a Verified button for whoever is not', async () => {
      expect(await buttons(rowsOf(list()).filter({ hasText: 'tomas.ibarra@example.com' }), /^Verified/)).toBe(1);
      expect(await buttons(marlow(), /^Verified/)).toBe(0);
    });
  });
});

test('Reported Items has its heading', async () => {
  await open(as('Admin').page, '/dashboard/reported_items');
  expect(await headings(as('Admin').page)).toEqual(['Reported Items']);
});

describe('Add A Product', () => {
  beforeAll(() => open(as('Seller').page, '/dashboard/add_product'));

  const form = (name: string): Locator => as('Seller').page.getByRole('form', { name });
  const product = () => form('Add a product');
  const category = () => form('Add a category');
  const optionsOf = (label: string): Promise<string[]> =>
    product().getByLabel(label, { exact: true }).locator('option:enabled').allTextContents();

  test('has a form to add a category', async () => {
    expect(await category().getByRole('button', { name: 'Add category' }).count()).toBe(1);
  });

  test('has the form to add a product above the form to add a category', async () => {
    const forms = as('Seller').page.getByRole('main').getByRole('form');
    const names = await forms.evaluateAll((all) => all.map((form) => form.getAttribute('aria-label')));
    expect(names).toEqual(['Add a product', 'Add a category']);
  });

  test('has a form to add a product', async () => {
    expect(await product().getByRole('button', { name: 'Add product' }).count()).toBe(1);
  });

  test.each([
    ['Email', 'seller@example.com'],
    ['Seller name', 'Marlow Books'],
  ])('has the %s filled in from the signed-in user', async (label, value) => {
    const fields = product().getByLabel(label, { exact: true });
    expect(await fields.evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value))).toEqual([value]);
  });

  test.each(['Email', 'Seller name'])('has the %s disabled', async (label) => {
    const fields = product().getByLabel(label, { exact: true });
    expect(await fields.evaluateAll((all) => all.map((field) => (field as HTMLInputElement).disabled))).toEqual([true]);
  });

  test.each([
    ['title', 'Title'],
    ['image_url', 'Image URL'],
    ['original_price', 'Original price'],
    ['resale_price', 'Resale price'],
    ['years_of_use', 'Years of use'],
    ['location', 'Location'],
    ['phone', 'Phone'],
    ['details', 'Details'],
  ])('has a field %s: %s', async (name, label) => {
    const fields = product().getByLabel(label, { exact: true });
    expect(await fields.evaluateAll((all) => all.map((field) => field.getAttribute('name')))).toEqual([name]);
  });

  test('has a choice of all categories', async () => {
    const names = (await as('Seller').call<{ category_name: string }[]>('GET', '/categoryName')).map(
      ({ category_name }) => category_name,
    );
    expect(names.length).toBeGreaterThan(5);
    expect(await optionsOf('Category')).toEqual(names);
  });

  test.each(['Excellent', 'Good', 'Fair'])('has the condition %s to choose', async (condition) => {
    expect(await optionsOf('Condition')).toContain(condition);
  });

  test('has a choice of three conditions', async () => {
    expect(await optionsOf('Condition')).toHaveLength(3);
  });

  test.each([
    ['category_id', 'Category ID'],
    ['category_name', 'Category name'],
  ])('has a field %s of a new category: %s', async (name, label) => {
    const fields = category().getByLabel(label, { exact: true });
    expect(await fields.evaluateAll((all) => all.map((field) => field.getAttribute('name')))).toEqual([name]);
  });
});

describe('My Products', () => {
  beforeAll(() => open(as('Seller').page, '/dashboard/my_products'));

  const list = () => as('Seller').page;
  let mine: Listing[] = [];
  beforeAll(async () => {
    mine = await as('Seller').call<Listing[]>('GET', '/categories/my_products?email=seller@example.com');
  });

  test('is a table', async () => {
    expect(await list().getByRole('table').count()).toBe(1);
    expect(await rowsOf(list()).count()).toBe(mine.length);
  });

  test('shows the title of each', async () => {
    const texts = await rowsOf(list()).getByRole('paragraph').allTextContents();
    expect(texts).toEqual(expect.arrayContaining(mine.map(({ title }) => title)));
  });

  test('shows the price of each', async () => {
    expect(await cellsOf(list(), 'Price')).toEqual(mine.map(({ resale_price }) => dollars(resale_price)));
  });

  test('shows the status of each', async () => {
    expect(await cellsOf(list(), 'Status')).toEqual(mine.map(({ status }) => status));
  });

  test('has a Delete button for each', async () => {
    expect(
      await rowsOf(list())
        .getByRole('button', { name: /^Delete / })
        .count(),
    ).toBe(mine.length);
  });
});

test('My Buyers has its heading', async () => {
  await open(as('Seller').page, '/dashboard/my_buyers');
  expect(await headings(as('Seller').page)).toEqual(['My Buyers']);
});
