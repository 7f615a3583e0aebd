import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  deleteUser,
  listUsers,
  makeAdmin,
  removeAdmin,
  removeVerification,
  verifySeller,
} from '#contract/admin/admin.ts';
import { listAudit } from '#contract/admin/audit.ts';
import { readListing } from '#contract/catalog/catalog.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, aListing, anAdmin, aSeller, aUser, type TestUser } from '#test/make.ts';

const reason = 'Left the team';

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
    .select(['action', 'actor_id as actorId', 'details'])
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();

/** Somebody who has what is to be taken back. */
const anOwner = (): Promise<TestUser> => aUser(t, { roles: ['admin', 'seller'], verified: true });

describe.each([
  ['DELETE /users/admin/:id', removeAdmin, 'is_admin', 'admin role removed', 'You are no longer an admin'],
  [
    'DELETE /users/verified/:id',
    removeVerification,
    'verified',
    'verification removed',
    'You are no longer a verified seller',
  ],
] as const)('%s', (_, call, column, deed, subject) => {
  const flagOf = async (id: string) =>
    (await t.db.selectFrom('users').select(column).where('id', '=', id).executeTakeFirstOrThrow())[column];

  test('changes one, then none; the reason is written down once and mailed once', async () => {
    const owner = await anOwner();
    const body = { reason: '  Left\nthe team ' };
    const first = await t.call(call, { params: { id: owner.id }, body }, { as: admin });
    expect([first.status, first.body]).toEqual([200, { modifiedCount: 1 }]);
    expect(await flagOf(owner.id)).toBe(false);
    const second = await t.call(call, { params: { id: owner.id.toUpperCase() }, body }, { as: admin });
    expect([second.status, second.body]).toEqual([200, { modifiedCount: 0 }]);
    expect(await deedsOn(owner.id)).toEqual([{ action: deed, actorId: admin.id, details: { reason } }]);
    const mails = (await t.mailTo(owner.email)).filter((mail) => mail.subject === subject);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(`Reason: ${reason}`);
    const shown = await t.call(listAudit, { query: { action: deed } }, { as: admin });
    expect(shown.body[0]).toMatchObject({ action: deed, details: [{ name: 'reason', value: reason }] });
  });

  test('of many at once changes one', async () => {
    const owner = await anOwner();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => t.call(call, { params: { id: owner.id }, body: { reason } }, { as: admin })),
    );
    expect(answers.map(({ body }) => body.modifiedCount).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    expect(await deedsOn(owner.id)).toHaveLength(1);
  });

  test('needs a reason of 1 to 500 characters', async () => {
    const owner = await anOwner();
    for (const body of [{}, { reason: '' }, { reason: ' \n ' }, { reason: 'x'.repeat(501) }, { reason: 7 }]) {
      const answer = await t.call(call, { params: { id: owner.id }, body: body as { reason: string } }, { as: admin });
      expect([answer.status, answer.body.modifiedCount]).toEqual([400, 0]);
      expect(Object.keys(answer.body.error?.fields ?? {})).toEqual(['reason']);
    }
    expect(await flagOf(owner.id)).toBe(true);
  });

  test('is refused to nobody, to buyers and to sellers, and changes nothing', async () => {
    const [owner, buyer, seller] = [await anOwner(), await aBuyer(t), await aSeller(t)];
    for (const [as, status] of [
      [undefined, 401],
      [{ cookie: admin.cookie }, 401],
      [buyer, 403],
      [seller, 403],
    ] as const) {
      const answer = await t.call(call, { params: { id: owner.id }, body: { reason } }, { as });
      expect([answer.status, answer.body.modifiedCount]).toEqual([status, 0]);
    }
    expect(await flagOf(owner.id)).toBe(true);
    expect(await deedsOn(owner.id)).toEqual([]);
  });

  test('of an unknown, deleted or impossible id is 404', async () => {
    const gone = await anOwner();
    await t.call(deleteUser, { params: { id: gone.id } }, { as: admin });
    const answers = await Promise.all(
      [randomUUID(), gone.id, 'nonsense'].map((id) =>
        t.call(call, { params: { id }, body: { reason } }, { as: admin }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});

describe('an admin role', () => {
  test('is not taken from oneself', async () => {
    const answer = await t.call(removeAdmin, { params: { id: admin.id }, body: { reason } }, { as: admin });
    expect([answer.status, answer.body.modifiedCount]).toEqual([403, 0]);
    expect((await t.call(listUsers, { query: {} }, { as: admin })).status).toBe(200);
  });

  test('counts no more from that moment on, in the session they have; what else they are stays', async () => {
    const former = await anOwner();
    expect((await t.call(listUsers, { query: {} }, { as: former })).status).toBe(200);
    await t.call(removeAdmin, { params: { id: former.id }, body: { reason } }, { as: admin });
    expect((await t.call(listUsers, { query: {} }, { as: former })).status).toBe(403);
    expect((await t.call(makeAdmin, { params: { id: former.id } }, { as: former })).status).toBe(403);
    await aListing(t, former);
  });

  test('stays with one of two admins who take it from each other at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, two] = [await anAdmin(t), await anAdmin(t)];
      const answers = await Promise.all([
        t.call(removeAdmin, { params: { id: two.id }, body: { reason } }, { as: one }),
        t.call(removeAdmin, { params: { id: one.id }, body: { reason } }, { as: two }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
      const left = await t.db
        .selectFrom('users')
        .select('id')
        .where('id', 'in', [one.id, two.id])
        .where('is_admin', '=', true)
        .execute();
      expect(left).toHaveLength(1);
    }
  });
});

describe('the tick of a seller', () => {
  test('goes from their books, and comes back with another mail', async () => {
    const seller = await aSeller(t);
    const book = await aListing(t, seller);
    const isVerified = async () => (await t.call(readListing, { params: { id: book._id } })).body.seller_verified;
    await t.call(verifySeller, { params: { id: seller.id } }, { as: admin });
    await t.call(removeVerification, { params: { id: seller.id }, body: { reason } }, { as: admin });
    expect(await isVerified()).toBe(false);
    await t.call(verifySeller, { params: { id: seller.id } }, { as: admin });
    expect(await isVerified()).toBe(true);
    const told = (await t.mailTo(seller.email)).filter(({ subject }) => subject === 'You are a verified seller');
    expect(told).toHaveLength(2);
  });

  test('is given to sellers alone', async () => {
    const buyer = await aBuyer(t);
    const answer = await t.call(verifySeller, { params: { id: buyer.id } }, { as: admin });
    expect(answer).toMatchObject({ status: 409, body: { modifiedCount: 0, error: { code: 'not_a_seller' } } });
    expect(await deedsOn(buyer.id)).toEqual([]);
  });
});
