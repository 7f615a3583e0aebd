import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatDate } from '#contract/time.ts';
import { launchBrowser } from './browser.ts';
import { aMember } from './sign-in.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aVisitor } from './visitor.ts';

/** More than a day apart: a moment is never of the same day in both. */
const SHOPS = 'Pacific/Pago_Pago';
const READERS = 'Pacific/Kiritimati';

let shop: RunningShop;
let browser: Browser;
let book: { _id: string; published_date: string };

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop({ env: { SHOP_TIME_ZONE: SHOPS } }), launchBrowser()]);
  [book] = (await (await fetch(`${shop.url}/api/categories?limit=1`)).json()) as [typeof book];
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

test('without scripts a page tells times by the clock of the shop', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { timeZone: READERS, javaScript: false });
  await page.goto(`/book/${book._id}`);
  expect(await page.getByRole('time').textContent()).toBe(formatDate(book.published_date, SHOPS));
  await leave();
});

test('mails go by the clock of whoever signed in, which is told once', async () => {
  const buyer = await aMember(browser, shop.url, 'Buyer', { timeZone: READERS });
  const { page } = buyer;
  let told = 0;
  page.on('request', (request) => (told += request.method() === 'PATCH' ? 1 : 0));
  await page.goto(`/book/${book._id}`);
  const zone = async () => (await buyer.call<{ user: { timeZone: string } }>('GET', '/auth/session')).user.timeZone;
  await expect.poll(zone).toBe(READERS);
  await page.goto('/dashboard/my_orders');
  await page.getByRole('heading', { name: 'My Orders', level: 1 }).waitFor();
  await page.getByText('No orders yet').waitFor();
  expect(told).toBe(1);
  await buyer.leave();
});

test.each([360, 1280])('a page turns to the clock of its reader without moving anything, %i px wide', async (width) => {
  const { page, leave } = await aVisitor(browser, shop.url, { timeZone: READERS, width });
  // Letters that come late move what they stand in a little, whatever a clock says: nobody's come here.
  await page.route('**/*.woff2', (route) => route.fulfill({ status: 404 }));
  await page.goto(`/book/${book._id}`);
  await page.getByText(formatDate(book.published_date, READERS), { exact: true }).waitFor();
  expect(await page.getByText(formatDate(book.published_date, SHOPS), { exact: true }).count()).toBe(0);
  const shifts = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
        // The letters of a drawn cover are set anew once their font is known, and say no time.
        const isOfCover = ({ sources }: Shift): boolean =>
          sources.every(
            ({ node }) => (node instanceof Element ? node : node?.parentElement)?.closest('.drawn') != null,
          );
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as Shift[]) if (!isOfCover(entry)) sum += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
        // What was noted before is told first.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );
  expect(shifts).toBe(0);
  await leave();
});
