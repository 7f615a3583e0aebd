import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { LOOKS } from './looks.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

const PHONE = 360;
/** Of the demo shop, by the author of the books that are listed beside it. */
const LEFT_HAND = '9780441007318';
const LATHE = '9781416556961';
/** Of the stand-in for Open Library, which a seller asks. */
const WITHOUT_COPIES = '9780439554930';
/** Of which there are more copies than a page shows. */
const MANY = '9780441478125';
const COPIES = 27;
const AUTHOR = 'Ursula K. Le Guin';

let shop: RunningShop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  const seller = await aMember(browser, shop.url, 'Seller');
  const list = (more: object) =>
    seller.call('POST', '/categories', {
      email: 'seller@example.com',
      Seller: 'Marlow Books',
      category_id: 'science-fiction',
      original_price: 20,
      phone: '+1 555 0100',
      location: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch',
      years_of_use: 3,
      details: 'A copy for comparison.',
      image_url: 'https://images.example/cover.jpg',
      ...more,
    });
  await list({ title: 'The Lathe of Heaven', authors: 'Le Guin, Ursula K.', isbn13: LATHE, resale_price: 6 });
  await list({
    title: 'The Lathe of Heaven',
    authors: AUTHOR,
    isbn13: LATHE,
    resale_price: 4.5,
    condition: 'Fair',
    passport: {
      defects: [
        { defect: 'ex-library', degree: 'clear' },
        { defect: 'writing', degree: 'heavy' },
      ],
    },
  });
  await list({
    title: 'The Lathe of Heaven',
    authors: AUTHOR,
    isbn13: LATHE,
    resale_price: 30,
    condition: 'Excellent',
    passport: { noDefects: true, grade: 'Fine', signed: 'signed', jacket: 'with', binding: 'hardcover', pages: 184 },
  });
  await list({
    title: 'Dialogues on the Uses of the Marvellous',
    authors: `${AUTHOR}; José Ángel Pérez`,
    resale_price: 12,
  });
  for (let n = 0; n < COPIES; n += 1)
    await list({ title: 'The Left Hand of Darkness', authors: AUTHOR, isbn13: MANY, resale_price: 3 + n });
  await seller.call('GET', `/editions/${WITHOUT_COPIES}`);
  await seller.leave();
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const dataOf = (page: Page): Promise<unknown> =>
  page
    .locator('script[type="application/ld+json"]')
    .textContent()
    .then((text) => JSON.parse(text ?? 'null') as unknown);

const prices = (page: Page): Promise<string[]> =>
  page
    .getByRole('table', { name: 'Copies of The Lathe of Heaven' })
    .getByRole('link', { name: /^\$/ })
    .evaluateAll((links) => links.map((link) => link.firstChild?.textContent ?? ''));

test('from a book to its edition, to its author and to another copy, on a phone', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: PHONE });
  await page.goto('/search?q=lathe+of+heaven&sort=price-down');
  await page.getByRole('link', { name: 'The Lathe of Heaven' }).first().click();
  await page.getByRole('link', { name: 'Compare all copies of this edition' }).waitFor();
  await page.getByRole('link', { name: LATHE }).click();
  await page.waitForURL(`**/isbn/${LATHE}`);
  await page.getByRole('heading', { level: 1, name: 'The Lathe of Heaven' }).waitFor();
  await page.getByText('3 copies from $4.50').waitFor();
  await page.getByText('Hardcover · 184 pages').waitFor();
  expect(await prices(page)).toEqual(['$4.50', '$6.00', '$30.00']);
  const worn = page.getByRole('row', { name: /\$4\.50/ });
  for (const said of ['Fair', 'ex-library', 'writing, notes (heavy)', 'Marlow Books', 'Verified seller'])
    await worn
      .getByText(said, { exact: said === 'Fair' })
      .first()
      .waitFor();
  await page
    .getByRole('row', { name: /\$6\.00/ })
    .getByText('Not itemised')
    .waitFor();
  const fine = page.getByRole('row', { name: /\$30\.00/ });
  for (const said of ['Fine', 'With its jacket', 'Signed', 'None found']) await fine.getByText(said).first().waitFor();
  const asked = page.getByRole('region', { name: 'What it costs here' });
  await asked.getByText('1 asked at $4.50', { exact: true }).waitFor();
  expect(await asked.getByText('sold for $').count()).toBe(0);
  await expectAccessible(page, 'the page of an edition');

  await page.getByRole('navigation', { name: 'Sort' }).getByRole('link', { name: 'Condition' }).click();
  await page.waitForURL('**/isbn/*?sort=grade');
  await expect.poll(() => prices(page)).toEqual(['$30.00', '$6.00', '$4.50']);

  await page.getByRole('link', { name: AUTHOR }).click();
  await page.waitForURL('**/author/ursula-k-le-guin');
  await page.getByRole('heading', { level: 1, name: AUTHOR }).waitFor();
  const books = page.getByRole('main').getByRole('listitem');
  expect(await books.filter({ hasText: 'The Lathe of Heaven' }).getByText('3 copies from $4.50').count()).toBe(1);
  await expectAccessible(page, 'the page of an author');
  await books.filter({ hasText: LEFT_HAND }).getByRole('link').click();
  await page.waitForURL(`**/isbn/${LEFT_HAND}`);
  await page.getByRole('table').getByRole('link').first().click();
  await page.waitForURL('**/book/*');
  await page.getByRole('button', { name: 'Book Now The Left Hand of Darkness' }).first().waitFor();
  await page.goBack();
  await page.getByRole('row').getByRole('button', { name: 'Book Now' }).first().click();
  await page.getByRole('dialog').waitFor();
  await expectAccessible(page, 'the dialog on the page of an edition');
  await leave();
});

test('a book of several authors leads to each of them; without an ISBN their pages lead to the book', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: PHONE });
  await page.goto('/author/jose-angel-perez');
  await page.getByText('1 book with copies for sale').waitFor();
  await page.getByRole('link', { name: 'Dialogues on the Uses of the Marvellous' }).click();
  await page.waitForURL('**/book/*');
  await page.getByRole('link', { name: 'José Ángel Pérez' }).waitFor();
  await page.getByRole('link', { name: AUTHOR }).click();
  await page.waitForURL('**/author/ursula-k-le-guin');
  await leave();
});

test('many copies come page by page, also without JavaScript', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: PHONE });
  const { origin } = new URL(shop.url);
  await page.goto(`/isbn/${MANY}`);
  const rows = page.getByRole('table').locator('tbody').getByRole('row');
  expect(await rows.count()).toBe(24);
  await page.getByText(`${COPIES} copies from $3.00`).waitFor();
  await page.getByRole('link', { name: 'Show more' }).click();
  await expect.poll(() => rows.count()).toBe(COPIES);
  await page.getByText('3 more books shown').waitFor();
  expect(await page.getByRole('link', { name: 'Show more' }).count()).toBe(0);
  await leave();

  const html = await (await fetch(`${shop.url}/isbn/${MANY}`)).text();
  expect(html.length).toBeLessThan(75_000);
  const plain = await aVisitor(browser, shop.url, { javaScript: false });
  await plain.page.goto(`/isbn/${MANY}`);
  await plain.page.getByRole('link', { name: 'Show more' }).click();
  await plain.page.waitForURL('**/isbn/*?cursor=*');
  expect(await plain.page.getByRole('table').locator('tbody').getByRole('row').count()).toBe(COPIES - 24);
  const canonical = await plain.page.locator('link[rel="canonical"]').getAttribute('href');
  expect(canonical?.startsWith(`${origin}/isbn/${MANY}?cursor=`)).toBe(true);
  await plain.page.getByRole('link', { name: 'Back to the start of the list' }).click();
  await plain.page.waitForURL(`**/isbn/${MANY}`);
  await plain.leave();
});

test('an edition without copies says so, and what to do', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: PHONE });
  await page.goto(`/isbn/${WITHOUT_COPIES}`);
  await page.getByText('No copy is for sale here right now').waitFor();
  await page.getByText('From Open Library').waitFor();
  expect(await page.locator('meta[name="robots"]').getAttribute('content')).toBe('noindex, follow');
  const title = await page.getByRole('heading', { level: 1 }).textContent();
  expect(await page.getByRole('main').getByRole('link', { name: 'Sell yours' }).getAttribute('href')).toBe(
    '/dashboard/add_product',
  );
  await page.getByRole('link', { name: 'Search for the title' }).click();
  await page.waitForURL(`**/search?q=*`);
  expect(new URL(page.url()).searchParams.get('q')).toBe(title);
  await leave();
});

test('search engines read editions and authors as the server wrote them, at one address each', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { javaScript: false });
  const { origin } = new URL(shop.url);
  const canonical = (): Promise<string | null> => page.locator('link[rel="canonical"]').getAttribute('href');
  for (const way of ['978-1-4165-5696-1', '1416556966', LATHE]) {
    await page.goto(`/isbn/${way}?sort=grade`);
    expect([way, new URL(page.url()).pathname]).toEqual([way, `/isbn/${LATHE}`]);
  }
  expect(await canonical()).toBe(`${origin}/isbn/${LATHE}`);
  expect(await page.locator('meta[name="robots"]').count()).toBe(0);
  expect(await page.title()).toBe(`The Lathe of Heaven by ${AUTHOR} (${LATHE}) · Dogear`);
  const data = await dataOf(page);
  const used = 'https://schema.org/UsedCondition';
  const offer = { '@type': 'Offer', itemCondition: used, availability: 'https://schema.org/InStock' };
  expect(data).toMatchObject({
    '@type': 'Book',
    isbn: LATHE,
    numberOfPages: 184,
    author: [{ name: AUTHOR, url: `${origin}/author/ursula-k-le-guin` }],
    offers: {
      '@type': 'AggregateOffer',
      lowPrice: '4.50',
      highPrice: '30.00',
      offerCount: 3,
      itemCondition: used,
      offers: [
        { ...offer, price: '30.00', priceCurrency: 'USD' },
        { ...offer, price: '6.00' },
        { ...offer, price: '4.50' },
      ],
    },
  });
  expect(JSON.stringify(data)).not.toMatch(/Llanfair|Marlow|555 0100/);

  const moved = await page.request.get('/author/Ursula%20K.%20Le%20Guin', { maxRedirects: 0 });
  expect([moved.status(), moved.headers()['location']]).toEqual([301, '/author/ursula-k-le-guin']);
  await page.goto('/author/ursula-k-le-guin');
  expect(await canonical()).toBe(`${origin}/author/ursula-k-le-guin`);
  expect(await dataOf(page)).toMatchObject({
    '@type': 'ItemList',
    itemListElement: expect.arrayContaining([
      expect.objectContaining({
        item: expect.objectContaining({
          url: `${origin}/isbn/${LATHE}`,
          offers: expect.objectContaining({ lowPrice: '4.50', offerCount: 3, itemCondition: used }),
        }),
      }),
    ]),
  });
  for (const [path, status] of [
    ['/isbn/9780441013594', 404],
    ['/isbn/9780306406157', 404],
    ['/isbn/dune', 404],
    ['/author/nobody-at-all', 404],
  ] as const)
    expect([path, (await page.request.get(path)).status()]).toEqual([path, status]);
  await leave();
});

describe.each(LOOKS)('in the $theme theme at $width px', ({ theme, width }) => {
  test('editions and authors fit the screen, and axe finds nothing', async () => {
    const { page, leave } = await aVisitor(browser, shop.url, { theme, width });
    for (const path of [`/isbn/${LATHE}`, `/isbn/${WITHOUT_COPIES}`, '/author/ursula-k-le-guin']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expectAccessible(page, path);
    }
    await leave();
  });
});
