// What the shop says to people, and what it does in the browser, as the specification words it.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPicture } from '#test/photos.ts';
import { launchBrowser } from './browser.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, fillSignIn, type Member } from './sign-in.ts';
import { aVisitor, type Visitor } from './visitor.ts';

let shop: RunningShop;
let browser: Browser;
let visitor: Visitor;
let seller: Member;
let buyer: Member;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  visitor = await aVisitor(browser, shop.url);
  seller = await aMember(browser, shop.url, 'Seller');
  buyer = await aMember(browser, shop.url, 'Buyer');
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const said = (page: Page, notice: string) => page.getByText(notice, { exact: true });

/** The calls a page makes, as `METHOD /path` below /api. */
const callsOf = (page: Page): string[] => {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname.slice(4)}${search}`);
  });
  return calls;
};

describe('signing in', () => {
  test('shows its work, fetches a token for the address, stores it, says Sign In! and goes home', async () => {
    const { page, context, leave } = await aVisitor(browser, shop.url);
    const calls = callsOf(page);
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await context.route('**/api/auth/sign-in', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/login');
    await fillSignIn(page, 'Buyer');
    await page.getByRole('button', { name: 'Signing in…' }).waitFor();
    answer();
    await said(page, 'Sign In!').waitFor();
    await page.waitForURL((url) => url.pathname === '/');
    expect(calls).toContain('GET /jwt?email=buyer%40example.com');
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['accessToken']);
    await leave();
  });

  test('hints at the password rules, and shows the provider’s message about a wrong one on the form', async () => {
    const { page, leave } = await aVisitor(browser, shop.url);
    await page.goto('/login');
    await page.getByLabel('Email').fill('buyer@example.com');
    await page.getByLabel('Password', { exact: true }).fill('abc');
    await page.getByText('Must be at least 6 character').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('Wrong#Password');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await page
      .getByRole('form', { name: 'Sign In' })
      .getByText('The email address or the password is wrong.')
      .waitFor();
    await leave();
  });
});

describe('the pages behind guards', () => {
  const PAGES = {
    'signed-in people': ['/categories', '/dashboard'],
    buyers: ['/dashboard/my_orders', '/dashboard/payment/00000000-0000-4000-8000-000000000000'],
    admins: ['/dashboard/all_users', '/dashboard/all_sellers', '/dashboard/reported_items'],
    sellers: ['/dashboard/add_product', '/dashboard/my_products', '/dashboard/my_buyers'],
  };

  test.each(PAGES['signed-in people'])('%s sends visitors to sign in, and remembers itself', async (path) => {
    const { page } = visitor;
    await page.goto(path);
    await page.waitForURL(`**/login?from=${encodeURIComponent(path)}`);
  });

  test.each([
    ...PAGES.buyers.map((path) => [path, 'buyers', () => seller] as const),
    ...PAGES.admins.map((path) => [path, 'admins', () => seller] as const),
    ...PAGES.sellers.map((path) => [path, 'sellers', () => buyer] as const),
  ])('%s is for %s', async (path, whom, other) => {
    const { page } = other();
    await page.goto(path);
    await page.getByText(`This page is for ${whom}.`).waitFor();
  });

  test('ask the shop what the person is, by their address', async () => {
    const calls = callsOf(seller.page);
    await seller.page.goto('/dashboard/my_products');
    await seller.page.getByRole('heading', { level: 1, name: 'My Products' }).waitFor();
    expect(calls).toContain('GET /users/seller/seller%40example.com');
  });
});

test.each([
  ['/login', 'Sign In'],
  ['/register', 'Create Account'],
])('on %s an invalid address gets its message and is not sent', async (path, button) => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto(path);
  const calls = callsOf(page);
  await page.getByLabel('Email').fill('ada@example.info');
  await page.getByRole('button', { name: button, exact: true }).click();
  await said(page, 'Please provide a valid email').waitFor();
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual([]);
  await leave();
});

describe('registering', () => {
  const fill = async (page: Page, email: string, password = 'Marked#Page1'): Promise<void> => {
    await page.goto('/register');
    await page.getByLabel('Name').fill('Mary Shelley');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Create Account' }).click();
  };

  test.each([
    { type: 'Buyer', done: 'Make buyer Successful' },
    { type: 'Seller', done: 'Make Seller Successful' },
  ])('and choosing $type is told, saves the profile and ends at the sign-in page', async ({ type, done }) => {
    const { page, leave } = await aVisitor(browser, shop.url);
    const calls = callsOf(page);
    await fill(page, `${type.toLowerCase()}.new@example.com`);
    await said(page, 'Registered successfully!').waitFor();
    await page.waitForURL('**/user_type');
    expect(calls).toContain('POST /users');
    await page.getByRole('button', { name: new RegExp(type) }).click();
    await said(page, done).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Sign In' }).waitFor();
    await leave();
  });

  test('with a taken address shows the provider’s message under the submit button', async () => {
    const { page, leave } = await aVisitor(browser, shop.url);
    await fill(page, 'buyer@example.com');
    const message = page.getByText('The email address is already in use by another account.');
    await message.waitFor();
    const top = (await message.boundingBox())?.y ?? 0;
    const button = await page.getByRole('button', { name: 'Create Account' }).boundingBox();
    expect(top).toBeGreaterThan((button?.y ?? 0) + (button?.height ?? 0));
    await leave();
  });

  test('without a name is not sent', async () => {
    const { page, leave } = await aVisitor(browser, shop.url);
    await page.goto('/register');
    const calls = callsOf(page);
    await page.getByLabel('Email').fill('nameless@example.com');
    await page.getByLabel('Password', { exact: true }).fill('Marked#Page1');
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page.getByText('Please provide your name').waitFor();
    expect(calls.filter((call) => call.startsWith('POST'))).toEqual([]);
    await leave();
  });
});

test('on a small screen the menu opens and closes', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: 360 });
  await page.goto('/blog');
  const panel = page.getByRole('navigation', { name: 'Menu' });
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await panel.waitFor();
  await page.getByRole('button', { name: 'Close menu' }).and(page.locator(':visible')).click();
  await panel.waitFor({ state: 'hidden' });
  await leave();
});

describe('a seller', () => {
  test('is told that a category was created', async () => {
    const { page } = seller;
    await page.goto('/dashboard/add_product');
    await page.getByLabel('Category ID').fill('travelogues');
    await page.getByLabel('Category name').fill('Travelogues');
    await page.getByRole('button', { name: 'Add category' }).click();
    await said(page, 'Category created successfully!').waitFor();
  });

  test('must fill in both fields of a category', async () => {
    const { page } = seller;
    await page.goto('/dashboard/add_product');
    await page.getByRole('button', { name: 'Add category' }).click();
    await page.getByText('Use 1 to 64 letters, digits, dashes or underscores').waitFor();
    await page.getByText('Give the category a name').waitFor();
  });

  test('chooses from three conditions and is told that a product was added', async () => {
    const { page } = seller;
    await page.goto('/dashboard/add_product');
    const condition = page.getByLabel('Condition');
    await condition.waitFor();
    expect(await condition.locator('option:enabled').allTextContents()).toEqual(['Excellent', 'Good', 'Fair']);
    await page.getByLabel('Title').fill('Roughing It');
    await page
      .getByLabel('Choose pictures')
      .last()
      .setInputFiles({ name: 'cover.jpg', mimeType: 'image/jpeg', buffer: await aPicture(400, 600) });
    await page.getByLabel('Original price').fill('20');
    await page.getByLabel('Resale price').fill('7.50');
    await page.getByLabel('Years of use').fill('3');
    await page.getByLabel('Location').fill('Reno');
    await page.getByLabel('Phone').fill('+1 555 0123');
    await page.getByLabel('Details').fill('Desert dust in the gutter.');
    await page.getByLabel('Category', { exact: true }).selectOption('fantasy');
    await condition.selectOption('Fair');
    await page.getByRole('button', { name: 'Add product' }).click();
    await said(page, 'Product Added Successful').waitFor();
    await page.getByRole('row').filter({ hasText: 'Roughing It' }).getByText('Available').waitFor();
  });

  test('is asked before a product is deleted, and told when it is', async () => {
    const { page } = seller;
    await page.goto('/dashboard/my_products');
    const remove = page.getByRole('button', { name: /^Delete/, disabled: false }).first();
    const title = (await remove.textContent())?.replace('Delete ', '') ?? '';
    await remove.click();
    const dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete?' });
    await dialog.getByText('This cannot be undone.').waitFor();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await said(page, `Product ${title} deleted successfully`).waitFor();
  });
});

describe('an admin', () => {
  test('is told of an admin made, a seller verified and a user deleted', async () => {
    for (const name of ['made', 'sold', 'gone']) {
      const { context, leave } = await aVisitor(browser, shop.url);
      const headers = { origin: shop.url };
      const email = `${name}@example.com`;
      const data = { name: `Zoe ${name}`, email, password: 'Marked#Page1' };
      await context.request.post('/api/auth/sign-up', { headers, data });
      if (name === 'sold') await context.request.put(`/api/users/seller?email=${email}`, { headers });
      await leave();
    }
    const { page, leave } = await aMember(browser, shop.url, 'Admin');
    const row = (text: string) => page.getByRole('row').filter({ hasText: text });

    await page.goto('/dashboard/all_users?q=Zoe');
    await row('Zoe made').getByRole('button', { name: 'Make Admin' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make Admin' }).click();
    await said(page, 'Make Admin Successful').waitFor();
    await row('Zoe made').getByRole('button', { name: 'Make Admin' }).waitFor({ state: 'detached' });
    await row('Zoe gone').getByRole('button', { name: 'Make Admin' }).waitFor();
    await row('Zoe gone').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the user' }).click();
    await said(page, 'User deleted successfully').waitFor();

    await page.goto('/dashboard/all_sellers?q=Zoe');
    await row('Zoe sold').getByRole('button', { name: 'Verified' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Shop visited');
    await page.getByRole('dialog').getByRole('button', { name: 'Verify', exact: true }).click();
    await said(page, 'Verified Successful').waitFor();
    await row('Zoe sold').getByTitle('Verified').waitFor();
    expect(await row('Zoe sold').getByRole('button', { name: 'Verified' }).count()).toBe(0);
    await leave();
  });
});

describe('a call that fails', () => {
  test.each([
    ['of the token', '**/api/jwt*', '/login', 'form'],
    ['of the categories', '**/api/categoryName', '/dashboard/add_product', 'page'],
    ['of a role', '**/api/users/seller/*', '/dashboard/add_product', 'page'],
  ] as const)('%s is shown and can be tried again', async (_what, calls, path, place) => {
    const { page, context } =
      place === 'form' ? await aVisitor(browser, shop.url) : await aMember(browser, shop.url, 'Seller');
    await context.route(calls, (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto(path);
    if (place === 'form') {
      await fillSignIn(page, 'Buyer');
      await page
        .getByRole('form', { name: 'Sign In' })
        .getByText(/short break/)
        .waitFor();
      await context.unrouteAll({ behavior: 'wait' });
      await page.getByRole('button', { name: 'Sign In', exact: true }).click();
      await said(page, 'Sign In!').waitFor();
    } else {
      await page.getByRole('heading', { name: 'We will be right back' }).waitFor();
      await context.unrouteAll({ behavior: 'wait' });
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { level: 1, name: 'Add A Product' }).waitFor();
    }
    await context.close();
  });
});
