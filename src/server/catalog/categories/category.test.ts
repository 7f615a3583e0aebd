import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCategory, listCategories } from '#contract/catalog/catalog.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, anAdmin, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const add = (id: string, name: string, as?: TestUser) =>
  t.call(addCategory, { body: { category_id: id, category_name: name } }, { as });

const stored = async (id: string) => t.db.selectFrom('categories').selectAll().where('id', '=', id).executeTakeFirst();

describe('GET /categoryName', () => {
  it('answers everybody all categories by name, with the two documented keys', async () => {
    const seller = await aSeller(t);
    await add('zoology', 'animals', seller);
    await add('a', 'Zeppelins', seller);
    const { status, body, headers } = await t.call(listCategories, {});
    expect(status).toBe(200);
    expect(headers['cache-control']).not.toContain('no-store');
    const mine = body.filter((row) => ['zoology', 'a'].includes(row.category_id));
    expect(mine).toEqual([
      { category_id: 'zoology', category_name: 'animals' },
      { category_id: 'a', category_name: 'Zeppelins' },
    ]);
  });
});

describe('POST /categoryName', () => {
  it('is refused to visitors and to buyers, and stores nothing', async () => {
    const anonymous = await add('refused', 'Refused');
    expect([anonymous.status, anonymous.body.acknowledged]).toEqual([401, false]);
    const buyer = await add('refused', 'Refused', await aBuyer(t));
    expect([buyer.status, buyer.body.acknowledged, buyer.body.error?.code]).toEqual([403, false, 'forbidden']);
    expect(await stored('refused')).toBeUndefined();
  });

  it('adds a category for everybody, its name in one line', async () => {
    const { status, body } = await add('maps', '  Maps \n and  Atlases ', await aSeller(t));
    expect([status, body]).toEqual([201, { acknowledged: true }]);
    expect(await stored('maps')).toMatchObject({ name: 'Maps and Atlases' });
  });

  it('refuses an id or a name that exists, whatever the case of the name, and says which', async () => {
    const seller = await aSeller(t);
    await add('gardens', 'Gardens', seller);
    const sameId = await add('gardens', 'Other', seller);
    expect([sameId.status, sameId.body.error?.code, sameId.body.acknowledged]).toEqual([409, 'already_exists', false]);
    expect(Object.keys(sameId.body.error?.fields ?? {})).toEqual(['category_id']);
    const sameName = await add('gardens-2', 'gARDENS', seller);
    expect(sameName.status).toBe(409);
    expect(Object.keys(sameName.body.error?.fields ?? {})).toEqual(['category_name']);
    expect(Object.keys((await add('gardens', 'gardens', seller)).body.error?.fields ?? {})).toHaveLength(2);
  });

  it('lets one of many who add the same at once win, and tells the others', async () => {
    const sellers = await Promise.all([aSeller(t), aSeller(t), aSeller(t), aSeller(t)]);
    const answers = await Promise.all(sellers.map((seller) => add('race', 'Race', seller)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('refuses an id that is none and an empty name, by field', async () => {
    const { status, body } = await add('no spaces', ' ', await aSeller(t));
    expect(status).toBe(400);
    expect(Object.keys(body.error?.fields ?? {}).sort()).toEqual(['category_id', 'category_name']);
    const wrongKind = await t.send('POST', '/api/categoryName', {
      as: await aSeller(t),
      body: { category_id: { $ne: 1 }, category_name: ['x'] },
    });
    expect(wrongKind.statusCode).toBe(400);
  });

  it('gives a seller ten a day, even all at once, and an admin as many as needed', async () => {
    const seller = await aSeller(t);
    const answers = await Promise.all(Array.from({ length: 14 }, (_, n) => add(`daily-${n}`, `Daily ${n}`, seller)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    expect(refused[0]?.headers['retry-after']).toBeDefined();
    const admin = await anAdmin(t);
    for (let n = 0; n < 12; n += 1) expect((await add(`admin-${n}`, `Admin ${n}`, admin)).status).toBe(201);
  });

  it('counts no further back than a day', async () => {
    const seller = await aSeller(t);
    for (let n = 0; n < 10; n += 1) await add(`old-${n}`, `Old ${n}`, seller);
    expect((await add('new-day', 'New day', seller)).status).toBe(429);
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    await t.db.updateTable('categories').set({ created_at: yesterday }).where('created_by', '=', seller.id).execute();
    expect((await add('new-day', 'New day', seller)).status).toBe(201);
  });
});
