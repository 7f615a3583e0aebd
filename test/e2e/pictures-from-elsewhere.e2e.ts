// Nobody who looks at the shop asks another host for anything, whatever address a picture was given by.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Listing } from '#contract/catalog/catalog.ts';
import { aPicture } from '#test/photos.ts';
import { launchBrowser } from './browser.ts';
import { fetchWaiting } from './fetch-waiting.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, type Member } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

const TITLE = 'Letters from Far Away';
/** As alike to a photo of the shop as an address elsewhere can be. */
const ELSEWHERE = 'https://images.example/letters.jpg';
const ALIKE = 'https://images.example/photos/aaaaaaaaaaaaaaaaaaaaaa/720.webp';

let shop: RunningShop;
let browser: Browser;
let seller: Member;
let book: string;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  seller = await aMember(browser, shop.url, 'Seller');
  const draft = {
    email: 'seller@example.com',
    Seller: 'Marlow Books',
    category_id: 'travel',
    title: TITLE,
    condition: 'Good',
    image_url: ALIKE,
    original_price: '20',
    resale_price: '9',
    years_of_use: '2',
    phone: '1',
    location: 'Portland, OR',
    details: 'Read once.',
  };
  const { insertedId } = await seller.call<{ insertedId: string }>('POST', '/categories', draft);
  book = `/book/${insertedId}`;
  await seller.call('PATCH', '/account', { photoURL: 'https://images.example/me.png' });
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const drawn = (page: Page) => page.locator('.cover-frame.drawn').filter({ hasText: /Letters/ });
const picturesOn = (page: Page): Promise<string[]> =>
  page.locator('img').evaluateAll((all) => all.map((image) => (image as HTMLImageElement).src));

test('a cover is drawn at once where the picture is elsewhere, also without scripts, and no page asks for it', async () => {
  for (const javaScript of [false, true]) {
    const { page, leave } = await aVisitor(browser, shop.url, { javaScript });
    for (const place of ['/', '/category/travel', `/search?q=${encodeURIComponent(TITLE)}`, book]) {
      await page.goto(place);
      await drawn(page).first().waitFor();
      expect((await picturesOn(page)).filter((address) => !address.startsWith(`${shop.url}/`))).toEqual([]);
    }
    if (javaScript) await leave();
    else await page.context().close();
  }
});

test('neither the seller’s pages nor a form ask for what was typed', async () => {
  const { page } = seller;
  for (const place of ['/dashboard/my_products', '/dashboard/account']) {
    await page.goto(place);
    await page.getByRole('link', { name: 'Your account' }).waitFor();
    // The page is never idle: it listens to messages.
    const isDrawn = () =>
      page
        .locator('img')
        .evaluateAll((all: HTMLImageElement[]) => all.every((one) => one.loading === 'lazy' || one.complete));
    await expect.poll(isDrawn).toBe(true);
  }
  await page.goto('/dashboard/add_product');
  for (const address of [ELSEWHERE, ALIKE]) {
    await page.getByLabel('Title').fill(TITLE);
    await page.getByLabel('Image URL').fill(address);
    await drawn(page).first().waitFor();
  }
  expect((await picturesOn(page)).filter((address) => !address.startsWith(`${shop.url}/`))).toEqual([]);
});

test('once the shop has fetched them, the copy and its seller are shown from the shop', async () => {
  await fetchWaiting(shop, await aPicture());
  const { page } = seller;
  await page.goto('/dashboard/account');
  const ours = new RegExp(`^${shop.url}/photos/[a-z2-7]{22}/320\\.webp$`);
  const avatar = page.getByRole('link', { name: 'Your account' }).locator('img');
  await expect.poll(() => avatar.getAttribute('src')).toMatch(ours);
  expect(await avatar.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(320);
  await seller.leave();
  const visitor = await aVisitor(browser, shop.url);
  await visitor.page.goto(book);
  await visitor.page
    .getByRole('img', { name: new RegExp(TITLE) })
    .first()
    .waitFor();
  const answer = await visitor.context.request.get(`/api/categories/${book.slice('/book/'.length)}`);
  expect(((await answer.json()) as Listing).image_url).toMatch(/\/photos\/[a-z2-7]{22}\/720\.webp$/);
  await visitor.leave();
});
