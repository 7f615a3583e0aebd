import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { editListing, offerListing, readListing, type ListingEdit } from '#contract/catalog/catalog.ts';
import { readListingDraft, saveListingDraft } from '#contract/catalog/listing-drafts.ts';
import type { Passport, PassportDraft } from '#contract/catalog/passport/passport.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBuyer, aCategory, aDraft, aSeller, type TestUser } from '#test/make.ts';
import { aPhoto } from '#test/photos.ts';

let t: TestApp;
let seller: TestUser;
let category: string;

beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  seller = await aSeller(t);
  category = await aCategory(t, seller);
});

const offer = async (passport: PassportDraft | null, more: object = {}) =>
  t.call(offerListing, { body: aDraft(seller, category, { passport, ...more }) }, { as: seller });

const offered = async (passport: PassportDraft | null, more: object = {}): Promise<string> => {
  const made = await offer(passport, more);
  expect([made.status, made.body]).toMatchObject([201, { acknowledged: true }]);
  return made.body.insertedId;
};

const edit = (id: string, body: ListingEdit, as = seller) => t.call(editListing, { params: { id }, body }, { as });
const read = async (id: string) => (await t.call(readListing, { params: { id } })).body;
const fieldsOf = (body: unknown): unknown => (body as { error: { fields?: unknown } }).error.fields;

const WORN: PassportDraft = {
  binding: 'hardcover',
  language: 'eng',
  edition: ' Second  edition ',
  printing: 'later printing',
  signed: 'inscribed',
  jacket: 'with',
  bookClub: false,
  defects: [
    { defect: 'jacket-rubbed', degree: 'slight' },
    { defect: 'writing', degree: 'slight', note: 'In pencil,\nchapter two' },
    { defect: 'corners', degree: 'slight' },
  ],
};

const told = (more: Partial<Passport>): Passport => ({
  rules: 1,
  grade: null,
  jacketGrade: null,
  binding: null,
  language: '',
  pages: null,
  edition: '',
  printing: null,
  signed: null,
  jacket: null,
  bookClub: null,
  exLibrary: null,
  remainder: null,
  annotated: null,
  noDefects: false,
  noJacketDefects: false,
  defects: [],
  fromEdition: [],
  ...more,
});

test('everybody is told what a seller says of a copy, and its grade gives the condition', async () => {
  const listing = await read(await offered(WORN, { condition: 'Excellent' }));
  expect(listing.condition).toBe('Good');
  expect(listing.passport).toEqual(
    told({
      grade: 'Very Good',
      jacketGrade: 'Near Fine',
      binding: 'hardcover',
      language: 'eng',
      edition: 'Second edition',
      printing: 'later printing',
      signed: 'inscribed',
      jacket: 'with',
      bookClub: false,
      exLibrary: false,
      remainder: false,
      annotated: true,
      defects: [
        { defect: 'corners', degree: 'slight', note: '', photo: null },
        { defect: 'writing', degree: 'slight', note: 'In pencil, chapter two', photo: null },
        { defect: 'jacket-rubbed', degree: 'slight', note: '', photo: null },
      ],
    }),
  );
});

test('nothing said is unknown, and a condition said by hand stays', async () => {
  for (const passport of [null, {}, { edition: ' ' }]) {
    const listing = await read(await offered(passport, { condition: 'Excellent' }));
    expect([listing.condition, listing.passport]).toEqual(['Excellent', null]);
  }
  const facts = await read(await offered({ signed: 'no' }, { condition: 'Fair' }));
  expect([facts.condition, facts.passport]).toEqual(['Fair', told({ signed: 'no' })]);
});

test('a grade above the proposal is refused with the reason, a lower one is kept', async () => {
  const defects: PassportDraft['defects'] = [{ defect: 'water', degree: 'clear' }];
  const refused = await offer({ defects, grade: 'Good' });
  expect(refused.status).toBe(400);
  expect(fieldsOf(refused.body)).toEqual({
    passport: 'The grade is Fair at most. Water damage (stained) leaves no better grade.',
  });
  const listing = await read(await offered({ defects, grade: 'Poor' }));
  expect([listing.condition, listing.passport?.grade]).toEqual(['Fair', 'Poor']);
});

test.each([
  [{ defects: [{ defect: 'curse', degree: 'slight' }] }],
  [{ defects: [{ defect: 'smell', degree: 'slight', note: 'x'.repeat(201) }] }],
  [{ language: 'English' }],
  [{ pages: 0 }],
])('%j is no passport', async (passport) => {
  expect((await offer(passport as PassportDraft)).status).toBe(400);
});

test('an edit replaces what was said, leaves it where it says nothing, and takes it back with null', async () => {
  const id = await offered(WORN);
  expect((await edit(id, { passport: WORN })).body.modifiedCount).toBe(0);
  expect((await edit(id, { resale_price: '6.00' })).body.modifiedCount).toBe(1);
  expect((await read(id)).passport?.grade).toBe('Very Good');
  expect((await edit(id, { passport: { noDefects: true, grade: 'Fine' } })).body.modifiedCount).toBe(1);
  const fine = await read(id);
  expect([fine.condition, fine.passport]).toEqual([
    'Excellent',
    told({ grade: 'Fine', exLibrary: false, remainder: false, annotated: false, noDefects: true }),
  ]);
  expect((await edit(id, { passport: null })).body.modifiedCount).toBe(1);
  const plain = await read(id);
  expect([plain.condition, plain.passport]).toEqual(['Excellent', null]);
  expect((await edit(id, { condition: 'Fair' })).body.modifiedCount).toBe(1);
});

test('a condition other than that of the grade is refused', async () => {
  const id = await offered(WORN);
  const refused = await edit(id, { condition: 'Excellent' });
  expect([refused.status, fieldsOf(refused.body)]).toEqual([
    400,
    { condition: 'The grade of this copy gives Good: change what is said of its defects' },
  ]);
  expect((await edit(id, { condition: 'Good' })).body.modifiedCount).toBe(0);
});

test('nobody else says anything of a copy, and nobody does while it is held', async () => {
  const id = await offered(null);
  expect((await edit(id, { passport: WORN }, await aSeller(t))).status).toBe(404);
  expect((await edit(id, { passport: WORN }, await aBuyer(t))).status).toBe(403);
  await aBooking(t, await aBuyer(t), await read(id));
  expect((await edit(id, { passport: WORN })).status).toBe(409);
  expect((await read(id)).passport).toBeNull();
});

test('a defect is shown by a photo of the copy, by no other, and by none once it is taken off', async () => {
  const [cover, flaw, other] = [await aPhoto(t, seller), await aPhoto(t, seller), await aPhoto(t, seller)];
  const withPhoto = (photo: string): PassportDraft => ({ defects: [{ defect: 'stain', degree: 'slight', photo }] });
  const photos = [cover, flaw].map(({ id }) => ({ id, caption: null }));
  const refused = await offer(withPhoto(other.id), { photos });
  expect([refused.status, fieldsOf(refused.body)]).toEqual([
    400,
    { passport: 'A photo of a defect is none of this book’s photos: please choose it again' },
  ]);
  const id = await offered(withPhoto(flaw.id), { photos });
  expect((await read(id)).passport?.defects).toMatchObject([{ defect: 'stain', photo: flaw.id }]);
  expect((await edit(id, { photos: [{ id: cover.id, caption: null }] })).body.modifiedCount).toBe(1);
  expect((await read(id)).passport?.defects).toMatchObject([{ defect: 'stain', photo: null }]);
});

test('what is known of the edition fills in what the seller does not say', async () => {
  await sql`INSERT INTO editions (isbn13, title, language, binding, pages, source)
    VALUES ('9780441478125', 'The Left Hand of Darkness', 'eng', 'mass market', 304, 'dump')`.execute(t.db);
  const id = await offered(null, { isbn13: '9780441478125' });
  const known = { binding: 'mass market', language: 'eng', pages: 304 } as const;
  expect((await read(id)).passport).toEqual(told({ ...known, fromEdition: ['binding', 'language', 'pages'] }));
  await edit(id, { passport: { binding: 'paperback' } });
  expect((await read(id)).passport).toEqual(
    told({ ...known, binding: 'paperback', fromEdition: ['language', 'pages'] }),
  );
  await edit(id, { isbn13: '' });
  expect((await read(id)).passport).toEqual(told({ binding: 'paperback' }));
});

test('a draft carries what was said', async () => {
  const passport = JSON.stringify({ ...WORN, edition: 'e'.repeat(6_000) });
  const body = { version: 0, fields: { passport }, photos: [] };
  expect((await t.call(saveListingDraft, { body }, { as: seller })).status).toBe(200);
  expect((await t.call(readListingDraft, {}, { as: seller })).body.draft?.fields).toEqual({ passport });
});

test('the export has what was said', async () => {
  const id = await offered(WORN);
  const { listCopiesToExport } = await import('#server/catalog/listings/shelf/leaving-seller.service.ts');
  const rows = await listCopiesToExport(t.db, seller.id, { limit: 10, after: undefined });
  expect(rows.find((row) => row.id === id)?.passport).toMatchObject({ grade: 'Very Good', signed: 'inscribed' });
});
