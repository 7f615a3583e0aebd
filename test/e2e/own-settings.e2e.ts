import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

let shop: RunningShop;
let browser: Browser;
let book: { _id: string; title: string };

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  [book] = (await (await fetch(`${shop.url}/api/categories?limit=1`)).json()) as [typeof book];
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const PAGES: readonly (readonly [string, () => string])[] = [
  ['the landing page', () => '/'],
  ['a category', () => '/category/fantasy'],
  ['a book', () => `/book/${book._id}`],
  ['a search', () => '/search?q=dune'],
  ['signing in', () => '/login'],
  ['registering', () => '/register'],
];

const isInSight = (page: Page, name: string): Promise<boolean> =>
  page.getByRole('button', { name }).evaluate((button) => {
    const { left, right, top } = button.getBoundingClientRect();
    return left >= 0 && right <= innerWidth && top < innerHeight;
  });

test.each(PAGES)('with letters twice as large on the smallest phone %s scrolls down only', async (_name, pathOf) => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: 320 });
  await page.goto(pathOf());
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  const widths = () => page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  await expect.poll(widths).toEqual([320, 320]);
  expect(await isInSight(page, 'Menu')).toBe(true);
  expect(await isInSight(page, 'Dark theme')).toBe(true);
  await leave();
});

/**
 * What a page says only where there are no scripts; `getByText` looks into no <noscript>, which mostly is not shown.
 */
const noticesOf = (page: Page): Promise<string[]> =>
  page.locator('noscript > *').filter({ visible: true }).allInnerTexts();

describe('without scripts', () => {
  test.each([
    ['/login', 'This form needs JavaScript'],
    ['/register', 'This form needs JavaScript'],
    ['/dashboard', 'Your dashboard needs JavaScript'],
    ['/dashboard/my_orders', 'Your dashboard needs JavaScript'],
    ['/categories', 'The full list needs JavaScript'],
  ])('%s says what it needs, and does not look as if it were loading', async (path, sentence) => {
    const { page, leave } = await aVisitor(browser, shop.url, { javaScript: false });
    await page.goto(path);
    expect(await noticesOf(page)).toEqual([expect.stringContaining(sentence)]);
    expect(await page.locator('.skeleton').filter({ visible: true }).count()).toBe(0);
    await leave();
  });

  test('pages that work without them say nothing of it', async () => {
    const { page, leave } = await aVisitor(browser, shop.url, { javaScript: false });
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await noticesOf(page)).toEqual([]);
    await leave();
  });
});

describe('on paper', () => {
  test('a book is ink without what can only be pressed, in the dark theme too', async () => {
    const { page, leave } = await aVisitor(browser, shop.url, { theme: 'dark' });
    await page.goto(`/book/${book._id}`);
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('heading', { level: 1, name: book.title }).waitFor();
    for (const gone of [page.getByRole('banner'), page.getByRole('contentinfo'), page.getByRole('button')]) {
      expect(await gone.filter({ visible: true }).count()).toBe(0);
    }
    const colors = await page.evaluate(() => {
      const { color, backgroundColor } = getComputedStyle(document.body);
      return [color, backgroundColor];
    });
    expect(colors).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    await leave();
  });

  test('orders are the list alone, with the state of each in words', async () => {
    const buyer = await aMember(browser, shop.url, 'Buyer');
    const { page } = buyer;
    await page.goto('/dashboard/my_orders');
    await page.getByRole('heading', { level: 1, name: 'My Orders' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0);
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
    await buyer.leave();
  });
});

describe('on a phone’s home screen', () => {
  test('the shop has a name, its colour and pictures of every size that it names', async () => {
    const { page, leave } = await aVisitor(browser, shop.url);
    await page.goto('/');
    const manifest = await page.evaluate(async () => {
      const { href } = document.querySelector('link[rel=manifest]') as HTMLLinkElement;
      return (await (await fetch(href)).json()) as { name: string; icons: { src: string; sizes: string }[] };
    });
    expect(manifest.name).toContain('Dogear');
    const sizeOf = (src: string) =>
      page.evaluate(async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
    for (const { src, sizes } of manifest.icons.filter((icon) => icon.sizes !== 'any')) {
      expect([src, await sizeOf(src)]).toEqual([src, sizes]);
    }
    expect(await sizeOf('/apple-touch-icon.png')).toBe('180x180');
    expect(await sizeOf('/favicon.ico')).toMatch(/^(16|32|48)x/);
    await leave();
  });

  test.each([
    ['light', '#fffdf8'],
    ['dark', '#2b241e'],
  ] as const)('the %s theme colours what is around the page, and a change is followed', async (theme, color) => {
    const { page, leave } = await aVisitor(browser, shop.url, { theme });
    await page.goto('/');
    const told = () => page.evaluate(() => document.querySelector('meta[name=theme-color]')?.getAttribute('content'));
    expect(await told()).toBe(color);
    await page.getByRole('button', { name: /theme/ }).click();
    await expect.poll(told).not.toBe(color);
    await leave();
  });
});
