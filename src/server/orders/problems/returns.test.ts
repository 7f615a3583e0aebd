import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveDelivery } from '#contract/delivery/delivery-calls.ts';
import { createPaymentIntent } from '#contract/money/payments.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { aDeal, bookingOf, GOOD_CARD, intentIdOf, recordPaid } from '#test/deal.ts';
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

const { move, read, ahead, onAccount, refunded } = orderSteps(() => t);

const REFUSED = { status: 409, body: { error: { code: 'order_moved' } } };
const SENT_BACK = { move: 'ask-back', sendBack: 'The label is in the parcel; it goes to 1 Elm Street' };

/** A book of $7.50 with postage of $4, posted with that number or none. */
const parcel = async (tracking = '9400 1'): Promise<Sold> => {
  const deal = await aDeal(t);
  const terms = { pickup: true, pickupPlace: '', post: true, first: 4, further: 1, freeFrom: null };
  await t.call(saveDelivery, { body: { ...terms, countries: ['US'], daysToPost: 3 } }, { as: deal.seller });
  const { buyer, bookingId } = deal;
  const address = { name: 'Bo', line1: '1 Main Street', line2: '', city: 'Portland', state: 'OR' };
  const to = { ...address, postcode: '97201', country: 'US' };
  const body = { price: 7.5, bookingId, bookingIds: [bookingId], delivery: 'post' as const, address: to };
  const { clientSecret } = (await t.call(createPaymentIntent, { body }, { as: buyer })).body;
  await confirmCard(t.standinUrl, clientSecret, GOOD_CARD);
  const intentId = intentIdOf(clientSecret);
  await recordPaid(t, deal, intentId);
  const sale = { ...deal, intentId, orderId: (await bookingOf(t, deal)).orderId ?? '' };
  const posted = tracking === '' ? { move: 'post' } : { move: 'post', carrier: 'USPS', tracking };
  expect(await move(sale, sale.seller, posted)).toMatchObject({ status: 200 });
  return sale;
};

const askedBack = async (): Promise<Sold> => {
  const sale = await parcel();
  await move(sale, sale.buyer, { move: 'receive' });
  await move(sale, sale.buyer, { move: 'report-problem', words: 'Half of the pages are missing' });
  expect(await move(sale, sale.seller, SENT_BACK)).toMatchObject({ body: { state: 'returning' } });
  return sale;
};

const movesOf = async (sale: Sold, as: TestUser) => (await read(sale, as)).moves;
const done = async (sale: Sold, as: TestUser, id: string) =>
  expect(await move(sale, as, { move: id }), id).toMatchObject({ status: 200 });
/** How an order ended and what went back, in cents. */
const endOf = async (sale: Sold) => {
  await ahead(0.1);
  const { state, outcome } = await read(sale, sale.buyer);
  return [state, outcome, (await refunded(sale)) ?? 0];
};

describe('a book on its way back', () => {
  test('has not arrived before it was sent, and is sent once', async () => {
    const sale = await askedBack();
    expect(await movesOf(sale, sale.buyer)).toEqual(['ask-admin', 'post-back', 'keep-unreturned']);
    expect(await movesOf(sale, sale.seller)).toEqual(['refund-problem', 'take-back']);
    for (const as of [sale.buyer, admin]) expect(await move(sale, as, { move: 'arrive-back' })).toMatchObject(REFUSED);
    await done(sale, sale.buyer, 'post-back');
    const { due } = await read(sale, sale.buyer);
    await ahead(2);
    expect(await move(sale, sale.buyer, { move: 'post-back' })).toMatchObject(REFUSED);
    expect((await read(sale, sale.buyer)).due).toEqual(due);
    await done(sale, sale.buyer, 'arrive-back');
    for (const id of ['arrive-back', 'post-back', 'keep-unreturned']) {
      expect(await move(sale, sale.buyer, { move: id }), id).toMatchObject(REFUSED);
    }
    await ahead(7.1);
    expect(await endOf(sale)).toEqual(['closed', 'refunded', 1_150]);
  });

  test('that never arrives is put to the shop by its seller, who was to lose book and money', async () => {
    const sale = await askedBack();
    expect(await move(sale, sale.seller, { move: 'ask-admin' })).toMatchObject(REFUSED);
    expect(await movesOf(sale, admin)).toEqual([]);
    await done(sale, sale.buyer, 'post-back');
    await done(sale, sale.seller, 'ask-admin');
    const asked = await read(sale, sale.seller);
    expect(asked).toMatchObject({ state: 'returning', due: { move: 'refund-problem' } });
    // What its buyer says now changes no deadline.
    await done(sale, sale.buyer, 'arrive-back');
    await ahead(30);
    expect((await read(sale, sale.seller)).due).toEqual(asked.due);
    expect(asked.moves).toEqual(['refund-problem', 'take-back']);
    expect(await move(sale, sale.buyer, { move: 'ask-admin' })).toMatchObject(REFUSED);
    expect(await movesOf(sale, admin)).toEqual(['refund-problem', 'refund-part', 'keep-unreturned']);
    await done(sale, admin, 'keep-unreturned');
    expect(await endOf(sale)).toEqual(['closed', 'kept', 0]);
    expect(await onAccount(sale, 'seller')).toBeLessThan(-1_000);
  });

  test('that cannot be sent as its seller says is put to the shop by its buyer; undecided it is theirs', async () => {
    const sale = await askedBack();
    await done(sale, sale.buyer, 'ask-admin');
    expect(await movesOf(sale, sale.buyer)).toEqual(['post-back', 'keep-unreturned']);
    await ahead(60.1);
    expect(await endOf(sale)).toEqual(['closed', 'refunded', 1_150]);
    const part = await askedBack();
    await done(part, part.buyer, 'ask-admin');
    expect(await move(part, admin, { move: 'refund-part', amount: 3 })).toMatchObject({ body: { state: 'closed' } });
    expect(await endOf(part)).toEqual(['closed', 'part-refunded', 300]);
  });
});

describe('a parcel that came back', () => {
  const CAME_BACK = { move: 'come-back', why: 'unclaimed' } as const;

  test('and had no number keeps no postage from its buyer: nobody can see that it was posted', async () => {
    const sale = await parcel('');
    expect(await move(sale, sale.seller, CAME_BACK)).toMatchObject({ body: { state: 'returning' } });
    expect(await movesOf(sale, sale.buyer)).toEqual(['ask-admin', 'close-returned']);
    await done(sale, sale.buyer, 'close-returned');
    expect(await endOf(sale)).toEqual(['closed', 'came-back', 1_150]);
    expect(await onAccount(sale, 'seller')).toBeGreaterThan(0);
  });

  test.each([
    ['keeps its postage', 'close-returned', 'came-back', 750, true],
    ['is paid back whole', 'refund-problem', 'refunded', 1_150, false],
    ['stays sold', 'keep-unreturned', 'kept', 0, true],
  ] as const)('and whose buyer says otherwise %s if an admin decides so', async (_, id, outcome, cents, isDue) => {
    const sale = await parcel();
    await move(sale, sale.seller, CAME_BACK);
    expect(await move(sale, sale.seller, { move: 'ask-admin' })).toMatchObject(REFUSED);
    expect(await move(sale, admin, { move: id })).toMatchObject(REFUSED);
    await done(sale, sale.buyer, 'ask-admin');
    expect(await movesOf(sale, sale.seller)).toEqual(['refund-problem']);
    expect(await movesOf(sale, sale.buyer)).toEqual(['close-returned']);
    await done(sale, admin, id);
    expect(await endOf(sale)).toEqual(['closed', outcome, cents]);
    expect((await onAccount(sale, 'seller')) < 0).toBe(isDue);
  });
});
