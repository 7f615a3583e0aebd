import { afterAll, beforeAll, expect, test } from 'vitest';
import * as contract from '#contract/admin/reports.ts';
import { listDeletedUsers } from '#contract/admin/restoring.ts';
import { readListing } from '#contract/catalog/catalog.ts';
import { askSeller, listThreadMessages, listThreads } from '#contract/messages/threads.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBuyer, aCategory, aListing, anAdmin, aSeller, type TestUser } from '#test/make.ts';
import { aPhoto } from '#test/photos.ts';

let t: TestApp;
let [admin]: TestUser[] = [];
beforeAll(async () => {
  t = await testApp();
  admin = await anAdmin(t);
});
afterAll(() => t.close());

/** Reports something as a visitor and decides it; answers the case. */
const decided = async (kind: contract.ReportedKind, id: string, action: contract.ReportAction, as?: TestUser) => {
  const report = { kind, id, reason: 'unlawful', words: '' } as const;
  expect((await t.call(contract.reportThing, { body: report }, { as })).status).toBe(201);
  const one = (await t.call(contract.listReportCases, { query: { state: 'open' } }, { as: admin })).body.at(-1);
  const { status } = await t.call(
    contract.decideCase,
    { params: { id: one?._id ?? '' }, body: { action, reason: 'Not here' } },
    { as: admin },
  );
  expect(status).toBe(200);
  return { case: one, undo: () => t.call(contract.undoDecision, { params: { id: one?._id ?? '' } }, { as: admin }) };
};

const withPhotos = async (seller: TestUser) => {
  const [front, back] = [await aPhoto(t, seller), await aPhoto(t, seller)];
  const photos = [
    { id: front.id, caption: 'front' as const },
    { id: back.id, caption: 'back' as const },
  ];
  const category_id = await aCategory(t, seller);
  const copy = await aListing(t, seller, { category_id, image_url: undefined, photos });
  return { copy, front, back };
};
const seen = async (id: string) => (await t.call(readListing, { params: { id } })).body;

test('a photo is taken down for good, and the next one is the cover', async () => {
  const seller = await aSeller(t);
  const { copy, front, back } = await withPhotos(seller);
  const [cover] = (await seen(copy._id)).photos ?? [];
  const { case: one, undo } = await decided('photo', front.id, 'hide');
  expect(one).toMatchObject({ kind: 'photo', path: `/book/${copy._id}`, photo: cover?.name });
  const left = await seen(copy._id);
  expect(left.photos?.map(({ id }) => id)).toEqual([back.id]);
  expect(left.image_url).toContain(left.photos?.[0]?.name);
  expect((await t.send('GET', `/photos/${cover?.name}/720.webp`)).statusCode).toBe(404);
  expect((await undo()).status).toBe(200);
  expect((await seen(copy._id)).photos).toHaveLength(1);
});

test('a photo of a copy that is held is taken down, from what was promised, too', async () => {
  const seller = await aSeller(t);
  const { copy, front } = await withPhotos(seller);
  const booking_id = await aBooking(t, await aBuyer(t), copy);
  const promised = () =>
    t.db.selectFrom('promised_photos').select('position').where('booking_id', '=', booking_id).execute();
  expect(await promised()).toHaveLength(2);
  await decided('photo', front.id, 'hide');
  expect(await promised()).toEqual([{ position: 1 }]);
  expect(await seen(copy._id)).toMatchObject({ status: 'Reserved', photos: [{ caption: 'back' }] });
});

test('a copy is deleted with its photos, and comes back without them', async () => {
  const { copy } = await withPhotos(await aSeller(t));
  const { undo } = await decided('copy', copy._id, 'delete');
  expect((await t.call(readListing, { params: { id: copy._id } })).status).toBe(404);
  await undo();
  expect(await seen(copy._id)).toMatchObject({ _id: copy._id, photos: [] });
});

test('a person is deleted, told why, and comes back', async () => {
  const seller = await aSeller(t);
  const copy = await aListing(t, seller);
  const { undo } = await decided('person', seller.id, 'delete');
  expect((await t.call(readListing, { params: { id: copy._id } })).status).toBe(404);
  const gone = async () => (await t.call(listDeletedUsers, { query: {} }, { as: admin })).body.map(({ _id }) => _id);
  expect(await gone()).toContain(seller.id);
  expect((await t.mailTo(seller.email)).at(-1)?.text).toContain('What this is about is deleted.');
  await undo();
  expect(await gone()).not.toContain(seller.id);
  expect((await seen(copy._id))._id).toBe(copy._id);
});

test('a message is put out of both sides’ sight with its photos, and shown again', async () => {
  const [buyer, seller] = [await aBuyer(t), await aSeller(t)];
  const copy = await aListing(t, seller);
  const { id: photo } = await aPhoto(t, buyer);
  const body = { text: 'Buy my pills', photos: [photo] };
  const { threadId, insertedId } = (await t.call(askSeller, { params: { id: copy._id }, body }, { as: buyer })).body;
  const { undo } = await decided('message', insertedId, 'hide', seller);
  const read = async (as: TestUser) =>
    (await t.call(listThreadMessages, { params: { id: threadId }, query: {} }, { as })).body[0];
  for (const side of [buyer, seller]) expect(await read(side)).toMatchObject({ text: '', photos: [], isHidden: true });
  expect((await t.call(listThreads, { query: {} }, { as: seller })).body[0]?.lastText).toBe('');
  const shown = async () => (await t.send('GET', `/api/photos/${photo}/320.webp`, { as: seller })).statusCode;
  expect(await shown()).toBe(404);
  await undo();
  expect(await read(seller)).toMatchObject({ text: 'Buy my pills', isHidden: false });
  expect(await shown()).toBe(200);
});
