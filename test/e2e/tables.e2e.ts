import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '#server/platform/postgres/db.ts';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { buyByPost } from './by-post.ts';
import { copiesThat } from './copies.ts';
import { LOOKS } from './looks.ts';
import { openRow } from './rows.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember } from './sign-in.ts';

// Tables of the dashboards: dense and sorted by their heads at a desk, one line a row on a phone.

const PHONE = { width: 360, theme: 'dark' } as const;
/** A row of a phone, and a row at a desk with its border. */
const ROW_PX = { phone: 72, desk: 57 };
/** With what the demo has, more than one page. */
const MANY = 24;
const NEWEST = `Collected Letters, Volume ${MANY}`;

let shop: RunningShop;
let browser: Browser;

/** More copies than one page of the list has, each at a price of its own. */
const listMany = async (): Promise<void> => {
  const seller = await aMember(browser, shop.url, 'Seller');
  for (let place = 1; place <= MANY; place += 1) {
    await seller.call('POST', '/categories', {
      email: 'seller@example.com',
      Seller: 'Marlow Books',
      category_id: 'travel',
      title: `Collected Letters, Volume ${place}`,
      condition: 'Good',
      image_url: 'https://images.example/none.jpg',
      original_price: '60',
      resale_price: String(5 + ((place * 7) % MANY)),
      years_of_use: '2',
      phone: '1',
      location: 'Portland, OR',
      details: 'Read once.',
    });
  }
  await seller.leave();
};

/** One order that is paid for, and a booking that is not. */
const buyOneBookOne = async (): Promise<void> => {
  const buyer = await aMember(browser, shop.url, 'Buyer');
  const { db, close } = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 });
  await buyByPost(shop, db, buyer);
  await close();
  const [copy] = await copiesThat(shop.url, ({ Seller }) => Seller === 'Marlow Books');
  if (copy === undefined) throw new Error('nothing on the shelf');
  const { _id: listingId, title, image_url, resale_price: price } = copy;
  const who = { buyer: '', email: 'buyer@example.com', phone: '+1 555 0142', location: '' };
  await buyer.call('POST', '/bookings', { listingId, title, image_url, price, ...who });
  await buyer.leave();
};

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  await buyOneBookOne();
  await listMany();
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const open = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await page.getByRole('row').nth(1).waitFor();
};
const rowsOf = (page: Page): Locator => page.getByRole('row').filter({ has: page.getByRole('cell') });
const heights = (rows: Locator): Promise<number[]> =>
  rows.evaluateAll((all) => all.map((row) => Math.floor(row.getBoundingClientRect().height)));
const topOf = (part: Locator): Promise<number> => part.evaluate((shown) => shown.getBoundingClientRect().top);

const pricesOf = async (page: Page): Promise<number[]> => {
  const texts = await rowsOf(page).allTextContents();
  return texts.map((text) => Number(/\$([\d.]+)/.exec(text)?.[1]));
};
const isSorted = (prices: readonly number[]): boolean =>
  prices.every((price, place) => place === 0 || price >= (prices[place - 1] ?? 0));

describe('on a phone', () => {
  test('a row is one line of 72 px, and the rest of it opens with one press or by keyboard', async () => {
    const { page, leave } = await aMember(browser, shop.url, 'Seller', PHONE);
    await open(page, '/dashboard/my_products');
    const rows = rowsOf(page);
    expect(new Set(await heights(rows))).toEqual(new Set([ROW_PX.phone]));
    const row = rows.first();
    const edit = row.getByRole('link', { name: /^Edit/ });
    expect(await edit.isVisible()).toBe(false);
    expect(await row.getByRole('cell').count()).toBe(3);

    const more = row.getByRole('button', { name: `Show more of ${NEWEST}` });
    const box = await more.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await more.focus();
    await page.keyboard.press('Enter');
    await edit.waitFor();
    expect(await more.getAttribute('aria-expanded')).toBe('true');
    expect(await row.getByRole('cell').count()).toBe(4);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('tr')?.textContent)).toContain(NEWEST);
    await expectAccessible(page, 'an open row');
    await more.click();
    await edit.waitFor({ state: 'hidden' });
    await leave();
  });

  test('Pay stays at one press; to cancel, the row is opened', async () => {
    const { page, leave } = await aMember(browser, shop.url, 'Buyer', PHONE);
    await open(page, '/dashboard/my_orders');
    const row = rowsOf(page)
      .filter({ has: page.getByRole('link', { name: /^Pay/ }) })
      .first();
    const pay = row.getByRole('link', { name: /^Pay/ });
    expect((await pay.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    expect(await heights(row)).toEqual([ROW_PX.phone]);
    const cancel = row.getByRole('button', { name: /^Cancel/ });
    expect(await cancel.isVisible()).toBe(false);
    await openRow(row);
    await cancel.waitFor();
    await leave();
  });

  test('a list is sorted from a choice, which stands in the address', async () => {
    const { page, leave } = await aMember(browser, shop.url, 'Seller', PHONE);
    await open(page, '/dashboard/my_products');
    expect(await page.getByRole('button', { name: 'Price' }).count()).toBe(0);
    await page.getByLabel('Sort').selectOption('Lowest price first');
    await page.waitForURL('**/my_products?sort=price-up');
    await expect.poll(async () => isSorted(await pricesOf(page))).toBe(true);
    await page.reload();
    await page.getByRole('row').nth(1).waitFor();
    expect(await page.getByLabel('Sort').inputValue()).toBe('price-up');
    expect(isSorted(await pricesOf(page))).toBe(true);
    await leave();
  });
});

describe('at a desk', () => {
  test('a head sorts both ways and back again, by keyboard too, and the list reads on in its order', async () => {
    const { page, leave } = await aMember(browser, shop.url, 'Seller');
    await open(page, '/dashboard/my_products');
    const newest = await pricesOf(page);
    expect(Math.min(...(await heights(rowsOf(page))))).toBeLessThanOrEqual(ROW_PX.desk);
    const head = page.getByRole('columnheader', { name: 'Price' });
    const price = head.getByRole('button', { name: 'Price' });
    expect(await head.getAttribute('aria-sort')).toBeNull();
    await price.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/my_products?sort=price-up');
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
    expect(await price.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(isSorted(await pricesOf(page))).toBe(true);
    const before = await rowsOf(page).count();
    await page.getByRole('button', { name: 'Show more', exact: true }).click();
    await expect.poll(() => rowsOf(page).count()).toBeGreaterThan(before);
    expect(isSorted(await pricesOf(page))).toBe(true);

    await price.click();
    await page.waitForURL('**/my_products?sort=price-down');
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
    expect(isSorted((await pricesOf(page)).toReversed())).toBe(true);
    await price.click();
    await page.waitForURL((url) => url.search === '');
    await expect.poll(() => pricesOf(page)).toEqual(newest);
    await leave();
  });

  test('the head stays in sight while the rows go by', async () => {
    const { page, leave } = await aMember(browser, shop.url, 'Seller');
    await open(page, '/dashboard/my_products');
    await rowsOf(page).nth(20).scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 300);
    await expect.poll(() => topOf(page.getByRole('columnheader', { name: 'Price' }))).toBeCloseTo(0, 0);
    await leave();
  });

  test('columns are left out and kept so in the address; a search, a sort and a reload keep them', async () => {
    const { page, leave } = await aMember(browser, shop.url, 'Admin');
    await open(page, '/dashboard/all_users');
    const heads = () => page.getByRole('columnheader').allTextContents();
    expect(await heads()).toEqual(['No.', 'Name', 'Email', 'Role', 'Actions']);
    await page.getByRole('button', { name: 'Columns' }).click();
    const menu = page.getByRole('group', { name: 'Columns that are shown' });
    expect(await menu.getByRole('checkbox').count()).toBe(3);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await menu.getByRole('checkbox', { name: 'Role' }).uncheck();
    await page.waitForURL('**/all_users?hide=role');
    await menu.getByRole('checkbox', { name: 'No.' }).uncheck();
    await page.waitForURL((url) => url.searchParams.get('hide') === 'role,no');
    expect(await heads()).toEqual(['Name', 'Email', 'Actions']);
    expect(asked.filter((url) => url.includes('/api/users'))).toEqual([]);
    await expectAccessible(page, 'the menu of the columns');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get('sort') === 'name-up');
    await page.getByRole('searchbox', { name: 'Name or email' }).fill('example.com');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL((url) => url.searchParams.get('q') === 'example.com');
    await page.reload();
    await page.getByRole('row').nth(1).waitFor();
    expect(await heads()).toEqual(['Name', 'Email', 'Actions']);
    const names = await rowsOf(page).getByRole('cell').first().allTextContents();
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
    await page.getByRole('button', { name: 'Columns' }).click();
    await menu.getByRole('checkbox', { name: 'Role' }).check();
    await menu.getByRole('checkbox', { name: 'No.' }).check();
    await page.waitForURL((url) => !url.searchParams.has('hide'));
    await leave();
  });

  test('payments are sorted beside the columns that are left out', async () => {
    const { page, leave } = await aMember(browser, shop.url, 'Admin');
    await open(page, '/dashboard/money?hide=from-and-to');
    const payments = page.getByRole('table', { name: /^Payments/ });
    await payments.getByRole('columnheader', { name: 'Amount' }).getByRole('button').click();
    await page.waitForURL((url) => url.search === '?hide=from-and-to&sort=amount-down');
    await expect
      .poll(() => payments.getByRole('columnheader', { name: 'Amount' }).getAttribute('aria-sort'))
      .toBe('descending');
    expect(await payments.getByRole('columnheader', { name: 'From and to' }).count()).toBe(0);
    await leave();
  });

  test('what cannot be undone is quiet until its row is wanted, and in sight all the time', async () => {
    const { page, leave } = await aMember(browser, shop.url, 'Seller');
    await open(page, '/dashboard/my_products');
    const row = rowsOf(page).filter({ hasText: 'Available' }).first();
    const remove = row.getByRole('button', { name: /^Delete/ });
    const colour = () => remove.evaluate((button) => getComputedStyle(button).color);
    const quiet = await colour();
    await row.hover();
    await expect.poll(colour).not.toBe(quiet);
    await page.mouse.move(0, 0);
    await expect.poll(colour).toBe(quiet);
    await row.getByRole('link', { name: /^Edit/ }).focus();
    await expect.poll(colour).not.toBe(quiet);
    await leave();
  });
});

describe.each(LOOKS)('in the $theme theme at $width px', ({ theme, width }) => {
  test('open and closed rows have nothing for axe, and no sideways scroll', async () => {
    for (const [who, paths] of [
      ['Seller', ['my_products?sort=title-up', 'my_buyers?hide=booked', 'statement']],
      ['Buyer', ['my_orders']],
      ['Admin', ['all_sellers?sort=name-down', 'money?sort=oldest', 'categories?sort=books']],
    ] as const) {
      const { page, leave } = await aMember(browser, shop.url, who, { theme, width });
      for (const path of paths) {
        await open(page, `/dashboard/${path}`);
        await openRow(rowsOf(page));
        await expectAccessible(page, path);
      }
      await leave();
    }
  });
});
