// Case 19: refunds that stay on their way, that fail days later, and that are paid in another way.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listPayments, payOtherwise, refundBooking } from '#contract/money/money-admin.ts';
import { reconcileAll } from '#server/payments/reconciliation/reconcile.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { atProvider, bookingOf, deliver, failing } from '#test/deal.ts';
import { anAdmin, type TestUser } from '#test/make.ts';
import { orderSteps, type Sold } from '#test/order-steps.ts';
import { finishRefunds } from './refund.service.ts';

let t: TestApp;
let admin: TestUser;
let alerts: unknown[] = [];

beforeAll(async () => {
  t = await testApp();
  admin = await anAdmin(t);
});
beforeEach(() => {
  alerts = [];
});
afterAll(async () => {
  await expectInvariants(t.db);
  await t.close();
});

const { sold, move, ahead, onAccount } = orderSteps(() => t);

const compare = () => reconcileAll({ ...t.payments, alert: (_, facts) => void alerts.push(facts['kind']) }, failing);
const standing = async ({ intentId }: Sold) =>
  (
    await t.db
      .selectFrom('money_differences')
      .select('kind')
      .where('subject', '=', intentId)
      .where('mended_at', 'is', null)
      .execute()
  ).map(({ kind }) => kind);
const shown = async ({ bookingId }: Sold) =>
  (await t.call(listPayments, { query: {} }, { as: admin })).body.find((payment) => payment.bookingId === bookingId);
const refundsTold = async ({ buyer }: Sold) =>
  (await t.mailTo(buyer.email)).filter(({ subject }) => subject.startsWith('Refunded'));

describe('a refund', () => {
  test('that is on its way for more than five days is told once, until it is done by itself', async () => {
    const sale = await sold();
    await atProvider(t, '/balance', { available: 0 });
    expect(await move(sale, sale.seller, { move: 'refuse', reason: 'Sold in the shop' })).toMatchObject({
      status: 200,
    });
    await finishRefunds(t.payments, failing);
    await ahead(4);
    await compare();
    expect([await standing(sale), alerts]).toEqual([[], []]);
    await ahead(1.5);
    await compare();
    await compare();
    expect([await standing(sale), alerts]).toEqual([['refund-pending'], ['refund-pending']]);
    expect(await refundsTold(sale)).toEqual([]);
    await atProvider(t, '/balance', { available: 100_000_000 });
    await compare();
    expect([await standing(sale), (await shown(sale))?.state]).toEqual([[], 'refunded']);
    expect(await refundsTold(sale)).toHaveLength(1);
  });
});

test('a refund that failed days later is found when nobody told of it', async () => {
  const sale = await sold();
  await move(sale, sale.buyer, { move: 'cancel' });
  await finishRefunds(t.payments, failing);
  const [refund] = await t.provider.findRefunds(sale.intentId);
  await atProvider(t, `/refunds/${refund?.id}/fail`, {});
  const before = await onAccount(sale, 'owed-to-buyers');
  await compare();
  expect(await standing(sale)).toEqual(['refund-failed']);
  expect(alerts).toEqual(['refund-failed']);
  expect([before, await onAccount(sale, 'owed-to-buyers')]).toEqual([0, -750]);
  // It is told once, and looked at as before.
  await compare();
  expect(alerts).toEqual(['refund-failed']);
  const { _id: id = '' } = (await shown(sale)) ?? {};
  expect(await t.call(payOtherwise, { params: { id }, body: { reference: 'Wire 1' } }, { as: admin })).toMatchObject({
    status: 200,
  });
  await compare();
  expect([await standing(sale), await onAccount(sale, 'owed-to-buyers')]).toEqual([[], 0]);
});

describe('a refund that failed at the buyer’s bank', () => {
  /** Given back, told, and sent back by the bank days later; its seller had to bear it. */
  const failed = async (): Promise<Sold & { paymentId: string; charged: number }> => {
    const sale = await sold();
    await move(sale, sale.seller, { move: 'refuse', reason: 'Lost' });
    await finishRefunds(t.payments, failing);
    const charged = await onAccount(sale, 'seller');
    const [refund] = await t.provider.findRefunds(sale.intentId);
    await atProvider(t, `/refunds/${refund?.id}/fail`, {});
    await hearAgain(sale, refund?.id ?? '');
    return { ...sale, paymentId: (await shown(sale))?._id ?? '', charged };
  };
  const hearAgain = (sale: Sold, id: string) =>
    deliver(t, 'refund.failed', { id, object: 'refund', payment_intent: sale.intentId });
  const pay = (paymentId: string, reference: string, as: Partial<TestUser> = admin) =>
    t.call(payOtherwise, { params: { id: paymentId }, body: { reference } }, { as });

  test('is paid in another way once, told to its buyer, and charges its seller once', async () => {
    const sale = await failed();
    expect([await standing(sale), (await shown(sale))?.state]).toEqual([['refund-failed'], 'refused']);
    expect([await onAccount(sale, 'owed-to-buyers'), await onAccount(sale, 'provider')]).toEqual([-750, 750]);

    const answers = await Promise.all(
      ['Wire 2026-17', 'Wire 2026-17'].map((reference) => pay(sale.paymentId, reference)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body).toEqual({ refundedAt: expect.stringMatching(/Z$/) });
    expect((await pay(sale.paymentId, 'Another wire')).body).toEqual(answers[0]?.body);
    expect([await onAccount(sale, 'owed-to-buyers'), await onAccount(sale, 'bank')]).toEqual([0, -750]);
    expect(await onAccount(sale, 'seller')).toBe(sale.charged);
    expect([await standing(sale), (await shown(sale))?.state]).toEqual([[], 'refunded']);
    expect((await refundsTold(sale)).filter(({ text }) => text.includes('Wire 2026-17'))).toHaveLength(1);
    expect(await refundsTold(sale)).toHaveLength(2);
    const audited = t.db
      .selectFrom('audit_entries')
      .select(['action', 'actor_id'])
      .where('subject_id', '=', sale.paymentId);
    expect(await audited.execute()).toEqual([{ action: 'refund paid otherwise', actor_id: admin.id }]);

    // What is heard of the failed one later, or asked for again, gives nothing back a second time.
    const [refund] = await t.provider.findRefunds(sale.intentId);
    await hearAgain(sale, refund?.id ?? '');
    expect(await t.call(refundBooking, { params: { id: sale.bookingId } }, { as: admin })).toMatchObject({
      status: 200,
    });
    await compare();
    expect(await t.provider.findRefunds(sale.intentId)).toMatchObject([{ state: 'failed' }]);
    expect([await standing(sale), await onAccount(sale, 'bank')]).toEqual([[], -750]);
    // Money that somebody sends there all the same is told.
    await atProvider(t, '/v1/refunds', { payment_intent: sale.intentId }, true);
    const twice = await t.provider.findRefunds(sale.intentId);
    await compare();
    const told = t.db
      .selectFrom('money_differences')
      .select('kind')
      .where('subject', '=', twice[0]?.id ?? '');
    expect(await told.execute()).toEqual([{ kind: 'missed-refund' }]);
  });

  test('that was never given back is its buyer’s only once it is paid', async () => {
    const sale = await sold();
    await move(sale, sale.seller, { move: 'refuse', reason: 'Lost' });
    await sql`UPDATE refunds SET state = 'failed' WHERE intent_id = ${sale.intentId}`.execute(t.db);
    expect(await bookingOf(t, sale)).toMatchObject({ refunded: false });
    expect(await pay((await shown(sale))?._id ?? '', 'Cheque 12')).toMatchObject({ status: 200 });
    expect(await bookingOf(t, sale)).toMatchObject({ refunded: true });
    expect((await refundsTold(sale)).map(({ text }) => text.includes('Cheque 12'))).toEqual([true]);
  });

  test('is an admin’s to pay, in words, and nothing else is', async () => {
    const sale = await failed();
    expect((await pay(sale.paymentId, 'Wire', {})).status).toBe(401);
    for (const person of [sale.buyer, sale.seller])
      expect((await pay(sale.paymentId, 'Wire', person)).status).toBe(403);
    for (const words of ['', '  \n ', 'x'.repeat(101)]) {
      expect(await pay(sale.paymentId, words)).toMatchObject({
        status: 400,
        body: { refundedAt: null, error: { fields: { reference: expect.any(String) } } },
      });
    }
    expect(await pay('00000000-0000-4000-8000-000000000000', 'Wire')).toMatchObject({ status: 404 });
    const paid = await sold();
    expect(await pay((await shown(paid))?._id ?? '', 'Wire')).toMatchObject({
      status: 409,
      body: { error: { code: 'not_paid' } },
    });
    expect(await onAccount(sale, 'bank')).toBe(0);
    await pay(sale.paymentId, 'Wire');
  });
});
