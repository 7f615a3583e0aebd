import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { LOOKS } from './looks.ts';
import { openRow } from './rows.ts';
import { openShop, runScript, type RunningShop } from './shop.ts';
import { signIn } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

/** Fifty books to import, so that a list has more than one page. */
const OWN_FILE = path.join(import.meta.dirname, '../../db/seed/dirty-books.csv');

let shop: RunningShop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

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
  await page.getByText('Give a price from $0.50 to $99,999.99').waitFor();
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
  await dialog.getByRole('alert').getByText('A buyer has reserved this book').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('row').filter({ hasText: title }).getByText('Reserved').waitFor();
  await leave();
});

test('coming back to a long list reads it again and loses nobody their place', async () => {
  await runScript(
    shop,
    'scripts/import.ts',
    OWN_FILE,
    '--seller',
    'seller@example.com',
    '--category',
    'classics',
    '--demo',
  );
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
  test('the dialogs of selling have nothing for axe, and no sideways scroll', async () => {
    const seller = await aVisitor(browser, shop.url, { theme, width });
    await signIn(seller.page, 'Seller');
    await seller.page.goto('/dashboard/my_products');
    await openRow(rowsOf(seller.page).filter({ hasText: 'Available' }));
    await seller.page
      .getByRole('button', { name: /^Delete/, disabled: false })
      .first()
      .click();
    await seller.page.getByRole('dialog').waitFor();
    await expectAccessible(seller.page, 'the dialog before deleting');
    await seller.leave();
    const admin = await aVisitor(browser, shop.url, { theme, width });
    await signIn(admin.page, 'Admin');
    await admin.page.goto('/dashboard/categories');
    await openRow(rowsOf(admin.page));
    await admin.page
      .getByRole('button', { name: /^Merge/ })
      .first()
      .click();
    await admin.page.getByRole('dialog').getByRole('combobox', { name: 'Into' }).waitFor();
    await expectAccessible(admin.page, 'the dialog before merging');
    await admin.leave();
  });
});
