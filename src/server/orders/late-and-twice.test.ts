import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPaymentIntent } from '#contract/money/payments.ts';
import { moveOrder, type OrderMoveRequest } from '#contract/orders/orders.ts';
import { takeDispute } from '#server/payments/disputes/dispute.service.ts';
import { finishRefunds } from '#server/payments/refunds/refund.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { aDeal, aSale, bookingOf, failing, GOOD_CARD, intentIdOf, recordPaid } from '#test/deal.ts';
import { anAdmin, type TestUser } from '#test/make.ts';
import { orderSteps, type Sold } from '#test/order-steps.ts';
import { confirmCard } from '#test/money/pay.ts';

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
const { sold, posted, postedForFour, move, read, ahead, refunded } = orderSteps(() => t);

const REFUSED = { status: 409, body: { error: { code: 'refund_refused' } } };
const MOVED = { status: 409, body: { error: { code: 'order_moved' } } };

/** Books at $7.50 and $12.10 each that are paid together. */
const parcel = async (count: number): Promise<Sold & { readonly ids: readonly string[] }> => {
  const deal = await aDeal(t);
  const { buyer, seller, bookingId } = deal;
  const ids = [bookingId];
  while (ids.length < count) ids.push((await aDeal(t, { buyer, seller, price: '12.10' })).bookingId);
  const body = { price: 7.5, bookingId, bookingIds: ids, delivery: 'pickup' as const };
  const { clientSecret } = (await t.call(createPaymentIntent, { body }, { as: buyer })).body;
  await confirmCard(t.standinUrl, clientSecret, GOOD_CARD);
  const intentId = intentIdOf(clientSecret);
  await recordPaid(t, deal, intentId);
  return { ...deal, intentId, orderId: (await bookingOf(t, deal)).orderId ?? '', ids };
};

const handOver = async (sale: Sold): Promise<void> => {
  expect(await move(sale, sale.seller, { move: 'make-ready', place: 'Here', times: 'Now, then' })).toMatchObject({
    status: 200,
  });
  expect(await move(sale, sale.buyer, { move: 'hand-over' })).toMatchObject({ status: 200 });
};

const moveWithKey = (sale: Sold, as: TestUser, body: OrderMoveRequest, key: string) =>
  t.call(moveOrder, { params: { id: sale.orderId }, body }, { as, headers: { 'idempotency-key': key } });

test('money is given back once with a key, however often and however fast it is asked; with two keys twice', async () => {
  const sale = await posted();
  await move(sale, sale.buyer, { move: 'receive' });
  await ahead(14.1);
  const one = { move: 'refund-later', amount: 1 };
  const key = randomUUID();
  const answers = await Promise.all([1, 2, 3].map(() => moveWithKey(sale, sale.seller, one, key)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await moveWithKey(sale, sale.seller, { ...one, amount: 2 }, key)).status).toBe(422);
  await finishRefunds(t.payments, failing);
  expect(await refunded(sale)).toBe(100);
  expect((await moveWithKey(sale, sale.seller, one, randomUUID())).status).toBe(200);
  await finishRefunds(t.payments, failing);
  expect(await refunded(sale)).toBe(200);
});

test('a wrong code sent again with its key is counted once', async () => {
  const sale = await sold();
  await move(sale, sale.seller, { move: 'make-ready', place: 'Here', times: 'Now, then' });
  const { code } = await read(sale, sale.buyer);
  const wrong = { move: 'hand-over', code: code === '000000' ? '000001' : '000000' };
  const key = randomUUID();
  for (const _ of [1, 2]) {
    const { body, status } = await moveWithKey(sale, sale.seller, wrong, key);
    expect([status, body]).toMatchObject([409, { error: { message: expect.stringContaining('4 tries') as string } }]);
  }
});

test('neither no code nor the code of another order of the same seller is counted', async () => {
  const [one, other] = [await sold(), await sold()];
  const theirs = await aSale(t, { seller: one.seller });
  const second = { ...theirs, orderId: (await bookingOf(t, theirs)).orderId ?? '' };
  for (const sale of [one, second, other]) {
    await move(sale, sale.seller, { move: 'make-ready', place: 'Here', times: 'Now, then' });
  }
  const failures = async () =>
    (await t.db.selectFrom('orders').select('code_failures').where('id', '=', one.orderId).executeTakeFirstOrThrow())
      .code_failures;
  expect(await move(one, one.seller, { move: 'hand-over' })).toMatchObject({
    status: 400,
    body: { error: { fields: { code: expect.any(String) as string } } },
  });
  const { code } = await read(second, second.buyer);
  expect(await move(one, one.seller, { move: 'hand-over', code })).toMatchObject({
    status: 409,
    body: { error: { code: 'wrong_code' } },
  });
  expect(await failures()).toBe(0);
  expect((await read(one, one.buyer)).state).toBe('ready');
  // A stranger's order says nothing about this one.
  const foreign = await read(other, other.buyer);
  await move(one, one.seller, { move: 'hand-over', code: foreign.code });
  expect(await failures()).toBe(1);
});

test('a buyer calls off three paid orders a month, also all at once; books taken out of one count as one', async () => {
  const first = await parcel(3);
  const { buyer, seller } = first;
  const [one = '', two = ''] = first.ids;
  for (const bookingId of [one, two]) {
    expect(await move(first, buyer, { move: 'take-out', bookingId })).toMatchObject({ status: 200 });
  }
  expect(await move(first, buyer, { move: 'take-out', bookingId: one })).toMatchObject(MOVED);
  const others: Sold[] = [];
  for (let n = 0; n < 4; n += 1) {
    const sale = await aSale(t, { buyer, seller });
    others.push({ ...sale, orderId: (await bookingOf(t, sale)).orderId ?? '' });
  }
  const answers = await Promise.all(others.map((sale) => move(sale, buyer, { move: 'cancel' })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429]);
});

test('a complaint about all of a parcel is settled with a part of all of it', async () => {
  const sale = await parcel(2);
  await handOver(sale);
  await move(sale, sale.buyer, { move: 'report-problem', words: 'Both are torn' });
  expect(await move(sale, sale.seller, { move: 'offer-part', amount: 19.61 })).toMatchObject(REFUSED);
  expect(await move(sale, sale.seller, { move: 'offer-part', amount: 15 })).toMatchObject({ status: 200 });
  expect(await move(sale, sale.buyer, { move: 'refund-part', amount: 15 })).toMatchObject({ status: 200 });
  await finishRefunds(t.payments, failing);
  const { books, state } = await read(sale, sale.buyer);
  expect([state, books.reduce((sum, book) => sum + book.refunded * 100, 0)]).toEqual(['closed', 1_500]);
});

test('nothing is complained about, and no more offered, than is left of a book', async () => {
  const sale = await parcel(2);
  const [gone = '', kept = ''] = sale.ids;
  expect(await move(sale, sale.buyer, { move: 'take-out', bookingId: gone })).toMatchObject({ status: 200 });
  await handOver(sale);
  const complaint = { move: 'report-problem', words: 'Torn' };
  expect(await move(sale, sale.buyer, { ...complaint, bookingId: gone })).toMatchObject(MOVED);
  expect(await move(sale, sale.buyer, { ...complaint, bookingId: kept })).toMatchObject({ status: 200 });
  expect(await move(sale, sale.seller, { move: 'offer-part', amount: 12.11 })).toMatchObject(REFUSED);
});

test('of a closed order the postage may be given back after the price, and nothing beyond', async () => {
  const sale = await postedForFour();
  await move(sale, sale.buyer, { move: 'receive' });
  await ahead(14.1);
  const { total, postage } = await read(sale, sale.seller);
  expect(postage).toBeGreaterThan(0);
  expect(await move(sale, admin, { move: 'refund-later', amount: total + 0.01 })).toMatchObject(REFUSED);
  expect(await move(sale, admin, { move: 'refund-later', amount: total - 0.5 })).toMatchObject({ status: 200 });
  expect((await read(sale, admin)).moves).toContain('refund-later');
  expect(await move(sale, admin, { move: 'refund-later', amount: 0.5 })).toMatchObject({ status: 200 });
  await finishRefunds(t.payments, failing);
  expect(await refunded(sale)).toBe(Math.round(total * 100));
  expect((await read(sale, admin)).moves).toEqual([]);
});

test('who is reminded before a dispute is reminded after it, as much later as the deadline is', async () => {
  const sale = await sold();
  const reminders = async () =>
    (
      await sql<{ kind: string; left: number }>`
        SELECT r.kind, extract(epoch FROM o.due_at - r.at)::integer AS left FROM order_reminders r
        JOIN orders o ON o.id = r.order_id WHERE o.id = ${sale.orderId} ORDER BY r.kind`.execute(t.db)
    ).rows;
  const before = await reminders();
  expect(before.length).toBeGreaterThan(0);
  const facts = {
    id: `dp_${sale.orderId}`,
    intentId: sale.intentId,
    amountCents: 750,
    reason: 'fraudulent',
    dueBy: null,
  };
  const take = (state: 'open' | 'won') =>
    t.db.transaction().execute((trx) => takeDispute(trx, { ...facts, state }, t.payments.hooks));
  await take('open');
  await ahead(3);
  await take('won');
  expect(await reminders()).toEqual(before);
});

test('the page says until when a problem may be reported, which is sooner than a new seller’s money is theirs', async () => {
  const sale = await posted();
  await ahead(30.1);
  const { state, due, complainBy } = await read(sale, sale.buyer);
  expect(state).toBe('received');
  expect(Date.parse(complainBy ?? '')).toBeLessThan(Date.parse(due?.at ?? ''));
});
