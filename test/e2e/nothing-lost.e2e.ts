// What somebody typed is theirs: no error, no ended session and no lost connection takes it away.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NO_IMPRINT } from '#contract/law/declaration.ts';
import { upsertDeclaration } from '#server/law/declarations.queries.ts';
import { acceptTerms } from '#server/law/declaring.service.ts';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import { connect, type Db } from '#server/platform/postgres/db.ts';
import { launchBrowser } from './browser.ts';
import { alive, at, press } from './failing.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, fillSignIn, forgetDraft, type Member } from './sign-in.ts';

let shop: RunningShop;
let browser: Browser;
let db: Db;
let closeDb: () => Promise<void>;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  ({ db, close: closeDb } = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 }));
  const both = { email: 'other@example.com', name: 'Otto Other', password: 'Marked#Page1' };
  const id = await registerUser(db, { ...both, roles: ['buyer', 'seller'] });
  await upsertDeclaration(db, id, { kind: 'private', ...NO_IMPRINT });
  await acceptTerms(db, id, 'seller');
});
afterAll(async () => {
  await closeDb();
  await browser.close();
  await shop.close();
});

/** Ends all sessions of somebody, as time does. */
const endSessions = async (email: string): Promise<void> => {
  const person = db.selectFrom('users').select('id').where('email', '=', email);
  await db.deleteFrom('sessions').where('user_id', 'in', person).execute();
};

/** Two forms of one page, half filled in. */
const TYPED = {
  Title: 'The Waves',
  'Image URL': 'https://images.example/waves.jpg',
  'Resale price': '7,50',
  Details: 'Annotated by a careful hand.\nTwo pages dog-eared.',
  'Category ID': 'modernism',
  'Category name': 'Modernism',
};

const typeListing = async (page: Page): Promise<void> => {
  await at('/dashboard/add_product')(page);
  for (const [label, value] of Object.entries(TYPED)) await page.getByLabel(label).fill(value);
  await page.getByLabel('Category', { exact: true }).selectOption({ label: 'Fantasy' });
  await page.getByLabel('Condition').selectOption('Fair');
};

const expectListing = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1, name: 'Add A Product' }).waitFor();
  await expect.poll(() => page.getByLabel('Condition').inputValue()).toBe('Fair');
  expect(await page.getByLabel('Category', { exact: true }).inputValue()).toBe('fantasy');
  for (const [label, value] of Object.entries(TYPED)) expect(await page.getByLabel(label).inputValue()).toBe(value);
};

const signInAs = async (page: Page, email: string, password: string): Promise<void> => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByText('Sign In!').waitFor();
};

/** What the tab stores by itself beside the router's own scroll positions. */
const stored = (page: Page) =>
  page.evaluate(() => [
    ...Object.keys(sessionStorage).filter((key) => !key.startsWith('react-router')),
    ...Object.keys(localStorage),
  ]);

/** Only what the journey breaks on purpose goes wrong. */
const leave = async ({ context, problems }: Member): Promise<void> => {
  await context.close();
  expect(problems.filter((problem) => !/^request to|Failed to load resource/.test(problem))).toEqual([]);
};

let member: Member;
let page: Page;
const as = async (who: 'Buyer' | 'Seller'): Promise<void> => {
  member = await aMember(browser, shop.url, who);
  ({ page } = member);
};

test('a session that is over when a form is sent: sign in, and the form is as it was', async () => {
  await as('Seller');
  await typeListing(page);
  await endSessions('seller@example.com');
  await press('Add category')(page);
  await page.waitForURL(/\/login\?from=%2Fdashboard%2Fadd_product$/);
  await page.getByText('What you typed is kept until you are back.').waitFor();
  // The way may lead over another document, as it does with a provider.
  await page.reload();
  await alive(page);
  await fillSignIn(page, 'Seller');
  await expectListing(page);
  await page.getByText('Here is what you had typed').waitFor();
  await page
    .getByRole('complementary', { name: 'How it will look' })
    .getByRole('img', { name: /The Waves/ })
    .waitFor();
  expect(await stored(page)).toEqual(['drafts', 'accessToken']);

  // Once sent it is no draft any more.
  await press('Add category')(page);
  await page.getByText('Category created successfully!').waitFor();
  await page.getByLabel('Title').fill('');
  await page.getByRole('link', { name: 'My Products' }).click();
  await page.getByRole('heading', { level: 1, name: 'My Products' }).waitFor();
  await page.getByRole('link', { name: 'Add A Product' }).first().click();
  await page.getByLabel('Category ID').waitFor();
  expect(await page.getByLabel('Category ID').inputValue()).toBe('');
  await leave(member);
});

test('a reload leads back to the form as it was, until it is sent or its owner signs out', async () => {
  await as('Seller');
  page.on('dialog', (dialog) => void dialog.accept());
  await typeListing(page);
  await page.reload();
  await expectListing(page);
  await page.getByText('Here is what you had typed').first().waitFor();
  await page.getByText('You receive $6.98 of $7.50').waitFor();
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL(/\/login/);
  expect(await stored(page)).toEqual([]);
  // The shop goes on keeping it.
  await fillSignIn(page, 'Seller');
  await page.getByText('Goes on where you stopped on').waitFor();
  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe(TYPED.Title);
  await press('Begin anew')(page);
  await page.getByText('Goes on where you stopped on').waitFor({ state: 'hidden' });
  await leave(member);
});

test('a token that ran out is renewed quietly', async () => {
  await as('Seller');
  await typeListing(page);
  await page.evaluate(() => localStorage.setItem('accessToken', 'e30.e30.e30'));
  await page.getByLabel('Category ID').fill('quiet');
  await page.getByLabel('Category name').fill('Quiet');
  await press('Add category')(page);
  await page.getByText('Category created successfully!').waitFor();
  expect(await page.getByLabel('Title').inputValue()).toBe('The Waves');
  await leave(member);
});

test('a changed product comes back changed, and only where it was changed', async () => {
  await as('Seller');
  await at('/dashboard/my_products')(page);
  await page.getByRole('link', { name: /^Edit/ }).first().click();
  await page.getByLabel('Location').fill('Rodmell');
  const title = await page.getByLabel('Title').inputValue();
  await endSessions('seller@example.com');
  await press('Save changes')(page);
  await page.waitForURL(/\/login/);
  await fillSignIn(page, 'Seller');
  await expect.poll(() => page.getByLabel('Location').inputValue()).toBe('Rodmell');
  expect(await page.getByLabel('Title').inputValue()).toBe(title);
  await press('Save changes')(page);
  await page.getByText('Product Updated Successful').waitFor();
  await leave(member);
});

test('signed out in another tab while booking: the same book, the dialog open, phone and location as typed', async () => {
  await as('Buyer');
  await at('/category/fantasy')(page);
  await press(/^Book Now/)(page);
  const dialog = page.getByRole('dialog');
  const title = await dialog.getByLabel('Title').inputValue();
  await dialog.getByLabel('Phone').fill('+1 555 0142');
  await dialog.getByLabel('Location').fill('Geneva');
  const other = await member.context.newPage();
  await at('/blog')(other);
  await other.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await other.getByText('Signed out').waitFor();
  await press(/^Book for/)(page);
  await page.waitForURL(/\/login\?from=%2Fcategory%2Ffantasy/);
  await fillSignIn(page, 'Buyer');
  await expect.poll(() => dialog.getByLabel('Phone').inputValue()).toBe('+1 555 0142');
  expect(await dialog.getByLabel('Location').inputValue()).toBe('Geneva');
  expect(await dialog.getByLabel('Title').inputValue()).toBe(title);
  await press(/^Book for/)(page);
  await page.getByText('Booking successful').waitFor();
  await leave(member);
});

test('nobody else gets it, and whoever signs out themselves takes it with them', async () => {
  await as('Seller');
  await forgetDraft(page, 'Seller');
  // The shop keeps it some seconds after the last letter.
  const saved = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/listing-draft') && answer.request().method() === 'PUT' && answer.ok(),
  );
  await typeListing(page);
  await (await saved).finished();
  await endSessions('seller@example.com');
  await press('Add category')(page);
  await page.waitForURL(/\/login/);
  await signInAs(page, 'other@example.com', 'Marked#Page1');
  await page.getByRole('heading', { level: 1, name: 'Add A Product' }).waitFor();
  expect(await page.getByLabel('Title').inputValue()).toBe('');
  await page.getByLabel('Title').fill('Mine');
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL(/\/login/);
  await fillSignIn(page, 'Seller');
  await page.getByRole('heading', { level: 1, name: 'Add A Product' }).waitFor();
  // What the shop keeps for its seller is another matter, and theirs alone.
  await page.getByText('Goes on where you stopped on').waitFor();
  expect(await page.getByText('Here is what you had typed').count()).toBe(0);
  await press('Begin anew')(page);
  await page.getByText('Goes on where you stopped on').waitFor({ state: 'hidden' });
  expect(await page.getByLabel('Title').inputValue()).toBe('');
  await leave(member);
});

test('leaving the document is warned of only while something would be lost', async () => {
  await as('Seller');
  let warnings = 0;
  page.on('dialog', (dialog) => {
    warnings += 1;
    return dialog.accept();
  });
  await at('/dashboard/add_product')(page);
  await page.reload();
  await page.getByLabel('Title').fill('Flush');
  await page.getByLabel('Title').fill('');
  await page.reload();
  expect(warnings).toBe(0);
  await page.getByLabel('Title').fill('Flush');
  await page.reload();
  expect(warnings).toBe(1);
  await page.getByLabel('Title').fill('Flush');
  await page.getByRole('link', { name: 'My Products' }).click();
  await page.getByRole('heading', { level: 1, name: 'My Products' }).waitFor();
  await page.reload();
  expect(warnings).toBe(1);
  await leave(member);
});

test('offline a page that was never visited is awaited in the shop, and the way back leads to the form as it was', async () => {
  await as('Seller');
  await typeListing(page);
  await member.context.setOffline(true);
  await page.getByRole('link', { name: 'My Buyers' }).click();
  await page.getByRole('heading', { level: 1, name: 'The shop cannot be reached' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/dashboard/my_buyers');
  const retry = page.getByRole('button', { name: 'Try again' });
  await retry.click();
  await page.locator('button:not([aria-busy])', { hasText: 'Try again' }).waitFor();
  await page.getByRole('link', { name: 'My Products' }).click();
  await page.waitForURL('**/dashboard/my_products');
  await page.getByRole('heading', { level: 1, name: 'The shop cannot be reached' }).waitFor();
  await page.goBack();
  await page.waitForURL('**/dashboard/my_buyers');
  await page.goBack();
  await expectListing(page);
  await page.getByRole('link', { name: 'My Buyers' }).click();
  await retry.waitFor();
  await member.context.setOffline(false);
  await page.getByRole('heading', { level: 1, name: 'My Buyers' }).waitFor();
  await leave(member);
});
