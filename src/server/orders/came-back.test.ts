import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveDelivery } from '#contract/delivery/delivery-calls.ts';
import { createPaymentIntent } from '#contract/money/payments.ts';
import { refundBooking } from '#contract/money/money-admin.ts';
import { takeDispute } from '#server/payments/disputes/dispute.service.ts';
import { finishRefunds } from '#server/payments/refunds/refund.service.ts';
import { checkInvariants } from '#server/payments/reconciliation/invariants.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aDeal, bookingOf, failing, GOOD_CARD, intentIdOf, recordPaid } from '#test/deal.ts';
import { confirmCard } from '#test/pay.ts';
import { anAdmin, type TestUser } from '#test/make.ts';
import { orderSteps, type Sold } from '#test/order-steps.ts';

let t: TestApp;
let admin: TestUser;

beforeAll(async () => {
  t = await testApp();
  admin = await anAdmin(t);
});

afterAll(async () => {
  expect((await checkInvariants(t.db)).filter(({ violations }) => violations > 0)).toEqual([]);
  await t.close();
});

const { sold, posted, move, read, ahead, onAccount, refunded } = orderSteps(() => t);

describe('a parcel that came back', () => {
  /** Posted for four dollars, which the buyer paid. */
  const parcel = async (): Promise<Sold> => {
    const deal = await aDeal(t);
    const terms = { pickup: true, pickupPlace: '', post: true, first: 4, further: 1, freeFrom: null };
    const delivery = { ...terms, countries: ['US'], daysToPost: 3 };
    await t.call(saveDelivery, { body: delivery }, { as: deal.seller });
    const { buyer, bookingId } = deal;
    const address = { name: 'Bo', line1: '1 Main Street', line2: '', city: 'Portland', state: 'OR' };
    const to = { ...address, postcode: '97201', country: 'US' };
    const body = { price: 7.5, bookingId, bookingIds: [bookingId], delivery: 'post' as const, address: to };
    const { clientSecret } = (await t.call(createPaymentIntent, { body }, { as: buyer })).body;
    await confirmCard(t.standinUrl, clientSecret, GOOD_CARD);
    const intentId = intentIdOf(clientSecret);
    expect((await recordPaid(t, deal, intentId)).status).toBe(200);
    const sale = { ...deal, intentId, orderId: (await bookingOf(t, deal)).orderId ?? '' };
    await move(sale, sale.seller, { move: 'post', carrier: 'USPS', tracking: '9400 1' });
    return sale;
  };

  test('asks its seller why', async () => {
    const sale = await parcel();
    const mute = await move(sale, sale.seller, { move: 'come-back' });
    expect(mute).toMatchObject({ status: 400, body: { error: { fields: { why: expect.any(String) } } } });
  });

  test.each([
    ['unclaimed', 750, 'by nobody’s asking'],
    ['wrong-address', 750, 'as its buyer asks'],
    ['other', 1_150, 'as its seller says'],
  ] as const)('%s gives %i cents back, %s', async (why, cents, who) => {
    const sale = await parcel();
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
    expect(await onAccount(sale, 'seller-pending')).toBe(0);
    // The seller keeps the spent postage, or bears the fee of what they sent badly; the shop bears it else.
    const [sellers, shops] = [await onAccount(sale, 'seller'), await onAccount(sale, 'refund-costs')];
    expect([sellers < 0, sellers > 0, shops > 0]).toEqual(why === 'other' ? [false, true, false] : [true, false, true]);
  });
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
