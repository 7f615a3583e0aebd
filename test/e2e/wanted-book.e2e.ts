// Somebody on a phone who knows what they want: from one sentence on the landing page to paid, every touch counted.
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { alive } from './failing.ts';
import { hasFocus } from './keyboard.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember } from './sign-in.ts';

const WANTED = 'Dune under $8 near Portland in good condition';
const PHONE = { width: 390, height: 844 };
/** What is touched: the box and its key, two buttons and a link, the card's three fields, and the last button. */
const MOST_TOUCHES = 9;

let shop: RunningShop;
let browser: Browser;
beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

test('the one copy that fits a sentence is found and paid for on a phone in nine touches', async () => {
  const { page, leave } = await aMember(browser, shop.url, 'Buyer', { width: PHONE.width });
  await page.setViewportSize(PHONE);
  const touched: string[] = [];
  const touch = async (what: string, target: Locator): Promise<void> => {
    touched.push(what);
    await target.click();
  };
  const write = async (what: string, field: Locator, text: string): Promise<void> => {
    await touch(what, field);
    await field.pressSequentially(text);
  };
  await page.goto('/');
  await alive(page);
  const box = page.getByRole('combobox', { name: 'Search for a book' }).locator('visible=true');
  await write('search box', box, WANTED);
  touched.push('Enter');
  await box.press('Enter');
  await page.getByText('1 book found').waitFor();
  const card = page.getByRole('article');
  const title = (await card.getByRole('heading').textContent()) ?? '';
  expect(title).toContain('Dune');
  await touch('Book Now', card.getByRole('button', { name: /^Book Now/ }));
  const dialog = page.getByRole('dialog');
  // It has the focus: what follows is typed.
  await expect.poll(() => hasFocus(dialog.getByLabel('Phone'))).toBe(true);
  await page.keyboard.type('+1 555 0142');
  await touch('Book for', dialog.getByRole('button', { name: /^Book for \$/ }));
  await touch('Pay now', page.getByRole('main').getByRole('link', { name: `Pay now for ${title}` }));
  await page.getByRole('button', { name: /^Pay \$/, disabled: false }).waitFor();
  await write('card number', page.getByLabel('Card number'), '4242424242424242');
  await write('expiry', page.getByLabel(/Expiration/), '1232');
  await write('CVC', page.getByLabel(/CVC/), '123');
  await touch('Pay', page.getByRole('button', { name: /^Pay \$/ }));
  await page.getByText('Congrats! Your payment completed').waitFor();
  process.stdout.write(`“${WANTED}” on a phone: ${touched.length} touches (${touched.join(', ')})\n`);
  expect(touched.length).toBeLessThanOrEqual(MOST_TOUCHES);
  await leave();
});
