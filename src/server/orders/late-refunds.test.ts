// Refunds of an order whose news come in another order than one thinks.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refundBooking } from '#contract/money/money-admin.ts';
import { moveOrder, readOrder } from '#contract/orders/orders.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import type { RefundFacts } from '#server/payments/provider.ts';
import { takeRefunds } from '#server/payments/refunds/refund-record.service.ts';
import { finishRefunds } from '#server/payments/refunds/refund.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { aSale, bookingOf, failing } from '#test/deal.ts';
import { anAdmin, type TestUser } from '#test/make.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await anAdmin(t);
});
afterAll(async () => {
  await expectInvariants(t.db);
  await t.close();
});

const anOrder = async () => {
  const sale = await aSale(t);
  return { ...sale, id: (await bookingOf(t, sale)).orderId ?? '' };
};
type Sold = Awaited<ReturnType<typeof anOrder>>;

const move = async ({ id }: Sold, as: TestUser, body: { move: string; reason?: string; amount?: number }) =>
  expect((await t.call(moveOrder, { params: { id }, body }, { as })).body.error).toBeUndefined();
const read = async ({ id, buyer }: Sold) => (await t.call(readOrder, { params: { id } }, { as: buyer })).body;

const cents = async ({ id }: Sold, account: string): Promise<number> => {
  const { rows } = await sql<{ cents: number }>`
    SELECT coalesce(sum(e.amount_cents), 0)::int AS cents FROM ledger_transactions t
      JOIN ledger_entries e ON e.transaction_id = t.id WHERE t.order_id = ${id} AND e.account = ${account}`.execute(
    t.db,
  );
  return rows[0]?.cents ?? Number.NaN;
};

const rowsOf = ({ intentId }: Sold) =>
  t.db
    .selectFrom('refunds')
    .select(['reason', 'borne_by', 'amount_cents', 'state', 'n'])
    .where('intent_id', '=', intentId)
    .orderBy('n')
    .execute();
const kindsOf = async ({ intentId }: Sold) =>
  (await t.db.selectFrom('money_differences').select('kind').where('subject', '=', intentId).execute()).map(
    ({ kind }) => kind,
  );
const told = async ({ buyer }: Sold) =>
  (await t.mailTo(buyer.email)).filter(({ subject }) => /^(You have your money back|Refunded)/i.test(subject)).length;

/** What the provider tells by an event, taken down as the webhook does. */
const hear = async ({ intentId }: Sold, refunds?: readonly RefundFacts[]): Promise<void> => {
  const facts = refunds ?? (await t.provider.findRefunds(intentId));
  await t.db.transaction().execute((trx) => takeRefunds(trx, { intentId, refunds: facts }, t.payments.hooks));
};

/** The provider, whose answer to a refund is told by `answered` before it reaches us. */
const providerThat = (refund: PaymentDeps['provider']['refund']): PaymentDeps => ({
  ...t.payments,
  provider: { ...t.payments.provider, refund },
});

describe('a refund', () => {
  test('whose event is here before its answer is booked once, and as ours', async () => {
    const sale = await anOrder();
    await move(sale, sale.seller, { move: 'refuse', reason: 'Sold in the shop' });
    const early = providerThat(async (asked) => {
      const answer = await t.provider.refund(asked);
      await hear(sale);
      await hear(sale);
      return answer;
    });
    await finishRefunds(early, failing);
    await hear(sale);
    // The seller bears it, as who refuses does; made elsewhere it would be the shop's.
    expect(await rowsOf(sale)).toMatchObject([{ reason: 'order', borne_by: 'seller', state: 'done', n: 1 }]);
    expect([await cents(sale, 'provider'), await cents(sale, 'seller')]).toEqual([0, 52]);
    expect(await cents(sale, 'refund-costs')).toBe(0);
    expect(await kindsOf(sale)).toEqual([]);
    expect((await t.provider.findRefunds(sale.intentId)).map(({ amountCents }) => amountCents)).toEqual([750]);
  });

  test('that is on its way and then fails is not called done, and charges its seller once, also when tried again', async () => {
    const sale = await anOrder();
    await move(sale, sale.seller, { move: 'refuse', reason: 'Lost' });
    const before = await told(sale);
    let given: RefundFacts | undefined;
    const slow = providerThat(async ({ id, n }) => {
      given = { id: `re_slow_${id.slice(0, 8)}`, amountCents: 750, state: 'pending', ours: { refundId: id, n } };
      return given;
    });
    await finishRefunds(slow, failing);
    expect((await read(sale)).books).toMatchObject([{ refunding: 7.5, refunded: 0 }]);
    expect(await bookingOf(t, sale)).toMatchObject({ refunded: false });
    expect(await told(sale)).toBe(before);
    const charged = await cents(sale, 'seller');

    if (given === undefined) throw new Error('nothing was asked for');
    await hear(sale, [{ ...given, state: 'failed' }]);
    await hear(sale, [{ ...given, state: 'failed' }]);
    expect(await kindsOf(sale)).toEqual(['refund-failed']);
    expect((await read(sale)).books).toMatchObject([{ refunding: 7.5, refunded: 0 }]);
    expect([await told(sale), await cents(sale, 'seller')]).toEqual([before, charged]);

    const again = await t.call(refundBooking, { params: { id: sale.bookingId } }, { as: admin });
    expect([again.status, again.body.error]).toEqual([200, undefined]);
    expect(await bookingOf(t, sale)).toMatchObject({ refunded: true });
    expect((await read(sale)).books).toMatchObject([{ refunding: 0, refunded: 7.5 }]);
    expect(await rowsOf(sale)).toMatchObject([{ state: 'done', n: 2, borne_by: 'seller' }]);
    expect(await told(sale)).toBe(before + 1);
    expect([await cents(sale, 'seller'), await cents(sale, 'provider')]).toEqual([charged, 0]);
  });
});
