import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInToBook } from './account-dialog.ts';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { alive } from './failing.ts';
import { LOOKS } from './looks.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, fillSignIn } from './sign-in.ts';
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

/** Its books have no other copies in the demo shop, whose buttons would stand beside theirs. */
const SINGLE_COPIES = '/category/travel';

const freeCard = (page: Page) =>
  page
    .getByRole('article')
    .filter({ has: page.getByRole('button', { name: /^Book Now/, disabled: false }) })
    .first();

/** Opens the first book that is free from its card; answers its title and its address. */
const openFromCard = async (page: Page, from = SINGLE_COPIES): Promise<{ title: string; path: string }> => {
  await page.goto(from);
  const link = freeCard(page).getByRole('heading').getByRole('link');
  const title = (await link.textContent()) ?? '';
  await link.click();
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  return { title, path: new URL(page.url()).pathname };
};

test('a visitor opens a book from its card, signs in to book it, and sees it reserved', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  const { title, path } = await openFromCard(page);
  expect(path).toMatch(/^\/book\/[0-9a-f-]{36}$/);
  expect(await page.title()).toContain(title);
  await page.getByRole('button', { name: /^Book Now/, disabled: false }).click();
  await signInToBook(page);
  const dialog = page.getByRole('dialog', { name: `Book ${title}` });
  await dialog.waitFor();
  expect(new URL(page.url()).pathname).toBe(path);
  expect(await dialog.getByLabel('Title').inputValue()).toBe(title);
  await dialog.getByRole('button', { name: /^Book for/ }).click();
  await page.getByText('Booking successful').waitFor();
  await page.getByText('Reserved for you', { exact: true }).waitFor();
  // and truthfully so when it is asked for again
  await page.reload();
  await page.getByText('Reserved for you', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /^Book Now/, disabled: false }).count()).toBe(0);
  await leave();
});

test('a step to a book loads no document, moves the focus to its heading and says its title', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/');
  // A link that is followed before that loads a document.
  await alive(page);
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'document' || request.url().includes('.data')) documents.push(request.url());
  });
  const link = freeCard(page).getByRole('heading').getByRole('link');
  const title = (await link.textContent()) ?? '';
  await link.click();
  const heading = page.getByRole('heading', { level: 1, name: title });
  await heading.waitFor();
  await page.locator('main h1:focus').waitFor();
  expect(await page.locator('[aria-live="polite"][aria-atomic="true"]').textContent()).toBe(await page.title());
  expect(await page.title()).toContain(title);
  expect(await page.locator('link[rel="canonical"]').getAttribute('href')).toBe(page.url());
  // Making the element in the browser would be stopped by Trusted Types.
  expect(await page.locator('script[type="application/ld+json"]').count()).toBe(0);
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: /Good books/ }).waitFor();
  await page.locator('main h1:focus').waitFor();
  expect(documents).toEqual([]);
  await leave();
});

test('what is said to search engines is about the page that was loaded and goes with it', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  const { title } = await openFromCard(page);
  await page.reload();
  const data = page.locator('script[type="application/ld+json"]');
  expect(JSON.parse((await data.textContent()) ?? '')).toMatchObject({ '@type': 'Book', name: title });
  // The document of a link that is followed sooner has data of its own.
  await alive(page);
  await page.getByRole('link', { name: 'Dogear, to the start page' }).click();
  await page.getByRole('heading', { level: 1, name: /Good books/ }).waitFor();
  await data.waitFor({ state: 'detached' });
  await page.reload();
  expect(JSON.parse((await data.textContent()) ?? '')).toMatchObject({ '@type': 'ItemList', numberOfItems: 24 });
  await alive(page);
  await page.getByRole('main').getByRole('link', { name: 'Fantasy', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Fantasy' }).waitFor();
  await data.waitFor({ state: 'detached' });
  await leave();
});

test('the keyboard skips to the content', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await openFromCard(page);
  await page.reload();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
  expect((await skip.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(24);
  await page.keyboard.press('Enter');
  await page.locator('main:focus').waitFor();
  await leave();
});

test('without JavaScript a book is complete', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { javaScript: false });
  const { title } = await openFromCard(page, '/category/fantasy');
  const main = page.getByRole('main');
  for (const name of ['Use', 'Category', 'Listed']) {
    expect.soft(await main.getByRole('term').filter({ hasText: name }).first().isVisible(), name).toBe(true);
  }
  expect(
    await main
      .getByRole('region', { name: /Verified seller$/ })
      .getByRole('link')
      .first()
      .isVisible(),
  ).toBe(true);
  expect(await main.getByRole('list', { name: 'Delivery' }).getByRole('listitem').first().isVisible()).toBe(true);
  expect(await main.getByRole('img', { name: `Cover of ${title}` }).isVisible()).toBe(true);
  await main.getByRole('link', { name: 'Fantasy' }).click();
  await page.getByRole('heading', { name: 'Fantasy', level: 1 }).waitFor();
  await leave();
});

test.each(LOOKS)('in the $theme theme at $width px axe finds nothing, nor is there sideways scroll', async (look) => {
  const { page, leave } = await aVisitor(browser, shop.url, look);
  const { path } = await openFromCard(page);
  for (const address of [path, `/login?from=${encodeURIComponent(path)}`]) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    if (address !== path) {
      await fillSignIn(page, 'Buyer');
      await page.getByRole('link', { name: 'Message the seller' }).waitFor();
    }
    await expectAccessible(page, address);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  }
  await leave();
});

test('a photo whose file is missing is a drawn cover, on its card and on its page', async () => {
  const seller = await aMember(browser, shop.url, 'Seller');
  const title = 'The Picture Nobody Has';
  await seller.page.goto('/dashboard/add_product');
  const picture = await sharp({ create: { width: 300, height: 400, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  await seller.page
    .getByLabel('Choose pictures')
    .last()
    .setInputFiles({ name: 'cover.jpg', mimeType: 'image/jpeg', buffer: picture });
  await seller.page.getByLabel('Title', { exact: true }).fill(title);
  await seller.page.getByLabel('Condition').selectOption('Good');
  await seller.page.getByLabel(/^Category$/).selectOption({ index: 1 });
  await seller.page.getByLabel('Resale price').fill('7.50');
  for (const label of ['Price when new: not known', 'Age: not known']) await seller.page.getByLabel(label).check();
  await seller.page.getByRole('button', { name: 'Add product' }).click();
  await seller.page.getByRole('heading', { level: 1, name: 'My Products' }).waitFor();
  const mine = await seller.call<{ _id: string; title: string; photo: { name: string } | null }[]>(
    'GET',
    '/categories/my_products?email=seller@example.com',
  );
  await seller.leave();
  const copy = mine.find((listing) => listing.title === title);
  const name = copy?.photo?.name ?? 'none';

  const { page, context } = await aVisitor(browser, shop.url);
  const addresses = [`/book/${copy?._id}`, `/search?q=${encodeURIComponent(title)}`];
  for (const address of addresses) {
    await page.goto(address);
    await page.locator(`img[src*="${name}"]`).first().waitFor();
  }
  await rm(path.join(shop.env['DATA_DIR'] ?? '', 'photos', name.slice(0, 2), name), { recursive: true });
  const later = await aVisitor(browser, shop.url);
  for (const address of addresses) {
    await later.page.goto(address);
    await later.page
      .getByRole('img', { name: `Cover of ${title}` })
      .or(later.page.locator('article .drawn'))
      .waitFor();
    expect(await later.page.locator(`img[src*="${name}"]`).count()).toBe(0);
  }
  // That a file is not there is what it is about.
  for (const each of [context, later.context]) await each.close();
});

test('the same edition offered by several sellers is shown together, the cheapest first, and booked from there', async () => {
  const seller = await aMember(browser, shop.url, 'Seller');
  const title = 'A Field Guide to Getting Lost';
  const listed = async (price: string, condition: string): Promise<string> => {
    const draft = {
      email: 'seller@example.com',
      Seller: 'Marlow Books',
      category_id: 'travel',
      title,
      condition,
      image_url: 'https://images.example/none.jpg',
      original_price: '20',
      resale_price: price,
      years_of_use: '2',
      phone: '1',
      location: 'Portland, OR',
      details: 'Read once.',
      authors: 'Rebecca Solnit',
    };
    return (await seller.call<{ insertedId: string }>('POST', '/categories', draft)).insertedId;
  };
  const [own] = [await listed('9', 'Good'), await listed('7.25', 'Excellent'), await listed('4.50', 'Fair')];
  await seller.leave();

  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto(`/book/${own}`);
  await page.getByRole('link', { name: '2 other copies from $4.50' }).click();
  const copies = page.getByRole('region', { name: 'Other copies of this book' }).getByRole('listitem');
  const prices = copies.getByRole('link', { name: /^\$/ });
  expect(await prices.allTextContents()).toEqual([`$4.50 for ${title}`, `$7.25 for ${title}`]);
  await copies
    .first()
    .getByRole('button', { name: /^Book Now/, disabled: false })
    .click();
  await signInToBook(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Book for $4.50' }).click();
  await page.getByText('Booking successful').waitFor();
  await expect.poll(() => copies.count()).toBe(1);
  await page.getByRole('link', { name: '1 other copy for $7.25' }).waitFor();
  await page.getByText('Available', { exact: true }).waitFor();
  for (const { width } of LOOKS) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page, `other copies at ${width} px`);
  }
  await prices.click();
  await page.getByText('Excellent', { exact: true }).first().waitFor();
  await page.getByRole('link', { name: '1 other copy for $9.00' }).waitFor();
  await leave();
});

test('on a phone what can be done about a copy stays at the foot of the window, with its price', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: 360 });
  await openFromCard(page);
  const main = page.getByRole('main');
  const book = main.getByRole('button', { name: /^Book Now/ }).first();
  const seen = (): Promise<boolean> =>
    book.evaluate((button) => {
      const { top, bottom } = button.getBoundingClientRect();
      return (
        top > innerHeight / 2 && bottom <= innerHeight && document.elementFromPoint(innerWidth / 2, top + 5) === button
      );
    });
  expect(await seen()).toBe(true);
  // Price, condition and what it costs in all stand above it without scrolling.
  const bar = (await book.boundingBox())?.y ?? 0;
  for (const each of [main.locator('[data-keep-clear]'), main.getByText('Available', { exact: true })]) {
    const box = await each.boundingBox();
    expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThan(bar);
  }
  await page.mouse.wheel(0, 300);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  expect(await seen()).toBe(true);
  // It ends with what is told of the copy, and covers nothing that has the focus.
  await main.getByRole('link', { name: 'All books of this seller' }).focus();
  const link = (await main.getByRole('link', { name: 'All books of this seller' }).boundingBox()) ?? {
    y: 0,
    height: 0,
  };
  expect(link.y + link.height).toBeLessThanOrEqual((await book.boundingBox())?.y ?? 0);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const footer = (await page.getByRole('contentinfo').boundingBox())?.y ?? 0;
  await expect.poll(async () => (await book.boundingBox())?.y ?? 9_999).toBeLessThan(footer);
  await leave();
});
