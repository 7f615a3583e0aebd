import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { approveBatch } from '#contract/money/by-hand.ts';
import type { TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { anAccount, byHandSteps, openByHand } from '#test/money/by-hand.ts';
import { anAdmin, aSeller, aUser, type TestUser } from '#test/make.ts';

let t: TestApp;
let admin: TestUser;
let second: TestUser;
let seller: TestUser;

beforeAll(async () => {
  ({
    t,
    admins: [admin, second],
  } = await openByHand());
});
beforeEach(async () => {
  seller = await aSeller(t);
});
afterEach(() => expectInvariants(t.db));
afterAll(() => t.close());

const steps = byHandSteps(
  () => t,
  () => [admin, second],
);
const { due, enter, hold, make, read, file, paid, rowOf, aBatch } = steps;

describe('a second admin', () => {
  test('is not needed for $500.00', async () => {
    expect(await aBatch(seller, 50_000)).toMatchObject({ needsApproval: false });
  });

  test('is needed for $500.01: one admin cannot do both halves of it', async () => {
    const batch = await aBatch(seller, 50_001);
    expect(batch).toMatchObject({ needsApproval: true, mine: true, formats: [] });
    expect((await read(batch.id)).payouts).toMatchObject([{ secondAdmin: 'More than $500.00' }]);
    const approve = (as: TestUser) => t.call(approveBatch, { params: { id: batch.id } }, { as });
    expect((await file(batch.id)).json()).toMatchObject({ error: { code: 'second_admin_needed' } });
    expect(await paid(batch.payoutId)).toMatchObject({ status: 409, body: { error: { code: 'second_admin_needed' } } });
    for (let replay = 0; replay < 2; replay += 1)
      expect(await approve(admin)).toMatchObject({ status: 409, body: { error: { code: 'second_admin_needed' } } });
    expect((await file(batch.id, 'nacha')).statusCode).toBe(409);
    expect(await approve(second)).toMatchObject({
      status: 200,
      body: { needsApproval: false, approvedBy: second.name, mine: false },
    });
    expect(await approve(second)).toMatchObject({ status: 200 });
    expect(await approve(await anAdmin(t))).toMatchObject({ status: 409, body: { error: { code: 'payout_moved' } } });
    expect((await file(batch.id)).statusCode).toBe(200);
    expect(await paid(batch.payoutId)).toMatchObject({ status: 200 });
  });

  test('is needed for several that are more together', async () => {
    const others = [seller, await aSeller(t), await aSeller(t)];
    for (const each of others) {
      await due(each, 20_000);
      await enter(each);
    }
    await hold();
    const made = await make(others);
    expect(made.body).toMatchObject({ count: 3, needsApproval: true });
    const { payouts } = await read(made.body.id);
    expect(payouts.map(({ secondAdmin }) => secondAdmin)).toEqual([null, null, null]);
  });

  test('is needed for the first payout to changed details, and not for the next', async () => {
    const first = await aBatch(seller, 2_000);
    await file(first.id);
    await paid(first.payoutId);
    await due(seller, 2_000);
    expect(await rowOf(seller)).toMatchObject({ secondAdmin: null });
    await enter(seller, anAccount({ account: '4443332221' }));
    await hold();
    expect(await rowOf(seller)).toMatchObject({ secondAdmin: 'The first payout to changed bank details' });
    const { body: batch } = await make([seller]);
    expect(batch.needsApproval).toBe(true);
    expect(await t.call(approveBatch, { params: { id: batch.id } }, { as: second })).toMatchObject({ status: 200 });
    const [payout] = (await read(batch.id)).payouts;
    await paid(payout?.id ?? '');
    await due(seller, 2_000);
    expect(await rowOf(seller)).toMatchObject({ state: 'ready', secondAdmin: null });
  });

  test('is not one whose own details it pays to', async () => {
    const both = await aUser(t, { roles: ['seller', 'admin'] });
    seller = both;
    const batch = await aBatch(seller, 60_000);
    const approve = (as: TestUser) => t.call(approveBatch, { params: { id: batch.id } }, { as });
    expect(await approve(both)).toMatchObject({ status: 409, body: { error: { code: 'second_admin_needed' } } });
    expect(await approve(second)).toMatchObject({ status: 200 });
  });

  test('of a batch that needs none is told so', async () => {
    const batch = await aBatch(seller, 2_000);
    expect(await t.call(approveBatch, { params: { id: batch.id } }, { as: second })).toMatchObject({
      status: 409,
      body: { error: { code: 'payout_moved' } },
    });
  });
});
