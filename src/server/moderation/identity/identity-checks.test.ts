import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPerson } from '#contract/admin/person.ts';
import { listAudit } from '#contract/admin/audit.ts';
import { verifySeller } from '#contract/admin/admin.ts';
import { confirmIdentity, readOwnIdentity } from '#contract/law/identity.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { advanceClock } from '#test/clock.ts';
import { aBuyer, aSeller, anAdmin, type TestUser } from '#test/make.ts';
import { orderSteps } from '#test/order-steps.ts';
import { checkIdentities } from './identity-checks.service.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await anAdmin(t);
});
afterAll(() => t.close());

const { sold, posted, move, ahead } = orderSteps(() => t);
/** Two books and $15: what a shop must know of a small one. */
const FROM = { sales: 1, dollars: 7, days: 10 };
const stateOf = async (seller: TestUser) => (await t.call(readOwnIdentity, {}, { as: seller })).body.state;
const subjects = async (who: TestUser) => (await t.mailTo(who.email)).map(({ subject }) => subject);
const waits = async ({ id }: TestUser): Promise<boolean> =>
  (await sql<{ waits: boolean }>`SELECT is_unidentified(${id}) AS waits`.execute(t.db)).rows[0]?.waits === true;

/** A seller one of whose orders is closed. */
const seasoned = async (): Promise<TestUser> => {
  const sale = await posted();
  await move(sale, sale.buyer, { move: 'receive' });
  await ahead(4);
  return sale.seller;
};

describe('who sells much', () => {
  test('is asked once, has ten days, and then is paid again when an admin has looked', async () => {
    const [seller, little] = [await seasoned(), (await sold()).seller];
    expect(await checkIdentities(t.db)).toBe(0);
    expect(await checkIdentities(t.db, FROM)).toBe(1);
    expect(await checkIdentities(t.db, FROM)).toBe(0);
    expect([await stateOf(seller), await stateOf(little), await waits(seller)]).toEqual(['asked', 'none', false]);
    expect(await subjects(seller)).toContain('Please show us who you are');
    await advanceClock(t, 9 * 24);
    expect(await checkIdentities(t.db, FROM)).toBe(0);
    await advanceClock(t, 25);
    expect(await checkIdentities(t.db, FROM)).toBe(1);
    expect([await stateOf(seller), await waits(seller)]).toEqual(['paused', true]);
    const params = { id: seller.id };
    const person = (await t.call(readPerson, { params }, { as: admin })).body;
    expect(person).toMatchObject({ identity: { state: 'paused' }, year: { sales: 1, taken: 7.5 } });
    const confirm = (as: TestUser, reason: string) => t.call(confirmIdentity, { params, body: { reason } }, { as });
    expect((await confirm(seller, 'It is me')).status).toBe(403);
    expect((await confirm(admin, '   ')).status).toBe(400);
    expect((await confirm(admin, 'Passport and register entry seen')).body).toEqual({ modifiedCount: 1 });
    expect((await confirm(admin, 'Once more')).body).toEqual({ modifiedCount: 0 });
    expect([await stateOf(seller), await waits(seller)]).toEqual(['confirmed', false]);
    expect(await subjects(seller)).toEqual(expect.arrayContaining(['Your payouts wait', 'We know who you are']));
    // What was looked at is for admins.
    expect((await t.call(readOwnIdentity, {}, { as: seller })).body.reason).toBe('');
    expect((await t.call(readPerson, { params }, { as: admin })).body.identity.reason).toContain('Passport');
  });

  test('and is known to the payment provider is not asked', async () => {
    const seller = await seasoned();
    await sql`INSERT INTO payout_accounts (seller_id, status) VALUES (${seller.id}, 'active')
      ON CONFLICT (seller_id) DO UPDATE SET status = 'active'`.execute(t.db);
    await checkIdentities(t.db, FROM);
    expect(await stateOf(seller)).toBe('confirmed');
    expect(await subjects(seller)).not.toContain('Please show us who you are');
  });

  test('whoever does not sell has no identity to confirm', async () => {
    const buyer = await aBuyer(t);
    const call = { params: { id: buyer.id }, body: { reason: 'A passport' } };
    expect((await t.call(confirmIdentity, call, { as: admin })).status).toBe(409);
  });
});

test('one card on two accounts is seen on both pages, and a tick is given with what was looked at', async () => {
  const [first, second] = [await sold(), await sold()];
  const seen = (await t.call(readPerson, { params: { id: first.buyer.id } }, { as: admin })).body.sameCard;
  expect(seen).toEqual(expect.arrayContaining([{ _id: second.buyer.id, name: second.buyer.name, last4: '4242' }]));
  const seller = await aSeller(t);
  const call = { params: { id: seller.id }, body: { reason: 'Shop visited' } };
  expect((await t.call(verifySeller, call, { as: admin })).body).toEqual({ modifiedCount: 1 });
  const entries = (await t.call(listAudit, { query: {} }, { as: admin })).body;
  expect(entries.find(({ action }) => action === 'user verified')?.reason).toBe('Shop visited');
});
