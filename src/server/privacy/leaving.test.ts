import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteUser } from '#contract/admin/admin.ts';
import { readBooking } from '#contract/bookings/bookings.ts';
import { createPaymentIntent } from '#contract/money/payments.ts';
import { writeNote } from '#contract/messages/notes.ts';
import { moveOrder, readOrder, type OrderMoveRequest } from '#contract/orders/orders.ts';
import { deleteAccount } from '#contract/users/account.ts';
import { orderRulesOf } from '#server/app.ts';
import { forgetOldAddresses } from '#server/orders/leaving/forgetting.service.ts';
import { cancelAbandonedOrders } from '#server/orders/leaving/leaving.service.ts';
import { moveDueOrders } from '#server/orders/order-sweep.service.ts';
import { forgetIdleAddresses } from '#server/payments/checkouts/checkout.queries.ts';
import { finishRefunds } from '#server/payments/refunds/refund.service.ts';
import { releaseLapsedHolds } from '#server/payments/settlement/release.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { advanceClock } from '#test/clock.ts';
import { aDeal, aSale, failing, payAtProvider, type Deal } from '#test/deal.ts';
import { anAdmin, type TestUser } from '#test/make.ts';
import { finishDepartures } from './departure.service.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
});

afterAll(async () => {
  await expectInvariants(t.db);
  await t.close();
});

const ADDRESS = {
  name: 'Ada Reader',
  line1: '1 Elm Street',
  line2: '',
  city: 'Portland',
  state: 'OR',
  postcode: '97201',
  country: 'US',
};

type Sold = Deal & { orderId: string };

const orderOf = async (deal: Deal): Promise<Sold> => {
  const { order_id } = await bookingRow(deal);
  return { ...deal, orderId: order_id ?? '' };
};

const sold = async (parts?: Parameters<typeof aSale>[1]): Promise<Sold> => orderOf(await aSale(t, parts));

/** An order that goes by post, as of a seller who sends. */
const byPost = async (): Promise<Sold> => {
  const sale = await sold();
  await t.db
    .updateTable('orders')
    .set({ delivery: 'post', address: JSON.stringify(ADDRESS) as never })
    .where('id', '=', sale.orderId)
    .execute();
  await move(sale, sale.seller, { move: 'post', carrier: 'USPS', tracking: '9400 1' });
  return sale;
};

const move = async (sale: Sold, as: TestUser, body: OrderMoveRequest): Promise<void> => {
  const answer = await t.call(moveOrder, { params: { id: sale.orderId }, body }, { as });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
};

const ahead = async (days: number): Promise<void> => {
  await advanceClock(t, Math.round(days * 24));
  await moveDueOrders(t.db, orderRulesOf(t.config), failing);
  await finishRefunds(t.payments, failing);
};

/** What the shop drops by itself now and then. */
const tidy = async (): Promise<void> => {
  await cancelAbandonedOrders(t.db, orderRulesOf(t.config), undefined, failing);
  await forgetOldAddresses(t.db, t.config.orders.addressDays);
  await forgetIdleAddresses(t.db);
  await finishDepartures(t.db, t.config.orders.addressDays, failing);
};

const leave = async (as: TestUser): Promise<[number, string | undefined]> => {
  const { status, body } = await t.call(deleteAccount, { query: { confirm: 'DELETE' } }, { as });
  return [status, body.error?.message];
};

const bookingRow = ({ bookingId }: Pick<Deal, 'bookingId'>) =>
  t.db.selectFrom('bookings').selectAll().where('id', '=', bookingId).executeTakeFirstOrThrow();
const orderRow = ({ orderId }: Sold) =>
  t.db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow();
const isForgotten = async ({ id }: TestUser): Promise<boolean> => {
  const row = await t.db.selectFrom('departures').select('finished_at').where('user_id', '=', id).executeTakeFirst();
  return row !== undefined && row.finished_at !== null;
};

describe('leaving', () => {
  test('waits for open orders and for money that is due, and says so', async () => {
    const sale = await sold();
    const { buyer, seller } = sale;
    expect(await leave(buyer)).toEqual([
      409,
      'This has to wait: you have 1 open order. You can leave once that is settled',
    ]);
    expect(await leave(seller)).toEqual([
      409,
      'This has to wait: you have 1 open order, and the shop owes you $6.98. You can leave once that is settled',
    ]);
    await move(sale, seller, { move: 'make-ready', place: 'The mill', times: 'Mon 9, Tue 9' });
    await move(sale, buyer, { move: 'hand-over' });
    await ahead(3.1);
    expect(await leave(seller)).toEqual([
      409,
      'This has to wait: the shop owes you $6.98. You can leave once that is settled',
    ]);
    expect(await leave(buyer)).toEqual([200, undefined]);
    expect(await bookingRow(sale)).toMatchObject({ buyer_name: 'Deleted user', buyer_email: '', phone: '' });
    expect(await isForgotten(buyer)).toBe(false);
  });

  test('of a buyer whose money had just come keeps how to reach them until the order is over', async () => {
    const deal = await aDeal(t);
    await payAtProvider(t, deal);
    expect(await leave(deal.buyer)).toEqual([200, undefined]);
    const sale = await orderOf(deal);
    const named = await bookingRow(sale);
    expect(named.paid_at).not.toBeNull();
    expect(named.phone).not.toBe('');
    await ahead(10);
    await tidy();
    expect(await orderRow(sale)).toMatchObject({ state: 'cancelled', outcome: 'not-posted' });
    expect(await bookingRow(sale)).toMatchObject({ buyer_name: 'Deleted user', phone: '', location: '' });
    expect(await isForgotten(sale.buyer)).toBe(false);
    await ahead(181);
    await tidy();
    expect(await isForgotten(sale.buyer)).toBe(true);
  });

  test('takes words and address along 180 days after the order is over; moves and money stay', async () => {
    const sale = await byPost();
    const { buyer, seller } = sale;
    await move(sale, buyer, { move: 'receive' });
    await move(sale, buyer, { move: 'report-problem', words: 'My aunt Vera says that it smells', kind: 'damaged' });
    const text = 'My aunt Vera is cross';
    await t.call(writeNote, { params: { id: sale.orderId }, body: { text } }, { as: buyer });
    await t.call(writeNote, { params: { id: sale.orderId }, body: { text: 'I am sorry' } }, { as: seller });
    await move(sale, seller, { move: 'refund-problem' });
    await finishRefunds(t.payments, failing);
    expect(await leave(buyer)).toEqual([200, undefined]);
    const ledger = () => t.db.selectFrom('ledger_entries').selectAll().orderBy('transaction_id').execute();
    const before = await ledger();
    await tidy();
    const notes = async () =>
      (await t.db.selectFrom('messages').select('body').orderBy('n').execute()).map((row) => row.body);
    const words = async () => ({
      timeline: (
        await t.db.selectFrom('order_events').selectAll().where('order_id', '=', sale.orderId).orderBy('id').execute()
      ).map((event) => [event.move, event.reason]),
      problem: (
        await t.db.selectFrom('order_problems').select('words').where('order_id', '=', sale.orderId).execute()
      )[0]?.words,
    });
    expect((await words()).problem).toContain('Vera');
    expect(await notes()).toEqual([text, 'I am sorry']);
    expect((await orderRow(sale)).address).toEqual(ADDRESS);
    await ahead(179);
    await tidy();
    expect((await orderRow(sale)).address).toEqual(ADDRESS);
    await ahead(1.1);
    await tidy();
    expect(await words()).toEqual({
      timeline: [
        ['settle', ''],
        ['post', ''],
        ['receive', ''],
        ['report-problem', ''],
        ['refund-problem', ''],
      ],
      problem: '–',
    });
    expect(await notes()).toEqual(['', 'I am sorry']);
    expect((await orderRow(sale)).address).toMatchObject({ name: '', line1: '', city: 'Portland', country: 'US' });
    expect(await isForgotten(buyer)).toBe(true);
    expect(await ledger()).toEqual(before);
    // Of a timeline nothing but words can go.
    await expect(t.db.updateTable('order_events').set({ by: 'bank' }).execute()).rejects.toThrow('append-only');
    await expect(t.db.deleteFrom('order_events').execute()).rejects.toThrow('append-only');
  });
});

describe('how to reach each other', () => {
  test('is shown until 30 days after the order is over', async () => {
    const sale = await sold();
    const { buyer, seller } = sale;
    const seen = async () => {
      const booking = { params: { id: sale.bookingId } };
      const order = { params: { id: sale.orderId } };
      const bought = (await t.call(readBooking, booking, { as: buyer })).body;
      const theirs = (await t.call(readBooking, booking, { as: seller })).body;
      return [
        bought.seller_phone,
        theirs.phone,
        (await t.call(readOrder, order, { as: buyer })).body.phone,
        (await t.call(readOrder, order, { as: seller })).body.phone,
      ].map((phone) => phone !== '');
    };
    await move(sale, seller, { move: 'make-ready', place: 'The mill', times: 'Mon 9, Tue 9' });
    await move(sale, buyer, { move: 'hand-over' });
    await ahead(3.1);
    expect((await orderRow(sale)).state).toBe('closed');
    expect(await seen()).toEqual([true, true, true, true]);
    await ahead(29);
    expect(await seen()).toEqual([true, true, true, true]);
    await ahead(1.1);
    expect(await seen()).toEqual([false, false, false, false]);
    await ahead(150);
    await tidy();
    expect(await bookingRow(sale)).toMatchObject({ phone: '', location: '' });
    expect(await orderRow(sale)).toMatchObject({ place: '', address: null, pickup_code: null });
  });

  test('goes out of a checkout that came to nothing after a day', async () => {
    const deal = await aDeal(t);
    await t.call(createPaymentIntent, { body: { price: 7.5, bookingId: deal.bookingId } }, { as: deal.buyer });
    const { id } = await t.db
      .updateTable('checkouts')
      .set({ delivery: 'post', address: JSON.stringify(ADDRESS) as never })
      .where('buyer_id', '=', deal.buyer.id)
      .returning('id')
      .executeTakeFirstOrThrow();
    const address = async () =>
      (await t.db.selectFrom('checkouts').select('address').where('id', '=', id).executeTakeFirstOrThrow()).address;
    await ahead(1.1);
    await tidy();
    expect(await address()).toEqual(ADDRESS);
    await releaseLapsedHolds(t.payments, failing);
    await tidy();
    expect(await address()).toBeNull();
  });
});

describe('an admin who deletes a seller', () => {
  test('cancels and refunds what is not on its way; what is goes on', async () => {
    const admin = await anAdmin(t);
    const paid = await sold();
    const ready = await sold({ seller: paid.seller });
    await move(ready, paid.seller, { move: 'make-ready', place: 'The mill', times: 'Mon 9, Tue 9' });
    const onItsWay = await sold({ seller: paid.seller });
    await t.db.updateTable('orders').set({ delivery: 'post' }).where('id', '=', onItsWay.orderId).execute();
    await move(onItsWay, paid.seller, { move: 'post' });
    expect((await t.call(deleteUser, { params: { id: paid.seller.id } }, { as: admin })).status).toBe(200);
    await finishRefunds(t.payments, failing);
    for (const sale of [paid, ready]) {
      expect(await orderRow(sale)).toMatchObject({ state: 'cancelled', outcome: 'not-posted' });
      expect((await bookingRow(sale)).refunded_at).not.toBeNull();
      const last = await t.db
        .selectFrom('order_events')
        .select(['move', 'by', 'user_id'])
        .where('order_id', '=', sale.orderId)
        .orderBy('id', 'desc')
        .limit(1)
        .execute();
      expect(last).toEqual([{ move: 'cancel-unposted', by: 'admin', user_id: admin.id }]);
    }
    expect(await orderRow(onItsWay)).toMatchObject({ state: 'posted' });
    await move(onItsWay, onItsWay.buyer, { move: 'receive' });
  });

  test('need not be there any more: the sweep cancels what the deletion left', async () => {
    const sale = await sold();
    await t.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', sale.seller.id).execute();
    await tidy();
    expect(await orderRow(sale)).toMatchObject({ state: 'cancelled', outcome: 'not-posted' });
  });
});
