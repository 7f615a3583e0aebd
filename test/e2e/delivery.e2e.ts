import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
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

const errorBeside = (page: Page, label: string | RegExp) =>
  page.getByLabel(label).locator('xpath=following-sibling::*[@data-field-error]');

const deliveryOn = async (page: Page, book: string): Promise<string> => {
  await page.goto(`/book/${book}`);
  return page.getByRole('list', { name: 'Delivery' }).innerText();
};

test('a seller says on a phone how books come to their buyers, and otherwise for one; buyers read it', async () => {
  const seller = await aMember(browser, shop.url, 'Seller', { width: 390 });
  const { page } = seller;
  const mine = await seller.call<{ _id: string; status: string; location: string }[]>(
    'GET',
    '/categories/my_products?email=seller@example.com',
  );
  const [book, atlas] = mine.filter(({ status }) => status === 'Available').map(({ _id }) => _id);
  if (book === undefined || atlas === undefined) throw new Error('nothing on the shelf');

  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Dashboard menu' }).click();
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Delivery' }).click();
  const preview = page.getByRole('region', { name: 'What a buyer sees' });
  await preview
    .getByText('Posted for $4.00 within 3 working days; each further book $1.50; free from $30.00')
    .waitFor();
  await expectAccessible(page, 'Delivery');

  const save = page.getByRole('button', { name: 'Save delivery' });
  await page.getByLabel('Postage of the first book').fill('four');
  await page.getByRole('button', { name: 'Remove all' }).click();
  await save.click();
  expect(await errorBeside(page, 'Postage of the first book').innerText()).toBe('Give an amount from $0.00 to $999.99');
  expect(await errorBeside(page, 'Find a country').innerText()).toBe('Choose at least one country');
  await expect
    .poll(() => page.getByLabel('Postage of the first book').evaluate((field) => field === document.activeElement))
    .toBe(true);
  await expectAccessible(page, 'Delivery with mistakes');

  await page.getByLabel('Postage of the first book').fill('4,75');
  await page.getByLabel('Free from').fill('');
  await page.getByLabel('Find a country').fill('cote');
  await page.getByRole('button', { name: 'Add Côte d’Ivoire' }).waitFor();
  await page.getByLabel('Find a country').fill('germ');
  await page.getByLabel('Find a country').press('Enter');
  await page.getByLabel('Find a country').fill('united s');
  await page.getByRole('button', { name: 'Add United States' }).first().click();
  await page.getByLabel('Posted or ready to pick up within').selectOption({ label: '2 working days' });
  await preview.getByText('Posted for $4.75 within 2 working days; each further book $1.50').waitFor();
  await preview.getByText('Posted to Germany and the United States').waitFor();

  // Not sent yet, and not lost: another page and back.
  await page.getByRole('link', { name: 'My Products' }).last().click();
  await page.getByRole('heading', { level: 1, name: 'My Products' }).waitFor();
  await page.goBack();
  await page.getByText('Here is what you had typed').waitFor();
  expect(await page.getByLabel('Postage of the first book').inputValue()).toBe('4,75');
  await page.getByRole('button', { name: 'Remove Germany' }).waitFor();
  await save.click();
  await page.getByText('It stands on the page of each of your books.').waitFor();

  // The own country is none of the order in which others are chosen.
  const settings = () => seller.call<{ home: string; countries: string[] }>('GET', '/sellers/delivery');
  expect(await settings()).toMatchObject({ home: 'US', countries: ['DE', 'US'] });
  const chosen = page.getByRole('list', { name: 'Chosen countries' });
  await page.getByRole('button', { name: 'Post to every country' }).click();
  await page.getByText('Every country', { exact: true }).waitFor();
  await save.click();
  await expect.poll(async () => (await settings()).countries.length).toBeGreaterThan(200);
  expect((await settings()).home).toBe('US');
  await page.getByRole('button', { name: 'Remove all' }).click();
  for (const name of ['Germany', 'United States']) {
    await page.getByLabel('Find a country').fill(name);
    await page.getByRole('button', { name: `Add ${name}`, exact: true }).click();
    await chosen.getByRole('button', { name: `Remove ${name}` }).waitFor();
  }
  await page.getByLabel('Your country').selectOption({ label: 'Germany' });
  await save.click();
  await expect.poll(settings).toMatchObject({ home: 'DE', countries: ['DE', 'US'] });

  await page.goto(`/dashboard/edit_product/${atlas}`);
  await page.getByText('Delivery of this book', { exact: true }).click();
  await page.getByLabel('This book is delivered differently').check();
  await page.getByLabel('Buyers can pick it up').uncheck();
  await page.getByLabel('Postage of the first book').fill('12');
  await expectAccessible(page, 'Delivery of one book');
  await page.getByRole('button', { name: 'Save delivery of this book' }).click();
  await page.getByText('is delivered in its own way').waitFor();
  await seller.leave();

  const visitor = await aVisitor(browser, shop.url);
  await expect
    .poll(() => deliveryOn(visitor.page, atlas))
    .toBe(
      [
        'Posted for $12.00 within 2 working days; each further book $1.50',
        'Posted to Germany and the United States',
      ].join('\n'),
    );
  expect(await deliveryOn(visitor.page, book)).toMatch(/^Pickup in Portland, OR\s+Posted for \$4\.75 within 2/);
  await visitor.leave();
});

test('the next book is delivered as the last one was, until its seller says as all', async () => {
  const seller = await aMember(browser, shop.url, 'Seller', { width: 390 });
  const { page } = seller;
  const titled = async (title: string) => {
    const mine = await seller.call<{ _id: string; title: string; category_id: string }[]>(
      'GET',
      '/categories/my_products?email=seller@example.com',
    );
    const found = mine.find((listing) => listing.title === title);
    if (found === undefined) throw new Error(`${title} is not listed`);
    return found;
  };
  const ownOf = async (title: string) =>
    (await seller.call<{ own: object }>('GET', `/products/${(await titled(title))._id}/delivery`)).own;
  const picture = await sharp({ create: { width: 300, height: 400, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  const delivery = page.getByRole('region', { name: 'Delivery', exact: true });
  const write = async (title: string): Promise<void> => {
    await page
      .getByLabel('Choose pictures')
      .last()
      .setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: picture });
    await page.getByLabel('Title', { exact: true }).fill(title);
    await page.getByLabel('Condition').selectOption('Good');
    await page.getByLabel('Resale price').fill('7.50');
    await page.getByLabel('Price when new: not known').check();
    await page.getByLabel('Age: not known').check();
  };
  const open = async (): Promise<void> => {
    await page.goto('/dashboard/add_product');
    await page.getByRole('heading', { name: 'Add A Product' }).waitFor();
  };

  await open();
  expect(await delivery.count()).toBe(0);
  await write('The heavy one');
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.getByText('Product Added Successful').waitFor();
  const heavy = await titled('The heavy one');
  await seller.call('PUT', `/products/${heavy._id}/delivery`, { first: 19, daysToPost: 7 });

  await open();
  await delivery.getByText(/Posted for \$19\.00 within 7 working days/).waitFor();
  await expectAccessible(page, 'the form with the delivery of the last book');
  await write('As heavy');
  await page.getByRole('button', { name: 'Add it, and the next one' }).click();
  await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('');
  await delivery.getByText(/Posted for \$19\.00 within 7 working days/).waitFor();
  expect(await ownOf('As heavy')).toEqual({ first: 19, daysToPost: 7 });

  await write('A light one');
  await delivery.getByLabel('Deliver this one as all your books').check();
  await delivery.getByText(/Posted for \$19\.00/).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.getByRole('heading', { level: 1, name: 'My Products' }).waitFor();
  expect(await ownOf('A light one')).toEqual({});
  await seller.leave();
});
