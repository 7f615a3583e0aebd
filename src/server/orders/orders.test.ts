import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readOrder } from '#contract/orders/orders.ts';
import { readStatement } from '#contract/money/ledger.ts';
import { refundBooking } from '#contract/money/money-admin.ts';
import { takeDispute } from '#server/payments/disputes/dispute.service.ts';
import { finishRefunds } from '#server/payments/refunds/refund.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { atProvider, failing } from '#test/deal.ts';
import { aBuyer, anAdmin, type TestUser } from '#test/make.ts';
import { orderSteps, type Sold } from '#test/order-steps.ts';

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

const { sold, posted, move, read, ahead, onAccount, refunded } = orderSteps(() => t);

describe('an order', () => {
  test('begins with the payment, is seen by its buyer, its seller and admins, and by nobody else', async () => {
    const sale = await sold();
    const seen = await read(sale, sale.buyer);
    expect(seen).toMatchObject({ side: 'buyer', state: 'paid', total: 7.5, books: [{ title: sale.copy.title }] });
    expect(await read(sale, sale.seller)).toMatchObject({
      side: 'seller',
      moves: expect.arrayContaining(['make-ready']),
    });
    expect(await read(sale, admin)).toMatchObject({ side: 'admin' });
    const stranger = await aBuyer(t);
    const answer = await t.call(readOrder, { params: { id: sale.orderId } }, { as: stranger });
    expect(answer).toMatchObject({ status: 404, body: { _id: null } });
    expect(await move(sale, stranger, { move: 'cancel' })).toMatchObject({ status: 404 });
  });

  test('is posted once, received, and its money is due three days later', async () => {
    const sale = await posted();
    const again = await move(sale, sale.seller, { move: 'post', carrier: 'UPS', tracking: '1' });
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'order_moved' } } });
    expect((await t.mailTo(sale.buyer.email)).map(({ subject }) => subject)).toContain(
      `On its way: ${sale.copy.title}`,
    );
    expect(await move(sale, sale.buyer, { move: 'receive' })).toMatchObject({ body: { state: 'received' } });
    expect(await onAccount(sale, 'seller')).toBe(0);
    await ahead(2);
    expect(await read(sale, sale.seller)).toMatchObject({ state: 'received' });
    await ahead(1.1);
    expect(await read(sale, sale.seller)).toMatchObject({ state: 'closed', outcome: 'completed', due: null });
    expect([await onAccount(sale, 'seller'), await onAccount(sale, 'seller-pending')]).toEqual([-698, 0]);
    const { body } = await t.call(readStatement, { query: {} }, { as: sale.seller });
    expect(body[0]).toMatchObject({ kind: 'release', amount: 0, balance: 6.98, pending: 0 });
  });

  test('counts as received after two weeks; of a new seller the money waits two weeks more', async () => {
    const sale = await posted();
    await ahead(14.1);
    expect(await read(sale, sale.buyer)).toMatchObject({ state: 'received' });
    await ahead(4);
    expect(await read(sale, sale.buyer)).toMatchObject({ state: 'received' });
    await ahead(10.1);
    expect(await read(sale, sale.buyer)).toMatchObject({ state: 'closed', outcome: 'completed' });
  });

  test('that is not here yet is asked about once more, four days before its new deadline', async () => {
    const [early, late] = [await posted(), await posted()];
    const asked = async ({ buyer, copy }: Sold) =>
      (await t.mailTo(buyer.email)).filter(({ subject }) => subject === `Is it there?: ${copy.title}`).length;
    const wait = (sale: Sold) => move(sale, sale.buyer, { move: 'wait-longer' });
    expect(await wait(early)).toMatchObject({ body: { state: 'posted' } });
    await ahead(10.5);
    expect([await asked(early), await asked(late)]).toEqual([0, 1]);
    expect(await wait(late)).toMatchObject({ status: 200 });
    await ahead(13);
    expect([await asked(early), await asked(late)]).toEqual([0, 1]);
    await ahead(1);
    expect([await asked(early), await asked(late)]).toEqual([1, 2]);
    expect(await read(early, early.buyer)).toMatchObject({ state: 'posted' });
  });

  test('whose seller is silent is cancelled by itself: the money goes back and the seller bears the fee', async () => {
    const sale = await sold();
    await ahead(12);
    expect(await read(sale, sale.buyer)).toMatchObject({ state: 'cancelled', outcome: 'not-posted', due: null });
    expect(await refunded(sale)).toBe(750);
    expect([await onAccount(sale, 'seller'), await onAccount(sale, 'seller-pending')]).toEqual([52, 0]);
    const copy = await t.db.selectFrom('listings').select('status').where('id', '=', sale.copy._id).executeTakeFirst();
    expect(copy).toEqual({ status: 'withdrawn' });
    expect((await t.mailTo(sale.buyer.email)).map(({ subject }) => subject)).toContain(`Cancelled: ${sale.copy.title}`);
  });

  test('is cancelled by its buyer at the shop’s cost until it is posted, and its copy is for sale again', async () => {
    const sale = await sold();
    expect(await move(sale, sale.buyer, { move: 'cancel' })).toMatchObject({ body: { state: 'cancelled' } });
    await finishRefunds(t.payments, failing);
    expect(await refunded(sale)).toBe(750);
    expect(await onAccount(sale, 'refund-costs')).toBe(52);
    const copy = await t.db.selectFrom('listings').select('status').where('id', '=', sale.copy._id).executeTakeFirst();
    expect(copy).toEqual({ status: 'available' });
    const late = await posted();
    expect(await move(late, late.buyer, { move: 'cancel' })).toMatchObject({ status: 409 });
  });

  test('is refused by its seller only with a reason', async () => {
    const sale = await sold();
    const mute = await move(sale, sale.seller, { move: 'refuse' });
    expect(mute).toMatchObject({ status: 400, body: { error: { fields: { reason: expect.any(String) } } } });
    expect(await move(sale, sale.seller, { move: 'refuse', reason: 'The cat ate it' })).toMatchObject({ status: 200 });
    expect((await read(sale, sale.buyer)).events.at(-1)).toMatchObject({
      move: 'refuse',
      by: 'seller',
      reason: 'The cat ate it',
    });
  });

  test('a buyer cancels at most three paid orders a month', async () => {
    const sales = [await sold(), await sold(), await sold(), await sold()];
    const [first] = sales;
    for (const sale of sales)
      await t.db
        .updateTable('orders')
        .set({ buyer_id: first?.buyer.id ?? '' })
        .where('id', '=', sale.orderId)
        .execute();
    const statuses: number[] = [];
    for (const sale of sales) statuses.push((await move(sale, first?.buyer ?? sale.buyer, { move: 'cancel' })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    for (const sale of sales)
      await t.db.updateTable('orders').set({ buyer_id: sale.buyer.id }).where('id', '=', sale.orderId).execute();
  });
});

describe('a pickup', () => {
  const ready = async (): Promise<Sold> => {
    const sale = await sold();
    const told = { move: 'make-ready', place: 'Main Street 1', times: 'Friday 5 PM or Saturday 10 AM' };
    expect(await move(sale, sale.seller, told)).toMatchObject({ body: { state: 'ready' } });
    return sale;
  };

  test('that nobody comes for is ended by an admin from the day on which they are told of it', async () => {
    const sale = await ready();
    await ahead(13.5);
    expect(await move(sale, admin, { move: 'cancel-uncollected' })).toMatchObject({ status: 409 });
    await ahead(0.6);
    for (const as of [sale.buyer, sale.seller])
      expect(await move(sale, as, { move: 'cancel-uncollected' })).toMatchObject({ status: 409 });
    expect((await read(sale, admin)).moves).toContain('cancel-uncollected');
    expect(await move(sale, admin, { move: 'cancel-uncollected' })).toMatchObject({ body: { state: 'cancelled' } });
    await finishRefunds(t.payments, failing);
    expect(await read(sale, sale.buyer)).toMatchObject({ outcome: 'not-collected' });
    expect([await refunded(sale), await onAccount(sale, 'seller')]).toEqual([750, 0]);
  });

  test('ends by the buyer’s code, which nobody else sees', async () => {
    const sale = await ready();
    const { code } = await read(sale, sale.buyer);
    expect(code).toMatch(/^\d{6}$/);
    expect((await read(sale, sale.seller)).code).toBe('');
    const wrong = code === '123456' ? '654321' : '123456';
    const refused = await move(sale, sale.seller, { move: 'hand-over', code: wrong });
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'wrong_code' } } });
    expect(await move(sale, sale.seller, { move: 'hand-over', code })).toMatchObject({ body: { state: 'received' } });
  });

  test('takes no sixth code; its buyer says that they have the book', async () => {
    const sale = await ready();
    const { code } = await read(sale, sale.buyer);
    const wrong = code === '123456' ? '654321' : '123456';
    for (let tries = 0; tries < 5; tries += 1) await move(sale, sale.seller, { move: 'hand-over', code: wrong });
    expect(await move(sale, sale.seller, { move: 'hand-over', code })).toMatchObject({ status: 409 });
    expect(await move(sale, sale.buyer, { move: 'hand-over' })).toMatchObject({ body: { state: 'received' } });
  });

  test('that nobody comes for is cancelled after three weeks, at the shop’s cost', async () => {
    const sale = await ready();
    await ahead(21.1);
    expect(await read(sale, sale.buyer)).toMatchObject({ state: 'cancelled', outcome: 'not-collected' });
    expect(await onAccount(sale, 'refund-costs')).toBe(52);
  });
});

describe('a problem', () => {
  const complained = async (): Promise<Sold> => {
    const sale = await posted();
    await move(sale, sale.buyer, { move: 'receive' });
    const words = { move: 'report-problem', words: 'Half of the pages are missing' };
    expect(await move(sale, sale.buyer, words)).toMatchObject({ body: { state: 'problem' } });
    return sale;
  };

  test('that its seller does not answer gives all of the money back', async () => {
    const sale = await complained();
    await ahead(7);
    expect(await read(sale, sale.buyer)).toMatchObject({ state: 'closed', outcome: 'refunded' });
    expect(await refunded(sale)).toBe(750);
    expect(await onAccount(sale, 'seller')).toBe(52);
  });

  test('ends with a part of the price where the buyer takes the seller’s offer, and no cent is lost', async () => {
    const sale = await complained();
    expect(await move(sale, sale.buyer, { move: 'refund-part' })).toMatchObject({ status: 409 });
    expect(await move(sale, sale.seller, { move: 'offer-part', amount: 2 })).toMatchObject({ status: 200 });
    expect(await read(sale, sale.buyer)).toMatchObject({
      problem: { offer: 2 },
      moves: expect.arrayContaining(['refund-part']),
    });
    expect(await move(sale, sale.buyer, { move: 'refund-part', amount: 2 })).toMatchObject({
      body: { state: 'closed' },
    });
    await finishRefunds(t.payments, failing);
    expect(await refunded(sale)).toBe(200);
    // The seller bears the rounding and the fee of the part: 698 of 750, less 2 dollars.
    expect([await onAccount(sale, 'seller'), await onAccount(sale, 'seller-pending')]).toEqual([-498, 0]);
    expect(await onAccount(sale, 'provider')).toBe(550);
    const more = await move(sale, admin, { move: 'refund-later', amount: 6 });
    expect(more).toMatchObject({ status: 409, body: { error: { code: 'refund_refused' } } });
    expect(await move(sale, admin, { move: 'refund-later', amount: 5.5 })).toMatchObject({ status: 200 });
    await finishRefunds(t.payments, failing);
    expect(await refunded(sale)).toBe(750);
  });

  test('leaves money to give back for 180 days after its end, and no longer', async () => {
    const sale = await complained();
    expect(await move(sale, sale.buyer, { move: 'keep' })).toMatchObject({ status: 200 });
    await ahead(179);
    expect(await move(sale, sale.seller, { move: 'refund-later', amount: 1 })).toMatchObject({ status: 200 });
    await ahead(1.1);
    expect(await read(sale, sale.seller)).toMatchObject({ state: 'closed', moves: [] });
    const late = await move(sale, sale.seller, { move: 'refund-later', amount: 1 });
    expect(late).toMatchObject({ status: 409, body: { error: { code: 'order_moved' } } });
  });

  test('whose book is asked back is paid back only once the seller has it, or is silent', async () => {
    const sale = await complained();
    expect(
      await move(sale, sale.seller, { move: 'ask-back', sendBack: 'A label is in the parcel: 1 Elm Street' }),
    ).toMatchObject({ body: { state: 'returning' } });
    for (const early of ['close-returned', 'take-back']) {
      expect(await move(sale, sale.buyer, { move: early })).toMatchObject({ status: 409 });
    }
    expect(await move(sale, sale.buyer, { move: 'post-back' })).toMatchObject({ status: 200 });
    expect(await move(sale, sale.seller, { move: 'take-back' })).toMatchObject({ body: { state: 'closed' } });
    await finishRefunds(t.payments, failing);
    expect(await refunded(sale)).toBe(750);
  });

  test('is too late three days after the book came, also while a new seller’s money waits', async () => {
    const sale = await posted();
    await ahead(14.1);
    expect(await read(sale, sale.buyer)).toMatchObject({
      state: 'received',
      moves: expect.arrayContaining(['report-problem']),
    });
    await ahead(3.1);
    const late = { move: 'report-problem', words: 'It smells' };
    expect(await move(sale, sale.buyer, late)).toMatchObject({ status: 409 });
  });

  test('is withdrawn by its buyer, or decided by an admin', async () => {
    const sale = await complained();
    expect(await move(sale, sale.buyer, { move: 'keep' })).toMatchObject({ body: { state: 'closed' } });
    expect(await onAccount(sale, 'seller')).toBe(-698);
    const other = await complained();
    expect(await move(other, other.seller, { move: 'ask-admin' })).toMatchObject({ status: 200 });
    expect(await move(other, admin, { move: 'refund-part', amount: 3 })).toMatchObject({ body: { state: 'closed' } });
  });
});

describe('money from elsewhere', () => {
  test('an admin’s refund calls an order off, whose copy waits for a decision', async () => {
    const sale = await sold();
    await t.call(refundBooking, { params: { id: sale.bookingId } }, { as: admin });
    expect(await read(sale, sale.buyer)).toMatchObject({
      state: 'cancelled',
      outcome: 'refunded',
      books: [{ refunded: 7.5 }],
    });
  });

  test('a refund made at the provider is booked once and ends the order', async () => {
    const sale = await posted();
    await atProvider(t, '/v1/refunds', { payment_intent: sale.intentId }, true);
    const refunds = await t.provider.findRefunds(sale.intentId);
    expect(refunds).toHaveLength(1);
    const { takeRefunds } = await import('#server/payments/refunds/refund-record.service.ts');
    for (let times = 0; times < 2; times += 1) {
      await t.db
        .transaction()
        .execute((trx) => takeRefunds(trx, { intentId: sale.intentId, refunds }, t.payments.hooks));
    }
    expect(await read(sale, sale.buyer)).toMatchObject({ state: 'closed', outcome: 'refunded' });
    expect(await onAccount(sale, 'provider')).toBe(0);
  });

  test('a dispute stops the clock; won, the order goes on; lost, it is over without a refund', async () => {
    const sale = await sold();
    const dispute = {
      id: `dp_${sale.orderId}`,
      intentId: sale.intentId,
      amountCents: 750,
      reason: 'fraudulent',
      dueBy: null,
    };
    const take = (state: 'open' | 'won' | 'lost', id = dispute.id) =>
      t.db.transaction().execute((trx) => takeDispute(trx, { ...dispute, id, state }, t.payments.hooks));
    await take('open');
    expect(await read(sale, sale.seller)).toMatchObject({ frozen: true, due: null, moves: [] });
    await ahead(30);
    expect(await read(sale, sale.seller)).toMatchObject({ state: 'paid' });
    await take('won');
    expect(await read(sale, sale.seller)).toMatchObject({ frozen: false, due: { move: 'cancel-unposted' } });
    expect(await onAccount(sale, 'seller-pending')).toBe(-698);
    await take('lost', `${dispute.id}_2`);
    expect(await read(sale, sale.seller)).toMatchObject({ state: 'cancelled', outcome: 'lost' });
  });
});
