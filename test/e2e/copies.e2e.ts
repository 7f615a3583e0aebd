import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { LOOKS } from './looks.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember } from './sign-in.ts';

let shop: RunningShop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const AUSTEN = ['Emma', 'Persuasion', 'Mansfield Park', 'Lady Susan', 'Northanger Abbey'];

/** Brings a small stock in, as a seller does. */
const moveIn = async (page: Page, name: string): Promise<void> => {
  const rows = AUSTEN.map(
    (title, place) => `${name}-${place},${title},Jane Austen,${place + 4}.00,1,Good,R${place % 2}`,
  );
  const text = `sku,title,author,price,quantity,condition,shelf\n${rows.join('\n')}\n`;
  await page.goto('/dashboard/stock');
  // Where the last file is still in sight.
  const another = page.getByRole('button', { name: 'Bring another file' });
  await another.or(page.getByRole('button', { name: 'Choose a file' })).waitFor();
  if (await another.isVisible()) await another.click();
  await page
    .getByLabel('Stock file')
    .setInputFiles({ name: `${name}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) });
  const file = page.getByRole('region', { name: `${name}.csv`, exact: true });
  await file.getByText('It adds 5 copies.').waitFor();
  await page.getByRole('button', { name: 'Write it into the shop' }).click();
  await file.getByText('Your file is in the shop').waitFor();
};

test.each(LOOKS)('a bookseller edits many books, sells one over the counter ($theme, $width px)', async (look) => {
  const { page, call, leave } = await aMember(browser, shop.url, 'Seller', look);
  const name = `austen-${look.theme}-${look.width}`;
  await moveIn(page, name);
  await page.getByRole('link', { name: 'All copies' }).click();
  await page.getByRole('searchbox', { name: 'Search your stock' }).fill(name);
  await page.keyboard.press('Enter');
  await page.getByText('5 copies', { exact: true }).waitFor();
  await expectAccessible(page, 'All copies');

  // By keyboard alone.
  await page.getByLabel('Choose Emma').focus();
  await page.keyboard.press('Space');
  await page.getByText('1 chosen').waitFor();
  await page.getByRole('button', { name: 'Choose all 5' }).click();
  await page.getByLabel('Choose Emma').uncheck();
  await page.getByText('4 chosen').waitFor();

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit 4 copies' });
  await dialog.getByRole('button', { name: 'See what changes' }).click();
  await dialog.getByText('Choose what is to change').waitFor();
  await dialog.getByLabel('Price', { exact: true }).selectOption('Up by percent');
  await dialog.getByLabel('Percent').fill('10');
  await dialog.getByLabel('Rounded').selectOption('To .99');
  await dialog.getByRole('button', { name: 'See what changes' }).click();
  await dialog.getByText('4 of 4 copies change.').waitFor();
  await dialog.getByText('$8.00 → $8.99').waitFor();
  await expectAccessible(page, 'Edit many');
  await dialog.getByRole('button', { name: 'Change 4 copies' }).click();
  const edits = page.getByRole('region', { name: 'Edits' });
  await edits.getByText('Done: 4 copies changed').waitFor();
  await page.getByText('$8.99').first().waitFor();
  await edits.getByRole('button', { name: /^Undo/ }).click();
  await edits.waitFor({ state: 'hidden' });
  await page.getByText('$8.00').first().waitFor();

  // A label's code opens exactly that copy: one press, and one that takes it back.
  await page.getByLabel('Choose Emma').check();
  await page.getByRole('link', { name: 'Print labels' }).click();
  await page.getByRole('img', { name: 'Code of Emma' }).waitFor();
  const [emma] = await call<{ _id: string }[]>('GET', `/stock/copies?q=${name}+emma`);
  const id = emma?._id ?? '';
  await page.goto(`/dashboard/stock/copies/${id}`);
  await page.getByRole('button', { name: 'Sold elsewhere Emma' }).click();
  await page.getByText('It is out of the shop.').waitFor();
  await expectAccessible(page, 'A copy');
  expect((await fetch(`${shop.url}/book/${id}`)).status).toBe(404);
  await page.getByRole('button', { name: 'Put it back Emma' }).click();
  await page.getByText('For sale').waitFor();
  await leave();
});
