import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBuyer, aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';
import { countListings, tidyShelf } from '#server/catalog/listings/listing.service.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';

let t: TestApp;
let seller: TestUser;
let category: string;
beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  category = await aCategory(t, seller);
});
afterAll(() => t.close());

/** What is told, and what is there. */
const counts = async (): Promise<[told: number, there: number]> => {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::integer AS n FROM listings WHERE status IN ('available', 'held')`.execute(t.db);
  return [(await countListings(t.db)).count, rows[0]?.n ?? 0];
};

const expectCount = async (count: number): Promise<void> => expect(await counts()).toEqual([count, count]);

const setStatus = (ids: readonly string[], status: 'available' | 'withdrawn') =>
  t.db
    .updateTable('listings')
    .set(becoming(status))
    .where('id', 'in', [...ids])
    .execute();

const offer = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await aListing(t, seller, { category_id: category }))._id);
  return ids;
};

test('the number told is the number there, whatever becomes of copies', async () => {
  const [one, two, three, four] = (await offer(4)) as [string, string, string, string];
  await expectCount(4);
  // A booking takes nothing off the shelf: the copy is shown as reserved.
  const shown = (await t.send('GET', `/api/categories/${one}`)).json();
  await aBooking(t, await aBuyer(t), shown);
  await expectCount(4);
  await setStatus([two, three], 'withdrawn');
  await expectCount(2);
  await setStatus([three], 'available');
  await expectCount(3);
  await t.db.deleteFrom('listings').where('id', 'in', [two, four]).execute();
  await expectCount(2);
  // What is rolled back never was.
  const undone = t.db.transaction().execute(async (trx) => {
    await trx.deleteFrom('listings').where('id', '=', three).execute();
    throw new Error('rolled back');
  });
  await expect(undone).rejects.toThrow('rolled back');
  await expectCount(2);
});

test('folding it changes nothing, however many do so while copies come and go', async () => {
  const [before] = await counts();
  const ids = await offer(6);
  const moves = ids.map(async (id, n) => {
    await setStatus([id], 'withdrawn');
    if (n % 2 === 0) await setStatus([id], 'available');
  });
  await Promise.all([...moves, ...Array.from({ length: 5 }, () => tidyShelf(t.db))]);
  await tidyShelf(t.db);
  await expectCount(before + 3);
  const rows = await t.db.selectFrom('shelf_changes').select('id').execute();
  expect(rows).toHaveLength(1);
});
