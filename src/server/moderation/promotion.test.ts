import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteUser, listUsers, makeAdmin, verifySeller } from '#contract/admin/admin.ts';
import { isAdmin } from '#contract/users/identity.ts';
import { readListing } from '#contract/catalog/catalog.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, aListing, aSeller, aUser, anAdmin, type TestUser } from '#test/make.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await anAdmin(t);
});
afterAll(() => t.close());

const deedsOn = (id: string) =>
  t.db
    .selectFrom('audit_entries')
    .select(['action', 'actor_id as actorId', 'subject_kind as kind'])
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();

describe.each([
  ['PUT /users/admin/:id', makeAdmin, 'is_admin', 'user made admin'],
  ['PUT /users/verified/:id', verifySeller, 'verified', 'user verified'],
] as const)('%s', (_, call, column, deed) => {
  const flagOf = async (id: string) =>
    (await t.db.selectFrom('users').select(column).where('id', '=', id).executeTakeFirstOrThrow())[column];

  test('changes one, then none, and is written down once', async () => {
    const seller = await aSeller(t);
    const first = await t.call(call, { params: { id: seller.id } }, { as: admin });
    expect([first.status, first.body]).toEqual([200, { modifiedCount: 1 }]);
    expect(await flagOf(seller.id)).toBe(true);
    // an id is the same id in capitals
    const again = await t.call(call, { params: { id: seller.id.toUpperCase() } }, { as: admin });
    expect([again.status, again.body]).toEqual([200, { modifiedCount: 0 }]);
    expect(await deedsOn(seller.id)).toEqual([{ action: deed, actorId: admin.id, kind: 'user' }]);
  });

  test('of many at once changes one and is written down once', async () => {
    const seller = await aSeller(t);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => t.call(call, { params: { id: seller.id } }, { as: admin })),
    );
    expect(answers.map(({ body }) => body.modifiedCount).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    expect(await deedsOn(seller.id)).toHaveLength(1);
  });

  test('is refused to nobody, to buyers and to sellers, for themselves too, and changes nothing', async () => {
    const [target, buyer, seller] = [await aSeller(t), await aBuyer(t), await aSeller(t)];
    for (const [as, id, status] of [
      [undefined, target.id, 401],
      [{ cookie: admin.cookie }, target.id, 401],
      [buyer, target.id, 403],
      [seller, target.id, 403],
      [buyer, buyer.id, 403],
      [seller, seller.id, 403],
      [seller, randomUUID(), 403],
    ] as const) {
      const answer = await t.call(call, { params: { id } }, { as });
      expect([answer.status, answer.body.modifiedCount]).toEqual([status, 0]);
    }
    for (const { id } of [target, buyer, seller]) {
      expect(await flagOf(id)).toBe(false);
      expect(await deedsOn(id)).toEqual([]);
    }
  });

  test('of an unknown, deleted or impossible id is 404', async () => {
    const gone = await aSeller(t);
    await t.call(deleteUser, { params: { id: gone.id } }, { as: admin });
    const [unknown, deleted, noId] = await Promise.all(
      [randomUUID(), gone.id, 'nonsense'].map((id) => t.call(call, { params: { id } }, { as: admin })),
    );
    expect([unknown?.status, deleted?.status, noId?.status]).toEqual([404, 404, 404]);
    expect(deleted?.body.error?.message).toBe(unknown?.body.error?.message);
    expect(unknown?.body.modifiedCount).toBe(0);
    expect(await flagOf(gone.id)).toBe(false);
  });
});

test('a new admin is one at once, in the session they have', async () => {
  const buyer = await aBuyer(t);
  expect((await t.call(listUsers, { query: {} }, { as: buyer })).status).toBe(403);
  await t.call(makeAdmin, { params: { id: buyer.id } }, { as: admin });
  expect((await t.call(listUsers, { query: {} }, { as: buyer })).status).toBe(200);
  expect((await t.call(isAdmin, { params: { email: buyer.email } }, { as: buyer })).body).toEqual({ isAdmin: true });
});

test('an admin role that was taken away counts no more, whatever the token was issued for', async () => {
  const former = await anAdmin(t);
  await t.db.updateTable('users').set({ is_admin: false }).where('id', '=', former.id).execute();
  const target = await aSeller(t);
  const answer = await t.call(makeAdmin, { params: { id: target.id } }, { as: former });
  expect([answer.status, answer.body.modifiedCount]).toEqual([403, 0]);
});

test('a verified seller is shown as such on their books', async () => {
  const seller = await aSeller(t);
  const book = await aListing(t, seller);
  expect(book.seller_verified).toBe(false);
  await t.call(verifySeller, { params: { id: seller.id } }, { as: admin });
  expect((await t.call(readListing, { params: { id: book._id } })).body.seller_verified).toBe(true);
});

test('in production an address that nobody proved does not become an admin’s', async () => {
  const { makeAdmin: promote } = await import('./moderation.service.ts');
  const config = { ...t.config, mode: 'production' as const };
  const viewer = {
    kind: 'signed-in',
    userId: admin.id,
    email: admin.email,
    name: admin.name,
    isAdmin: true,
    isSeller: false,
    isBuyer: false,
    emailProvenAt: new Date(),
    sessionId: randomUUID(),
    hasFreshSignIn: true,
    isSuspended: false,
    secondFactor: 'shown',
  } as const;
  const proven = await aUser(t);
  const unproven = await aUser(t);
  await t.db.updateTable('users').set({ email_proven_at: null }).where('id', '=', unproven.id).execute();
  expect(await promote(t.db, config, viewer, proven.id)).toBe(1);
  await expect(promote(t.db, config, viewer, unproven.id)).rejects.toMatchObject({ code: 'forbidden' });
  expect((await t.call(makeAdmin, { params: { id: unproven.id } }, { as: admin })).body.modifiedCount).toBe(1);
});
