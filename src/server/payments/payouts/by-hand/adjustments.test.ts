import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approveAdjustment, askAdjustment, declineAdjustment, listAdjustments } from '#contract/money/adjustments.ts';
import { listAudit } from '#contract/admin/audit.ts';
import { readStatement } from '#contract/money/ledger.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { aBuyer, anAdmin, aSeller, aUser, type TestUser } from '#test/make.ts';

let t: TestApp;
let admin: TestUser;
let second: TestUser;
let seller: TestUser;

beforeAll(async () => {
  // Whatever a shop pays out by.
  t = await testApp();
  [admin, second] = await Promise.all([anAdmin(t), anAdmin(t)]);
});
beforeEach(async () => {
  seller = await aSeller(t);
});
afterAll(async () => {
  await expectInvariants(t.db);
  await t.close();
});

const ask = (amount: number | string, more: Record<string, unknown> = {}) =>
  t.call(
    askAdjustment,
    { body: { sellerId: seller.id, amount, account: 'refund-costs', reason: 'Refunded twice', ...more } },
    { as: admin },
  );
const approve = (id: string, as = second) => t.call(approveAdjustment, { params: { id } }, { as });
const onAccounts = async () => {
  const { rows } = await sql<{ account: string; cents: number }>`SELECT e.account, sum(e.amount_cents)::int AS cents
    FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
    WHERE t.seller_id = ${seller.id} GROUP BY 1 ORDER BY 1`.execute(t.db);
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]));
};

test('is booked by a second admin, once, told to its seller, written down and on the statement', async () => {
  const asked = await ask('12.34');
  expect(asked).toMatchObject({
    status: 201,
    body: { amount: 12.34, state: 'asked', askedBy: admin.name, decidedBy: null, mine: true, name: seller.name },
  });
  expect(await onAccounts()).toEqual({});
  const { id } = asked.body;
  expect(await approve(id, admin)).toMatchObject({ status: 409, body: { error: { code: 'second_admin_needed' } } });
  expect(await approve(id)).toMatchObject({
    status: 200,
    body: { state: 'booked', mine: false, decidedBy: second.name },
  });
  expect(await approve(id)).toMatchObject({ status: 409, body: { error: { code: 'payout_moved' } } });
  expect(await onAccounts()).toEqual({ 'refund-costs': 1_234, seller: -1_234 });
  const [mail] = await t.mailTo(seller.email);
  expect(mail).toMatchObject({ subject: 'What you are due was corrected: $12.34' });
  expect(mail?.text).toContain('Why: Refunded twice');
  const { body: rows } = await t.call(readStatement, { query: {} }, { as: seller });
  const says = 'An admin of the shop has corrected what you are due: Refunded twice.';
  expect(rows).toMatchObject([{ kind: 'adjustment', amount: 12.34, balance: 12.34, says }]);
  const { body: trail } = await t.call(listAudit, { query: { limit: '2' } }, { as: admin });
  expect(trail.map(({ says }) => says)).toEqual([
    `Approved a correction of $12.34 for ${seller.name}`,
    `Asked for a correction of $12.34 for ${seller.name}`,
  ]);
});

test('below zero takes from the seller; a debt is written off by one above', async () => {
  await approve((await ask(-30, { account: 'commission' })).body.id);
  expect(await onAccounts()).toEqual({ commission: -3_000, seller: 3_000 });
  await approve((await ask('30.00')).body.id);
  expect(await onAccounts()).toEqual({ commission: -3_000, 'refund-costs': 3_000, seller: 0 });
});

test('that is declined books nothing; who asked for it may', async () => {
  const { id } = (await ask(5)).body;
  expect(await t.call(declineAdjustment, { params: { id } }, { as: admin })).toMatchObject({
    body: { state: 'declined' },
  });
  expect(await approve(id)).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('declined') } },
  });
  expect(await onAccounts()).toEqual({});
});

test('is not approved by the admin whom it is about, and the database would refuse it', async () => {
  seller = await aUser(t, { roles: ['seller', 'admin'] });
  const { id } = (await ask(99)).body;
  expect(await approve(id, seller)).toMatchObject({ status: 409, body: { error: { code: 'second_admin_needed' } } });
  for (const by of [seller.id, admin.id]) {
    const forced = t.db
      .updateTable('adjustments')
      .set({ state: 'booked', decided_by: by })
      .where('id', '=', id)
      .execute();
    await expect(forced).rejects.toThrow('adjustments_four_eyes');
  }
});

test.each([0, '0.00', 'abc', '1.234', '1e3', '--5', 100_000, '', '-', Number.MAX_VALUE])(
  'of "%s" is refused',
  async (amount) => {
    expect(await ask(amount)).toMatchObject({
      status: 400,
      body: { id: null, error: { fields: { amount: expect.any(String) } } },
    });
  },
);

test.each([{ account: 'provider' }, { account: 'bank' }, { account: 'seller' }, { reason: ' ' }, { reason: '' }])(
  'with %j is refused',
  async (more) => expect(await ask(1, more)).toMatchObject({ status: 400 }),
);

test('of nobody, or of somebody who never sold, is 404', async () => {
  expect(await ask(1, { sellerId: randomUUID() })).toMatchObject({ status: 404 });
  expect(await ask(1, { sellerId: (await aBuyer(t)).id })).toMatchObject({ status: 404 });
});

test('are listed newest first, page by page', async () => {
  for (const amount of [1, 2, 3]) await ask(amount);
  const page = await t.call(listAdjustments, { query: { limit: '2' } }, { as: admin });
  expect(page.body.map(({ amount }) => amount)).toEqual([3, 2]);
  const cursor = new URL(/<([^>]+)>/.exec(String(page.headers['link']))?.[1] ?? '', 'http://x').searchParams.get(
    'cursor',
  );
  const next = await t.call(listAdjustments, { query: { limit: '2', cursor: cursor ?? '' } }, { as: admin });
  expect(next.body[0]?.amount).toBe(1);
});
