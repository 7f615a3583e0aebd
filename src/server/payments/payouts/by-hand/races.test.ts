import { afterAll, beforeAll, expect, test } from 'vitest';
import { approveAdjustment, askAdjustment, declineAdjustment } from '#contract/money/adjustments.ts';
import { approveBatch, makeBatch, markPaid, markReturned, strikeOff } from '#contract/money/by-hand.ts';
import { lookAtSellers } from '#server/payments/payouts/due.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { anAccount, BY_HAND, byHandSteps, openByHand } from '#test/money/by-hand.ts';
import { failing } from '#test/deal.ts';
import { aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let beside: TestApp;
let admins: [TestUser, TestUser];

beforeAll(async () => {
  ({ t, admins } = await openByHand());
  beside = await testApp({ beside: t, env: BY_HAND });
});
afterAll(async () => {
  await expectInvariants(t.db);
  await beside.close();
  await t.close();
});

const { due, enter, hold, make, read, file, shopDay } = byHandSteps(
  () => t,
  () => admins,
);

const sellersDue = async (count: number, cents = 2_000): Promise<TestUser[]> => {
  const sellers: TestUser[] = [];
  for (let n = 0; n < count; n += 1) {
    const seller = await aSeller(t);
    await due(seller, cents);
    await enter(seller, anAccount({ account: String(1_000_000 + n) }));
    sellers.push(seller);
  }
  await hold();
  return sellers;
};
const idsOf = (sellers: readonly TestUser[]) => sellers.map(({ id }) => id);
const payoutsOf = (sellers: readonly TestUser[]) =>
  t.db.selectFrom('payouts').selectAll().where('seller_id', 'in', idsOf(sellers)).execute();

test('of two admins of two processes who make a batch at once each seller is in one, whatever their order', async () => {
  const sellers = await sellersDue(12);
  const [forth, back] = [idsOf(sellers), idsOf(sellers).toReversed()];
  const made = await Promise.all([
    t.call(makeBatch, { body: { sellerIds: forth } }, { as: admins[0] }),
    beside.call(makeBatch, { body: { sellerIds: back } }, { as: admins[1] }),
    t.call(makeBatch, { body: { sellerIds: back } }, { as: admins[1] }),
    beside.call(makeBatch, { body: { sellerIds: forth } }, { as: admins[0] }),
  ]);
  expect(made.map(({ status }) => status).filter((status) => status !== 201 && status !== 409)).toEqual([]);
  expect(made.filter(({ status }) => status === 201).reduce((sum, { body }) => sum + body.count, 0)).toBe(12);
  const payouts = await payoutsOf(sellers);
  expect(payouts).toHaveLength(12);
  expect(new Set(payouts.map(({ seller_id: id }) => id)).size).toBe(12);
});

test('a batch while the shop looks at its sellers, and they are due more, pays each once', async () => {
  const sellers = await sellersDue(5);
  await Promise.all([
    make(sellers),
    lookAtSellers(t.db, failing, 'manual'),
    lookAtSellers(beside.db, failing, 'manual'),
    ...sellers.map((seller) => due(seller, 500)),
  ]);
  for (const { amount_cents: cents } of await payoutsOf(sellers)) expect([2_000, 2_500]).toContain(cents);
  expect(await payoutsOf(sellers)).toHaveLength(5);
});

test('details that change while a batch is made are those of before in it, or pause it', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [seller] = await sellersDue(1);
    if (seller === undefined) throw new Error('nobody');
    const [made] = await Promise.all([make([seller]), enter(seller, anAccount({ account: '77777777' }))]);
    if (made.status !== 201) {
      expect(made.status).toBe(409);
      expect(await payoutsOf([seller])).toEqual([]);
      continue;
    }
    expect((await file(made.body.id)).body).not.toContain('77777777');
  }
});

test('one of several presses moves a payout on', async () => {
  const [seller] = await sellersDue(1);
  if (seller === undefined) throw new Error('nobody');
  const { body: batch } = await make([seller]);
  const [payout] = (await read(batch.id)).payouts;
  const params = { id: payout?.id ?? '' };
  const on = await shopDay();
  const answers = await Promise.all([
    t.call(markPaid, { params, body: { reference: 'A', on } }, { as: admins[0] }),
    beside.call(markPaid, { params, body: { reference: 'B', on } }, { as: admins[1] }),
    t.call(strikeOff, { params, body: { reason: 'Wrong' } }, { as: admins[1] }),
    beside.call(strikeOff, { params, body: { reason: 'Wrong' } }, { as: admins[0] }),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  const returns = await Promise.all(
    [t, beside, t].map((shop) => shop.call(markReturned, { params, body: { reason: 'Closed' } }, { as: admins[0] })),
  );
  const wasPaid = answers.slice(0, 2).some(({ status }) => status === 200);
  expect(returns.filter(({ status }) => status === 200)).toHaveLength(wasPaid ? 1 : 0);
});

test('of several downloads at once all are the same file', async () => {
  const sellers = await sellersDue(3, 30_000);
  const { body: batch } = await make(sellers);
  await t.call(approveBatch, { params: { id: batch.id } }, { as: admins[1] });
  const url = `/api/money/batches/${batch.id}/file?format=nacha`;
  const files = await Promise.all([t, beside, t, beside].map((shop) => shop.send('GET', url, { as: admins[0] })));
  expect(new Set(files.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(new Set(files.map(({ body }) => body)).size).toBe(1);
});

test('a correction is booked once, and not by who asked for it', async () => {
  const seller = await aSeller(t);
  const body = { sellerId: seller.id, amount: '-12.34', account: 'refund-costs', reason: 'Came twice' } as const;
  const { body: asked } = await t.call(askAdjustment, { body }, { as: admins[0] });
  const params = { id: asked.id };
  for (let replay = 0; replay < 2; replay += 1) {
    expect(await t.call(approveAdjustment, { params }, { as: admins[0] })).toMatchObject({
      status: 409,
      body: { error: { code: 'second_admin_needed' } },
    });
  }
  const decided = await Promise.all([
    t.call(approveAdjustment, { params }, { as: admins[1] }),
    beside.call(approveAdjustment, { params }, { as: admins[1] }),
    beside.call(declineAdjustment, { params }, { as: admins[1] }),
  ]);
  expect(decided.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
});
