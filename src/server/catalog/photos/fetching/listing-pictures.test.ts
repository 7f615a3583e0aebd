import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteListing, readListing } from '#contract/catalog/catalog.ts';
import { createPhotoMaker, type PhotoMaker } from '#server/catalog/photos/making/maker.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBuyer, aListing, aSeller, type TestUser } from '#test/make.ts';
import { aPicture } from '#test/photos.ts';
import type { Unfetched } from './fetch-picture.ts';
import { fetchDuePicture } from './listing-pictures.service.ts';

let t: TestApp;
let seller: TestUser;
let maker: PhotoMaker;
beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  maker = createPhotoMaker();
});
afterAll(async () => {
  await maker.close();
  await t.close();
});

let asked: string[];
let givenUp: string[];
beforeEach(async () => {
  await t.db.deleteFrom('picture_fetches').execute();
  [asked, givenUp] = [[], []];
});

const AWAY: Unfetched = { refused: 'away', later: true };

const fetchOne = (answer: { readonly bytes: Uint8Array } | Unfetched) =>
  fetchDuePicture({
    db: t.db,
    store: t.photos,
    maker,
    fetch: (address) => {
      asked.push(address);
      return Promise.resolve(answer);
    },
    onGivenUp: (picture, why) => void givenUp.push(`${picture.id} ${why}`),
  });

const waiting = () =>
  t.db.selectFrom('picture_fetches').select(['listing_id', 'tries', 'next_try_at']).orderBy('next_try_at').execute();

const read = async (id: string) => (await t.call(readListing, { params: { id } })).body;

test('a picture from elsewhere becomes a photo of the shop, and nothing else of the copy or its booking changes', async () => {
  const address = 'https://pictures.example/one.jpg';
  const copy = await aListing(t, seller, { image_url: address });
  const buyer = await aBuyer(t);
  const booking = await aBooking(t, buyer, copy);
  const factsOf = () => t.db.selectFrom('listings').selectAll().where('id', '=', copy._id).executeTakeFirstOrThrow();
  const before = await factsOf();
  expect(await fetchOne({ bytes: await aPicture() })).toBe(true);
  expect(asked).toEqual([address]);
  const { image_url: name, image_source: source, ...rest } = await factsOf();
  expect({ ...rest, image_url: address, image_source: '' }).toEqual(before);
  expect(source).toBe(address);
  expect((await read(copy._id)).image_url).toMatch(new RegExp(`/photos/${name}/720\\.webp$`));
  const shown = await t.app.inject({ url: `/photos/${name}/320.webp` });
  expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/webp']);
  const kept = await t.db.selectFrom('bookings').selectAll().where('id', '=', booking).executeTakeFirstOrThrow();
  expect(kept.image_url).toBe(address);
  expect(await fetchOne(AWAY)).toBe(false);
});

test('a host that is away is left alone for a while, with all that is of it', async () => {
  const [first] = [
    await aListing(t, seller, { image_url: 'https://away.example/1.jpg' }),
    await aListing(t, seller, { image_url: 'https://AWAY.example:443/2.jpg' }),
    await aListing(t, seller, { image_url: 'https://there.example/3.jpg' }),
  ];
  expect(await fetchOne(AWAY)).toBe(true);
  expect(await fetchOne({ bytes: await aPicture() })).toBe(true);
  expect(await fetchOne(AWAY)).toBe(false);
  expect(asked).toEqual(['https://away.example/1.jpg', 'https://there.example/3.jpg']);
  const left = await waiting();
  expect(left.find((row) => row.listing_id === first._id)?.tries).toBe(1);
  expect(left.map(({ next_try_at: at }) => at.getTime() > Date.now() + 4 * 60_000)).toEqual([true, true]);
});

test('it is given up after a week, or at once where there is no picture', async () => {
  const never = await aListing(t, seller, { image_url: 'https://never.example/1.jpg' });
  let minutes = 0;
  for (let tries = 1; tries <= 11; tries += 1) {
    await t.db
      .updateTable('picture_fetches')
      .set({ next_try_at: new Date(0) })
      .execute();
    expect(await fetchOne(AWAY)).toBe(true);
    const [row] = await waiting();
    if (row !== undefined) minutes += Math.round((row.next_try_at.getTime() - Date.now()) / 60_000);
  }
  expect(givenUp).toEqual([`${never._id} away`]);
  expect(await waiting()).toEqual([]);
  expect(minutes / 60 / 24).toBeGreaterThan(3);
  expect((await read(never._id)).image_url).toBe('https://never.example/1.jpg');

  const [gone, page] = [
    await aListing(t, seller, { image_url: 'https://gone.example/1.jpg' }),
    await aListing(t, seller, { image_url: 'https://page.example/1.jpg' }),
  ];
  givenUp = [];
  await fetchOne({ refused: 'missing', later: false });
  await fetchOne({ bytes: Buffer.from('<html>') });
  expect(givenUp.map((line) => line.slice(0, 36))).toEqual([gone._id, page._id]);
  expect(await waiting()).toEqual([]);
});

test('a copy that is gone, or shows another picture by then, is left as it is', async () => {
  const copy = await aListing(t, seller, { image_url: 'https://pictures.example/4.jpg' });
  const bytes = await aPicture();
  await fetchDuePicture({
    db: t.db,
    store: t.photos,
    maker,
    fetch: async () => {
      await t.call(deleteListing, { params: { id: copy._id }, body: {} }, { as: seller });
      return { bytes };
    },
    onGivenUp: () => {},
  });
  expect(
    await t.db.selectFrom('listing_photos').select('photo_id').where('listing_id', '=', copy._id).execute(),
  ).toEqual([]);
  expect(await waiting()).toEqual([]);
});
