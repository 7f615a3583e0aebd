import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteListing, editListing, type Listing, type ListingEdit } from '#contract/catalog/catalog.ts';
import type { PassportDraft } from '#contract/catalog/passport/passport.ts';
import type { Photo } from '#contract/catalog/photos.ts';
import { acceptCopy } from '#contract/bookings/promise.ts';
import { readOrder } from '#contract/orders/orders.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';
import { releaseLapsedHolds } from '#server/payments/settlement/release.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { askForIntent, bookingOf, copyOf, failing, lapse, payAtProvider, recordPaid, type Deal } from '#test/deal.ts';
import { aBooking, aBuyer, aListing, anAdmin, aSeller } from '#test/make.ts';
import { aPhoto, aPicture } from '#test/photos.ts';

// What a booking keeps of its copy, whole, and what counts as a change of it.

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const CORNERS = { defect: 'corners', degree: 'slight', note: 'Front, below' } as const;
const SIGNED: PassportDraft = { binding: 'hardcover', signed: 'signed', jacket: 'with', defects: [CORNERS] };

interface PicturedDeal extends Deal {
  readonly photos: readonly Photo[];
}

const aPassportDeal = async (): Promise<PicturedDeal> => {
  const [seller, buyer] = [await aSeller(t), await aBuyer(t)];
  const photos = [await aPhoto(t, seller), await aPhoto(t, seller), await aPhoto(t, seller)];
  const shown = photos.map(({ id }) => ({ id, caption: null }));
  const passport = { ...SIGNED, defects: [{ ...CORNERS, photo: photos[1]?.id ?? null }] };
  const copy = await aListing(t, seller, { image_url: undefined, photos: shown, passport, publisher: 'Ace' });
  return { seller, buyer, copy, bookingId: await aBooking(t, buyer, copy), photos };
};

const lapsed = async (): Promise<PicturedDeal> => {
  const deal = await aPassportDeal();
  await lapse(t, deal);
  await releaseLapsedHolds(t.payments, failing);
  return deal;
};

const edit = async ({ seller, copy }: { seller: Deal['seller']; copy: Listing }, body: ListingEdit): Promise<void> => {
  const { status, body: answer } = await t.call(editListing, { params: { id: copy._id }, body }, { as: seller });
  expect([status, answer]).toEqual([200, { modifiedCount: 1 }]);
};

const keptOf = ({ bookingId }: Pick<Deal, 'bookingId'>) =>
  t.db.selectFrom('booking_promises').selectAll().where('booking_id', '=', bookingId).executeTakeFirstOrThrow();

const orderOf = async (deal: Deal) => {
  const { orderId } = await bookingOf(t, deal);
  return (await t.call(readOrder, { params: { id: orderId ?? '' } }, { as: deal.buyer })).body;
};

test('passport, texts, photos and price are kept whole, with the hash of their canonical JSON', async () => {
  const deal = await aPassportDeal();
  const { promise, hash } = await keptOf(deal);
  const names = await t.db.selectFrom('photos').select(['id', 'name']).where('owner_id', '=', deal.seller.id).execute();
  const nameOf = (photo: Photo | undefined) => names.find(({ id }) => id === photo?.id)?.name;
  expect(promise).toMatchObject({
    title: deal.copy.title,
    publisher: 'Ace',
    condition: 'Excellent',
    details: deal.copy.details,
    price_cents: 750,
    picture: nameOf(deal.photos[0]),
    photos: deal.photos.map((photo) => ({ name: nameOf(photo), caption: null })),
    passport: {
      grade: 'Near Fine',
      signed: 'signed',
      defects: [{ defect: 'corners', degree: 'slight', note: 'Front, below', photo: nameOf(deal.photos[1]) }],
    },
  });
  expect(hash).toEqual(
    createHash('sha256')
      .update(canonicalize(promise) ?? '')
      .digest(),
  );
  const told = JSON.stringify(promise);
  for (const secret of [deal.buyer.email, deal.buyer.name, deal.seller.email, deal.seller.name])
    expect(told).not.toContain(secret);
});

test('the database writes canonical JSON of every character there is', async () => {
  const [seller, buyer] = [await aSeller(t), await aBuyer(t)];
  const control = Array.from({ length: 31 }, (_, n) => String.fromCodePoint(n + 1)).join('');
  const odd = `${control} "'\\/<&>\u007f\u0085\u00e9\u2028\u2029\ufeff\uffff\u{1f4d6}`;
  const passport = { ...SIGNED, defects: [{ ...CORNERS, note: 'Tab' }] };
  const copy = await aListing(t, seller, { passport });
  await sql`UPDATE listings SET details = ${odd}, publisher = ${odd} WHERE id = ${copy._id}`.execute(t.db);
  await sql`UPDATE copy_passports SET edition = ${odd}, pages = 2147483647,
    defects = jsonb_set(defects, '{0,note}', to_jsonb(${odd}::text)) WHERE listing_id = ${copy._id}`.execute(t.db);
  const { promise, hash } = await keptOf({ bookingId: await aBooking(t, buyer, copy) });
  expect(promise).toMatchObject({ details: odd, passport: { edition: odd, defects: [{ note: odd }] } });
  expect(hash).toEqual(
    createHash('sha256')
      .update(canonicalize(promise) ?? '')
      .digest(),
  );
});

test('the order shows what was promised, whatever becomes of the copy and its seller', async () => {
  const deal = await aPassportDeal();
  expect((await recordPaid(t, deal, await payAtProvider(t, deal))).status).toBe(200);
  const before = await orderOf(deal);
  const { hash } = await keptOf(deal);
  expect(before.books[0]?.promise).toMatchObject({
    hash: hash.toString('hex'),
    terms: { passport: { signed: 'signed' } },
  });
  expect(before.books[0]?.photos).toHaveLength(3);
  await sql`UPDATE listings SET title = 'Another', details = '' WHERE id = ${deal.copy._id}`.execute(t.db);
  await sql`DELETE FROM copy_passports WHERE listing_id = ${deal.copy._id}`.execute(t.db);
  expect((await orderOf(deal)).books).toEqual(before.books);
  await expect(
    sql`UPDATE booking_promises SET promise = '{}' WHERE booking_id = ${deal.bookingId}`.execute(t.db),
  ).rejects.toThrow('final');
});

test.each<[string, ListingEdit]>([
  ['passport', { passport: { ...SIGNED, signed: 'no' } }],
  ['passport', { passport: { ...SIGNED, defects: [CORNERS, { defect: 'leaning', degree: 'slight' }] } }],
  ['publisher', { publisher: 'Another' }],
  ['published_year', { published_year: 1999 }],
])('an edit of the %s after the hold lapsed asks the buyer: then and now', async (field, body) => {
  const deal = await lapsed();
  await edit(deal, body);
  const { change } = await bookingOf(t, deal);
  expect(Object.keys(change?.now ?? {})).toContain(field);
  expect((await askForIntent(t, deal)).body.error?.code).toBe('copy_changed');
});

test('a promised photo that is gone is a change; one more, and another order, are none', async () => {
  const deal = await lapsed();
  const photos = deal.photos.map(({ id }) => ({ id, caption: null }));
  const more = { id: (await aPhoto(t, deal.seller)).id, caption: null };
  await edit(deal, { photos: [more, ...photos.toReversed()] });
  expect((await bookingOf(t, deal)).change).toBeNull();
  await edit(deal, { photos: [more, ...photos.slice(0, 2)] });
  const { change } = await bookingOf(t, deal);
  expect([Object.keys(change?.then ?? {}), change?.then.photos?.length, change?.now.photos?.length]).toEqual([
    ['photos'],
    2,
    2,
  ]);
});

test('a buyer who goes on is promised the copy as it is now, whole', async () => {
  const deal = await lapsed();
  await edit(deal, { passport: { ...SIGNED, signed: 'inscribed' }, resale_price: 5 });
  const { change } = await bookingOf(t, deal);
  const params = { id: deal.bookingId };
  await t.call(acceptCopy, { params, body: { version: change?.version ?? '' } }, { as: deal.buyer });
  expect((await keptOf(deal)).promise).toMatchObject({ price_cents: 500, passport: { signed: 'inscribed' } });
  expect((await askForIntent(t, { ...deal, copy: { ...deal.copy, resale_price: 5 } })).status).toBe(200);
});

test('a photo that an admin took down is shown by no promise; the promise and its hash stay', async () => {
  const deal = await aPassportDeal();
  const before = await keptOf(deal);
  expect((await recordPaid(t, deal, await payAtProvider(t, deal))).status).toBe(200);
  // As after a refund: the copy is on the shelf once more, and an admin takes it out of the shop.
  await sql`UPDATE bookings SET refunded_at = shop_now() WHERE id = ${deal.bookingId}`.execute(t.db);
  await t.db.updateTable('listings').set(becoming('available')).where('id', '=', deal.copy._id).execute();
  expect((await orderOf(deal)).books[0]?.photos).toHaveLength(3);
  const body = { reason: 'Not a picture of a book' };
  const taken = await t.call(deleteListing, { params: { id: deal.copy._id }, body }, { as: await anAdmin(t) });
  expect(taken.body).toEqual({ deletedCount: 1 });
  expect((await orderOf(deal)).books[0]?.photos).toEqual([]);
  expect(await keptOf(deal)).toEqual(before);
});

test('a photo that its seller took off stays with the promise', async () => {
  const deal = await aPassportDeal();
  expect((await recordPaid(t, deal, await payAtProvider(t, deal))).status).toBe(200);
  await sql`DELETE FROM listing_photos WHERE listing_id = ${deal.copy._id}`.execute(t.db);
  const [shown] = (await orderOf(deal)).books[0]?.photos ?? [];
  expect((await t.app.inject(`/photos/${shown?.name}/320.webp`)).statusCode).toBe(200);
});

test('what the shop knows of an edition meanwhile is no change, and asks nobody', async () => {
  const [seller, buyer] = [await aSeller(t), await aBuyer(t)];
  const photo = await aPhoto(t, seller);
  const isbn13 = '9780441013593';
  const copy = await aListing(t, seller, { isbn13, image_url: undefined, photos: [{ id: photo.id, caption: null }] });
  const deal = { seller, buyer, copy, bookingId: await aBooking(t, buyer, copy) };
  await lapse(t, deal);
  await releaseLapsedHolds(t.payments, failing);
  await sql`INSERT INTO editions (isbn13, title, binding, language, pages, source)
    VALUES (${isbn13}, 'Dune', 'paperback', 'eng', 604, 'dump')`.execute(t.db);
  await edit(deal, { photos: [{ id: photo.id, caption: 'front' }] });
  expect((await bookingOf(t, deal)).change).toBeNull();
  expect((await askForIntent(t, deal)).status).toBe(200);
});

test('a copy that was withdrawn and restored keeps its photos with the promise that is paid for', async () => {
  const deal = await lapsed();
  await t.call(deleteListing, { params: { id: deal.copy._id } }, { as: deal.seller });
  await t.db.updateTable('listings').set(becoming('available')).where('id', '=', deal.copy._id).execute();
  expect((await recordPaid(t, deal, await payAtProvider(t, deal))).status).toBe(200);
  expect((await orderOf(deal)).books[0]?.photos).toHaveLength(3);
});

test('a photo that another copy of the seller shows stays where one copy is taken down', async () => {
  const [seller, buyer] = [await aSeller(t), await aBuyer(t)];
  const bytes = await aPicture();
  const [one, same] = [await aPhoto(t, seller, bytes), await aPhoto(t, seller, bytes)];
  const pictured = (photo: Photo) => ({ image_url: undefined, photos: [{ id: photo.id, caption: null }] });
  const [sold, double] = [await aListing(t, seller, pictured(one)), await aListing(t, seller, pictured(same))];
  const deal = { seller, buyer, copy: sold, bookingId: await aBooking(t, buyer, sold) };
  expect((await recordPaid(t, deal, await payAtProvider(t, deal))).status).toBe(200);
  await t.call(deleteListing, { params: { id: double._id }, body: { reason: 'Twice' } }, { as: await anAdmin(t) });
  expect((await orderOf(deal)).books[0]?.photos).toHaveLength(1);
});

test('a picture that was fetched since it was booked is the one that was promised, wherever it stands', async () => {
  const deal = await lapsed();
  const address = 'https://images.example/fetched.jpg';
  await sql`UPDATE bookings SET image_url = ${address} WHERE id = ${deal.bookingId}`.execute(t.db);
  await sql`UPDATE photos SET fetched_from = ${address} WHERE id = ${deal.photos[1]?.id}`.execute(t.db);
  expect((await bookingOf(t, deal)).change).toBeNull();
});

test('money that comes late for a copy that is not what was promised any more is not taken for it', async () => {
  const deal = await aPassportDeal();
  const intentId = await payAtProvider(t, deal);
  await t.db.deleteFrom('holds').where('booking_id', '=', deal.bookingId).execute();
  await t.db.updateTable('listings').set(becoming('available')).where('id', '=', deal.copy._id).execute();
  await edit(deal, { passport: { ...SIGNED, signed: 'no' } });
  expect((await recordPaid(t, deal, intentId)).status).not.toBe(200);
  expect([(await bookingOf(t, deal)).paid, (await copyOf(t, deal)).status]).toEqual([false, 'Available']);
});

test('a first photo that the seller adds later is neither what was promised nor a change of it', async () => {
  const [seller, buyer] = [await aSeller(t), await aBuyer(t)];
  const copy = { ...(await aListing(t, seller)), image_url: '' };
  // As one that came in a file.
  await sql`UPDATE listings SET image_url = '', image_source = '' WHERE id = ${copy._id}`.execute(t.db);
  const deal = { seller, buyer, copy, bookingId: await aBooking(t, buyer, copy) };
  await lapse(t, deal);
  await releaseLapsedHolds(t.payments, failing);
  const photo = await aPhoto(t, seller);
  await edit(deal, { photos: [{ id: photo.id, caption: null }] });
  expect(await bookingOf(t, deal)).toMatchObject({ change: null, image_url: '' });
});
