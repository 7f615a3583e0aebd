import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { sql } from 'kysely';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bookCopy } from '#contract/bookings/bookings.ts';
import { restoreListing } from '#contract/admin/restoring.ts';
import {
  deleteListing,
  editListing,
  listMyListings,
  offerListing,
  readListing,
  type ListingDetail,
} from '#contract/catalog/catalog.ts';
import { type Photo } from '#contract/catalog/photos.ts';
import { deletePhoto } from '#contract/catalog/photo-calls.ts';
import { moveOrder, readOrder } from '#contract/orders/orders.ts';
import { deleteAccount } from '#contract/users/account.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aSale, bookingOf, payAtProvider, recordPaid } from '#test/deal.ts';
import { aBooking, aBookingDraft, aBuyer, aCategory, aDraft, anAdmin, aSeller, type TestUser } from '#test/make.ts';
import { aPhoto, aPicture, upload } from '#test/photos.ts';
import { stripOldPhotos, sweepPhotos } from './photo-sweep.service.ts';

let t: TestApp;
let seller: TestUser;
let category: string;
beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  category = await aCategory(t, seller);
});
afterAll(() => t.close());

type Choice = { id: string; caption: 'front' | 'back' | 'spine' | null };
const chosen = (...photos: Pick<Photo, 'id'>[]): Choice[] => photos.map(({ id }) => ({ id, caption: null }));

const offer = (photos: Choice[], as = seller) => {
  const { image_url: _, ...draft } = aDraft(as, category);
  return t.call(offerListing, { body: { ...draft, photos } }, { as });
};

const listed = async (id: string): Promise<ListingDetail> => (await t.call(readListing, { params: { id } })).body;

/** A copy with as many photos. */
const aPicturedCopy = async (count: number, as = seller): Promise<ListingDetail> => {
  const photos: Photo[] = [];
  for (let each = 0; each < count; each += 1) photos.push(await aPhoto(t, as));
  const { status, body } = await offer(chosen(...photos), as);
  expect([status, body.error]).toEqual([201, undefined]);
  return listed(body.insertedId);
};

const edit = (id: string, body: object, as = seller) => t.call(editListing, { params: { id }, body }, { as });

const look = (name: string, file = '720.webp', headers: Record<string, string> = {}) =>
  t.app.inject({ url: `/photos/${name}/${file}`, headers });

const nameOf = (copy: ListingDetail, at = 0): string => copy.photos[at]?.name ?? 'none';

const sweep = () => sweepPhotos({ db: t.db, store: t.photos });

const keysOf = async (name: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of t.photos.keys(`${name.slice(0, 2)}/${name}/`)) keys.push(key);
  return keys;
};

/** As if a day and a bit had passed since photos were last looked at. */
const dayLater = () =>
  sql`UPDATE photos SET keep_until = keep_until - interval '25 hours', created_at = created_at - interval '25 hours'`.execute(
    t.db,
  );

describe('a copy with photos', () => {
  test('has the first as its cover, and tells of all in their order', async () => {
    const photos = [await aPhoto(t, seller, await aPicture(1_000, 1_500)), await aPhoto(t, seller)];
    const [front, back] = photos.map(({ id }) => id.toUpperCase());
    const { body } = await offer([
      { id: front ?? '', caption: 'front' },
      { id: back ?? '', caption: 'back' },
    ]);
    const copy = await listed(body.insertedId);
    expect(copy.photos).toMatchObject([
      { id: photos[0]?.id, width: 1_000, height: 1_500, caption: 'front' },
      { id: photos[1]?.id, width: 400, height: 300, caption: 'back' },
    ]);
    expect(copy.image_url).toBe(`${t.config.publicUrl}/photos/${nameOf(copy)}/720.webp`);
    const { id: _, caption: __, sample, ...card } = copy.photos[0] ?? { id: '', caption: null, sample: true };
    expect(sample).toBe(false);
    expect(copy.photo).toEqual(card);
    const mine = await t.call(listMyListings, { query: { email: seller.email } }, { as: seller });
    expect(mine.body.find(({ _id }) => _id === copy._id)?.photo).toEqual(card);
    expect((await upload(t, seller, { id: photos[0]?.id ?? '' })).status).toBe(409);
  });

  test('shows them to everybody, for a day, and says nothing else of them', async () => {
    const copy = await aPicturedCopy(1);
    const name = nameOf(copy);
    for (const [file, type, format] of [
      ['320.webp', 'image/webp', 'webp'],
      ['1600.webp', 'image/webp', 'webp'],
      ['shared.jpg', 'image/jpeg', 'jpeg'],
    ] as const) {
      const { statusCode, headers, rawPayload } = await look(name, file);
      expect([
        statusCode,
        headers['content-type'],
        headers['cache-control'],
        headers['x-content-type-options'],
      ]).toEqual([200, type, 'public, max-age=86400', 'nosniff']);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect((await sharp(rawPayload).metadata()).format).toBe(format);
      const again = await look(name, file, { 'if-none-match': String(headers['etag']) });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
    const head = await t.app.inject({ method: 'HEAD', url: `/photos/${name}/720.webp` });
    expect([head.statusCode, head.body, head.headers['content-type']]).toEqual([200, '', 'image/webp']);
    for (const [other, file] of [
      [name, '100.webp'],
      [name, '720.jpg'],
      ['a'.repeat(22), '720.webp'],
      ['..%2f..%2fetc', 'passwd'],
    ] as const)
      expect((await look(other, file)).statusCode).toBe(404);
  });

  test('takes none of another seller’s, none twice, none that is gone and no nine', async () => {
    const [mine, theirs] = [await aPhoto(t, seller), await aPhoto(t, await aSeller(t))];
    const gone = await aPhoto(t, seller);
    await t.call(deletePhoto, { params: { id: gone.id } }, { as: seller });
    const says = 'One of these photos is not there any more: please choose it again';
    for (const [photos, message] of [
      [chosen(mine, theirs), says],
      [chosen(gone), says],
      [chosen({ id: randomUUID() }), says],
      [chosen(mine, { id: mine.id.toUpperCase() }), 'Choose each photo once'],
      [chosen(...Array.from({ length: 9 }, () => ({ id: randomUUID() }))), undefined],
      [[], undefined],
    ] as const) {
      const { status, body } = await offer([...photos]);
      expect([status, Object.keys(body.error?.fields ?? {})]).toEqual([400, ['photos']]);
      if (message !== undefined) expect(body.error?.message).toBe(message);
    }
    const other = await offer([{ id: mine.id, caption: 'cover' as never }]);
    expect(other.status).toBe(400);
  });

  test('needs a photo or an address, and no address of another book’s photo', async () => {
    const copy = await aPicturedCopy(1);
    const { image_url: _, ...draft } = aDraft(seller, category);
    for (const [image_url, message] of [
      [undefined, 'Add a photo, or give the https address of a picture'],
      ['', 'Add a photo, or give the https address of a picture'],
      [copy.image_url, 'This photo belongs to another book: please upload it for this one'],
      [`http://evil.example/photos/${nameOf(copy)}/720.webp`, 'Add a photo, or give the https address of a picture'],
    ] as const) {
      const body = { ...draft, ...(image_url !== undefined && { image_url }) };
      const answer = await t.call(offerListing, { body }, { as: seller });
      expect([answer.status, answer.body.error?.fields]).toEqual([400, { image_url: message }]);
    }
  });

  test('is edited: order, captions, other photos, or nothing at all', async () => {
    const copy = await aPicturedCopy(2);
    const [first, second] = copy.photos.map(({ id }) => ({ id, caption: null }));
    expect((await edit(copy._id, { image_url: copy.image_url })).body).toEqual({ modifiedCount: 0 });
    expect((await edit(copy._id, { photos: [first, second] })).body).toEqual({ modifiedCount: 0 });
    expect((await edit(copy._id, { photos: [second, { ...first, caption: 'spine' }] })).body).toEqual({
      modifiedCount: 1,
    });
    const turned = await listed(copy._id);
    expect(turned.photos.map(({ id, caption }) => [id, caption])).toEqual([
      [second?.id, null],
      [first?.id, 'spine'],
    ]);
    expect(turned.image_url).toContain(nameOf(copy, 1));
    expect((await edit(copy._id, { photos: [second] })).body).toEqual({ modifiedCount: 1 });
    expect((await look(nameOf(copy))).statusCode).toBe(404);
    expect((await look(nameOf(copy, 1))).statusCode).toBe(200);
    expect((await edit(copy._id, { photos: [first, second] }, await aSeller(t))).status).toBe(404);
  });

  test('keeps a photo that it has, and only its owner’s', async () => {
    const copy = await aPicturedCopy(1);
    const { status, body } = await t.call(deletePhoto, { params: { id: copy.photos[0]?.id ?? '' } }, { as: seller });
    expect([status, body.error?.code]).toEqual([409, 'photo_used']);
  });

  test('shares a file with another of the same picture: one file, two photos', async () => {
    const bytes = await aPicture();
    const [one, two] = [
      await offer(chosen(await aPhoto(t, seller, bytes))),
      await offer(chosen(await aPhoto(t, seller, bytes))),
    ];
    const [first, second] = [await listed(one.body.insertedId), await listed(two.body.insertedId)];
    expect(nameOf(first)).toBe(nameOf(second));
    expect(first.photos[0]?.id).not.toBe(second.photos[0]?.id);
    const admin = await anAdmin(t);
    await t.call(deleteListing, { params: { id: first._id } }, { as: admin });
    await sweep();
    expect((await look(nameOf(second))).statusCode).toBe(200);
    await t.call(deleteListing, { params: { id: second._id } }, { as: admin });
    await sweep();
    expect(await keysOf(nameOf(second))).toEqual([]);
  });
});

describe('what was promised', () => {
  test('is compared with the address that calls tell, and found by it', async () => {
    const copy = await aPicturedCopy(1);
    const buyer = await aBuyer(t);
    const draft = aBookingDraft(buyer, copy);
    const wrong = { ...draft, image_url: copy.image_url.replace(/[a-z2-7]{22}/, 'a'.repeat(22)) };
    const refused = await t.call(bookCopy, { body: wrong }, { as: buyer });
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'record_differs']);
    const { listingId: _, ...looks } = draft;
    expect((await t.call(bookCopy, { body: looks }, { as: buyer })).status).toBe(201);
  });

  test('is kept through another order and more photos; without its picture the copy has changed', async () => {
    const copy = await aPicturedCopy(2);
    const buyer = await aBuyer(t);
    const { insertedId: bookingId } = (await t.call(bookCopy, { body: aBookingDraft(buyer, copy) }, { as: buyer }))
      .body;
    const deal = { bookingId, buyer };
    await sql`DELETE FROM holds WHERE booking_id = ${bookingId}`.execute(t.db);
    await sql`UPDATE listings SET status = 'available' WHERE id = ${copy._id}`.execute(t.db);
    const [first, second] = copy.photos.map(({ id }) => ({ id, caption: null }));
    await edit(copy._id, { photos: [second, first, ...chosen(await aPhoto(t, seller))] });
    expect(await bookingOf(t, deal)).toMatchObject({ change: null, image_url: copy.image_url });
    await edit(copy._id, { photos: [second] });
    expect((await bookingOf(t, deal)).change?.then).toEqual({ image_url: copy.image_url });
    await dayLater();
    await sweep();
    expect((await look(nameOf(copy))).statusCode).toBe(200);
  });

  test('outlives the copy in an order, and is shown there', async () => {
    const owner = await aSeller(t);
    const photo = await aPhoto(t, owner);
    const { body } = await offer(chosen(photo), owner);
    const [copy, buyer] = [await listed(body.insertedId), await aBuyer(t)];
    const deal = { buyer, seller: owner, copy, bookingId: await aBooking(t, buyer, copy) };
    expect((await recordPaid(t, deal, await payAtProvider(t, deal))).status).toBe(200);
    const { bookingId } = deal;
    const { orderId } = await bookingOf(t, { bookingId, buyer });
    const name = (await listed(copy._id)).photo?.name ?? '';
    const order = await t.call(readOrder, { params: { id: orderId ?? '' } }, { as: buyer });
    expect(order.body.books[0]?.photos).toMatchObject([{ name, caption: null, width: 400, height: 300 }]);
    await sql`DELETE FROM listing_photos WHERE listing_id = ${copy._id}`.execute(t.db);
    await sql`UPDATE photos SET keep_until = now() WHERE id = ${photo.id}`.execute(t.db);
    await sweep();
    expect((await look(name)).statusCode).toBe(200);
  });
});

describe('what goes', () => {
  test('a photo that nothing has goes a day later, and not before', async () => {
    const { id } = await aPhoto(t, seller);
    const name = (await t.db.selectFrom('photos').select('name').where('id', '=', id).executeTakeFirst())?.name ?? '';
    await sweep();
    expect(await keysOf(name)).toHaveLength(3);
    await dayLater();
    await sweep();
    expect(await keysOf(name)).toEqual([]);
    expect(await t.db.selectFrom('photo_files').select('name').where('name', '=', name).execute()).toEqual([]);
    expect((await upload(t, seller, { id })).body.error?.message).toMatch(/please choose it again$/);
  });

  test('what an admin takes down is gone at once, and from the store within a minute', async () => {
    const copy = await aPicturedCopy(1);
    expect((await t.call(deleteListing, { params: { id: copy._id } }, { as: await anAdmin(t) })).status).toBe(200);
    expect((await look(nameOf(copy))).statusCode).toBe(404);
    await sweep();
    expect(await keysOf(nameOf(copy))).toEqual([]);
  });

  test('what its seller deletes is out of sight, is back with the copy, and goes when nobody restores it', async () => {
    const copy = await aPicturedCopy(1);
    await t.call(deleteListing, { params: { id: copy._id } }, { as: seller });
    expect((await look(nameOf(copy))).statusCode).toBe(404);
    await dayLater();
    await sweep();
    const back = await t.call(restoreListing, { params: { id: copy._id } }, { as: await anAdmin(t) });
    expect(back.status).toBe(200);
    expect((await look(nameOf(copy))).statusCode).toBe(200);
    await t.call(deleteListing, { params: { id: copy._id } }, { as: seller });
    await sql`UPDATE listings SET withdrawn_at = now() - interval '31 days' WHERE id = ${copy._id}`.execute(t.db);
    await stripOldPhotos(t.db);
    await sweep();
    expect(await keysOf(nameOf(copy))).toEqual([]);
  });

  test('a picture that comes again while its file is taken out of the store waits and is kept', async () => {
    const bytes = await aPicture();
    const { id } = await aPhoto(t, seller, bytes);
    const name = (await t.db.selectFrom('photos').select('name').where('id', '=', id).executeTakeFirst())?.name ?? '';
    await t.call(deletePhoto, { params: { id } }, { as: seller });
    await sql`UPDATE photo_files SET going_at = now() WHERE name = ${name}`.execute(t.db);
    const coming = upload(t, seller, { bytes });
    await expect.poll(() => Promise.race([coming.then(() => 'done'), 'waiting'])).toBe('waiting');
    await sweep();
    expect((await coming).status).toBe(200);
    expect(await keysOf(name)).toHaveLength(3);
  });

  test('whoever leaves takes their photos along, and had them in their export', async () => {
    const leaving = await aSeller(t);
    const copy = await aPicturedCopy(1, leaving);
    const draft = await aPhoto(t, leaving);
    const headers = { authorization: `Bearer ${leaving.accessToken}` };
    const { rawPayload } = await t.app.inject({ url: '/api/account/export', headers });
    const files = unzipSync(rawPayload);
    const rows = JSON.parse(strFromU8(files['photos.json'] ?? new Uint8Array())) as {
      id: string;
      listings: object[];
    }[];
    expect(rows.map(({ id }) => id).sort()).toEqual([draft.id, copy.photos[0]?.id].sort());
    for (const { id } of rows) expect((await sharp(files[`photos/${id}.webp`]).metadata()).format).toBe('webp');
    const left = await t.call(deleteAccount, { query: { confirm: 'DELETE' } }, { as: leaving });
    expect(left.status).toBe(200);
    await sweep();
    expect((await look(nameOf(copy))).statusCode).toBe(404);
    expect(await keysOf(nameOf(copy))).toEqual([]);
    const kept = await t.db
      .selectFrom('photos')
      .select('id')
      .where('owner_id', '=', leaving.id)
      .where('name', 'is not', null)
      .execute();
    expect(kept).toEqual([]);
  });
});

test('photos of a problem are for buyer, seller and admins alone', async () => {
  const { buyer, seller: owner, bookingId } = await aSale(t);
  const orderId = (await bookingOf(t, { bookingId, buyer })).orderId ?? '';
  await sql`UPDATE orders SET state = 'received', delivery = 'post', due_move = NULL, due_at = NULL WHERE id = ${orderId}`.execute(
    t.db,
  );
  const [mine, theirs] = [await aPhoto(t, buyer), await aPhoto(t, owner)];
  const report = (photos: string[]) =>
    t.call(
      moveOrder,
      { params: { id: orderId }, body: { move: 'report-problem', words: 'Wet', kind: 'damaged', photos } },
      { as: buyer },
    );
  const refused = await report([theirs.id]);
  expect([refused.status, Object.keys(refused.body.error?.fields ?? {})]).toEqual([400, ['photos']]);
  const reported = await report([mine.id]);
  expect([reported.status, reported.body.error]).toEqual([200, undefined]);
  for (const as of [buyer, owner, await anAdmin(t)]) {
    const { body } = await t.call(readOrder, { params: { id: orderId } }, { as });
    expect(body.problem?.photos).toMatchObject([{ id: mine.id, width: 400, height: 300 }]);
    const headers = { authorization: `Bearer ${as.accessToken}` };
    const { statusCode } = await t.app.inject({ url: `/api/photos/${mine.id}/720.webp`, headers });
    expect(statusCode).toBe(200);
  }
  const headers = { authorization: `Bearer ${(await aSeller(t)).accessToken}` };
  expect((await t.app.inject({ url: `/api/photos/${mine.id}/720.webp`, headers })).statusCode).toBe(404);
  const used = await t.call(deletePhoto, { params: { id: mine.id } }, { as: buyer });
  expect(used.status).toBe(409);
  await dayLater();
  await sweep();
  expect((await t.call(readOrder, { params: { id: orderId } }, { as: buyer })).body.problem?.photos).toHaveLength(1);
});
