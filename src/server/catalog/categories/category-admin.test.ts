import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { addCategory, listCategories, listCategoryListings, offerListing } from '#contract/catalog/catalog.ts';
import { deleteCategory, listCategoryUse, mergeCategory, renameCategory } from '#contract/catalog/category-admin.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { whileDemoted } from '#test/demoted.ts';
import { aBooking, aBuyer, aCategory, aDraft, aListing, anAdmin, aSeller, type TestUser } from '#test/make.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';

let t: TestApp;
let admin: TestUser;
let seller: TestUser;
let buyer: TestUser;
beforeAll(async () => {
  t = await testApp();
  [admin, seller, buyer] = await Promise.all([anAdmin(t), aSeller(t), aBuyer(t)]);
});
afterAll(() => t.close());

/** Added by the admin, who may add as many as needed. */
const category = () => aCategory(t, admin);
const rename = (id: string, category_name: string, as: TestUser | undefined = admin) =>
  t.call(renameCategory, { params: { id }, body: { category_name } }, { as });
const merge = (id: string, into: string, as: TestUser | undefined = admin) =>
  t.call(mergeCategory, { params: { id }, body: { into } }, { as });
const remove = (id: string, as: TestUser | undefined = admin) => t.call(deleteCategory, { params: { id } }, { as });
const nameOf = async (id: string) =>
  (await t.call(listCategories, {})).body.find((row) => row.category_id === id)?.category_name;

describe('managing categories', () => {
  it('is for admins: visitors, buyers and sellers, the one who added it too, change nothing', async () => {
    const [mine, other] = [await aCategory(t, seller), await category()];
    const answers = async (as: TestUser | undefined) => [
      await t.call(renameCategory, { params: { id: mine }, body: { category_name: 'Taken over' } }, { as }),
      await t.call(mergeCategory, { params: { id: mine }, body: { into: other } }, { as }),
      await t.call(deleteCategory, { params: { id: mine } }, { as }),
      await t.call(listCategoryUse, {}, { as }),
    ];
    expect((await answers(undefined)).map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    for (const user of [buyer, seller]) {
      const refused = await answers(user);
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
      expect(refused.slice(0, 3).map(({ body }) => ({ ...body, error: undefined }))).toEqual([
        { modifiedCount: 0, error: undefined },
        { modifiedCount: 0, deletedCount: 0, error: undefined },
        { deletedCount: 0, error: undefined },
      ]);
    }
    expect(await nameOf(mine)).toBe(mine);
  });

  it('answers 404 for a category that is not there', async () => {
    const other = await category();
    for (const answer of [await rename('nowhere', 'X'), await merge('nowhere', other), await remove('nowhere')]) {
      expect([answer.status, answer.body.error?.code]).toEqual([404, 'not_found']);
    }
    expect((await t.send('DELETE', '/api/categoryName/no%20id', { as: admin })).statusCode).toBe(404);
  });
});

test('an admin who loses the role at that moment changes no category any more', async () => {
  const [first, second] = [await category(), await category()];
  for (const act of [
    (as: TestUser) => rename(first, 'Taken over', as),
    (as: TestUser) => merge(first, second, as),
    (as: TestUser) => remove(first, as),
  ]) {
    expect((await whileDemoted<{ status: number }>(t, act)).status).toBe(403);
  }
  expect(await nameOf(first)).toBeDefined();
  expect(await nameOf(first)).not.toBe('Taken over');
});

test('what an admin does to categories is written down, with what was there before', async () => {
  const [first, second] = [await category(), await category()];
  await rename(first, `${first} again`);
  await merge(first, second);
  await remove(second);
  const deeds = await t.db
    .selectFrom('audit_entries')
    .select(['actor_id', 'action', 'details'])
    .where('subject_id', 'in', [first, second])
    .execute();
  expect(deeds).toHaveLength(3);
  for (const [action, details] of [
    ['category renamed', { from: first, to: `${first} again` }],
    ['category merged', { into: second, copies: 0 }],
    ['category deleted', { name: second }],
  ] as const) {
    expect(deeds).toContainEqual({ actor_id: admin.id, action, details });
  }
});

describe('PATCH /categoryName/:id', () => {
  it('gives it the name, in one line, and says when it is so already', async () => {
    const id = await category();
    expect((await rename(id, '  Sea \n Stories ')).body).toEqual({ modifiedCount: 1 });
    expect(await nameOf(id)).toBe('Sea Stories');
    expect((await rename(id, 'Sea Stories')).body).toEqual({ modifiedCount: 0 });
    expect((await rename(id, 'SEA stories')).body).toEqual({ modifiedCount: 1 });
  });

  it('refuses a name that another has, whatever its case, and one that is none', async () => {
    const [id, other] = [await category(), await category()];
    const same = await rename(id, other.toUpperCase());
    expect([same.status, same.body.error?.code, same.body.modifiedCount]).toEqual([409, 'already_exists', 0]);
    expect(same.body.error?.fields).toEqual({ category_name: 'A category with this name exists' });
    for (const name of ['', '  ', 'x'.repeat(101)]) {
      const wrong = await rename(id, name);
      expect([wrong.status, Object.keys(wrong.body.error?.fields ?? {})]).toEqual([400, ['category_name']]);
    }
    expect(await nameOf(id)).toBe(id);
  });

  it('lets one of two who want the same name at once have it', async () => {
    const [one, two] = [await category(), await category()];
    const answers = await Promise.all([rename(one, 'Wanted'), rename(two, 'Wanted')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('POST /categoryName/:id/merge', () => {
  it('moves every copy, held, sold and deleted ones too, and deletes the emptied category', async () => {
    const [from, into] = [await category(), await category()];
    const copies = [];
    for (const status of ['available', 'held', 'sold', 'withdrawn'] as const) {
      const copy = await aListing(t, seller, { category_id: from });
      if (status === 'held') await aBooking(t, buyer, copy);
      else await t.db.updateTable('listings').set(becoming(status)).where('id', '=', copy._id).execute();
      copies.push(copy._id);
    }
    const answer = await merge(from, into);
    expect([answer.status, answer.body]).toEqual([200, { modifiedCount: 4, deletedCount: 1 }]);
    expect(await nameOf(from)).toBeUndefined();
    const moved = await t.db.selectFrom('listings').select(['status']).where('id', 'in', copies).execute();
    expect(moved.map(({ status }) => status).sort()).toEqual(['available', 'held', 'sold', 'withdrawn']);
    const shelf = await t.call(listCategoryListings, { params: { id: into }, query: {} });
    expect(shelf.body).toHaveLength(2);
    expect((await t.call(listCategoryListings, { params: { id: from }, query: {} })).status).toBe(404);
  });

  it('refuses itself and an unknown one as the target, by field, and moves nothing', async () => {
    const id = await category();
    await aListing(t, seller, { category_id: id });
    for (const into of [id, 'nowhere', '']) {
      const answer = await merge(id, into);
      expect([answer.status, Object.keys(answer.body.error?.fields ?? {})]).toEqual([400, ['into']]);
    }
    expect((await t.call(listCategoryListings, { params: { id }, query: {} })).body).toHaveLength(1);
  });

  it('of two into each other at once lets one win and loses no copy', async () => {
    const [one, two] = [await category(), await category()];
    for (const category_id of [one, one, two]) await aListing(t, seller, { category_id });
    const answers = await Promise.all([merge(one, two), merge(two, one)]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400 || status === 404)).toHaveLength(1);
    const rows = await t.db.selectFrom('listings').select('id').where('category_id', 'in', [one, two]).execute();
    expect(rows).toHaveLength(3);
  });
});

describe('DELETE /categoryName/:id', () => {
  it('deletes an empty one, and is 409 while any copy is in it, a deleted one too', async () => {
    const id = await category();
    const copy = await aListing(t, seller, { category_id: id });
    for (const status of ['available', 'held', 'sold', 'withdrawn'] as const) {
      await t.db.updateTable('listings').set(becoming(status)).where('id', '=', copy._id).execute();
      const answer = await remove(id);
      expect([answer.status, answer.body.error?.code, answer.body.deletedCount]).toEqual([409, 'not_empty', 0]);
    }
    expect(await nameOf(id)).toBe(id);
    const empty = await category();
    expect((await remove(empty)).body).toEqual({ deletedCount: 1 });
    expect(await nameOf(empty)).toBeUndefined();
    expect((await remove(empty)).status).toBe(404);
  });

  it('never leaves a copy without its category when one is listed at that moment', async () => {
    for (let race = 0; race < 10; race += 1) {
      const id = await category();
      const [listed, deleted] = await Promise.all([
        t.call(offerListing, { body: aDraft(seller, id) }, { as: seller }),
        remove(id),
      ]);
      expect([
        [201, 409],
        [400, 200],
      ]).toContainEqual([listed.status, deleted.status]);
    }
  });
});

describe('GET /categoryName/use', () => {
  it('counts all copies of each category, and those in the shop', async () => {
    const [used, empty] = [await category(), await category()];
    const copies = [await aListing(t, seller, { category_id: used }), await aListing(t, seller, { category_id: used })];
    const sold = copies[0]?._id ?? '';
    await t.db.updateTable('listings').set(becoming('sold')).where('id', '=', sold).execute();
    const { status, body, headers } = await t.call(listCategoryUse, {}, { as: admin });
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    const mine = body.filter(({ category_id }) => [used, empty].includes(category_id));
    expect(mine.toSorted((a, b) => b.listings - a.listings)).toEqual([
      { category_id: used, category_name: used, listings: 2, on_sale: 1 },
      { category_id: empty, category_name: empty, listings: 0, on_sale: 0 },
    ]);
  });

  it('leaves `use` free to be the id of a category', async () => {
    await t.call(addCategory, { body: { category_id: 'use', category_name: 'Use' } }, { as: admin });
    expect((await rename('use', 'Using')).body).toEqual({ modifiedCount: 1 });
    expect((await remove('use')).body).toEqual({ deletedCount: 1 });
  });
});
