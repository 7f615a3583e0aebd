// Cases 1, 3, 5, 6, 20 and 21 of docs/orders.md: two who want different things of an order, parcels, several refunds.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { relistCopy } from '#contract/bookings/bookings.ts';
import { refundBooking } from '#contract/money/money-admin.ts';
import { createPaymentIntent } from '#contract/money/payments.ts';
import type { OrderMoveRequest } from '#contract/orders/orders.ts';
import { orderRulesOf } from '#server/app.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { ProviderRefused } from '#server/payments/provider.ts';
import { finishRefunds } from '#server/payments/refunds/refund.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { advanceClock } from '#test/clock.ts';
import { aDeal, askForIntent, bookingOf, failing, GOOD_CARD, intentIdOf, recordPaid, type Deal } from '#test/deal.ts';
import { anAdmin, type TestUser } from '#test/make.ts';
import { orderSteps, type Sold } from '#test/order-steps.ts';
import { confirmCard } from '#test/money/pay.ts';
import { moveDueOrders } from '#server/orders/order-sweep.service.ts';

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

const POST: OrderMoveRequest = { move: 'post', carrier: 'USPS', tracking: '9400 1' };
const toPost = async (): Promise<Sold> => {
  const sale = await sold();
  await t.db.updateTable('orders').set({ delivery: 'post' }).where('id', '=', sale.orderId).execute();
  return sale;
};
/** A deal whose intent is paid with a good card. */
const paid = async (deal: Deal, clientSecret: string): Promise<Sold> => {
  await confirmCard(t.standinUrl, clientSecret, GOOD_CARD);
  const intentId = intentIdOf(clientSecret);
  expect((await recordPaid(t, deal, intentId)).status).toBe(200);
  return { ...deal, intentId, orderId: (await bookingOf(t, deal)).orderId ?? '' };
};
const giveBack = async (bookingId: string) =>
  expect((await t.call(refundBooking, { params: { id: bookingId } }, { as: admin })).status).toBe(200);

describe('of two who want different things of an order', () => {
  test.each([1, 2, 3])(
    'its seller, who posts it, or its buyer, who cancels it, is told what happened (%i)',
    async () => {
      const sale = await toPost();
      const answers = await Promise.all([
        move(sale, sale.seller, POST),
        move(sale, sale.buyer, { move: 'cancel' }),
        move(sale, sale.seller, POST),
      ]);
      const made = answers.filter(({ status }) => status === 200);
      expect(made).toHaveLength(1);
      for (const { status, body } of answers.filter((answer) => !made.includes(answer))) {
        expect([status, body.error?.code]).toEqual([409, 'order_moved']);
      }
      await finishRefunds(t.payments, failing);
      const { state } = await read(sale, sale.buyer);
      expect([state, await refunded(sale)]).toEqual(
        made[0]?.body.state === 'posted' ? ['posted', 0] : ['cancelled', 750],
      );
    },
  );

  test.each([1, 2, 3])('its seller, who posts it late, or time, which cancels it, comes first (%i)', async () => {
    const sale = await toPost();
    await advanceClock(t, 12 * 24);
    const sweep = () => moveDueOrders(t.db, orderRulesOf(t.config), failing);
    const [late] = await Promise.all([move(sale, sale.seller, POST), sweep(), sweep()]);
    await finishRefunds(t.payments, failing);
    const { state, events } = await read(sale, sale.buyer);
    expect([late.status, state, await refunded(sale)]).toEqual(
      late.status === 200 ? [200, 'posted', 0] : [409, 'cancelled', 750],
    );
    expect(events.filter((event) => event.move === 'post' || event.move === 'cancel-unposted')).toHaveLength(1);
  });
});

describe('a parcel of three', () => {
  const parcel = async (): Promise<{ sale: Sold; bookings: string[] }> => {
    const deal = await aDeal(t);
    const { buyer, seller } = deal;
    await sql`INSERT INTO delivery_terms (seller_id, pickup, pickup_place, post, first_cents, further_cents, countries, days_to_post)
      VALUES (${seller.id}, true, '', true, 400, 100, '{US}', 2)`.execute(t.db);
    const others = [
      await aDeal(t, { buyer, seller, price: '12.10' }),
      await aDeal(t, { buyer, seller, price: '3.00' }),
    ];
    const bookings = [deal, ...others].map(({ bookingId }) => bookingId);
    const where = { name: 'Bo', line1: '1 Main Street', line2: '', city: 'Portland', state: 'OR' };
    const address = { ...where, postcode: '97201', country: 'US' };
    const body = { price: 7.5, bookingId: deal.bookingId, bookingIds: bookings, delivery: 'post' as const, address };
    const { clientSecret } = (await t.call(createPaymentIntent, { body }, { as: buyer })).body;
    return { sale: await paid(deal, clientSecret), bookings };
  };
  const releases = ({ orderId }: Sold) =>
    t.db
      .selectFrom('ledger_transactions')
      .select('id')
      .where('order_id', '=', orderId)
      .where('kind', '=', 'release')
      .execute();

  test('of which one is cancelled, one partly refunded and one kept adds up; the last takes the postage along', async () => {
    const { sale, bookings } = await parcel();
    const [first = '', second = '', third = ''] = bookings;
    const made = async (who: TestUser, body: OrderMoveRequest) => {
      expect(await move(sale, who, body)).toMatchObject({ status: 200 });
      await finishRefunds(t.payments, failing);
    };
    await made(sale.buyer, { move: 'take-out', bookingId: second });
    expect(await refunded(sale)).toBe(1_210);
    await made(sale.seller, POST);
    await made(sale.buyer, { move: 'receive' });
    await made(sale.buyer, { move: 'report-problem', words: 'Torn', bookingId: third });
    await made(sale.seller, { move: 'offer-part', amount: 1 });
    await made(sale.buyer, { move: 'refund-part', amount: 1 });
    expect([await refunded(sale), (await read(sale, sale.buyer)).state]).toEqual([1_310, 'closed']);
    expect([await onAccount(sale, 'seller-pending'), (await releases(sale)).length]).toEqual([0, 1]);
    expect(await onAccount(sale, 'seller')).toBeLessThan(0);
    expect(await onAccount(sale, 'provider')).toBe(2_860 - 1_310);
    // Then all that is left goes, with the postage of six dollars, and once.
    for (const bookingId of [first, second, third, first]) await giveBack(bookingId);
    expect([await refunded(sale), await onAccount(sale, 'provider'), (await releases(sale)).length]).toEqual([
      2_860, 0, 1,
    ]);
    expect(await onAccount(sale, 'owed-to-buyers')).toBe(0);
  });

  test.each([
    ['take-out', 'its buyer does not want is on the shelf again', 'available'],
    ['leave-out', 'its seller has no more leaves the shop', 'withdrawn'],
    ['strike-out', 'an admin takes out waits for their decision', 'sold'],
  ] as const)('%s: a book that %s, with its share of the postage kept', async (how, _says, status) => {
    const { sale, bookings } = await parcel();
    const [, bookingId = ''] = bookings;
    const who = { 'take-out': sale.buyer, 'leave-out': sale.seller, 'strike-out': admin }[how];
    const reason = how === 'take-out' ? {} : { reason: 'It is torn' };
    expect(await move(sale, who, { move: how, bookingId, ...reason })).toMatchObject({ status: 200 });
    await finishRefunds(t.payments, failing);
    expect(await refunded(sale)).toBe(1_210);
    const copyOf = (id: string) =>
      t.db
        .selectFrom('bookings as b')
        .innerJoin('listings as l', 'l.id', 'b.listing_id')
        .select(['l.id', 'l.status', sql<boolean>`b.refunded_at IS NOT NULL`.as('isOver')])
        .where('b.id', '=', id)
        .executeTakeFirstOrThrow();
    const copy = await copyOf(bookingId);
    expect(copy).toMatchObject({ status, isOver: true });
    expect(await copyOf(bookings[0] ?? '')).toMatchObject({ status: 'sold', isOver: false });
    expect((await read(sale, sale.seller)).state).toBe('paid');
    const decided = await t.call(relistCopy, { params: { id: copy.id } }, { as: admin });
    expect(decided).toMatchObject(
      status === 'withdrawn' ? { status: 409 } : { body: { modifiedCount: status === 'sold' ? 1 : 0 } },
    );
  });
});

describe('refunds of one payment', () => {
  const closed = async (): Promise<Sold> => {
    const sale = await posted();
    await move(sale, sale.buyer, { move: 'receive' });
    await ahead(3.1);
    return sale;
  };
  const rows = ({ intentId }: Sold) =>
    t.db
      .selectFrom('refunds')
      .select(['n', 'state', 'amount_cents'])
      .where('intent_id', '=', intentId)
      .orderBy('amount_cents')
      .execute();

  test('of equal amounts that are wanted twice are two', async () => {
    const sale = await closed();
    const back = () => move(sale, admin, { move: 'refund-later', amount: 2 });
    expect((await Promise.all([back(), back()])).map(({ status }) => status)).toEqual([200, 200]);
    await finishRefunds(t.payments, failing);
    expect([await refunded(sale), (await rows(sale)).length]).toEqual([400, 2]);
  });

  test('have a number each, the refused try too: a part, and then the rest, use none of them twice', async () => {
    const sale = await closed();
    const asked: number[] = [];
    const deps: PaymentDeps = {
      ...t.payments,
      provider: {
        ...t.payments.provider,
        refund: async (refund) => {
          asked.push(refund.n);
          if (asked.length === 1) throw new ProviderRefused('Not now');
          return t.provider.refund(refund);
        },
      },
    };
    expect(await move(sale, admin, { move: 'refund-later', amount: 1 })).toMatchObject({ status: 200 });
    await finishRefunds(deps, failing);
    expect(await rows(sale)).toEqual([{ n: 1, state: 'failed', amount_cents: 100 }]);
    expect(await move(sale, admin, { move: 'refund-later', amount: 2 })).toMatchObject({ status: 200 });
    await finishRefunds(deps, failing);
    await giveBack(sale.bookingId);
    const made = await rows(sale);
    expect(made.map(({ state, amount_cents: cents }) => [state, cents])).toEqual([
      ['done', 100],
      ['done', 200],
      ['done', 450],
    ]);
    // 1 was refused: neither the next ones nor its own next try take it.
    expect([asked, made.map(({ n }) => n).toSorted()]).toEqual([
      [1, 2],
      [2, 3, 4],
    ]);
    expect([await refunded(sale), await onAccount(sale, 'provider')]).toEqual([750, 0]);
    expect((await move(sale, admin, { move: 'refund-later', amount: 0.01 })).status).toBe(409);
    expect(await t.provider.findRefunds(sale.intentId)).toHaveLength(3);
  });
});

test('the code of another order of its seller is refused and not counted; a wrong one is', async () => {
  const sale = await sold();
  const deal = await aDeal(t, { seller: sale.seller });
  const other = await paid(deal, (await askForIntent(t, deal)).body.clientSecret);
  const times = { move: 'make-ready', place: 'Main Street 1', times: 'Friday 5 PM or Saturday 10 AM' };
  for (const one of [sale, other]) expect(await move(one, one.seller, times)).toMatchObject({ status: 200 });
  const [own, others] = [(await read(sale, sale.buyer)).code, (await read(other, other.buyer)).code];
  const handOver = (code: string) => move(sale, sale.seller, { move: 'hand-over', code });
  for (let tries = 0; tries < 6; tries += 1) {
    expect(await handOver(others)).toMatchObject({
      status: 409,
      body: { error: { code: 'wrong_code', message: expect.stringContaining('another') } },
    });
  }
  const wrong = ['111111', '222222', '333333'].find((code) => code !== own && code !== others) ?? '';
  expect(await handOver(wrong)).toMatchObject({ body: { error: { message: expect.stringContaining('4 tries') } } });
  expect(await handOver(own)).toMatchObject({ body: { state: 'received' } });
});

test('a parcel that counts as received and is under way is waited for once, and missing for three days', async () => {
  const sale = await posted();
  expect(await move(sale, sale.buyer, { move: 'wait-longer' })).toMatchObject({ status: 200 });
  expect(await move(sale, sale.buyer, { move: 'wait-longer' })).toMatchObject({ status: 409 });
  await ahead(14.1);
  expect(await read(sale, sale.buyer)).toMatchObject({ state: 'posted' });
  await ahead(14);
  expect(await read(sale, sale.buyer)).toMatchObject({ state: 'received' });
  await ahead(2.8);
  const missing = { move: 'report-missing', words: 'It never came' };
  expect(await move(sale, sale.buyer, missing)).toMatchObject({ status: 200, body: { state: 'problem' } });
  const late = await posted();
  await ahead(14.1);
  await ahead(3.1);
  expect(await move(late, late.buyer, missing)).toMatchObject({ status: 409 });
});
