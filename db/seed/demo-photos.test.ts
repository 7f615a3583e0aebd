import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { listListings, readListing } from '#contract/catalog/catalog.ts';
import { PHOTO_CAPTIONS } from '#contract/catalog/photo-rules.ts';
import { orderRulesOf } from '#server/app.ts';
import { createPhotoMaker } from '#server/catalog/photos/making/maker.ts';
import type { PhotoDeps } from '#server/catalog/photos/photo-files.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { readDemoGoods } from './demo-goods.ts';
import { ORDERS_OF, seedDemoOrders } from '#db/seed/orders/demo-orders.ts';
import { addDemoPhotos, readDemoPhotos } from './demo-photos.ts';
import { seedDemoShop } from './demo-shop.ts';

const MOST_BYTES = 40_000;
const MOST_BYTES_OF_ALL = 2_000_000;

let t: TestApp | undefined;
const maker = createPhotoMaker();
afterEach(async () => {
  await t?.close();
  t = undefined;
  await maker.close();
});

const fail = (error: unknown): void => {
  throw error;
};

const depsOf = ({ db, photos: store }: TestApp): PhotoDeps => ({ db, store, maker });
const open = (): AbortSignal => new AbortController().signal;

test('a third of the copies have sample photos: small files, the front first, each copy another', async () => {
  const [photos, { copies }] = await Promise.all([readDemoPhotos(), readDemoGoods()]);
  const byCopy = Map.groupBy(photos, ({ seller, title }) => `${seller} ${title}`);
  expect(byCopy.size).toBe(Math.ceil(copies.length / 3));
  expect(new Set(photos.map(({ file }) => file)).size).toBe(photos.length);
  for (const [key, own] of byCopy) {
    expect(
      copies.filter(({ seller, title }) => `${seller} ${title}` === key),
      key,
    ).toHaveLength(1);
    expect([own[0]?.caption, own.length <= 3]).toEqual(['front', true]);
  }
  let sum = 0;
  for (const { file, caption } of photos) {
    expect(PHOTO_CAPTIONS).toContain(caption);
    const bytes = await readFile(path.join(import.meta.dirname, 'photos', file));
    expect((await sharp(bytes).metadata()).format).toBe('jpeg');
    expect(bytes.length, file).toBeLessThanOrEqual(MOST_BYTES);
    sum += bytes.length;
  }
  expect(sum).toBeLessThanOrEqual(MOST_BYTES_OF_ALL);
});

test('sample photos are shown and said to be that; a start that was cut off is gone on with, and orders show them', async () => {
  t = await testApp();
  await seedDemoShop(t.db);
  const { db } = t;
  const photos = await readDemoPhotos();
  const countOf = (whose: string): number =>
    new Set(photos.filter(({ seller }) => seller === whose).map(({ title }) => title)).size;

  const cut = new AbortController();
  const store = { ...t.photos, put: t.photos.put.bind(t.photos) };
  const deps = { ...depsOf(t), store };
  // The first file is laid, and the shop is closed.
  store.put = async (...args) => {
    cut.abort();
    return t?.photos.put(...args);
  };
  expect(await addDemoPhotos(deps, { closing: cut.signal }, fail)).toBe(1);
  expect(await addDemoPhotos(depsOf(t), { closing: open(), of: ORDERS_OF }, fail)).toBe(countOf(ORDERS_OF) - 1);
  await seedDemoOrders({ payments: t.payments, rules: orderRulesOf(t.config), standin: t.standinUrl });
  // Another seller, of those with the fewest, has chosen a picture meanwhile: each photo takes a tenth of a second.
  const [{ seller, title } = { seller: '', title: '' }] = photos
    .filter(({ seller: own }) => own !== ORDERS_OF)
    .toSorted((a, b) => countOf(a.seller) - countOf(b.seller));
  await sql`UPDATE listings SET image_url = 'https://images.example/own.jpg' WHERE title = ${title}`.execute(db);
  expect(await addDemoPhotos(depsOf(t), { closing: open(), of: seller }, fail)).toBe(countOf(seller) - 1);
  expect(await addDemoPhotos(depsOf(t), { closing: open(), of: seller }, fail)).toBe(0);

  const { body } = await t.call(listListings, { query: { limit: '100' } });
  const shown = body.filter(({ photo }) => photo !== null);
  expect(shown.length).toBeGreaterThan(10);
  const { body: copy } = await t.call(readListing, { params: { id: shown[0]?._id ?? '' } });
  expect(copy.image_url).toContain(`/photos/${copy.photos[0]?.name}/720.webp`);
  expect(copy.photos[0]).toMatchObject({ caption: 'front', sample: true });
  const picture = await t.app.inject(new URL(copy.image_url).pathname);
  expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/webp']);
  const { rows } = await sql<{ pictured: number }>`SELECT count(*)::integer AS pictured FROM bookings AS b
    WHERE b.order_id IS NOT NULL AND EXISTS (SELECT FROM promised_photos AS p WHERE p.booking_id = b.id)`.execute(db);
  const { rows: all } = await sql<{ orders: number }>`SELECT count(*)::integer AS orders FROM bookings
    WHERE order_id IS NOT NULL`.execute(db);
  expect(rows[0]?.pictured).toBe(all[0]?.orders);
});
