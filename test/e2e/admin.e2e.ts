import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import { connect } from '#server/platform/postgres/db.ts';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { hasFocus, tabTo } from './keyboard.ts';
import { LOOKS } from './looks.ts';
import { openRow } from './rows.ts';
import { openShop, type RunningShop } from './shop.ts';
import { signIn } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

let shop: RunningShop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const asAdmin = async (options: { theme?: 'light' | 'dark'; width?: number } = {}) => {
  const visitor = await aVisitor(browser, shop.url, options);
  await signIn(visitor.page, 'Admin');
  return visitor;
};

/** Somebody new, registered by their own hand in a window of their own. */
const register = async (name: string, email: string, type: 'Buyer' | 'Seller'): Promise<void> => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/register');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('Marked#Page1');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByRole('button', { name: new RegExp(type) }).click();
  await page.getByText(`Make ${type === 'Buyer' ? 'buyer' : 'Seller'} Successful`).waitFor();
  await leave();
};

const rowOf = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });

const search = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('searchbox', { name: 'Name or email' }).fill(text);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('q') === text);
};

/** Says what was looked at, in the dialog that shows what is known of a seller. */
const verify = async (page: Page): Promise<void> => {
  const dialog = page.getByRole('dialog', { name: /^Verify / });
  await dialog.getByText('The same card or bank').waitFor();
  await dialog.getByLabel('Reason').fill('Shop visited');
  await dialog.getByRole('button', { name: 'Verify', exact: true }).click();
};

test('an admin makes an admin, verifies a seller and deletes a user', async () => {
  await register('Nora Newcomer', 'nora@example.com', 'Buyer');
  await register('Sam Stallholder', 'sam@example.com', 'Seller');
  const { page, leave } = await asAdmin();

  await page.goto('/dashboard');
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'All Users' }).click();
  await page.getByRole('heading', { level: 1, name: 'All Users' }).waitFor();
  const first = page.getByRole('row').nth(1);
  expect(await first.getByRole('cell').first().textContent()).toBe('No.1');
  await search(page, 'NORA@');
  await page.getByText('1 user with “NORA@”').waitFor();
  await rowOf(page, 'Nora Newcomer').getByRole('button', { name: 'Make Admin' }).click();
  const asked = page.getByRole('dialog', { name: 'Make Nora Newcomer an admin?' });
  await asked.getByText('(nora@example.com)').waitFor();
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await asked.waitFor({ state: 'hidden' });
  expect(await page.getByText('admin, buyer').count()).toBe(0);
  await rowOf(page, 'Nora Newcomer').getByRole('button', { name: 'Make Admin' }).click();
  await asked.getByRole('button', { name: 'Make Admin' }).click();
  await page.getByText('Make Admin Successful', { exact: true }).waitFor();
  await rowOf(page, 'Nora Newcomer').getByText('admin, buyer').waitFor();
  expect(await page.getByRole('button', { name: 'Make Admin' }).count()).toBe(0);

  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'All Sellers' }).click();
  await page.getByRole('heading', { level: 1, name: 'All Sellers' }).waitFor();
  const sam = rowOf(page, 'sam@example.com');
  await sam.getByRole('button', { name: 'Verified' }).click();
  await verify(page);
  await page.getByText('Verified Successful', { exact: true }).waitFor();
  await sam.getByText('Sam Stallholder is verified').waitFor();
  expect(await sam.getByRole('button', { name: 'Verified' }).count()).toBe(0);

  await sam.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await sam.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete the user' }).click();
  await page.getByText('User deleted successfully', { exact: true }).waitFor();
  await sam.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('row').nth(1).waitFor();
  expect(await sam.count()).toBe(0);
  await leave();

  const sacked = await aVisitor(browser, shop.url);
  await sacked.page.goto('/login');
  await sacked.page.getByLabel('Email').fill('sam@example.com');
  await sacked.page.getByLabel('Password', { exact: true }).fill('Marked#Page1');
  await sacked.page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await sacked.page.getByText('The email address or the password is wrong.').waitFor();
  await sacked.leave();
});

test('an admin takes an admin’s role and a seller’s tick back, and says why', async () => {
  await register('Ada Former', 'former@example.com', 'Seller');
  const { page, leave } = await asAdmin();
  await page.goto('/dashboard/all_users?q=former@example.com');
  const row = rowOf(page, 'Ada Former');
  await row.getByRole('button', { name: 'Make Admin' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make Admin' }).click();
  await row.getByText('admin, seller').waitFor();

  await row.getByRole('button', { name: 'Remove admin' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove Ada Former as an admin?' });
  await dialog.getByRole('button', { name: 'Remove admin' }).click();
  await dialog.getByText('Please give a reason').waitFor();
  await dialog.getByLabel('Reason').fill('Left the team');
  await dialog.getByRole('button', { name: 'Remove admin' }).click();
  await page.getByText('Admin role removed', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Make Admin' }).waitFor();
  expect(await row.getByText('admin, seller').count()).toBe(0);
  // Nobody takes the role from themselves.
  await search(page, 'admin@example.com');
  await rowOf(page, 'admin@example.com').waitFor();
  expect(await page.getByRole('button', { name: /^(Remove admin|Make Admin)/ }).count()).toBe(0);

  await page.goto('/dashboard/all_sellers?q=former@example.com');
  await row.getByRole('button', { name: 'Verified' }).click();
  await verify(page);
  await row.getByText('Ada Former is verified').waitFor();
  await row.getByRole('button', { name: 'Remove tick' }).click();
  const why = page.getByRole('dialog', { name: 'Remove the tick of Ada Former?' });
  await why.getByLabel('Reason').fill('Two books were not as described');
  await why.getByRole('button', { name: 'Remove tick' }).click();
  await page.getByText('Tick removed', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Verified' }).waitFor();
  await expect.poll(() => hasFocus(row.getByRole('button', { name: 'Delete' }))).toBe(true);

  await page.goto('/dashboard/audit?q=former@example.com');
  await page.getByText('Reason: Two books were not as described', { exact: true }).waitFor();
  await page.getByText('Reason: Left the team', { exact: true }).waitFor();
  await leave();
});

test('all of it works by keyboard alone, and the focus never gets lost', async () => {
  await register('Kim Keyboard', 'kim@example.com', 'Buyer');
  const { page, leave } = await asAdmin();
  await page.goto('/dashboard/all_users?q=kim@example.com');
  const row = rowOf(page, 'Kim Keyboard');
  await tabTo(page, row.getByRole('button', { name: 'Make Admin' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Make Admin' }));
  await page.keyboard.press('Enter');
  await page.getByText('Make Admin Successful', { exact: true }).waitFor();
  const remove = row.getByRole('button', { name: 'Delete' });
  await expect.poll(() => hasFocus(row.getByRole('button', { name: 'Remove admin' }))).toBe(true);
  await tabTo(page, remove);

  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => hasFocus(remove)).toBe(true);
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByRole('button', { name: 'Delete the user' }));
  await page.keyboard.press('Enter');
  await page.getByText('User deleted successfully', { exact: true }).waitFor();
  await row.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('0 users');
  await tabTo(page, page.getByRole('link', { name: 'Show everybody' }));
  await page.keyboard.press('Enter');
  await page.getByRole('row').nth(1).waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('');
  await leave();
});

test('a list goes on to its end, numbered through', async () => {
  const { db, close } = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 });
  for (let made = 1; made <= 45; made += 1) {
    await registerUser(db, { email: `stall${made}@example.com`, name: `Stall ${made}`, roles: ['seller'] });
  }
  await close();
  const { page, leave } = await asAdmin();
  await page.goto('/dashboard/all_sellers');
  const rows = page.getByRole('row');
  await rows.nth(1).waitFor();
  expect(await rows.count()).toBe(25);
  const end = page.getByRole('button', { name: 'Show more' });
  while (await end.isVisible()) {
    const before = await rows.count();
    await end.click();
    await expect.poll(() => rows.count()).toBeGreaterThan(before);
  }
  const shown = (await rows.count()) - 1;
  expect(await rows.last().getByRole('cell').first().textContent()).toBe(`No.${shown}`);
  await page.getByText(`${shown} sellers`, { exact: true }).waitFor();
  await leave();
});

test('what fails is said where it happened, and can be tried again', async () => {
  await register('Fay Lure', 'fay@example.com', 'Seller');
  const { page, context } = await asAdmin();
  await page.goto('/dashboard/all_sellers?q=fay@example.com');
  const row = rowOf(page, 'Fay Lure');
  await context.route(/\/api\/users\/[^/]+(\/[^/]+)?$/, (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.abort(),
  );
  await row.getByRole('button', { name: 'Verified' }).click();
  await verify(page);
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete the user' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await context.unrouteAll();
  await page.getByRole('button', { name: 'Delete the user' }).click();
  await page.getByText('User deleted successfully', { exact: true }).waitFor();

  await context.route(/\/api\/users\?/, (route) => route.fulfill({ status: 503, body: '' }));
  await page.goto('/dashboard/all_users?q=a');
  await page.getByRole('heading', { name: 'We will be right back' }).waitFor();
  await context.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'All Users' }).waitFor();
  await context.close();
});

test('the admin pages are for admins: others are told so, visitors sign in first', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/dashboard/reported_items');
  await page.waitForURL(/\/login\?from=%2Fdashboard%2Freported_items$/);
  await signIn(page, 'Seller');
  for (const path of ['all_users', 'all_sellers', 'reported_items', 'money', 'money/by-hand']) {
    await page.goto(`/dashboard/${path}`);
    await page.getByText('This page is for admins.').waitFor();
  }
  await page.goto('/dashboard');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.getByRole('link', { name: 'All Users' }).count()).toBe(0);
  await leave();
});

test.each(LOOKS)('the dialogs that ask first are clean in the $theme theme at $width px', async ({ theme, width }) => {
  const { page, leave } = await asAdmin({ theme, width });
  await page.goto('/dashboard/all_sellers?q=seller@example.com');
  await openRow(rowOf(page, 'seller@example.com'));
  await page.getByRole('button', { name: /^Remove tick/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove tick' }).click();
  await page.getByText('Please give a reason').waitFor();
  await expectAccessible(page, 'the dialog that asks why');
  await page.goto('/dashboard/all_users?q=seller@example.com');
  await openRow(rowOf(page, 'seller@example.com'));
  await page.getByRole('button', { name: /^Make Admin/ }).click();
  await page.getByRole('dialog').waitFor();
  await expectAccessible(page, 'the dialog before an admin is made');
  await page.goto('/dashboard/all_sellers');
  const first = page.getByRole('row').nth(1);
  await openRow(first);
  await first.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').waitFor();
  await expectAccessible(page, 'the dialog');
  await leave();
});
