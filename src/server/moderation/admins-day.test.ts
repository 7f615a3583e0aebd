import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  deleteUser,
  listUsers,
  makeAdmin,
  removeAdmin,
  removeVerification,
  verifySeller,
} from '#contract/admin/admin.ts';
import { downloadAudit, listAudit } from '#contract/admin/audit.ts';
import { deleteListing } from '#contract/catalog/catalog.ts';
import { readListing } from '#contract/catalog/catalog.ts';
import { listDeletedListings, listDeletedUsers, restoreListing, restoreUser } from '#contract/admin/restoring.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, aListing, aSeller, aUser, anAdmin, credentialsOf, PASSWORD, type TestUser } from '#test/make.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await anAdmin(t);
});
afterAll(() => t.close());

const CALLS = [
  ['GET /audit', listAudit, {}],
  ['GET /audit.csv', downloadAudit, {}],
  ['GET /deleted/users', listDeletedUsers, {}],
  ['GET /deleted/listings', listDeletedListings, {}],
  ['POST /deleted/users/:id/restore', restoreUser, { params: { id: randomUUID() } }],
  ['POST /deleted/listings/:id/restore', restoreListing, { params: { id: randomUUID() } }],
] as const;

test.each(CALLS)('%s is for admins alone', async (_, spec, input) => {
  expect((await t.call(spec, { query: {}, ...input } as never)).status).toBe(401);
  expect((await t.call(spec, { query: {}, ...input } as never, { as: await aBuyer(t) })).status).toBe(403);
  expect((await t.call(spec, { query: {}, ...input } as never, { as: await aSeller(t) })).status).toBe(403);
});

describe('the audit', () => {
  const entriesOf = async (query: Record<string, string>) =>
    (await t.call(listAudit, { query }, { as: admin })).body.map(({ action, about }) => [action, about]);

  test('tells who did what to whom, the newest first', async () => {
    const buyer = await aBuyer(t);
    await t.call(makeAdmin, { params: { id: buyer.id } }, { as: admin });
    await t.call(deleteUser, { params: { id: buyer.id } }, { as: admin });
    const { body } = await t.call(listAudit, { query: { q: buyer.email } }, { as: admin });
    expect(body).toMatchObject([
      {
        action: 'user deleted',
        about: buyer.name,
        says: `Deleted ${buyer.name}`,
        reason: '',
        who: { email: admin.email },
        details: [{ name: 'withdrawn', value: '0' }],
      },
      { action: 'user made admin', about: buyer.name, who: { email: admin.email }, details: [] },
    ]);
  });

  test('says in plain words what was done, with names and the reason', async () => {
    const user = await aUser(t, { roles: ['seller', 'admin'], verified: true, name: 'Nora Lund' });
    const [one, two] = [await aListing(t, user, { title: 'Dune' }), await aListing(t, user, { title: 'Emma' })];
    const reason = 'Left the team';
    const params = { id: user.id };
    await t.call(removeAdmin, { params, body: { reason } }, { as: admin });
    await t.call(removeVerification, { params, body: { reason } }, { as: admin });
    await t.call(verifySeller, { params }, { as: admin });
    await t.call(makeAdmin, { params }, { as: admin });
    await t.call(deleteListing, { params: { id: one._id }, body: { reason: 'Not a book' } }, { as: admin });
    await t.call(deleteUser, { params }, { as: admin });
    await t.call(restoreUser, { params }, { as: admin });
    const { body } = await t.call(listAudit, { query: { limit: '7' } }, { as: admin });
    expect(body.map(({ says, reason: why }) => [says, why])).toEqual([
      ['Restored Nora Lund with 1 listing', ''],
      ['Deleted Nora Lund and hid 1 listing', ''],
      ['Took down Dune', 'Not a book'],
      ['Made Nora Lund an admin', ''],
      ['Verified Nora Lund as a seller', ''],
      ['Removed the verified tick of Nora Lund', reason],
      ['Removed Nora Lund as an admin', reason],
    ]);
    expect(two.status).toBe('Available');
  });

  test('is narrowed by what was done, by words and by days', async () => {
    const buyer = await aBuyer(t);
    await t.call(makeAdmin, { params: { id: buyer.id } }, { as: admin });
    const today = new Date().toISOString().slice(0, 10);
    const q = buyer.email;
    expect(await entriesOf({ q, action: 'user made admin' })).toHaveLength(1);
    expect(await entriesOf({ q, action: 'user deleted' })).toEqual([]);
    expect(await entriesOf({ q, from: today, to: today })).toHaveLength(1);
    expect(await entriesOf({ q, to: '2020-01-01' })).toEqual([]);
    expect(await entriesOf({ q: '100%_sure' })).toEqual([]);
  });

  test('refuses days that there are not, actions nobody does, and foreign cursors', async () => {
    for (const query of [{ from: '2026-02-31' }, { to: '0000-01-01' }, { action: 'user eaten' }, { cursor: 'bm8' }]) {
      expect((await t.call(listAudit, { query } as never, { as: admin })).status, JSON.stringify(query)).toBe(400);
    }
  });

  test('goes on page by page without a gap', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = cursor === undefined ? { limit: '2' } : { limit: '2', cursor };
      const answer = await t.call(listAudit, { query }, { as: admin });
      seen.push(...answer.body.map(({ _id }) => _id));
      cursor = /cursor=([^>&]+)/.exec(String(answer.headers['link'] ?? ''))?.[1];
    } while (cursor !== undefined);
    const all = await t.db.selectFrom('audit_entries').select('id').orderBy('id', 'desc').execute();
    expect(seen).toEqual(all.map(({ id }) => id));
  });

  test('can be kept as a file in which no name is a formula', async () => {
    const seller = await aSeller(t);
    const copy = await aListing(t, seller, { title: '=HYPERLINK("http://evil")' });
    await t.call(deleteListing, { params: { id: copy._id } }, { as: admin });
    const answer = await t.send('GET', '/api/audit.csv?action=listing%20deleted', { as: admin });
    expect(answer.headers['content-disposition']).toContain('dogear-audit.csv');
    const lines = answer.body.split('\r\n');
    expect(lines[0]).toContain('"Who","Address","Did","About"');
    expect(lines.some((line) => line.includes(`"'=HYPERLINK(""http://evil"")"`))).toBe(true);
    expect(lines.every((line) => !line.includes('user made admin'))).toBe(true);
  });
});

describe('restoring', () => {
  const deletedLongAgo = (table: 'users' | 'listings', id: string) =>
    table === 'users'
      ? t.db
          .updateTable('users')
          .set({ deleted_at: new Date(Date.now() - 31 * 86_400_000) })
          .where('id', '=', id)
          .execute()
      : sql`UPDATE listings SET withdrawn_at = now() - interval '31 days' WHERE id = ${id}`.execute(t.db);

  test('a seller come back with their roles and what was on their shelf, and is asked to sign in', async () => {
    const seller = await aSeller(t);
    const copy = await aListing(t, seller);
    const gone = await aListing(t, seller);
    await t.call(deleteListing, { params: { id: gone._id } }, { as: seller });
    await t.call(deleteUser, { params: { id: seller.id } }, { as: admin });
    expect((await t.call(readListing, { params: { id: copy._id } })).status).toBe(404);

    const listed = (await t.call(listDeletedUsers, { query: {} }, { as: admin })).body;
    expect(listed[0]).toMatchObject({ _id: seller.id, email: seller.email, copies: 1 });
    const answer = await t.call(restoreUser, { params: { id: seller.id.toUpperCase() } }, { as: admin });
    expect([answer.status, answer.body]).toEqual([200, { restoredCount: 1 }]);

    expect((await t.call(readListing, { params: { id: copy._id } })).body.status).toBe('Available');
    expect((await t.call(readListing, { params: { id: gone._id } })).status).toBe(404);
    expect((await t.call(listAudit, { query: {} }, { as: seller })).status).toBe(401);
    const back = await credentialsOf(t, seller.email, PASSWORD);
    expect(back.accessToken).toBeTruthy();
    const users = (await t.call(listUsers, { query: { q: seller.email } }, { as: admin })).body;
    expect(users).toMatchObject([{ roles: ['seller'] }]);
  });

  test('of a deleted listing puts it back on the shelf, once, and is written down', async () => {
    const copy = await aListing(t, await aSeller(t));
    await t.call(deleteListing, { params: { id: copy._id } }, { as: admin });
    const listed = (await t.call(listDeletedListings, { query: {} }, { as: admin })).body;
    expect(listed[0]).toMatchObject({ _id: copy._id, title: copy.title });
    const restore = () => t.call(restoreListing, { params: { id: copy._id } }, { as: admin });
    const answers = await Promise.all([restore(), restore(), restore()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect((await t.call(readListing, { params: { id: copy._id } })).body.status).toBe('Available');
    const { body } = await t.call(listAudit, { query: { action: 'listing restored' } }, { as: admin });
    expect(body).toMatchObject([{ about: copy.title }]);
  });

  test('is over after 30 days', async () => {
    const seller = await aSeller(t);
    const copy = await aListing(t, seller);
    await t.call(deleteListing, { params: { id: copy._id } }, { as: seller });
    await deletedLongAgo('listings', copy._id);
    expect((await t.call(restoreListing, { params: { id: copy._id } }, { as: admin })).status).toBe(404);
    await t.call(deleteUser, { params: { id: seller.id } }, { as: admin });
    await deletedLongAgo('users', seller.id);
    expect((await t.call(restoreUser, { params: { id: seller.id } }, { as: admin })).status).toBe(404);
    const lists = [listDeletedUsers, listDeletedListings].map((spec) => t.call(spec, { query: {} }, { as: admin }));
    for (const { body } of await Promise.all(lists)) {
      expect(body.map(({ _id }) => _id)).not.toContain(seller.id);
      expect(body.map(({ _id }) => _id)).not.toContain(copy._id);
    }
  });

  test('does not bring back who is there, who left by themselves, or the copy of a deleted seller', async () => {
    const buyer = await aBuyer(t);
    expect((await t.call(restoreUser, { params: { id: buyer.id } }, { as: admin })).status).toBe(404);
    await t.call(deleteUser, { params: { id: buyer.id } }, { as: admin });
    await t.db.insertInto('departures').values({ user_id: buyer.id, finished_at: null }).execute();
    expect((await t.call(restoreUser, { params: { id: buyer.id } }, { as: admin })).status).toBe(404);

    const seller = await aSeller(t);
    const copy = await aListing(t, seller);
    await t.call(deleteUser, { params: { id: seller.id } }, { as: admin });
    expect((await t.call(restoreListing, { params: { id: copy._id } }, { as: admin })).status).toBe(404);
  });
});
