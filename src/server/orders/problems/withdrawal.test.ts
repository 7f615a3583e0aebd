import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveDelivery } from '#contract/delivery/delivery-calls.ts';
import { declare } from '#contract/law/declaration.ts';
import { readTexts } from '#contract/law/texts.ts';
import { createPaymentIntent } from '#contract/money/payments.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aDeal, bookingOf, GOOD_CARD, intentIdOf, recordPaid } from '#test/deal.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { confirmCard } from '#test/money/pay.ts';
import { orderSteps, type Sold } from '#test/order-steps.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(async () => {
  await expectInvariants(t.db);
  await t.close();
});

const { move, read, ahead, refunded } = orderSteps(() => t);
const IRELAND = { line2: '', city: 'Dublin', state: '', postcode: 'D02 AF30', country: 'IE' };
const AMERICA = { line2: '', city: 'Portland', state: 'OR', postcode: '97201', country: 'US' };

/** A book of $7.50 with postage of $4, sold by a business or privately, and paid. */
const paid = async (kind: 'private' | 'trader', to: typeof IRELAND = IRELAND): Promise<Sold> => {
  const deal = await aDeal(t);
  const { seller, buyer, bookingId } = deal;
  const imprint = { business: 'Ink Ltd', address: '1 Quay Street\nBristol', country: 'GB', email: 'desk@ink.example' };
  const terms = (await t.call(readTexts, {})).body.terms.version;
  await t.call(declare, { body: { kind, ...imprint, adult: true, terms } }, { as: seller });
  const delivery = { pickup: true, pickupPlace: '', post: true, first: 4, further: 1, freeFrom: null };
  await t.call(saveDelivery, { body: { ...delivery, countries: ['US', 'IE'], daysToPost: 3 } }, { as: seller });
  const address = { name: 'Bo', line1: '1 Main Street', ...to };
  const body = { price: 7.5, bookingId, bookingIds: [bookingId], delivery: 'post' as const, address };
  const { clientSecret } = (await t.call(createPaymentIntent, { body }, { as: buyer })).body;
  await confirmCard(t.standinUrl, clientSecret, GOOD_CARD);
  const intentId = intentIdOf(clientSecret);
  await recordPaid(t, deal, intentId);
  return { ...deal, intentId, orderId: (await bookingOf(t, deal)).orderId ?? '' };
};
const received = async (kind: 'private' | 'trader', to?: typeof IRELAND): Promise<Sold> => {
  const sale = await paid(kind, to);
  await move(sale, sale.seller, { move: 'post', carrier: 'An Post', tracking: 'LN 1' });
  await move(sale, sale.buyer, { move: 'receive' });
  return sale;
};
const movesOf = async (sale: Sold) => (await read(sale, sale.buyer)).moves;
const endOf = async (sale: Sold) => {
  await ahead(0.1);
  const { state, outcome } = await read(sale, sale.buyer);
  return [state, outcome, (await refunded(sale)) ?? 0];
};

describe('the right of withdrawal', () => {
  test('is there for 14 days where a business sold it to where the law says so, and nowhere else', async () => {
    const sales = [await received('trader'), await received('private'), await received('trader', AMERICA)] as const;
    const [business, ...others] = sales;
    for (const sale of others) {
      expect(await movesOf(sale)).not.toContain('withdraw');
      expect(await read(sale, sale.buyer)).toMatchObject({ mayWithdraw: false, withdrawBy: null });
    }
    const { moves, mayWithdraw, withdrawBy, due } = await read(business, business.buyer);
    expect([moves.includes('withdraw'), mayWithdraw, due?.at]).toEqual([true, true, withdrawBy]);
    // Complaints end earlier, the seller's money waits for the withdrawal.
    await ahead(13);
    expect(await movesOf(business)).toEqual(['withdraw']);
    for (const sale of others) expect(await read(sale, sale.buyer)).toMatchObject({ state: 'closed' });
    await ahead(1.1);
    expect(await read(business, business.buyer)).toMatchObject({ state: 'closed', outcome: 'completed' });
    expect(await movesOf(business)).not.toContain('withdraw');
  });

  test('stays as it was when the book was paid, whatever its seller says afterwards', async () => {
    const sale = await received('private');
    const terms = (await t.call(readTexts, {})).body.terms.version;
    const imprint = { business: 'Ink Ltd', address: '1 Quay Street', country: 'GB', email: 'desk@ink.example' };
    await t.call(declare, { body: { kind: 'trader', ...imprint, adult: true, terms } }, { as: sale.seller });
    expect(await movesOf(sale)).not.toContain('withdraw');
  });

  test('gives all back once the book is back, by a dated receipt and the address of the business', async () => {
    const sale = await received('trader');
    expect(await move(sale, sale.seller, { move: 'withdraw' })).toMatchObject({ status: 409 });
    expect(await move(sale, sale.buyer, { move: 'withdraw' })).toMatchObject({ body: { state: 'returning' } });
    const { problem, due } = await read(sale, sale.buyer);
    expect(problem).toMatchObject({ kind: 'withdrawal', words: '', sendBack: 'Ink Ltd\n1 Quay Street\nBristol' });
    expect(due?.move).toBe('keep-unreturned');
    const receipt = (await t.mailTo(sale.buyer.email)).find(({ subject }) => subject.startsWith('Your withdrawal'));
    expect(receipt?.text).toContain('1 Quay Street');
    expect((await t.mailTo(sale.seller.email)).map(({ subject }) => subject)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Withdrawn from: /)]),
    );
    await move(sale, sale.buyer, { move: 'post-back' });
    await move(sale, sale.seller, { move: 'take-back' });
    expect(await endOf(sale)).toEqual(['closed', 'refunded', 1_150]);
    expect(
      (await t.db.selectFrom('seller_records').select('upheld').where('seller_id', '=', sale.seller.id).execute())[0]
        ?.upheld,
    ).toBe(0);
  });

  test('is over where the book is not sent back within 14 days', async () => {
    const sale = await received('trader');
    await move(sale, sale.buyer, { move: 'withdraw' });
    await ahead(13);
    expect(await read(sale, sale.buyer)).toMatchObject({ state: 'returning' });
    await ahead(1.1);
    expect(await endOf(sale)).toEqual(['closed', 'kept', 0]);
  });

  test('before it is posted is to cancel, as often as one likes', async () => {
    const sale = await paid('trader');
    expect(await movesOf(sale)).toContain('cancel');
    await move(sale, sale.buyer, { move: 'cancel' });
    expect(await endOf(sale)).toEqual(['cancelled', 'cancelled-by-buyer', 1_150]);
  });

  test('on its way is there as well, and a replayed request changes nothing', async () => {
    const sale = await paid('trader');
    await move(sale, sale.seller, { move: 'post', carrier: 'An Post', tracking: 'LN 2' });
    expect(await move(sale, sale.buyer, { move: 'withdraw' })).toMatchObject({ status: 200 });
    expect(await move(sale, sale.buyer, { move: 'withdraw' })).toMatchObject({ status: 409 });
  });
});
