import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteAccount } from '#contract/users/account.ts';
import { moveOrder } from '#contract/orders/orders.ts';
import { refundBooking } from '#contract/money/money-admin.ts';
import { readBooking } from '#contract/bookings/bookings.ts';
import { readSummary } from '#contract/bookings/dashboard.ts';
import { orderRulesOf } from '#server/app.ts';
import { moveDueOrders } from '#server/orders/order-sweep.service.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { takeDispute } from '#server/payments/disputes/dispute.service.ts';
import { finishRefunds } from '#server/payments/refunds/refund.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { advanceClock } from '#test/clock.ts';
import { connectDouble, type ConnectDouble } from '#test/money/connect-double.ts';
import { aSale, failing } from '#test/deal.ts';
import { aBuyer, aCategory, anAdmin, aSeller, type TestUser } from '#test/make.ts';
import { lookAtAll } from './payout-account.queries.ts';
import { refreshAccounts } from './payee.service.ts';
import { lookAtSellers } from './due.service.ts';
import { sendReversals } from './reversal.service.ts';
import { sendPayouts } from './transfer.service.ts';

let t: TestApp;
let buyer: TestUser;
let admin: TestUser;
let category: string;
let seller: TestUser;
let at: ConnectDouble;
let deps: PaymentDeps;
let account: string;

beforeAll(async () => {
  t = await testApp();
  [buyer, admin, seller] = await Promise.all([aBuyer(t), anAdmin(t), aSeller(t)]);
  category = await aCategory(t, seller);
});
beforeEach(async () => {
  seller = await aSeller(t);
  at = connectDouble();
  deps = { ...t.payments, provider: { ...t.payments.provider, connect: at.connect } };
  account = at.readyAccount(seller.id);
});
afterEach(() => expectInvariants(t.db));
afterAll(() => t.close());

/** The seller's account is known to the shop, ready to be paid or not. */
const haveAccount = (status = 'active') =>
  sql`INSERT INTO payout_accounts (seller_id, account_id, country, status, ready_at)
    VALUES (${seller.id}, ${account}, 'US', ${status}, shop_now())
    ON CONFLICT (seller_id) DO UPDATE SET account_id = ${account}, status = ${status}, look_at = shop_now()`.execute(
    t.db,
  );

/** A book that was sold, handed over and is not complained about: its money is due. */
const released = async (price = '7.50') => {
  const sale = await aSale(t, { buyer, seller, category, price });
  const { orderId } = (await t.call(readBooking, { params: { id: sale.bookingId } }, { as: buyer })).body;
  const id = orderId ?? '';
  const move = async (body: Record<string, unknown> & { move: string }, as: TestUser) =>
    expect(await t.call(moveOrder, { params: { id }, body }, { as })).toMatchObject({ status: 200 });
  await move({ move: 'make-ready', place: 'Here', times: 'Now or later' }, seller);
  await move({ move: 'hand-over' }, buyer);
  await advanceClock(t, 73);
  await moveDueOrders(t.db, orderRulesOf(t.config), failing);
  return { ...sale, orderId: id };
};

const work = async (onError: (error: unknown) => void = failing): Promise<void> => {
  await lookAtSellers(t.db, onError);
  await sendPayouts(deps, onError);
  await sendReversals(deps, onError);
};
/** So that what somebody else began to ask for is taken up. */
const leasesOver = () =>
  sql`WITH r AS (UPDATE payout_reversals SET asked_at = now() - interval '1 minute' WHERE state = 'asked')
    UPDATE payouts SET asked_at = now() - interval '1 minute' WHERE state = 'asked'`.execute(t.db);
const payouts = () =>
  t.db
    .selectFrom('payouts')
    .selectAll()
    .where('seller_id', '=', seller.id)
    .orderBy('created_at')
    .orderBy('n')
    .execute();
const balanceOn = async (name: 'seller' | 'in-transit' | 'seller-pending'): Promise<number> => {
  const { rows } = await sql<{ cents: number }>`SELECT coalesce(sum(amount_cents), 0)::int AS cents FROM ledger_entries
    WHERE account = ${name} AND seller_id = ${seller.id}`.execute(t.db);
  return rows[0]?.cents ?? 0;
};
const sentCents = () =>
  at.transfers.reduce((sum, { amountCents, reversedCents }) => sum + amountCents - reversedCents, 0);
const refund = async (bookingId: string) => {
  expect(await t.call(refundBooking, { params: { id: bookingId } }, { as: admin })).toMatchObject({ status: 200 });
  await finishRefunds(t.payments, failing);
};

describe('what is due is paid out', () => {
  test('once, to the account, with a mail, and nothing before the order is closed', async () => {
    await haveAccount();
    const pending = await aSale(t, { buyer, seller, category });
    await work();
    expect(await payouts()).toEqual([]);
    expect(pending.intentId).toMatch(/^pi_/);
    const { orderId } = await released();
    for (let round = 0; round < 3; round += 1) await work();
    expect(await payouts()).toMatchObject([
      { order_id: orderId, n: 1, amount_cents: 698, state: 'sent', account_id: account, way: 'connect' },
    ]);
    expect(at.transfers).toMatchObject([{ accountId: account, amountCents: 698 }]);
    // What sales brought is not less for being paid out.
    expect((await t.call(readSummary, {}, { as: seller })).body.seller?.earned).toBe(13.96);
    expect([await balanceOn('seller'), await balanceOn('in-transit')]).toEqual([0, 0]);
    const mails = await t.mailTo(seller.email);
    expect(mails.filter(({ subject }) => subject === 'Your money is on its way: $6.98')).toHaveLength(1);
  });

  test('of before, with no order named in its posting', async () => {
    const { bookingId, orderId } = await released();
    const name = async (order: string | null): Promise<void> => {
      await sql`ALTER TABLE ledger_transactions DISABLE TRIGGER ledger_transactions_append_only`.execute(t.db);
      await sql`UPDATE ledger_transactions SET order_id = ${order} WHERE booking_id = ${bookingId}
        AND kind IN ('sale', 'release')`.execute(t.db);
      await sql`ALTER TABLE ledger_transactions ENABLE TRIGGER ledger_transactions_append_only`.execute(t.db);
    };
    await name(null);
    await haveAccount();
    await work();
    expect(await payouts()).toMatchObject([{ amount_cents: 698, state: 'sent' }]);
    // A release of now names its order: the pledges hold it to that.
    await name(orderId);
  });

  test('once, whichever of two processes looks, asks or is asked first', async () => {
    const sales = [];
    for (let n = 0; n < 4; n += 1) sales.push(await released());
    await haveAccount();
    const other = await testApp({ beside: t });
    const beside = { ...other.payments, provider: deps.provider };
    const round = async (mine: PaymentDeps) => {
      await lookAtSellers(mine.db, failing);
      await sendPayouts(mine, failing);
    };
    await Promise.all([deps, beside, deps, beside].map(round));
    await round(deps);
    await other.close();
    expect(at.transfers).toHaveLength(4);
    expect(sentCents()).toBe(4 * 698);
    expect(new Set((await payouts()).map(({ state }) => state))).toEqual(new Set(['sent']));
  });
});

describe('what cannot be paid yet', () => {
  test('waits for details, of which the seller is told on days 0, 3 and 10; then it is paid by itself', async () => {
    await released();
    const told = async () =>
      (await t.mailTo(seller.email)).map(({ subject }) => subject).filter((subject) => subject.includes('waiting'));
    await work();
    await work();
    expect(await told()).toHaveLength(1);
    for (const hours of [80, 24, 170, 24 * 21]) {
      await advanceClock(t, hours);
      await work();
    }
    expect((await told()).map((subject) => subject.split(':')[0])).toEqual(
      expect.arrayContaining(['Money is still waiting for you', 'Money has been waiting for you for 30 days']),
    );
    expect(await told()).toHaveLength(4);
    await advanceClock(t, 24 * 340);
    await work();
    const unclaimed = () =>
      t.db.selectFrom('money_differences').select('mended_at').where('subject', '=', seller.id).executeTakeFirst();
    expect(await unclaimed()).toEqual({ mended_at: null });
    await haveAccount();
    await work();
    expect(await payouts()).toMatchObject([{ state: 'sent' }]);
    expect(await unclaimed()).toEqual({ mended_at: expect.any(Date) });
  });

  test('as its seller was deleted by an admin waits, and is paid once they are back', async () => {
    await haveAccount();
    await released();
    const setDeleted = (at: Date | null) =>
      t.db.updateTable('users').set({ deleted_at: at }).where('id', '=', seller.id).execute();
    await setDeleted(new Date());
    await work();
    expect(await payouts()).toEqual([]);
    await setDeleted(null);
    await lookAtAll(t.db);
    await work();
    expect(await payouts()).toMatchObject([{ state: 'sent' }]);
  });

  test('as the provider does not know the account any more is told to admins, and stays due', async () => {
    await haveAccount();
    await released();
    at.forget(account);
    await work();
    expect(await payouts()).toMatchObject([{ state: 'refused' }]);
    const row = await t.db
      .selectFrom('money_differences')
      .select('kind')
      .where('subject', '=', account)
      .executeTakeFirst();
    expect([row?.kind, await balanceOn('seller')]).toEqual(['account-restricted', -698]);
  });

  test('as the account is restricted meanwhile is due as before, and paid once it is ready', async () => {
    await haveAccount();
    at.turn(account, {
      status: 'restricted',
      requirements: [{ what: 'an id', problem: '', dueBy: null, isUsers: true }],
    });
    await released();
    await work();
    expect(await payouts()).toMatchObject([{ n: 1, state: 'refused', refusal_words: 'an id' }]);
    expect([await balanceOn('seller'), at.transfers.length]).toEqual([-698, 0]);
    at.turn(account, { status: 'active', requirements: [] });
    await t.db.updateTable('payout_accounts').set({ checked_at: null }).where('seller_id', '=', seller.id).execute();
    await refreshAccounts(deps, failing);
    await work();
    expect(await payouts()).toMatchObject([{ state: 'refused' }, { n: 2, state: 'sent' }]);
  });

  test('for want of money at the provider is asked for with the next number, and told', async () => {
    await haveAccount();
    at.state.availableCents = 100;
    const { orderId } = await released();
    await work();
    await work();
    expect(await payouts()).toMatchObject([{ n: 1, state: 'refused', refusal_code: 'balance_insufficient' }]);
    const difference = () =>
      t.db.selectFrom('money_differences').selectAll().where('subject', '=', orderId).executeTakeFirst();
    expect(await difference()).toMatchObject({ kind: 'short-of-money', mended_at: null });
    at.state.availableCents = 10_000;
    await advanceClock(t, 1);
    await work();
    expect(await payouts()).toMatchObject([{ n: 1 }, { n: 2, state: 'sent' }]);
    expect(await difference()).toMatchObject({ mended_at: expect.any(Date) });
  });

  test('as the account there is below zero is not sent to be swallowed, and paid once it is even', async () => {
    await haveAccount();
    const { orderId } = await released();
    at.held.set(account, -1);
    await work();
    expect(await payouts()).toMatchObject([
      {
        n: 1,
        state: 'refused',
        refusal_code: 'account_below_zero',
        refusal_words: 'the account at the payment service is $0.01 below zero',
      },
    ]);
    expect([await balanceOn('seller'), at.transfers.length]).toEqual([-698, 0]);
    const difference = () =>
      t.db.selectFrom('money_differences').selectAll().where('subject', '=', orderId).executeTakeFirst();
    expect(await difference()).toMatchObject({ kind: 'account-below-zero', times: 1, mended_at: null });
    await advanceClock(t, 5);
    await work();
    expect(await payouts()).toHaveLength(1);
    at.held.set(account, 0);
    await advanceClock(t, 2);
    await work();
    expect(await payouts()).toMatchObject([{ n: 1 }, { n: 2, state: 'sent' }]);
    expect(await difference()).toMatchObject({ mended_at: expect.any(Date) });
  });

  test('while a bank decides about it; won, it is', async () => {
    const { intentId } = await released();
    const facts = { id: `dp_${seller.id}`, intentId, amountCents: 750, reason: 'fraudulent', dueBy: null } as const;
    const say = (state: 'open' | 'won') =>
      t.db.transaction().execute((trx) => takeDispute(trx, { ...facts, state }, t.payments.hooks));
    await say('open');
    await haveAccount();
    await work();
    expect(await payouts()).toEqual([]);
    await say('won');
    await work();
    expect(await payouts()).toMatchObject([{ amount_cents: 698, state: 'sent' }]);
  });
});

describe('an answer that is lost', () => {
  test.each(['fails before', 'fails after', 'key forgotten'] as const)('(%s) sends the money once', async (mishap) => {
    await haveAccount();
    await released();
    at.state.mishaps = [mishap];
    await work(() => {});
    expect([await balanceOn('seller'), await balanceOn('in-transit')]).toEqual([0, -698]);
    await work();
    expect(at.state.asked).toBe(1);
    await leasesOver();
    await work();
    expect(await payouts()).toMatchObject([{ n: 1, state: 'sent' }]);
    expect(at.transfers).toHaveLength(1);
    expect(await balanceOn('in-transit')).toBe(0);
  });
});

test('whoever has money on its way cannot leave before it is there', async () => {
  await haveAccount();
  await released();
  at.state.mishaps = ['fails before'];
  await work(() => {});
  const leave = () => t.call(deleteAccount, { query: { confirm: 'DELETE' } }, { as: seller });
  expect(await leave()).toMatchObject({
    status: 409,
    body: { error: { code: 'still_open', message: expect.stringContaining('the shop owes you $6.98') } },
  });
  await leasesOver();
  await work();
  expect(await leave()).toMatchObject({ status: 200 });
});

describe('money that goes back after it was paid out', () => {
  test('is taken back from the seller’s account there', async () => {
    await haveAccount();
    const { bookingId } = await released();
    await work();
    await refund(bookingId);
    await work();
    expect(at.reversals).toMatchObject([{ amountCents: 698 }]);
    expect(await payouts()).toMatchObject([{ reversed_cents: 698 }]);
    expect([await balanceOn('seller'), sentCents()]).toEqual([0, 0]);
  });

  test('and is not there any more stays a debt, which the next sale sets off', async () => {
    await haveAccount();
    const { bookingId } = await released();
    await work();
    at.held.set(account, 0);
    await refund(bookingId);
    for (let round = 0; round < 3; round += 1) await work();
    expect(at.reversals).toEqual([]);
    expect(await balanceOn('seller')).toBe(698);
    await released('12.10');
    await work();
    // 12.10 less its fee, less the debt
    expect((await payouts()).map(({ amount_cents }) => amount_cents)).toEqual([698, 1_145 - 698]);
    expect(await balanceOn('seller')).toBe(0);
  });

  test('and is half there is half taken back, and the rest not asked for before the next transfer', async () => {
    await haveAccount();
    const { bookingId } = await released();
    await work();
    at.held.set(account, 300);
    await refund(bookingId);
    for (let round = 0; round < 3; round += 1) await work();
    expect(at.reversals).toMatchObject([{ amountCents: 300 }]);
    expect(await balanceOn('seller')).toBe(398);
    at.held.set(account, 10_000);
    for (let round = 0; round < 3; round += 1) await work();
    expect(at.reversals).toHaveLength(1);
  });

  test.each(['fails before', 'fails after', 'key forgotten'] as const)('(%s) is taken back once', async (mishap) => {
    await haveAccount();
    const { bookingId } = await released();
    await work();
    await refund(bookingId);
    at.state.mishaps = [mishap];
    await work(() => {});
    await leasesOver();
    await work();
    expect(at.reversals).toMatchObject([{ amountCents: 698 }]);
    expect(await balanceOn('seller')).toBe(0);
  });
});
