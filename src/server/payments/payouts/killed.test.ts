import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readBooking } from '#contract/bookings/bookings.ts';
import { refundBooking } from '#contract/money/money-admin.ts';
import { moveOrder } from '#contract/orders/orders.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { aSale, atProvider } from '#test/deal.ts';
import { aBuyer, anAdmin, aSeller, type TestUser } from '#test/make.ts';
import { refreshAccount } from './payee.service.ts';

const WORKER = path.join(import.meta.dirname, '../../../../test/money/payout-worker.ts');

let t: TestApp;
let buyer: TestUser;
let admin: TestUser;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp();
  [buyer, admin] = await Promise.all([aBuyer(t), anAdmin(t)]);
});
beforeEach(async () => {
  seller = await aSeller(t);
});
afterAll(async () => {
  await expectInvariants(t.db);
  await t.close();
});

/** Does the work in a process of its own, which is killed at the named point, or comes to its end. */
const run = async (crashAt: string, sellerId = ''): Promise<void> => {
  const child = spawn(process.execPath, [WORKER, t.databaseAppUrl, t.standinUrl.port, sellerId], {
    env: { PATH: process.env['PATH'] ?? '', DOGEAR_CRASH_AT: crashAt },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code, signal] = await once(child, 'exit');
  expect([code, signal]).toEqual(crashAt === '' ? [0, null] : [null, 'SIGKILL']);
};

const accountOf = async (): Promise<string> => {
  const row = await t.db
    .selectFrom('payout_accounts')
    .select('account_id')
    .where('seller_id', '=', seller.id)
    .executeTakeFirst();
  return row?.account_id ?? '';
};

const haveAccount = async (): Promise<string> => {
  await run('', seller.id);
  const account = await accountOf();
  await atProvider(t, `/accounts/${account}/state`, { state: 'active' });
  await refreshAccount(t.payments, seller.id);
  return account;
};

/** A sale whose order is closed at once: its buyer complained, and took it back. */
const released = async (): Promise<string> => {
  const { bookingId } = await aSale(t, { buyer, seller });
  const id = (await t.call(readBooking, { params: { id: bookingId } }, { as: buyer })).body.orderId ?? '';
  const move = async (body: { move: string } & Record<string, string>, as: TestUser) =>
    expect(await t.call(moveOrder, { params: { id }, body }, { as })).toMatchObject({ status: 200 });
  await move({ move: 'make-ready', place: 'Here', times: 'Now or later' }, seller);
  await move({ move: 'hand-over' }, buyer);
  await move({ move: 'report-problem', words: 'A page is missing' }, buyer);
  await move({ move: 'keep' }, buyer);
  return bookingId;
};

/** So that what the dead one had begun is taken up; a day later its keys are forgotten as well. */
const later = (days: number) =>
  sql`WITH r AS (UPDATE payout_reversals SET asked_at = asked_at - interval '1 minute',
        written_at = written_at - make_interval(days => ${days}))
    UPDATE payouts SET asked_at = asked_at - interval '1 minute', written_at = written_at - make_interval(days => ${days})`.execute(
    t.db,
  );

const books = async (account: string) => {
  const { rows } = await sql<{ account: string; cents: number }>`
    SELECT account, -sum(amount_cents)::int AS cents FROM ledger_entries
    WHERE seller_id = ${seller.id} GROUP BY 1 HAVING sum(amount_cents) <> 0`.execute(t.db);
  const transfers = [];
  for await (const transfer of t.provider.connect.listTransfers(new Date(0))) {
    if (transfer.accountId === account) transfers.push([transfer.amountCents, transfer.reversedCents]);
  }
  return { owed: Object.fromEntries(rows.map((row) => [row.account, row.cents])), transfers };
};

test.each([
  ['release-committed', 0],
  ['release-committed', 2],
  ['transfer-sent', 0],
  ['transfer-sent', 2],
] as const)('killed at %s, %i days ago, money is sent once', async (point, days) => {
  const account = await haveAccount();
  await released();
  await run(point);
  expect((await books(account)).owed).toEqual({ 'in-transit': 698 });
  await later(days);
  await run('');
  await later(0);
  await run('');
  expect(await books(account)).toEqual({ owed: {}, transfers: [[698, 0]] });
});

test.each([0, 2])('killed at reversal-sent, %i days ago, money is taken back once', async (days) => {
  const account = await haveAccount();
  const bookingId = await released();
  await run('');
  expect(await t.call(refundBooking, { params: { id: bookingId } }, { as: admin })).toMatchObject({ status: 200 });
  await run('reversal-sent');
  expect(await books(account)).toEqual({ owed: { seller: -698 }, transfers: [[698, 698]] });
  await later(days);
  await run('');
  expect(await books(account)).toEqual({ owed: {}, transfers: [[698, 698]] });
});

test('killed at account-made, the next press finds the account that is there', async () => {
  await run('account-made', seller.id);
  expect(await accountOf()).toBe('');
  await run('', seller.id);
  const facts = await t.provider.connect.findPayee(await accountOf());
  expect(facts).toMatchObject({ userId: seller.id });
});
