// What a copy is to whoever looks: reserved for them, bought by them, listed by them. The page itself is the same for
// everyone.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { hasFocus } from './keyboard.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

let shop: RunningShop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const RESERVED_FOR_YOU = /^Reserved for you until \d+:\d\d [AP]M\./;

/** The first card whose copy can be booked. */
const freeCard = (page: Page): Locator =>
  page
    .getByRole('article')
    .filter({ has: page.getByRole('button', { name: /^Book Now/, disabled: false }) })
    .first();

const overlaps = async (a: Locator, b: Locator): Promise<boolean> => {
  const [one, other] = [await a.boundingBox(), await b.boundingBox()];
  if (one === null || other === null) return false;
  const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x;
  const isAbove = one.y + one.height <= other.y || other.y + other.height <= one.y;
  return !isBeside && !isAbove;
};

/** Waits until a notice lies over none of these, and stays so. */
const expectClear = async (notice: Locator, steps: Record<string, Locator>): Promise<void> => {
  await notice.waitFor();
  const covered = async (): Promise<string[]> => {
    const names: string[] = [];
    for (const [name, step] of Object.entries(steps)) if (await overlaps(notice, step)) names.push(name);
    return names;
  };
  await expect.poll(covered).toEqual([]);
};

const noticeOf = (page: Page, title: string): Locator =>
  page.getByRole('status').filter({ hasText: title }).locator('> div').filter({ hasText: title });

test.each(['light', 'dark'] as const)(
  'on a phone in the %s theme a booking leads on to paying, and nothing says that somebody else has the copy',
  async (theme) => {
    const { page, leave } = await aMember(browser, shop.url, 'Buyer', { width: 360, theme });
    await page.goto('/category/fantasy');
    const link = freeCard(page).getByRole('heading').getByRole('link');
    const title = (await link.textContent()) ?? '';
    await link.click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.getByRole('button', { name: /^Book Now/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Phone').waitFor();
    await expect.poll(() => hasFocus(dialog.getByLabel('Phone'))).toBe(true);
    await dialog.getByRole('button', { name: /^Book for/ }).click();

    const notice = noticeOf(page, 'Booking successful');
    await notice.getByText(/Reserved until \d+:\d\d [AP]M\./).waitFor();
    const pay = page.getByRole('main').getByRole('link', { name: /^Pay now/ });
    await expect.poll(() => hasFocus(pay)).toBe(true);
    const main = page.getByRole('main');
    await expectClear(notice, {
      title: page.getByRole('heading', { level: 1 }),
      price: main.locator('[data-keep-clear]'),
      pay,
    });
    await main.getByText(RESERVED_FOR_YOU).waitFor();
    await expectAccessible(page, 'a book that is reserved for the reader');
    const payment = await pay.getAttribute('href');
    expect(await notice.getByRole('link', { name: 'Pay now' }).getAttribute('href')).toBe(payment);
    const book = new URL(page.url()).pathname;

    // So it is when the page is loaded anew, and wherever else the copy is listed.
    await page.reload();
    await main.getByText(RESERVED_FOR_YOU).waitFor();
    await expect.poll(() => page.getByText('Another reader').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: /^Join waiting list/ }).count()).toBe(0);
    for (const path of ['/category/fantasy', `/search?q=${encodeURIComponent(title)}`]) {
      await page.goto(path);
      const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
      await card.getByText('Reserved for you').waitFor();
      await card.getByText(/^Pay by \d+:\d\d [AP]M/).waitFor();
      expect(await card.getByRole('link', { name: `Pay now for ${title}` }).getAttribute('href')).toBe(payment);
    }

    const other = await aVisitor(browser, shop.url);
    await other.page.goto(book);
    await other.page.getByText('Another reader has reserved this copy.').waitFor();
    await other.page.getByRole('button', { name: /^Join waiting list/ }).waitFor();
    await other.leave();
    await leave();
  },
);

test('the link of the notice leads to the payment of what was booked', async () => {
  const { page, leave } = await aMember(browser, shop.url, 'Buyer', { width: 360 });
  await page.goto('/category/history');
  await freeCard(page)
    .getByRole('button', { name: /^Book Now/ })
    .click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Book for/ })
    .click();
  await noticeOf(page, 'Booking successful').getByRole('link', { name: 'Pay now' }).click();
  await page.waitForURL(/\/dashboard\/payment\/[0-9a-f-]{36}$/);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await leave();
});

test('what copies are to the reader is asked once for all of a page, moves nothing, and is not asked for visitors', async () => {
  const { page, leave } = await aMember(browser, shop.url, 'Buyer', { width: 360 });
  const known = Promise.withResolvers<void>();
  let calls = 0;
  await page.route(/\/api\/standing\?/, async (route) => {
    calls += 1;
    await known.promise;
    return route.fallback();
  });
  await page.goto('/category/history');
  await expect.poll(() => calls).toBe(1);
  const places = () =>
    page.getByRole('article').evaluateAll((cards) => cards.map((card) => JSON.stringify(card.getBoundingClientRect())));
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const before = await places();
  expect(await page.getByText('Reserved for you').count()).toBe(0);
  known.resolve();
  await page.getByText('Reserved for you').first().waitFor();
  expect(await places()).toEqual(before);
  expect(calls).toBe(1);
  await leave();
  const visitor = await aVisitor(browser, shop.url, { width: 360 });
  const asked: string[] = [];
  visitor.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await visitor.page.goto('/category/history');
  await visitor.page
    .getByRole('link', { name: 'Menu' })
    .or(visitor.page.getByRole('button', { name: 'Menu' }))
    .waitFor();
  await expect.poll(() => asked).toContain('/api/auth/session');
  await visitor.page.waitForLoadState('networkidle');
  expect(asked).not.toContain('/api/standing');
  await visitor.leave();
});

test('a seller is led to editing an own copy, and cannot book it', async () => {
  const { page, call, leave } = await aMember(browser, shop.url, 'Seller', { width: 360 });
  const [own] = await call<{ _id: string; title: string }[]>('GET', '/categories/my_products?email=seller@example.com');
  await page.goto(`/book/${own?._id}`);
  const edit = page.getByRole('link', { name: `Edit your listing of ${own?.title}` });
  await edit.waitFor();
  await page.getByText('Your listing', { exact: true }).waitFor();
  expect(
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Book Now/ })
      .count(),
  ).toBe(0);
  await edit.click();
  await page.waitForURL(/\/dashboard\/edit_product\//);
  await leave();
});

test('on a phone the notices of a sign-up leave Sign In, the next step, uncovered', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: 360 });
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto('/register');
  await page.getByLabel('Name').fill('Ada Reader');
  await page.getByLabel('Email').fill('ada.clear@example.com');
  await page.getByLabel('Password', { exact: true }).fill('Dog#Eats#Fern');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByRole('button', { name: /^Buyer/ }).click();
  await page.waitForURL(/\/login/);
  const form = page.getByRole('form', { name: 'Sign In' });
  await expectClear(noticeOf(page, 'Make buyer Successful'), {
    password: form.getByLabel('Password', { exact: true }),
    signIn: form.getByRole('button', { name: 'Sign In', exact: true }),
  });
  await leave();
});
