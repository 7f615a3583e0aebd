import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { LOOKS } from './looks.ts';
import { openShop, runScript, type RunningShop } from './shop.ts';
import { aVisitor } from './visitor.ts';

/** Fifty books to import, so that a list has more than one page. */
const OWN_FILE = path.join(import.meta.dirname, '../../db/seed/dirty-books.csv');
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let shop: RunningShop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const signIn = async (page: Page, who: 'Buyer' | 'Seller' | 'Admin'): Promise<void> => {
  await page.goto('/login');
  await page.getByLabel('Email').fill(`${who.toLowerCase()}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(`${who}#2026`);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByText('Sign In!').waitFor();
};

const axeFindings = async (page: Page): Promise<string[]> => {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations.flatMap((violation) => violation.nodes.map((node) => `${violation.id}: ${node.html}`));
};

const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Waits until what is opening has opened: axe takes what is still see-through for absent. */
const settled = async (page: Page): Promise<void> => {
  await page.evaluate(async () => {
    // What was just put on the page begins to move with the frame after the next.
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    const finite = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(finite.map(({ finished }) => finished));
  });
};

/** What must hold of every page, and of every dialog on it. */
const check = async (page: Page, what: string): Promise<void> => {
  await settled(page);
  expect.soft(await sidewaysScroll(page), `${what}: sideways scroll`).toBeLessThanOrEqual(0);
  expect.soft(await axeFindings(page), `${what}: axe`).toEqual([]);
};

const look = async (page: Page, path: string, heading: string): Promise<void> => {
  await page.goto(path);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  expect.soft(await page.getByRole('heading', { level: 1 }).count(), `${path}: one h1`).toBe(1);
  expect.soft(await page.title(), `${path}: a title`).toBe(`${heading} · Dogear`);
  await check(page, path);
};

/** The rows of a table, without its headers. */
const rowsOf = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('cell') });

/** Somebody else books a copy, elsewhere. */
const bookElsewhere = async (id: string): Promise<string> => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await signIn(page, 'Buyer');
  const bookingId = await page.evaluate(async (listingId) => {
    const listing = await (await fetch(`/api/categories/${listingId}`)).json();
    const answer = await fetch('/api/bookings', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${localStorage.getItem('accessToken')}` },
      body: JSON.stringify({
        listingId,
        title: listing.title,
        buyer: '',
        email: 'buyer@example.com',
        image_url: listing.image_url,
        phone: '+1 555 0199',
        price: listing.resale_price,
        location: 'Seattle',
      }),
    });
    return String((await answer.json()).insertedId);
  }, id);
  await leave();
  return bookingId;
};

test('a seller edits a price, deletes a product, and sees a buyer in My Buyers', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await signIn(page, 'Seller');
  await page.goto('/dashboard/my_buyers');
  await page.getByText('Nobody has booked yet').waitFor();

  await page.goto('/dashboard/my_products');
  const first = rowsOf(page).first();
  const edit = first.getByRole('link', { name: /^Edit/ });
  const id = (await edit.getAttribute('href'))?.split('/').at(-1) ?? '';
  const title = (await edit.textContent())?.replace('Edit ', '') ?? '';
  await edit.click();
  await page.getByRole('heading', { level: 1, name: 'Edit Product' }).waitFor();
  expect(await page.getByLabel('Title').inputValue()).toBe(title);
  expect(await page.getByLabel('Email').isDisabled()).toBe(true);
  await page.getByLabel('Resale price').fill('0.10');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Give a price from $0.50 to $9,999.99').waitFor();
  expect(await page.getByLabel('Resale price').evaluate((field) => field === document.activeElement)).toBe(true);
  await page.getByLabel('Resale price').fill('23,45');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Product Updated Successful').waitFor();
  await page.getByRole('row').filter({ hasText: title }).getByText('$23.45').waitFor();

  // Booked in the meantime: seen on coming back, and not to be changed any more.
  await bookElsewhere(id);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  const booked = page.getByRole('row').filter({ hasText: title });
  await booked.getByText('Reserved').waitFor();
  expect(await booked.getByRole('button', { name: /^Edit/ }).isDisabled()).toBe(true);
  expect(await booked.getByRole('button', { name: /^Delete/ }).isDisabled()).toBe(true);
  await booked.getByText('A reader has this book on hold.').waitFor();
  await page.goto(`/dashboard/edit_product/${id}`);
  await page.getByRole('note').getByText('A reader has this book on hold.').waitFor();
  expect(await page.getByLabel('Title').isDisabled()).toBe(true);

  // By keyboard alone: Escape gives up and comes back to the button, Enter deletes.
  await page.goto('/dashboard/my_products');
  await rowsOf(page).first().waitFor();
  const count = await rowsOf(page).count();
  const remove = page.getByRole('button', { name: /^Delete/, disabled: false }).first();
  const deleted = (await remove.textContent())?.replace('Delete ', '') ?? '';
  await remove.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete?' });
  await dialog.getByText('This cannot be undone.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(await remove.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText(`Product ${deleted} deleted successfully`).waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => page.getByRole('row').filter({ hasText: deleted }).count()).toBe(0);
  expect(await rowsOf(page).count()).toBeLessThanOrEqual(count);

  await page.getByRole('link', { name: 'My Buyers' }).click();
  await page.getByRole('heading', { level: 1, name: 'My Buyers' }).waitFor();
  const sale = page.getByRole('row').filter({ hasText: title });
  await sale.getByText('$23.45').waitFor();
  await sale.getByText('Not paid yet').waitFor();
  expect(await sale.textContent()).not.toContain('0199');
  await page.goto('/dashboard');
  await page.getByRole('region', { name: 'Your shelf' }).getByText('Reserved').waitFor();
  await leave();
});

test('a seller who is just too late with a deletion is told, and the list says why', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await signIn(page, 'Seller');
  await page.goto('/dashboard/my_products');
  const row = rowsOf(page).filter({ hasText: 'Available' }).last();
  const edit = row.getByRole('link', { name: /^Edit/ });
  const id = (await edit.getAttribute('href'))?.split('/').at(-1) ?? '';
  const title = (await edit.textContent())?.replace('Edit ', '') ?? '';
  await row.getByRole('button', { name: /^Delete/ }).click();
  await bookElsewhere(id);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByRole('alert').getByText('A reader has this book on hold').waitFor();
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('row').filter({ hasText: title }).getByText('Reserved').waitFor();
  await leave();
});

test('coming back to a long list reads it again and loses nobody their place', async () => {
  await runScript(shop, 'scripts/import.ts', OWN_FILE, '--seller', 'seller@example.com');
  const { page, leave } = await aVisitor(browser, shop.url);
  await signIn(page, 'Seller');
  await page.goto('/dashboard/my_products');
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rowsOf(page).count()).toBeGreaterThan(24);
  const count = await rowsOf(page).count();
  const row = rowsOf(page).filter({ hasText: 'Available' }).last();
  const edit = row.getByRole('link', { name: /^Edit/ });
  const id = (await edit.getAttribute('href'))?.split('/').at(-1) ?? '';
  const locked = await page.getByRole('button', { name: /^Edit/, disabled: true }).count();
  await bookElsewhere(id);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await expect.poll(() => page.getByRole('button', { name: /^Edit/, disabled: true }).count()).toBe(locked + 1);
  expect(await rowsOf(page).count()).toBe(count);
  await leave();
});

test('an admin renames, merges and deletes categories', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await signIn(page, 'Admin');
  await page.goto('/dashboard/categories');
  const add = async (id: string, name: string): Promise<void> => {
    await page.getByLabel('Category ID').fill(id);
    await page.getByLabel('Category name').fill(name);
    await page.getByRole('button', { name: 'Add category' }).click();
    await page.getByRole('table').getByText(id, { exact: true }).waitFor();
  };
  await add('maps', 'Maps');
  await page.getByRole('button', { name: 'Rename Maps' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New name').fill('fantasy');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await dialog.getByText('A category with this name exists').waitFor();
  await dialog.getByLabel('New name').fill('Atlases');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('table').getByRole('link', { name: 'Atlases' }).waitFor();

  await page.getByRole('button', { name: 'Merge Fantasy' }).click();
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await dialog.getByText('Choose a category', { exact: true }).last().waitFor();
  await dialog.getByLabel('Into').selectOption({ label: 'Atlases' });
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await page.getByText('All books of Fantasy are in Atlases now.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Rename Fantasy' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Delete Atlases' }).count()).toBe(0);

  await add('empty', 'Empty');
  await page.getByRole('button', { name: 'Delete Empty' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Category deleted').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Rename Empty' }).count()).toBe(0);
  await leave();
});

describe.each(LOOKS)('in the $theme theme at $width px', ({ theme, width }) => {
  test('the pages of selling have nothing for axe, one h1, and no sideways scroll', async () => {
    const seller = await aVisitor(browser, shop.url, { theme, width });
    await signIn(seller.page, 'Seller');
    await look(seller.page, '/dashboard', 'Dashboard');
    await look(seller.page, '/dashboard/my_buyers', 'My Buyers');
    await look(seller.page, '/dashboard/my_products', 'My Products');
    const edit = seller.page.getByRole('link', { name: /^Edit/ }).first();
    const path = (await edit.getAttribute('href')) ?? '';
    await seller.page
      .getByRole('button', { name: /^Delete/, disabled: false })
      .first()
      .click();
    await seller.page.getByRole('dialog').waitFor();
    await check(seller.page, 'the dialog before deleting');
    await look(seller.page, path, 'Edit Product');
    await seller.leave();
    const admin = await aVisitor(browser, shop.url, { theme, width });
    await signIn(admin.page, 'Admin');
    await look(admin.page, '/dashboard/categories', 'Categories');
    await admin.page
      .getByRole('button', { name: /^Merge/ })
      .first()
      .click();
    await admin.page.getByRole('dialog').getByRole('combobox', { name: 'Into' }).waitFor();
    await check(admin.page, 'the dialog before merging');
    await admin.leave();
  });
});
