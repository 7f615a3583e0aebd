import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import { connect } from '#server/platform/postgres/db.ts';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { openRow } from './rows.ts';
import { openShop, type RunningShop } from './shop.ts';
import { signIn } from './sign-in.ts';
import { openMail } from './mailbox.ts';
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

test('an admin deletes somebody by mistake, brings them back, and finds both in the audit', async () => {
  const { db, close } = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 });
  await registerUser(db, { email: 'missed@example.com', name: 'Mina Missed', roles: ['buyer'], emailProven: true });
  await close();
  const { page, leave } = await aVisitor(browser, shop.url, { theme: 'dark', width: 390 });
  await signIn(page, 'Admin');

  await page.goto('/dashboard/all_users?q=missed@example.com');
  await openRow(page.getByRole('row').filter({ hasText: 'missed@example.com' }));
  await page.getByRole('button', { name: /^Delete ?: Mina Missed$/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('User deleted successfully').waitFor();

  await page.goto('/dashboard/deleted');
  await page.getByRole('heading', { level: 1, name: 'Deleted' }).waitFor();
  await page.getByText('missed@example.com').waitFor();
  await expectAccessible(page, 'Deleted');
  await page.getByRole('button', { name: /^Restore ?: Mina Missed$/ }).click();
  await page.getByText('Mina Missed can sign in again.').waitFor();
  await page.getByText('Nobody was deleted lately.').waitFor();

  await page.goto('/dashboard/audit');
  await page.getByRole('searchbox', { name: 'Person, book or category' }).fill('Mina');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get('q') === 'Mina');
  const rows = page.getByRole('table', { name: 'What was done, newest first' }).getByRole('row');
  await rows.filter({ hasText: 'Restored Mina Missed' }).waitFor();
  expect(await rows.filter({ hasText: 'Mina Missed' }).count()).toBe(2);
  await expectAccessible(page, 'Audit');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('dogear-audit.csv');

  await page.getByLabel('What was done').selectOption('User made admin');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('Nothing like that', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Show everything' }).click();
  await rows.filter({ hasText: 'Deleted Mina Missed' }).waitFor();
  await leave();
});

test('an admin takes a book down from its page with a reason, and its seller is told', async () => {
  const { db, close } = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 });
  const book = await db
    .selectFrom('listings as l')
    .innerJoin('users as u', 'u.id', 'l.seller_id')
    .select(['l.id', 'l.title'])
    .where('u.email', '=', 'seller@example.com')
    .where('l.status', '=', 'available')
    .executeTakeFirstOrThrow();
  await close();
  const buyer = await aVisitor(browser, shop.url);
  await signIn(buyer.page, 'Buyer');
  await buyer.page.goto(`/book/${book.id}`);
  await buyer.page.getByRole('link', { name: 'Message the seller' }).waitFor();
  expect(await buyer.page.getByRole('button', { name: /^Take down/ }).count()).toBe(0);
  await buyer.leave();

  const { page, leave } = await aVisitor(browser, shop.url, { theme: 'dark', width: 360 });
  await signIn(page, 'Admin');
  await page.goto('/dashboard/reported_items');
  await page.getByRole('heading', { name: 'How readers report a book' }).waitFor();
  await expectAccessible(page, 'Reported Items');
  await page.goto(`/book/${book.id}`);
  await page.getByRole('button', { name: /^Take down/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Take this listing down?' });
  await dialog.getByRole('button', { name: 'Take down' }).click();
  await dialog.getByText('Please give a reason').waitFor();
  await expectAccessible(page, 'the dialog that takes a book down');
  await dialog.getByLabel('Reason').fill('The picture shows another book');
  await dialog.getByRole('button', { name: 'Take down' }).click();
  await page.getByText(`Product ${book.title} deleted successfully`).waitFor();
  await page.waitForURL(/\/category\//);
  await page.goto(`/book/${book.id}`);
  await page.getByText('There is no such book.').waitFor();
  await openMail(page, `Taken down: ${book.title}`);
  await page.getByText('The picture shows another book').first().waitFor();
  await leave();
});
