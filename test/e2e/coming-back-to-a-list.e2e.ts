// Long lists on a phone: how high they are, and that Back from a book finds the place where one was read on.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { layOutAll } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { alive } from './failing.ts';
import { openRow } from './rows.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

let shop: RunningShop;
let browser: Browser;

const MANY = 30;
/** Nothing is asked of other hosts: a cover is drawn. */
const COVER = 'https://images.example/none.jpg';

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  const seller = await aMember(browser, shop.url, 'Seller');
  for (let place = 1; place <= MANY; place += 1) {
    await seller.call('POST', '/categories', {
      email: 'seller@example.com',
      Seller: 'Marlow Books',
      category_id: 'travel',
      title: `On the Road Again, from Portland to Patagonia, Volume ${place}`,
      authors: 'Astrid Lindqvist',
      condition: 'Good',
      image_url: COVER,
      original_price: '20',
      resale_price: '9',
      years_of_use: '2',
      phone: '1',
      location: 'Portland, OR',
      details: 'Read once.',
    });
  }
  await seller.leave();
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const scrollOf = (page: Page): Promise<number> => page.evaluate(() => Math.round(scrollY));

/** Reads the list on to its `pages`, opens the last row but some, comes back, and expects to be where they were. */
const goAndComeBack = async (
  page: Page,
  list: { rows: string; link: RegExp; pages: number; arrive: RegExp },
): Promise<void> => {
  await alive(page);
  const rows = page.locator(list.rows);
  const isTable = list.rows !== 'article';
  const more = page.getByRole('main').getByRole(isTable ? 'button' : 'link', { name: 'Show more', exact: isTable });
  for (let read = 1; read < list.pages; read += 1) {
    const before = await rows.count();
    await more.click();
    await expect.poll(() => rows.count()).toBeGreaterThan(before);
  }
  const count = await rows.count();
  const link = rows
    .nth(count - 4)
    .getByRole('link', { name: list.link })
    .first();
  if (isTable) await openRow(rows.nth(count - 4));
  await link.scrollIntoViewIfNeeded();
  const before = await scrollOf(page);
  await link.click();
  await page.waitForURL(list.arrive);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goBack();
  await expect.poll(() => rows.count()).toBe(count);
  await expect.poll(async () => Math.abs((await scrollOf(page)) - before)).toBeLessThan(8);
};

const BOOKS = { rows: 'article', link: /./, arrive: /\/book\// };

test.each([
  ['home', '/', 3],
  ['a search', '/search?sort=price-up', 2],
  ['a category', '/category/travel', 2],
])('Back from a book finds the place in %s after Show more', async (_, path, pages) => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: 360 });
  await page.goto(path);
  await goAndComeBack(page, { ...BOOKS, pages });
  await leave();
});

/** Of a category of 24 copies on a phone, each with a title of two lines, its author and both prices. */
const MOST_PX = 5_500;

test(`a category of 24 long titles is at most ${MOST_PX} px high on a phone`, async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: 360 });
  await page.goto('/category/travel');
  await alive(page);
  await layOutAll(page);
  const lines = (element: Element): number =>
    element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight);
  const titles = page.locator('article h2');
  expect(await titles.count()).toBe(24);
  expect(await titles.last().evaluate(lines)).toBeCloseTo(2, 1);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(MOST_PX);
  await leave();
});

test.each([320, 640])('Book Now stays inside of its card at %s px', async (width) => {
  const { page, leave } = await aVisitor(browser, shop.url, { width });
  await page.goto('/search?sort=price-down');
  await alive(page);
  const beyond = await page.locator('.copy-buy > .btn').evaluateAll(
    (buttons) =>
      buttons.filter((button) => {
        const card = button.closest('article');
        if (card === null) return true;
        const inner = card.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(card).paddingRight);
        return button.getBoundingClientRect().right > inner;
      }).length,
  );
  expect(await page.locator('.copy-buy > .btn').count()).toBeGreaterThan(10);
  expect(beyond).toBe(0);
  await leave();
});

test('Back finds the place in all categories and in My Products after Show more', async () => {
  const { page, leave } = await aMember(browser, shop.url, 'Seller', { width: 360 });
  await page.goto('/categories');
  await page.getByRole('article').first().waitFor();
  await goAndComeBack(page, { ...BOOKS, pages: 2 });
  await page.goto('/dashboard/my_products');
  await page.getByRole('row').nth(1).waitFor();
  await goAndComeBack(page, { rows: 'tbody tr', link: /^Edit/, arrive: /\/edit_product\//, pages: 2 });
  await leave();
});

test('a search that is left by another one is found again as it was', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: 360 });
  await page.goto('/search?sort=price-up');
  await alive(page);
  await page.getByRole('link', { name: 'Show more' }).click();
  await expect.poll(() => page.getByRole('article').count()).toBe(48);
  await page.getByLabel('Sort').selectOption('newest');
  await page.waitForURL('**/search?sort=newest');
  await expect.poll(() => page.getByRole('article').count()).toBe(24);
  await page.goBack();
  await expect.poll(() => page.getByRole('article').count()).toBe(48);
  await leave();
});

/** A bar of the shop's: Google calls 0.1 good. */
const MOST_SHIFT = 0.02;
/** What moved did so in half of the loads, while a page still came in. */
const LOADS = 6;

test.each([360, 1280])('a list of books does not move while it comes in, %i px wide', async (width) => {
  const shifts: number[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    const { page, leave } = await aVisitor(browser, shop.url, { width });
    await page.goto('/category/travel');
    await alive(page);
    shifts.push(
      await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let sum = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
            }).observe({ type: 'layout-shift', buffered: true });
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
          }),
      ),
    );
    await leave();
  }
  expect(Math.max(...shifts)).toBeLessThan(MOST_SHIFT);
});
