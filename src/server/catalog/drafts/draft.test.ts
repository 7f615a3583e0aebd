import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteListingDraft, readListingDraft, saveListingDraft } from '#contract/catalog/listing-drafts.ts';
import { forgetSeller } from '#server/catalog/listings/shelf/leaving-seller.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, aSeller, type TestUser } from '#test/make.ts';
import { forgetOldDrafts } from './draft.service.ts';

let t: TestApp;
let seller: TestUser;
beforeAll(async () => {
  t = await testApp();
});
beforeEach(async () => {
  seller = await aSeller(t);
});
afterAll(() => t.close());

type Choice = { id: string; caption: 'front' | null };
const save = (version: number, fields: Record<string, string>, photos: Choice[] = []) =>
  t.call(saveListingDraft, { body: { version, fields, photos } }, { as: seller });
const read = async (as = seller) => (await t.call(readListingDraft, {}, { as })).body.draft;
const drop = (version?: number) =>
  t.call(deleteListingDraft, { query: version === undefined ? {} : { version: String(version) } }, { as: seller });

/** A photo as an upload leaves it. */
const aPhoto = async (owner: TestUser): Promise<string> => {
  const id = randomUUID();
  const name = Array.from({ length: 22 }, () => 'abcdefghijklmnopqrstuvwxyz'[Math.floor(Math.random() * 26)]).join('');
  await sql`INSERT INTO photo_files (name, width, height, colour, bytes) VALUES (${name}, 800, 600, '102030', 1000)`.execute(
    t.db,
  );
  await sql`INSERT INTO photos (id, owner_id, name, digest) VALUES (${id}, ${owner.id}, ${name},
    ${Buffer.alloc(32)})`.execute(t.db);
  return id;
};
const daysKept = async (id: string): Promise<number> => {
  const { rows } = await sql<{ days: number }>`
    SELECT round(extract(epoch FROM keep_until - now()) / 86400)::integer AS days FROM photos WHERE id = ${id}`.execute(
    t.db,
  );
  return rows[0]?.days ?? -1;
};

test('a draft is what was typed last, whatever it is, until it is dropped', async () => {
  expect(await read()).toBeNull();
  const first = (await save(0, { title: 'Emma', resale_price: 'seven' })).body.version ?? 0;
  expect(await read()).toMatchObject({ version: first, fields: { title: 'Emma', resale_price: 'seven' }, photos: [] });
  expect((await save(first, { title: 'Emma "é" 本' })).body.version).toBeGreaterThan(first);
  expect((await read())?.fields).toEqual({ title: 'Emma "é" 本' });
  expect((await drop()).body).toEqual({ deletedCount: 1 });
  expect((await drop()).body).toEqual({ deletedCount: 0 });
  expect(await read()).toBeNull();
});

test('an older tab overwrites nothing, and of two that save at once one is told', async () => {
  let version = (await save(0, { title: 'On the phone' })).body.version ?? 0;
  expect(await save(0, { title: 'At the desk' })).toMatchObject({
    status: 409,
    body: { error: { code: 'draft_newer' }, version: null },
  });
  expect((await read())?.fields).toEqual({ title: 'On the phone' });
  for (let round = 1; round < 6; round += 1) {
    const both = await Promise.all([save(version, { title: 'one' }), save(version, { title: 'two' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await read())?.fields).toEqual({ title: both[0].status === 200 ? 'one' : 'two' });
    version = Math.max(...both.map(({ body }) => body.version ?? 0));
  }
});

test('what was listed or dropped on another device is not begun anew unasked, nor taken for another draft', async () => {
  const version = (await save(0, { title: 'Emma' })).body.version ?? 0;
  await drop(version);
  expect((await save(version, { title: 'Emma, still' })).status).toBe(409);
  expect(await read()).toBeNull();
  const next = (await save(0, { title: 'Persuasion' })).body.version ?? 0;
  expect(next).toBeGreaterThan(version);
  expect((await save(version, { title: 'Emma, still' })).status).toBe(409);
  // The form of before arrives late: the next book's draft stays.
  expect((await drop(version)).body).toEqual({ deletedCount: 0 });
  expect((await read())?.fields).toEqual({ title: 'Persuasion' });
  expect((await drop(next)).body).toEqual({ deletedCount: 1 });
});

test('is its seller’s alone, and for sellers', async () => {
  await save(0, { title: 'Mine' });
  expect(await read(await aSeller(t))).toBeNull();
  expect((await t.call(readListingDraft, {}, { as: await aBuyer(t) })).status).toBe(403);
  expect((await t.call(readListingDraft, {})).status).toBe(401);
});

test('what is no form of ours is refused', async () => {
  expect((await save(0, { title: 'Emma', 'no such name!': 'x' })).status).toBe(200);
  expect((await read())?.fields).toEqual({ title: 'Emma' });
  await drop();
  const long = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`f${at}`, 'x'.repeat(4_500)]));
  expect(await save(0, long)).toMatchObject({
    status: 400,
    body: { error: { fields: { fields: expect.any(String) } } },
  });
  expect((await save(0, { title: 'x'.repeat(12_001) })).status).toBe(400);
  expect((await save(0, Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`f${at}`, 'x'])))).status).toBe(400);
  const many = Array.from({ length: 9 }, () => ({ id: randomUUID(), caption: null }));
  expect((await save(0, {}, many)).status).toBe(400);
  expect(await read()).toBeNull();
});

test('its photos are kept as long as it is, and only the seller’s own', async () => {
  const [first, second, foreign] = [await aPhoto(seller), await aPhoto(seller), await aPhoto(await aSeller(t))];
  const { version } = (
    await save(0, {}, [
      { id: second, caption: 'front' },
      { id: foreign, caption: null },
      { id: first, caption: null },
    ])
  ).body;
  expect((await read())?.photos).toEqual([
    { id: second, caption: 'front' },
    { id: first, caption: null },
  ]);
  expect([await daysKept(first), await daysKept(second), await daysKept(foreign)]).toEqual([30, 30, 1]);
  await save(version ?? 0, {}, [{ id: first, caption: null }]);
  expect([await daysKept(first), await daysKept(second)]).toEqual([30, 1]);
  await drop();
  expect(await daysKept(first)).toBe(1);
});

test('goes 30 days after it was saved last, and with its seller', async () => {
  await save(0, { title: 'Old' });
  await sql`UPDATE listing_drafts SET saved_at = now() - interval '30 days' WHERE owner_id = ${seller.id}`.execute(
    t.db,
  );
  expect(await read()).toBeNull();
  expect((await save(0, { title: 'New' })).status).toBe(200);
  await sql`UPDATE listing_drafts SET saved_at = now() - interval '30 days' WHERE owner_id = ${seller.id}`.execute(
    t.db,
  );
  await forgetOldDrafts(t.db);
  const rows = () => t.db.selectFrom('listing_drafts').select('version').where('owner_id', '=', seller.id).execute();
  expect(await rows()).toEqual([]);
  await save(0, { title: 'Again' });
  await forgetSeller(t.db, seller.id);
  expect(await rows()).toEqual([]);
});

test('a version beyond all numbers of a database is refused, and is no failure', async () => {
  for (const version of [1e308, 1e16, -1, 0.5]) expect((await save(version, {})).status).toBe(400);
});
