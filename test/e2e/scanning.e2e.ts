import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { barsOf, writeFilm } from './barcode-video.ts';
import { findBrowser, launchBrowser } from './browser.ts';
import { openShop, type RunningShop } from './shop.ts';
import { forgetDraft, signIn } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

// Of the stand-in's catalogue, and in the demo shop as well; with its price, $19.95.
const HUNGER_GAMES = '978043902348151995';
const PHONE = 390;

let shop: RunningShop;
let folder: string;
const opened: Browser[] = [];

beforeAll(async () => {
  [shop, folder] = await Promise.all([openShop(), mkdtemp(path.join(tmpdir(), 'dogear-film-'))]);
});
afterAll(async () => {
  await Promise.all(opened.map((browser) => browser.close()));
  await shop.close();
  await rm(folder, { recursive: true, force: true });
});

/** A browser whose camera sees a barcode. */
const browserThatSees = async (digits: string): Promise<Browser> => {
  const film = path.join(folder, `${digits}.y4m`);
  await writeFilm(film, digits);
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  });
  opened.push(browser);
  return browser;
};

/** From the dashboard to the form by its menu, as on a phone; nothing is left on it from before. */
const openForm = async (page: Page): Promise<void> => {
  await forgetDraft(page, 'Seller');
  await page.goto('/dashboard/my_products');
  await page.getByRole('heading', { name: 'My Products' }).waitFor();
  await page.getByRole('button', { name: /menu/i }).last().click();
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Add A Product' }).click();
  await page.getByRole('heading', { name: 'Add A Product' }).waitFor();
};

const isbnOn = (page: Page) => page.getByLabel('Scan or type the ISBN');

test('a seller comes by the menu, scans a book, and goes on where something is missing', async () => {
  const visitor = await aVisitor(await browserThatSees(HUNGER_GAMES), shop.url, { width: PHONE });
  const { page } = visitor;
  await signIn(page, 'Seller');
  await openForm(page);
  // The menu loaded the form as a document: that alone may use the camera.
  const loaded = await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.name);
  expect(loaded).toContain('/dashboard/add_product');
  await page.getByRole('button', { name: 'Scan' }).click();
  await expect.poll(() => isbnOn(page).inputValue()).toBe(HUNGER_GAMES);
  await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('The Hunger Games');
  expect(await page.getByLabel('Authors').inputValue()).toBe('Suzanne Collins');
  expect(await page.getByLabel('Original price').inputValue()).toBe('19.95');
  await page.getByText(/Filled in from copies in this shop: title, authors and year/).waitFor();
  await page.getByText(/The original price is from the barcode/).waitFor();
  // What is missing next has the focus: a photo.
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^(Take a photo|Choose pictures)$/);
  // What others ask for such a copy stands beside the price once its condition is chosen.
  await page.getByLabel('Condition').selectOption('Good');
  await page.getByText('Good copies of this book: 2 asked at $5-6.50.').waitFor();
  // What nobody knows has a box that says so.
  await page.getByLabel('Age: not known').check();
  expect(await page.getByLabel('Years of use').isDisabled()).toBe(true);
  // Nobody looks through the camera any more.
  expect(await page.locator('video').count()).toBe(0);
  await visitor.leave();
});

test('a barcode that is no book’s says where to look, and typing goes on', async () => {
  const visitor = await aVisitor(await browserThatSees('4006381333931'), shop.url, { width: PHONE });
  const { page } = visitor;
  await signIn(page, 'Seller');
  await openForm(page);
  await page.getByRole('button', { name: 'Scan' }).click();
  await page.getByText(/inside the front cover/).waitFor();
  await page.getByRole('button', { name: 'Type it instead' }).click();
  await isbnOn(page).fill('978-0-306-40615-8');
  await page.getByText('The check digit does not fit: one of the digits is wrong').waitFor();
  await isbnOn(page).fill('978-0-306-40615-7');
  await page.getByText('Nobody here knows this ISBN: fill in the book by hand').waitFor();
  // Open Library's stand-in knows it; what was typed stays.
  await page.getByLabel('Title', { exact: true }).fill('My own title');
  const message = 'Open Library cannot be asked now: try again in a minute, or fill in the book by hand.';
  await page.route('**/api/editions/*', (route) =>
    route.fulfill({ status: 429, json: { error: { code: 'rate_limited', message } } }),
  );
  await isbnOn(page).fill('0-439-55493-4');
  await page.getByText(message).waitFor();
  // The same number asks again.
  await page.unroute('**/api/editions/*');
  await isbnOn(page).blur();
  await page.getByText(/Filled in from .*authors and year/).waitFor();
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('My own title');
  expect(await page.getByLabel('Authors').inputValue()).toContain('Rowling');
  await visitor.leave();
});

test('without a camera a picture of the barcode does, and whoever walked to the form comes to the camera, too', async () => {
  const browser = await launchBrowser();
  const visitor = await aVisitor(browser, shop.url);
  const { page } = visitor;
  await signIn(page, 'Seller');
  await forgetDraft(page, 'Seller');
  await visitor.context.clearCookies();
  await page.goto('/login?from=%2Fdashboard%2Fadd_product');
  await page.getByLabel('Email').fill('seller@example.com');
  await page.getByLabel('Password', { exact: true }).fill('Seller#2026');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByRole('heading', { name: 'Add A Product' }).waitFor();
  // The document of the sign-in page may not use the camera: the form is loaded anew, with the scanner open.
  await page.getByRole('button', { name: 'Scan' }).click();
  await page.getByRole('dialog', { name: 'Scan the barcode' }).waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await page.getByText(/There is no camera here/).waitFor();
  await expectAccessible(page, 'the scanner');
  const picture = await page.evaluate(async (modules) => {
    const canvas = new OffscreenCanvas(700, 300);
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('there is no canvas');
    context.fillStyle = 'white';
    context.fillRect(0, 0, 700, 300);
    context.fillStyle = 'black';
    [...modules].forEach((bit, n) => bit === '1' && context.fillRect(60 + n * 3, 80, 3, 140));
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
  }, barsOf(HUNGER_GAMES));
  await page.getByLabel('Take a picture').setInputFiles({
    name: 'barcode.png',
    mimeType: 'image/png',
    buffer: Buffer.from(picture),
  });
  await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('The Hunger Games');
  await visitor.leave();
  await browser.close();
});
