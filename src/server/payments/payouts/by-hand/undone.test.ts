import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readPayoutAccount } from '#contract/money/payouts.ts';
import { readStatement } from '#contract/money/ledger.ts';
import { refundBooking } from '#contract/money/money-admin.ts';
import { reconcileAll } from '#server/payments/reconciliation/reconcile.service.ts';
import { finishRefunds } from '#server/payments/refunds/refund.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { anAccount, BY_HAND, byHandSteps, openByHand } from '#test/money/by-hand.ts';
import { advanceClock } from '#test/clock.ts';
import { aSale, failing } from '#test/deal.ts';
import { aSeller, type TestUser } from '#test/make.ts';

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
const { due, enter, hold, make, read, file, paid, returned, struck, rowOf, balanceOn, aBatch } = steps;

describe('what the bank or an admin undoes', () => {
  test('struck off: due as before, with words, and paid with the next batch', async () => {
    const batch = await aBatch(seller);
    expect(await struck(batch.payoutId)).toMatchObject({
      status: 200,
      body: { state: 'refused', reason: 'Wrong name' },
    });
    expect([await balanceOn(seller, 'seller'), await balanceOn(seller, 'in-transit')]).toEqual([-40_000, 0]);
    expect(await struck(batch.payoutId)).toMatchObject({ status: 409, body: { error: { code: 'payout_moved' } } });
    expect(await paid(batch.payoutId)).toMatchObject({ status: 409 });
    expect(await rowOf(seller)).toMatchObject({ state: 'ready' });
    expect((await file(batch.id)).json()).toMatchObject({ error: { code: 'payout_moved' } });
    expect(await make([seller])).toMatchObject({ status: 201 });
  });

  test('returned: due again once, details locked until entered anew, and the file is the same as before', async () => {
    const batch = await aBatch(seller);
    const before = [(await file(batch.id)).rawPayload, (await file(batch.id, 'nacha')).rawPayload];
    expect(await returned(batch.payoutId)).toMatchObject({ status: 409, body: { error: { code: 'payout_moved' } } });
    await paid(batch.payoutId);
    expect(await returned(batch.payoutId)).toMatchObject({ status: 200, body: { state: 'returned' } });
    expect(await returned(batch.payoutId)).toMatchObject({ status: 409 });
    expect([await balanceOn(seller, 'seller'), await balanceOn(seller, 'in-transit')]).toEqual([-40_000, 0]);
    expect(await rowOf(seller)).toMatchObject({ state: 'locked' });
    expect(await make([seller])).toMatchObject({ status: 409 });
    expect((await t.call(readPayoutAccount, {}, { as: seller })).body).toMatchObject({
      status: 'restricted',
      says: expect.stringContaining('No such account'),
    });
    const mails = await t.mailTo(seller.email);
    expect(mails.find(({ subject }) => subject.startsWith('Your bank sent a payout back'))?.text).toContain(
      'Why: No such account',
    );
    const { body: statement } = await t.call(readStatement, { query: {} }, { as: seller });
    expect(statement[0]).toMatchObject({ kind: 'payout-returned', amount: 400 });
    // Another shop name and bank by now: what was filed is filed.
    const later = await testApp({
      beside: t,
      env: { ...BY_HAND, NACHA_BANK_NAME: 'Other Bank', SHOP_TIME_ZONE: 'UTC' },
    });
    for (const [at, format] of (['csv', 'nacha'] as const).entries()) {
      expect((await file(batch.id, format)).rawPayload).toEqual(before[at]);
      const url = `/api/money/batches/${batch.id}/file?format=${format}`;
      expect((await later.send('GET', url, { as: admin })).rawPayload).toEqual(before[at]);
    }
    await later.close();
    expect(await enter(seller, anAccount({ account: '99988877766' }))).toMatchObject({
      body: { locked: null, details: { shown: '…7766' } },
    });
    expect(await rowOf(seller)).toMatchObject({
      state: 'paused',
      secondAdmin: 'The first payout to changed bank details',
    });
    expect((await file(batch.id)).rawPayload).toEqual(before[0]);
  });

  test('what was struck off before the file was made is not in it; afterwards it never changes', async () => {
    const other = await aSeller(t);
    for (const each of [seller, other]) {
      await due(each, 2_000);
      await enter(
        each,
        anAccount({
          holder: each === seller ? 'Not Paid' : 'Is Paid',
          account: `1${each.id.replace(/\D/g, '').padEnd(10, '7').slice(0, 10)}`,
        }),
      );
    }
    await hold();
    const { body: batch } = await make([seller, other]);
    const { payouts } = await read(batch.id);
    const idOf = (person: TestUser): string => payouts.find(({ sellerId }) => sellerId === person.id)?.id ?? '';
    expect((await struck(idOf(seller))).body.inFile).toBe(false);
    const first = await file(batch.id);
    expect(first.body).not.toContain('Not Paid');
    expect(first.body).toContain('Is Paid');
    expect((await struck(idOf(other))).body.inFile).toBe(true);
    expect((await file(batch.id)).rawPayload).toEqual(first.rawPayload);
  });

  test('a refund between batch and bank leaves the seller a debt, and nobody is paid more than was due', async () => {
    const { bookingId } = await aSale(t, { seller, price: '30.00' });
    await sql`WITH o AS (SELECT order_id AS id FROM bookings WHERE id = ${bookingId}),
        e AS (INSERT INTO order_events (order_id, move, from_state, to_state, by) SELECT id, 'close', 'paid', 'closed', 'clock' FROM o),
        r AS (INSERT INTO ledger_transactions (kind, reference, order_id, booking_id, seller_id)
          SELECT 'release', id, id, ${bookingId}, ${seller.id} FROM o RETURNING id),
        l AS (INSERT INTO ledger_entries (transaction_id, account, seller_id, amount_cents)
          SELECT r.id, x.account, ${seller.id}, x.cents FROM r, (VALUES ('seller-pending', 2883), ('seller', -2883)) AS x (account, cents))
      UPDATE orders SET state = 'closed', closed_at = shop_now(), due_at = NULL, due_move = NULL, outcome = 'completed'
      FROM o WHERE orders.id = o.id`.execute(t.db);
    await enter(seller);
    await hold();
    const { body: batch } = await make([seller]);
    expect(batch.amount).toBe(28.83);
    expect(await t.call(refundBooking, { params: { id: bookingId } }, { as: admin })).toMatchObject({ status: 200 });
    await finishRefunds(t.payments, failing);
    expect(await balanceOn(seller, 'seller')).toBe(2_883);
    const [payout] = (await read(batch.id)).payouts;
    expect(await paid(payout?.id ?? '')).toMatchObject({ status: 200 });
    expect([await balanceOn(seller, 'seller'), await balanceOn(seller, 'in-transit')]).toEqual([2_883, 0]);
    expect(await rowOf(seller)).toBeUndefined();
    await due(seller, 5_000);
    expect(await rowOf(seller)).toMatchObject({ amount: 21.17 });
  });
});

test('a payout of which nobody has said for a week what the bank did is told to admins, until somebody does', async () => {
  const { payoutId } = await aBatch(seller, 2_000);
  const told = async () => {
    await reconcileAll(t.payments, failing);
    const rows = t.db.selectFrom('money_differences').select(['kind', 'mended_at']).where('subject', '=', payoutId);
    return (await rows.execute()).map((row) => [row.kind, row.mended_at !== null]);
  };
  expect(await told()).toEqual([]);
  await advanceClock(t, 8 * 24);
  // Before anybody has ever paid there is nothing to compare.
  await aSale(t, { seller });
  expect(await told()).toEqual([['payout-unmarked', false]]);
  await paid(payoutId);
  expect(await told()).toEqual([['payout-unmarked', true]]);
});
