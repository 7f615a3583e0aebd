// Section 2 of the specification: the shelves, booking and paying, as they stand in a browser.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Listing } from '#contract/catalog/catalog.ts';
import { aPicture } from '#test/photos.ts';
import { launchBrowser } from './browser.ts';
import { fetchWaiting } from './fetch-waiting.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, type Member } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

const PICTURE = 'https://images.example/atlas.jpg';

let shop: RunningShop;
let browser: Browser;
/** A free copy with a picture. */
let atlas: Listing;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  const seller = await aMember(browser, shop.url, 'Seller');
  const { insertedId } = await seller.call<{ insertedId: string }>('POST', '/categories', {
    email: 'seller@example.com',
    Seller: 'Marlow Books',
    category_id: 'fantasy',
    image_url: PICTURE,
    title: 'An Atlas of Nowhere',
    original_price: '30.00',
    resale_price: '12.50',
    phone: '+1 503 555 0141',
    location: 'Portland, OR',
    years_of_use: 2,
    details: 'All maps are there.',
    condition: 'Good',
  });
  await fetchWaiting(shop, await aPicture());
  atlas = await seller.call<Listing>('GET', `/categories/${insertedId}`);
  await seller.context.close();
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** Where the cards stand: how many columns, and where the last of them ends. */
const gridOf = async (page: Page): Promise<{ columns: number; right: number }> => {
  const boxes = await page
    .getByRole('main')
    .getByRole('article')
    .evaluateAll((cards) =>
      cards.map((card) => card.getBoundingClientRect()).map(({ left, right }) => ({ left, right })),
    );
  return {
    columns: new Set(boxes.map(({ left }) => Math.round(left))).size,
    right: Math.max(...boxes.map(({ right }) => right)),
  };
};

const sidebarOf = (page: Page): Locator => page.getByRole('main').getByRole('navigation', { name: 'Books Category' });

/** Presses Book Now on the card of the atlas; answers the titles of the dialogs that are open then. */
const bookFromCard = async (page: Page): Promise<void> => {
  await page
    .getByRole('article')
    .filter({ hasText: atlas.title })
    .getByRole('button', { name: /^Book Now/, disabled: false })
    .click();
};

describe('the page of a category', () => {
  let buyer: Member;
  beforeAll(async () => {
    buyer = await aMember(browser, shop.url, 'Buyer');
    await buyer.page.goto('/category/fantasy');
    await buyer.page.locator('html[data-session="in"]').waitFor();
  });
  afterAll(() => buyer.context.close());

  test('shows its listings in two columns', async () => {
    expect((await gridOf(buyer.page)).columns).toBe(2);
  });

  test('has the category navigation at the right', async () => {
    const box = (await sidebarOf(buyer.page).count()) === 0 ? undefined : await sidebarOf(buyer.page).boundingBox();
    expect(box?.x ?? 0).toBeGreaterThan((await gridOf(buyer.page)).right);
  });

  test('has the booking modal', async () => {
    await bookFromCard(buyer.page);
    await expect.poll(() => buyer.page.getByRole('dialog', { name: `Book ${atlas.title}` }).count()).toBe(1);
  });
});

describe('the page of all categories', () => {
  let buyer: Member;
  beforeAll(async () => {
    buyer = await aMember(browser, shop.url, 'Buyer');
    await buyer.page.goto('/categories');
    await buyer.page.getByRole('status').filter({ hasText: 'Loading books' }).waitFor({ state: 'detached' });
  });
  afterAll(() => buyer.context.close());

  test('is for signed-in users: visitors sign in first and come back', async () => {
    const { page, leave } = await aVisitor(browser, shop.url);
    await page.goto('/categories');
    await expect.poll(() => page.url()).toBe(`${shop.url}/login?from=%2Fcategories`);
    await leave();
  });

  test('shows the listings in three columns', async () => {
    expect((await gridOf(buyer.page)).columns).toBe(3);
  });

  test('has the booking modal', async () => {
    await bookFromCard(buyer.page);
    await expect.poll(() => buyer.page.getByRole('dialog', { name: `Book ${atlas.title}` }).count()).toBe(1);
  });

  test('goes on to the last of all listings', async () => {
    const { page } = buyer;
    await page.goto('/categories');
    const cards = page.getByRole('main').getByRole('article');
    const { count: total } = await buyer.call<{ count: number }>('GET', '/categories/count');
    const more = page.getByRole('link', { name: 'Show more' });
    await expect.poll(() => cards.count()).toBeGreaterThan(0);
    while ((await more.count()) > 0) {
      const before = await cards.count();
      await more.click();
      await expect.poll(() => cards.count()).toBeGreaterThan(before);
    }
    expect(await cards.count()).toBe(total);
  });
});

describe('the booking modal', () => {
  let buyer: Member;
  beforeAll(async () => {
    buyer = await aMember(browser, shop.url, 'Buyer');
    await buyer.page.goto(`/category/fantasy?book=${atlas._id}`);
    await dialog().locator('form').waitFor();
  });
  afterAll(() => buyer.context.close());

  const dialog = () => buyer.page.getByRole('dialog');
  /** What stands in the fields with this label, and whether it can be typed over. */
  const shown = (label: string) =>
    dialog()
      .getByLabel(label)
      .evaluateAll((fields) =>
        fields.map((field) => [(field as HTMLInputElement).value, (field as HTMLInputElement).readOnly]),
      );

  test('shows the title, read-only', async () => {
    expect(await shown('Title')).toEqual([[atlas.title, true]]);
  });

  test('shows the email of the buyer, read-only', async () => {
    expect(await shown('Email')).toEqual([['buyer@example.com', true]]);
  });

  test('shows the image', async () => {
    const images = dialog().getByRole('img', { name: `Cover of ${atlas.title}` });
    const shown = await images.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).src));
    expect(shown).toEqual([atlas.image_url]);
    expect(atlas.image_url).toMatch(/\/photos\/[a-z2-7]{22}\/720\.webp$/);
  });

  test('shows the price, read-only', async () => {
    expect(await shown('Price')).toEqual([['$12.50', true]]);
  });

  test.each(['Phone', 'Location'])('has an empty field for the %s', async (label) => {
    expect(await shown(label)).toEqual([['', false]]);
  });

  test('closes after a successful booking', async () => {
    await dialog()
      .getByRole('button', { name: /^Book for/ })
      .click();
    await buyer.page.getByText('Booking successful', { exact: true }).waitFor();
    await expect.poll(() => dialog().count()).toBe(0);
  });
});

describe('the payment page', () => {
  let buyer: Member;
  let book: Listing;
  beforeAll(async () => {
    buyer = await aMember(browser, shop.url, 'Buyer');
    const listed = await buyer.call<Listing[]>('GET', '/category/classics');
    const free = listed.find(({ status }) => status === 'Available');
    if (free === undefined) throw new Error('no classic is free');
    book = free;
    const { insertedId } = await buyer.call<{ insertedId: string }>('POST', '/bookings', {
      listingId: book._id,
      title: book.title,
      buyer: '',
      email: 'buyer@example.com',
      image_url: book.image_url,
      phone: '+1 555 0199',
      price: book.resale_price,
      location: '',
    });
    await buyer.page.goto(`/dashboard/payment/${insertedId}`);
    await buyer.page.locator('main h1').waitFor();
  });
  afterAll(() => buyer.leave());

  const main = () => buyer.page.getByRole('main');

  test('loads the booking', async () => {
    expect(await main().getByRole('heading', { level: 2 }).allTextContents()).toEqual([book.title]);
  });

  test('shows the card payment form', async () => {
    await expect.poll(() => main().getByRole('form', { name: 'Payment' }).count()).toBe(1);
  });

  test('takes the number, the expiry and the CVC of a card', async () => {
    const fields = () => main().getByRole('form', { name: 'Payment' }).getByRole('textbox').count();
    await expect.poll(fields).toBe(3);
    for (const label of [/Card number/, /Expiration/, /CVC/]) expect(await main().getByLabel(label).count()).toBe(1);
  });

  test('has a Pay button', async () => {
    await expect
      .poll(() =>
        main()
          .getByRole('button', { name: /^Pay \$/ })
          .count(),
      )
      .toBe(1);
  });

  test('shows the price with a $ prefix', async () => {
    const shown = await main()
      .getByText(/^\$?[\d.]+$/)
      .allTextContents();
    // Once as the book's, and as the total where nothing comes to it.
    const prices = shown.map((price) => [price.charAt(0), Number(price.slice(1))]);
    expect(prices).toEqual([
      ['$', book.resale_price],
      ['$', book.resale_price],
    ]);
  });
});
