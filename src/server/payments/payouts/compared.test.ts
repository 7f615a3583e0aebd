import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { reconcileAll } from '#server/payments/reconciliation/reconcile.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { connectDouble } from '#test/money/connect-double.ts';
import { aSale, failing } from '#test/deal.ts';
import { aSeller, type TestUser } from '#test/make.ts';
import { lookAtSellers } from './due.service.ts';
import { sendPayouts } from './transfer.service.ts';

const at = connectDouble();
let t: TestApp;
let seller: TestUser;
let account: string;

beforeAll(async () => {
  t = await testApp({ connect: at.connect });
});
beforeEach(async () => {
  seller = await aSeller(t);
  account = at.readyAccount(seller.id);
  at.state.mishaps = [];
  await sql`INSERT INTO payout_accounts (seller_id, account_id, status, ready_at)
    VALUES (${seller.id}, ${account}, 'active', shop_now())`.execute(t.db);
  const { bookingId } = await aSale(t, { seller });
  // The order is closed and its money due, however it came to that.
  await sql`WITH o AS (SELECT order_id AS id FROM bookings WHERE id = ${bookingId}),
      e AS (INSERT INTO order_events (order_id, move, from_state, to_state, by) SELECT id, 'close', 'paid', 'closed', 'clock' FROM o),
      r AS (INSERT INTO ledger_transactions (kind, reference, order_id, booking_id, seller_id)
        SELECT 'release', id, id, ${bookingId}, ${seller.id} FROM o RETURNING id),
      l AS (INSERT INTO ledger_entries (transaction_id, account, seller_id, amount_cents)
        SELECT r.id, x.account, ${seller.id}, x.cents FROM r, (VALUES ('seller-pending', 698), ('seller', -698)) AS x (account, cents))
    UPDATE orders SET state = 'closed', closed_at = shop_now(), due_at = NULL, due_move = NULL, outcome = 'completed'
    FROM o WHERE orders.id = o.id`.execute(t.db);
});
afterAll(async () => {
  await expectInvariants(t.db);
  await t.close();
});

const pay = async (onError: (error: unknown) => void = failing): Promise<void> => {
  await lookAtSellers(t.db, onError);
  await sendPayouts(t.payments, onError);
};
const compared = async () => {
  await reconcileAll(t.payments, failing);
  const rows = await t.db
    .selectFrom('money_differences')
    .select(['kind', 'subject', 'mended_at as mendedAt'])
    .where('last_found_at', '>', sql<Date>`now() - interval '2 seconds'`)
    .execute();
  return rows.map(({ kind, subject, mendedAt }) => [kind, subject, mendedAt !== null]);
};
const last = () => {
  const transfer = at.transfers.at(-1);
  if (transfer === undefined) throw new Error('nothing was sent');
  return transfer;
};

test('a balance that is too small for the first release, and transfers of others, are told before anything is paid out', async () => {
  expect(await t.db.selectFrom('payouts').select('id').execute()).toEqual([]);
  at.state.availableCents = 10;
  at.transfers.push({
    id: 'tr_early',
    accountId: account,
    amountCents: 698,
    reversedCents: 0,
    payoutId: undefined,
    createdAt: new Date(),
  });
  const found = await compared();
  at.state.availableCents = 1_000_000;
  at.transfers.splice(-1, 1);
  expect(found).toContainEqual(['short-of-money', 'balance', false]);
  expect(found).toContainEqual(['unknown-transfer', 'tr_early', false]);
});

test('what fits is no difference', async () => {
  await pay();
  expect((await compared()).filter(([, subject]) => subject === last().id)).toEqual([]);
});

test('a transfer whose answer was lost is booked', async () => {
  at.state.mishaps = ['fails after'];
  await pay(() => {});
  const made = last();
  at.transfers.splice(-1, 1, { ...made, createdAt: new Date(Date.now() - 120_000) });
  expect(await compared()).toContainEqual(['missed-transfer', made.id, true]);
  expect(
    await t.db.selectFrom('payouts').selectAll().where('provider_id', '=', made.id).executeTakeFirst(),
  ).toMatchObject({
    state: 'sent',
  });
  expect((await compared()).filter(([, subject, mended]) => subject === made.id && mended === false)).toEqual([]);
});

test('a transfer that nobody here asked for, and a second one for a payout, are told', async () => {
  await pay();
  const made = last();
  at.transfers.push({ ...made, id: 'tr_byHand', payoutId: undefined }, { ...made, id: 'tr_twice' });
  const found = await compared();
  expect(found).toContainEqual(['unknown-transfer', 'tr_byHand', false]);
  expect(found).toContainEqual(['unknown-transfer', 'tr_twice', false]);
  at.transfers.splice(-2, 2);
});

test('a transfer of another amount, and one that is not there, are told', async () => {
  await pay();
  const made = last();
  at.transfers.splice(-1, 1, { ...made, amountCents: made.amountCents + 1 });
  expect(await compared()).toContainEqual(['other-transfer', made.id, false]);
  at.transfers.splice(-1, 1);
  expect(await compared()).toContainEqual(['missed-transfer', made.id, false]);
  at.transfers.push(made);
});

test('money that was taken back there by hand is told, and credited to nobody', async () => {
  await pay();
  const made = last();
  await at.connect.reverse({ reversalId: '', transferId: made.id, key: `by hand ${made.id}`, amountCents: 100 });
  const reversal = at.reversals.pop();
  if (reversal !== undefined) at.reversals.push({ ...reversal, reversalId: undefined });
  expect(await compared()).toContainEqual(['missed-reversal', reversal?.id, false]);
  expect(
    await t.db.selectFrom('payouts').selectAll().where('provider_id', '=', made.id).executeTakeFirst(),
  ).toMatchObject({
    reversed_cents: 0,
  });
});

test('a balance below what sellers are owed is told until it is not', async () => {
  await pay();
  await aSale(t, { seller });
  at.state.availableCents = 10;
  expect(await compared()).toContainEqual(['short-of-money', 'balance', false]);
  at.state.availableCents = 1_000_000;
  expect(await compared()).toContainEqual(['short-of-money', 'balance', true]);
});
