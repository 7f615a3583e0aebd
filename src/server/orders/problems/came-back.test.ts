import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refundBooking } from '#contract/money/money-admin.ts';
import { takeDispute } from '#server/payments/disputes/dispute.service.ts';
import { takeRefunds } from '#server/payments/refunds/refund-record.service.ts';
import { finishRefunds } from '#server/payments/refunds/refund.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { atProvider, bookingOf, failing } from '#test/deal.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { anAdmin, type TestUser } from '#test/make.ts';
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

const { sold, posted, postedForFour, move, read, ahead, onAccount, refunded } = orderSteps(() => t);

describe('a parcel that came back', () => {
  test('asks its seller why', async () => {
    const sale = await postedForFour();
    const mute = await move(sale, sale.seller, { move: 'come-back' });
    expect(mute).toMatchObject({ status: 400, body: { error: { fields: { why: expect.any(String) } } } });
  });

  test.each([
    ['unclaimed', 750, 'by nobody’s asking'],
    ['wrong-address', 750, 'as its buyer asks'],
    ['other', 1_150, 'as its seller says'],
  ] as const)('%s gives %i cents back, %s', async (why, cents, who) => {
    const sale = await postedForFour();
    expect(await move(sale, sale.seller, { move: 'come-back', why })).toMatchObject({ body: { state: 'returning' } });
    expect(await read(sale, sale.buyer)).toMatchObject({ cameBack: why, due: { move: 'close-returned' } });
    if (who === 'by nobody’s asking') await ahead(8);
    else {
      const as = who === 'as its buyer asks' ? sale.buyer : sale.seller;
      expect(await move(sale, as, { move: 'close-returned' })).toMatchObject({ status: 200 });
      await finishRefunds(t.payments, failing);
    }
    expect(await read(sale, sale.buyer)).toMatchObject({ state: 'closed', outcome: 'came-back' });
    expect(await refunded(sale)).toBe(cents);
    // The sale is over, whatever became of the postage: an admin asks its seller whether the copy is sold again.
    expect(await bookingOf(t, sale)).toMatchObject({ refunded: true });
    expect(await onAccount(sale, 'seller-pending')).toBe(0);
    // The seller keeps the spent postage, or bears the fee of what they sent badly; the shop bears it else.
    const [sellers, shops] = [await onAccount(sale, 'seller'), await onAccount(sale, 'refund-costs')];
    expect([sellers < 0, sellers > 0, shops > 0]).toEqual(why === 'other' ? [false, true, false] : [true, false, true]);
  });
});

test('a sale whose price was given back elsewhere is over once its order has given back the postage as well', async () => {
  const sale = await postedForFour();
  await atProvider(t, '/v1/refunds', { payment_intent: sale.intentId, amount: '750' }, true);
  const refunds = await t.provider.findRefunds(sale.intentId);
  await t.db.transaction().execute((trx) => takeRefunds(trx, { intentId: sale.intentId, refunds }, t.payments.hooks));
  await move(sale, sale.seller, { move: 'come-back', why: 'other' });
  expect(await move(sale, sale.seller, { move: 'close-returned' })).toMatchObject({ status: 200 });
  // Asked for, and not there yet.
  expect(await bookingOf(t, sale)).toMatchObject({ refunded: false });
  await expectInvariants(t.db);
  await finishRefunds(t.payments, failing);
  expect([await refunded(sale), (await bookingOf(t, sale)).refunded]).toEqual([1_150, true]);
});

describe('an inquiry of a bank', () => {
  const inquiryOf = (sale: Sold) => ({
    id: `dp_i_${sale.orderId}`,
    intentId: sale.intentId,
    amountCents: 750,
    reason: 'fraudulent',
    dueBy: null,
  });
  const take = (facts: Parameters<typeof takeDispute>[1]) =>
    t.db.transaction().execute((trx) => takeDispute(trx, facts, t.payments.hooks));

  test('stops the order and moves no money; when it comes to nothing the order goes on', async () => {
    const sale = await sold();
    const facts = { ...inquiryOf(sale), isInquiry: true };
    const before = await onAccount(sale, 'seller-pending');
    expect(await take({ ...facts, state: 'open' })).toBe('opened');
    expect(await take({ ...facts, state: 'open' })).toBe('nothing');
    expect(await read(sale, sale.seller)).toMatchObject({ frozen: true, inquiry: true, due: null });
    expect([await onAccount(sale, 'seller-pending'), await onAccount(sale, 'dispute-reserve')]).toEqual([before, 0]);
    expect(await move(sale, sale.seller, { move: 'make-ready', place: 'Here', times: 'Now' })).toMatchObject({
      status: 409,
    });
    await ahead(30);
    expect(await read(sale, sale.seller)).toMatchObject({ state: 'paid' });
    expect(await take({ ...facts, state: 'won' })).toBe('won');
    expect(await read(sale, sale.seller)).toMatchObject({ frozen: false, due: { move: 'cancel-unposted' } });
    expect(await onAccount(sale, 'seller-pending')).toBe(before);
  });

  test('leaves a buyer as much time to complain as was left, until the money is released', async () => {
    const sale = await posted();
    expect(await move(sale, sale.buyer, { move: 'receive' })).toMatchObject({ status: 200 });
    await ahead(1);
    const facts = { ...inquiryOf(sale), isInquiry: true };
    await take({ ...facts, state: 'open' });
    await ahead(40);
    await take({ ...facts, state: 'won' });
    const { due, complainBy, moves } = await read(sale, sale.buyer);
    expect(moves).toContain('report-problem');
    expect(Math.abs(Date.parse(complainBy ?? '') - Date.parse(due?.at ?? ''))).toBeLessThan(1_000);
    await ahead(1);
    const words = { move: 'report-problem', words: 'A page is missing' };
    expect(await move(sale, sale.buyer, words)).toMatchObject({ body: { state: 'problem' } });
  });

  test('puts off by as much when admins hear that nobody comes', async () => {
    const sale = await sold();
    await move(sale, sale.seller, { move: 'make-ready', place: 'Here', times: 'Now or later' });
    await ahead(2);
    const facts = { ...inquiryOf(sale), isInquiry: true };
    await take({ ...facts, state: 'open' });
    await ahead(30);
    await take({ ...facts, state: 'won' });
    expect((await read(sale, admin)).moves).not.toContain('cancel-uncollected');
    await ahead(12.1);
    expect((await read(sale, admin)).moves).toContain('cancel-uncollected');
    expect(await read(sale, admin)).toMatchObject({ state: 'ready' });
  });

  test('is ended by giving all of the money back: nothing stays set aside', async () => {
    const sale = await sold();
    const facts = { ...inquiryOf(sale), isInquiry: true };
    await take({ ...facts, state: 'open' });
    expect((await read(sale, sale.buyer)).moves).toEqual(['cancel']);
    expect(await move(sale, sale.seller, { move: 'refuse', reason: 'The bank asks' })).toMatchObject({ status: 200 });
    await finishRefunds(t.payments, failing);
    expect(await refunded(sale)).toBe(750);
    await take({ ...facts, state: 'won' });
    expect(await read(sale, sale.buyer)).toMatchObject({ state: 'cancelled', frozen: false });
    expect([await onAccount(sale, 'dispute-reserve'), await onAccount(sale, 'seller-pending')]).toEqual([0, 0]);
    const other = await posted();
    await take({ ...inquiryOf(other), isInquiry: true, state: 'open' });
    expect((await t.call(refundBooking, { params: { id: other.bookingId } }, { as: admin })).status).toBe(200);
    expect(await read(other, other.buyer)).toMatchObject({ state: 'closed', outcome: 'refunded', frozen: false });
  });

  test('that becomes a chargeback takes the money then, under its own name or another', async () => {
    for (const isSame of [true, false]) {
      const sale = await sold();
      const facts = inquiryOf(sale);
      await take({ ...facts, isInquiry: true, state: 'open' });
      const id = isSame ? facts.id : `${facts.id}_2`;
      expect(await take({ ...facts, id, state: 'open' })).toBe('opened');
      expect(await read(sale, sale.buyer)).toMatchObject({ frozen: true, inquiry: false, moves: [] });
      expect(await onAccount(sale, 'dispute-reserve')).not.toBe(0);
      // What is asked about ends; what was taken is still decided.
      if (!isSame) await take({ ...facts, isInquiry: true, state: 'won' });
      expect(await read(sale, sale.buyer)).toMatchObject({ frozen: true });
      await take({ ...facts, id, state: 'won' });
      expect(await read(sale, sale.seller)).toMatchObject({ frozen: false, due: { move: 'cancel-unposted' } });
      expect(await onAccount(sale, 'dispute-reserve')).toBe(0);
      expect(await onAccount(sale, 'seller-pending')).toBe(-698);
    }
  });
});
