import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { openShop, type RunningShop } from './shop.ts';
import { fillSignIn, signIn } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

const PHONE = 390;
const MOST_BYTES = 600_000;

let shop: RunningShop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** A picture as a phone takes it: noise, so that it is large, turned by its EXIF, and with a place in it. */
const aPhonePicture = (width = 4_000, height = 3_000): Promise<Buffer> =>
  sharp({
    create: { width, height, channels: 3, background: 'black', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  })
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '45/1 31/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 92 })
    .toBuffer();

const pictureFile = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer });

const choose = (page: Page) => page.getByLabel('Choose pictures').last();

const openForm = async (page: Page): Promise<void> => {
  await page.goto('/dashboard/add_product');
  await page.getByRole('heading', { name: 'Add A Product' }).waitFor();
};

const isbn = (page: Page) => page.getByLabel('Scan or type the ISBN');
const titleOf = (page: Page) => page.getByLabel('Title', { exact: true });
const photosOf = (page: Page) => page.getByRole('region', { name: 'Photos' });

/** Drags a photo to the place of another, by way of those between them. */
const drag = async (page: Page, from: number, to: number, by: 'mouse' | 'touch'): Promise<void> => {
  const handle = photosOf(page).getByRole('button', { name: new RegExp(`^Move photo ${from}:`) });
  await handle.scrollIntoViewIfNeeded();
  const step = Math.sign(to - from);
  const tiles = Array.from({ length: Math.abs(to - from) }, (_, n) => from + step * (n + 1));
  const points: { x: number; y: number }[] = [];
  for (const place of [
    handle,
    ...tiles.map((at) =>
      photosOf(page)
        .getByRole('listitem')
        .nth(at - 1),
    ),
  ]) {
    const box = await place.boundingBox();
    if (box === null) throw new Error('it is not seen');
    points.push({ x: box.x + box.width / 2, y: box.y + Math.min(box.height, 120) / 2 });
  }
  const [start = { x: 0, y: 0 }, ...rest] = points;
  if (by === 'mouse') {
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    for (const { x, y } of rest) await page.mouse.move(x, y, { steps: 5 });
    return page.mouse.up();
  }
  const finger = await page.context().newCDPSession(page);
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [start] });
  for (const point of rest) {
    await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] });
  }
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  return finger.detach();
};

/** Whether leaving the document warns now. */
const warns = (page: Page): Promise<boolean> =>
  page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));

/** Drops or pastes files of these names and types; answers whether the form took them from the browser. */
const bring = (page: Page, how: 'drop' | 'paste', files: readonly { name: string; type: string }[]): Promise<boolean> =>
  page.evaluate(
    ([kind, given]) => {
      const data = new DataTransfer();
      for (const { name, type } of given) data.items.add(new File(['not a picture'], name, { type }));
      const event =
        kind === 'drop'
          ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      return !document.body.dispatchEvent(event);
    },
    [how, files] as const,
  );

const fillRest = async (page: Page, title: string): Promise<void> => {
  await titleOf(page).fill(title);
  await page.getByLabel('Condition').selectOption('Good');
  await page.getByLabel(/^Category$/).selectOption({ index: 1 });
  await page.getByLabel('Resale price').fill('7.50');
  await page.getByLabel('Price when new: not known').check();
  await page.getByLabel('Age: not known').check();
};

test('a picture of twelve megabytes goes up small, a lost connection loses none, and visitors see them', async () => {
  const seller = await aVisitor(browser, shop.url, { width: PHONE });
  const { page, context } = seller;
  const sent: number[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('/api/photos/'))
      sent.push(request.postDataBuffer()?.length ?? 0);
  });
  await signIn(page, 'Seller');
  await openForm(page);
  const large = await aPhonePicture();
  expect(large.length).toBeGreaterThan(5_000_000);
  await choose(page).setInputFiles(pictureFile('cover.jpg', large));
  await expect.poll(() => sent.length, { timeout: 20_000 }).toBe(1);
  expect(Math.max(...sent)).toBeLessThanOrEqual(MOST_BYTES);
  // The connection goes while the others are on their way, and comes back.
  await context.setOffline(true);
  const others = await Promise.all([aPhonePicture(900, 1_200), aPhonePicture(800, 1_000)]);
  await choose(page).setInputFiles(others.map((buffer, n) => pictureFile(`other-${n}.jpg`, buffer)));
  await page.getByText('Waiting for the connection…').first().waitFor();
  await context.setOffline(false);
  const underWay = page.getByText('Waiting for the connection…').or(page.getByRole('progressbar'));
  await expect.poll(() => underWay.count(), { timeout: 20_000 }).toBe(0);
  const photos = photosOf(page);
  await photos.getByText('Cover', { exact: true }).waitFor();
  await photos.getByLabel('What photo 2 shows').selectOption('Back');
  // The third becomes the cover, by the keyboard.
  await photos.getByRole('button', { name: /^Move photo 3/ }).press('ArrowLeft');
  await photos.getByRole('button', { name: /^Move photo 2/ }).press('ArrowLeft');
  await photos.getByRole('button', { name: 'Remove photo 3' }).click();
  await photos.getByRole('button', { name: 'Undo' }).click();
  // And the first the last, by a pointer that passes the second.
  const back = async (): Promise<number> => {
    const shown = await photos
      .getByRole('combobox')
      .evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value));
    return shown.indexOf('back') + 1;
  };
  expect(await back()).toBe(3);
  await drag(page, 1, 3, 'mouse');
  await expect.poll(back).toBe(2);
  await drag(page, 1, 3, 'touch');
  await expect.poll(back).toBe(1);
  await drag(page, 1, 3, 'mouse');
  await expect.poll(back).toBe(3);
  await expectAccessible(page, 'the form with photos');
  await fillRest(page, 'The Lighthouse Keeper');
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.getByText('Product Added Successful').waitFor();
  // The lost connection is the journey's own doing.
  expect(seller.problems.filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  await context.close();

  const visitor = await aVisitor(browser, shop.url, { width: PHONE });
  await visitor.page.goto('/search?q=Lighthouse+Keeper');
  const card = visitor.page.getByRole('article').filter({ hasText: 'The Lighthouse Keeper' });
  // A card's cover is 112 pixels wide: the smallest of the three is fine enough for any screen.
  const cover = card.locator('img');
  expect(await cover.getAttribute('src')).toMatch(/\/photos\/[a-z2-7]{22}\/320\.webp$/);
  expect(await cover.getAttribute('srcset')).toBeNull();
  await card.getByRole('link', { name: 'The Lighthouse Keeper' }).click();
  const gallery = photosOf(visitor.page);
  await gallery.getByText('1 of 3').waitFor();
  await gallery.getByRole('button', { name: 'The next photo' }).click();
  await gallery.getByText('2 of 3').waitFor();
  await gallery
    .getByRole('button', { name: /^Photo 2 of The Lighthouse Keeper|^Back of/ })
    .first()
    .press('Home');
  await gallery.getByText('1 of 3').waitFor();
  await gallery
    .getByRole('button', { name: /show it large/ })
    .first()
    .click();
  const large1 = visitor.page.getByRole('dialog', { name: 'Photos of The Lighthouse Keeper' });
  await large1.getByRole('button', { name: 'Photo 1 of The Lighthouse Keeper: as large as it is' }).click();
  await large1.getByRole('button', { name: 'Photo 1 of The Lighthouse Keeper: as large as the screen' }).waitFor();
  await expectAccessible(visitor.page, 'a photo that is zoomed');
  await visitor.page.keyboard.press('Escape');
  await large1.waitFor({ state: 'hidden' });
  await gallery.getByRole('button', { name: 'Show photo 3: back' }).waitFor();
  const shared = await visitor.page.locator('meta[property="og:image"]').getAttribute('content');
  expect(shared).toMatch(/\/photos\/[a-z2-7]{22}\/shared\.jpg$/);
  const picture = await visitor.context.request.get(shared ?? '');
  expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/jpeg']);
  const made = await sharp(await picture.body()).metadata();
  expect([made.width, made.height, made.exif]).toEqual([1_200, 630, undefined]);
  await visitor.leave();
});

test('what is no picture, too small or HEIC is refused in a sentence, and nothing of it is sent', async () => {
  const seller = await aVisitor(browser, shop.url, { width: PHONE });
  const { page } = seller;
  await signIn(page, 'Seller');
  await openForm(page);
  const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(64)]);
  const small = await sharp({ create: { width: 150, height: 300, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  await choose(page).setInputFiles([
    { name: 'taken.heic', mimeType: 'image/heic', buffer: heic },
    { name: 'small.png', mimeType: 'image/png', buffer: small },
    { name: 'half.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a picture') },
  ]);
  await page.getByText(/This browser cannot read HEIC pictures/).waitFor();
  await page.getByText(/This picture is too small/).waitFor();
  await page.getByText(/This picture is damaged or cut short/).waitFor();
  const letter = { name: 'letter.pdf', type: 'application/pdf' };
  for (const how of ['drop', 'paste'] as const) {
    expect(await bring(page, how, [letter])).toBe(true);
    await page.getByText('Please choose a JPEG, PNG, WebP or AVIF picture.', { exact: true }).waitFor();
    expect(await bring(page, how, [letter, { name: 'cover.jpg', type: 'image/jpeg' }])).toBe(true);
    await page.getByText('Left out: letter.pdf. Please choose a JPEG, PNG, WebP or AVIF picture.').waitFor();
  }
  expect(await photosOf(page).getByRole('listitem').count()).toBe(5);
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.getByText('Add a photo, or give the https address of a picture').waitFor();
  await seller.leave();
});

test('photos that follow a listing hold the document until they are there, and the refused ones are named', async () => {
  const seller = await aVisitor(browser, shop.url, { width: PHONE });
  const { page } = seller;
  await signIn(page, 'Seller');
  await openForm(page);
  const pictures = await Promise.all([aPhonePicture(900, 1_200), aPhonePicture(800, 1_000)]);
  const held = Promise.withResolvers<undefined>();
  let first: string | undefined;
  await page.route('**/api/photos/*', async (route) => {
    const address = route.request().url();
    if (route.request().method() !== 'PUT' || (first ??= address) === address) return route.continue();
    await held.promise;
    return route.fulfill({
      status: 422,
      json: { error: { code: 'photo_refused', message: 'This picture is damaged or cut short' } },
    });
  });
  // Two are made small at once, and either may be sent before the other.
  for (const [n, buffer] of pictures.entries()) {
    const isSent = page.waitForRequest(
      (request) => request.method() === 'PUT' && request.url().includes('/api/photos/'),
    );
    await choose(page).setInputFiles(pictureFile(`photo-${n}.jpg`, buffer));
    await isSent;
  }
  await fillRest(page, 'Late photos');
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.getByText('Late photos is in the shop now. Its other photos follow.').waitFor();
  await page.getByRole('heading', { name: 'My Products' }).waitFor();
  expect(await warns(page)).toBe(true);
  held.resolve(undefined);
  await page.getByText('Late photos has 1 of 2. Photo 2 was left out: This picture is damaged or cut short.').waitFor();
  expect(await warns(page)).toBe(false);
  // The form is loaded as a document: that alone may use the camera.
  await page.getByRole('link', { name: 'Edit it' }).click();
  await page.getByRole('heading', { name: 'Edit Product' }).waitFor();
  const loaded = await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.name);
  expect(loaded).toContain('/dashboard/edit_product/');
  await seller.leave();
});

/** ISBNs that the stand-in of Open Library or the shop itself knows. */
const TWELVE = 12;

test('twelve books are listed with four inputs each and nothing typed twice', async () => {
  const seller = await aVisitor(browser, shop.url, { width: PHONE });
  const { page, context } = seller;
  await signIn(page, 'Seller');
  const found = await context.request.get('/api/categories?limit=60');
  const listed = (await found.json()) as { isbn13: string }[];
  const numbers = [...new Set(listed.map(({ isbn13 }) => isbn13).filter((digits) => digits !== ''))].slice(0, TWELVE);
  expect(numbers).toHaveLength(TWELVE);
  await openForm(page);
  const counts: { inputs: number; taps: number }[] = [];
  const titles: string[] = [];
  for (const [at, digits] of numbers.entries()) {
    let [inputs, taps] = [0, 0];
    const input = async (work: Promise<unknown>): Promise<void> => {
      await work;
      inputs += 1;
      taps += 1;
    };
    await input(isbn(page).fill(digits));
    await page.getByText(/^Filled in from/).waitFor();
    titles.push(await titleOf(page).inputValue());
    await input(choose(page).setInputFiles(pictureFile('cover.jpg', await aPhonePicture(900, 1_200))));
    await input(page.getByLabel('Condition').selectOption('Good'));
    await input(page.getByLabel('Resale price').fill(`${4 + at}.50`));
    if (at === 0) {
      // The first book says what the others begin with.
      for (const label of ['Price when new: not known', 'Age: not known']) await input(page.getByLabel(label).check());
    }
    await page.getByRole('button', { name: 'Add it, and the next one' }).click();
    taps += 1;
    await expect.poll(() => isbn(page).inputValue()).toBe('');
    counts.push({ inputs, taps });
  }
  const rest = counts.slice(1);
  process.stdout.write(
    `Twelve books: ${Math.max(...rest.map(({ inputs }) => inputs))} inputs and ` +
      `${Math.max(...rest.map(({ taps }) => taps))} taps each from the second on, the first ${counts[0]?.inputs}.\n`,
  );
  expect(rest.every(({ inputs, taps }) => inputs <= 4 && taps <= 8)).toBe(true);
  await page.goto('/dashboard/my_products');
  await page.getByText('$15.50').first().waitFor();
  const rows = (await page.getByRole('row').allTextContents()).filter((row) =>
    titles.some((title, at) => row.includes(title) && row.includes(`$${4 + at}.50`)),
  );
  expect(rows).toHaveLength(TWELVE);
  // A price that the next barcode states goes before what was kept of the last book.
  await openForm(page);
  expect(await page.getByLabel('Price when new: not known').isChecked()).toBe(true);
  await isbn(page).fill('978043902348151995');
  await page.getByText(/The original price is from the barcode/).waitFor();
  expect(await page.getByLabel('Original price').inputValue()).toBe('19.95');
  expect(await page.getByLabel('Price when new: not known').isChecked()).toBe(false);
  await seller.leave();
});

test('an ISBN typed on the landing page leads by signing in to the form, which knows the book', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: PHONE });
  const [known] = (await (await page.request.get(`${shop.url}/api/search?q=dune`)).json()).listings as {
    title: string;
    isbn13: string;
  }[];
  await page.goto('/');
  await page.getByLabel('ISBN', { exact: true }).fill(known?.isbn13 ?? '');
  await page.getByRole('button', { name: 'Sell this book' }).click();
  await page.waitForURL(/\/login\?from=/);
  await fillSignIn(page, 'Seller');
  await page.waitForURL(/\/dashboard\/add_product/);
  await expect.poll(() => titleOf(page).inputValue()).toBe(known?.title);
  expect(await isbn(page).inputValue()).toBe(known?.isbn13);
  await page.getByText(/^Filled in from copies in this shop/).waitFor();
  await expectAccessible(page, 'the form that an ISBN leads to');
  await leave();
});

test('without scripts the landing page leads to selling, too', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { javaScript: false });
  await page.goto('/');
  await page.getByLabel('ISBN', { exact: true }).fill('978-0-441-17271-9');
  await page.getByRole('button', { name: 'Sell this book' }).click();
  await page.waitForURL(/\/dashboard\/add_product\?isbn=978-0-441-17271-9$/);
  await leave();
});
