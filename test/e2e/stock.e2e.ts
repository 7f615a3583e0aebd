import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { bytesOf } from './download.ts';
import { launchBrowser } from './browser.ts';
import { LOOKS } from './looks.ts';
import { openMail } from './mailbox.ts';
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

/** As a stock program writes it: semicolons, decimal commas, Windows' letters, a lone S, one row without a price. */
const FILE = [
  'sku;title;author;isbn;price;quantity;condition;status;location',
  'W-1;Wuthering Heights;Emily Brontë;9780141439556;7,50;1;VG+;S;A3',
  'W-2;Jane Eyre;Charlotte Brontë;;12,00;2;Fine;S;A3',
  'W-3;Agnes Grey;Anne Brontë;;;1;Good;S;A4',
  'W-4;Villette;Charlotte Brontë;;9,00;1;Good;H;A4',
].join('\r\n');

const drop = (page: Page, name: string, text: string, encoding: BufferEncoding = 'latin1') =>
  page.getByLabel('Stock file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text, encoding) });

test.each(LOOKS)(
  'a bookseller moves in from a file, mends a row, and takes it back ($theme, $width px)',
  async (look) => {
    const { page, leave } = await aMember(browser, shop.url, 'Seller', look);
    await page.goto('/dashboard/stock');
    await page.getByRole('heading', { level: 1, name: 'Stock' }).waitFor();
    await expectAccessible(page, 'Stock, empty');
    const name = `stock-${look.theme}-${look.width}.csv`;
    const file = page.getByRole('region', { name, exact: true });
    await drop(page, name, FILE.replaceAll('W-', `${look.theme}${look.width}-`));
    await file.getByText('4 rows are refused').waitFor();
    // What a lone letter means differs from house to house.
    await page.getByLabel('“S” in 3 rows').selectOption('sale');
    await page.getByLabel('“H” in 1 row').selectOption('pause');
    await file.getByText('It adds 4 copies.').waitFor();
    await expectAccessible(page, 'Stock, looked at');
    await page.getByText('How it is read: A table, Windows-1252').click();
    await page.getByText('Emily Brontë').first().waitFor();

    await page.getByRole('button', { name: /^Mend\b.*line 4$/ }).click();
    const mend = page.getByRole('dialog', { name: 'Line 4' });
    await mend.getByText('It has no price').waitFor();
    await expectAccessible(page, 'Mend a row');
    await mend.getByLabel('Price').fill('6,00');
    await mend.getByRole('button', { name: 'Put it right' }).click();
    await file.getByText('It adds 5 copies.').waitFor();

    await page.getByRole('button', { name: 'Write it into the shop' }).click();
    await page.getByText('Your file is in the shop').waitFor();
    await page.getByText('It added 5 copies.').waitFor();
    await openMail(page, `Your stock file is in the shop: ${name}`);

    // The same file again has nothing to do.
    await page.goto('/dashboard/stock');
    await page.getByRole('button', { name: 'Bring another file' }).click();
    await drop(page, `again-${name}`, FILE.replaceAll('W-', `${look.theme}${look.width}-`));
    await page.getByLabel('“S” in 3 rows').selectOption('sale');
    await page.getByLabel('“H” in 1 row').selectOption('pause');
    await page.getByText('There is nothing to be done').waitFor();
    await page.getByRole('button', { name: 'Leave it' }).click();

    const before = page
      .getByRole('region', { name: 'Files before' })
      .getByRole('listitem')
      .filter({ hasText: name })
      .last();
    await before.getByRole('button', { name: /^Undo/ }).click();
    await before.getByText(/^Undone/).waitFor();
    await page.goto('/dashboard/my_products');
    await page.getByRole('heading', { level: 1, name: 'My Products' }).waitFor();
    expect(await page.getByText('Agnes Grey').count()).toBe(0);
    await leave();
  },
);

test('a bookseller moves out with a file of everything', async () => {
  const { page, leave } = await aMember(browser, shop.url, 'Seller', { width: 360 });
  await page.goto('/dashboard/stock');
  await page.getByLabel('Format of the file').selectOption({ label: 'UIEE' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('dogear-stock.uiee.txt');
  const text = (await bytesOf(download)).toString();
  expect(text).toMatch(/^UR\|[^\r\n]+\r\nTI\|/);
  // Brought back, it has nothing to do.
  await drop(page, 'dogear-stock.uiee.txt', text, 'utf8');
  await page.getByText('There is nothing to be done').waitFor();
  await page.getByRole('button', { name: 'Leave it' }).click();
  await page.getByRole('button', { name: 'Choose a file' }).waitFor();
  await leave();
});

test('what is no text, and a list of ISBNs without prices, are told clearly', async () => {
  const { page, leave } = await aMember(browser, shop.url, 'Seller');
  await page.goto('/dashboard/stock');
  await drop(page, 'stock.xlsx', 'PK\u0003\u0004 and so on');
  await page.getByText('export your stock as text first').waitFor();
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await page.getByText('Or paste a list of ISBNs').click();
  await page.getByLabel('ISBNs').fill('found in a box: 978-0-14-143955-6, twice 9780141439556');
  await page.getByRole('button', { name: 'Look at the list' }).click();
  const list = page.getByRole('region', { name: 'isbns.txt', exact: true });
  await list.getByText(/One row is refused/).waitFor();
  await list.getByText(/It has no (title|price)/).waitFor();
  await list.getByRole('button', { name: 'Leave it' }).click();
  await page.getByRole('button', { name: 'Choose a file' }).waitFor();
  await leave();
});

test('a lost connection costs nothing: the rest is sent as soon as there is one', async () => {
  const { page, context } = await aMember(browser, shop.url, 'Seller');
  await page.goto('/dashboard/stock');
  let isDown = true;
  await context.route('**/api/stock/files/*/parts/1', (route) => (isDown ? route.abort() : route.fallback()));
  const rows = Array.from({ length: 60_000 }, (_, n) => `L-${n},Book ${n} ${'x'.repeat(60)},4.00,Good`);
  await drop(page, 'large.csv', ['sku,title,price,condition', ...rows].join('\n'));
  await page.getByText('No connection: it goes on by itself').waitFor();
  isDown = false;
  await page.getByText('It adds 60,000 copies.').waitFor({ timeout: 90_000 });
  await page.getByRole('button', { name: 'Leave it' }).click();
  await page.getByRole('button', { name: 'Choose a file' }).waitFor();
  // A request that was broken off shows in the console.
  await context.close();
});
