import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBooking } from '#contract/bookings/bookings.ts';
import { refundBooking } from '#contract/money/money-admin.ts';
import { createPaymentIntent, recordPayment } from '#contract/money/payments.ts';
import { moveOrder, readOrder } from '#contract/orders/orders.ts';
import { ORDER_MOVE_IDS } from '#contract/orders/states.ts';
import { readRecord, recordAnew } from './record/record.service.ts';
import { orderRulesOf } from '#server/app.ts';
import { takeDispute } from '#server/payments/disputes/dispute.service.ts';
import { takeRefunds } from '#server/payments/refunds/refund-record.service.ts';
import { finishRefunds } from '#server/payments/refunds/refund.service.ts';
import { checkInvariants } from '#server/payments/reconciliation/invariants.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { advanceClock } from '#test/clock.ts';
import { aDeal, atProvider, failing, GOOD_CARD, intentIdOf } from '#test/deal.ts';
import { aBuyer, aCategory, anAdmin, aSeller, type TestUser } from '#test/make.ts';
import { storiesOr, STORIES_TIMEOUT_MS } from '#test/model.ts';

import { confirmCard } from '#test/money/pay.ts';
import { moveDueOrders, remindOfOrders } from './order-sweep.service.ts';

/** Each looks at all the books after every step, and people stay signed in for ten minutes. */
const MOST_STORIES = 120;

let t: TestApp;
let people: { buyer: TestUser; seller: TestUser; admin: TestUser };
let category: string;

beforeAll(async () => {
  t = await testApp();
  const [buyer, seller, admin] = await Promise.all([aBuyer(t), aSeller(t), anAdmin(t)]);
  people = { buyer, seller, admin };
  category = await aCategory(t, seller);
  await sql`INSERT INTO delivery_terms (seller_id, pickup, pickup_place, post, first_cents, further_cents, countries, days_to_post)
    VALUES (${seller.id}, true, '', true, 400, 100, '{US}', 2)`.execute(t.db);
});
afterAll(() => t.close());

/** What can happen to an order: somebody moves it, time passes, money moves elsewhere, the shop does its work. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('move' as const),
      who: fc.constantFrom('buyer', 'seller', 'admin'),
      move: fc.constantFrom(...ORDER_MOVE_IDS),
      amount: fc.integer({ min: 1, max: 900 }),
      rightCode: fc.boolean(),
      isOne: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 720 }) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('refunds' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('elsewhere' as const), amount: fc.integer({ min: 1, max: 750 }) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('admin refunds' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('dispute' as const),
      to: fc.constantFrom('open' as const, 'won' as const, 'lost' as const, 'appeal' as const),
      isInquiry: fc.boolean(),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const kind = fc.record({
  isParcel: fc.boolean(),
  delivery: fc.constantFrom('pickup' as const, 'post' as const),
  mayWithdraw: fc.boolean(),
  /** What is posted is there already: half of what can happen happens afterwards. */
  isThere: fc.boolean(),
});

interface Story {
  readonly orderId: string;
  readonly bookingIds: readonly string[];
  readonly totalCents: number;
  readonly intentId: string;
  disputes: number;
  isDisputed: boolean;
  isInquiry: boolean;
  /** Which of its disputes were lost, the last last. */
  readonly lost: number[];
}

const ADDRESS = {
  name: 'Bo',
  line1: '1 Main Street',
  line2: '',
  city: 'Portland',
  state: 'OR',
  postcode: '97201',
  country: 'US',
};

/** A new order of one or two books, posted or picked up. */
const begin = async (kind: {
  isParcel: boolean;
  delivery: 'pickup' | 'post';
  mayWithdraw: boolean;
}): Promise<Story> => {
  const { buyer, seller } = people;
  const deals = [await aDeal(t, { buyer, seller, category })];
  if (kind.isParcel) deals.push(await aDeal(t, { buyer, seller, category, price: '12.10' }));
  const bookingIds = deals.map(({ bookingId }) => bookingId);
  const [bookingId = ''] = bookingIds;
  const body = { price: 7.5, bookingId, bookingIds, delivery: kind.delivery, address: ADDRESS };
  const { clientSecret, total } = (await t.call(createPaymentIntent, { body }, { as: buyer })).body;
  await confirmCard(t.standinUrl, clientSecret, GOOD_CARD);
  const transactionId = intentIdOf(clientSecret);
  const paid = { price: 7.5, transactionId, email: buyer.email, bookingId };
  expect(await t.call(recordPayment, { body: paid }, { as: buyer })).toMatchObject({ status: 200 });
  const { orderId } = (await t.call(readBooking, { params: { id: bookingId } }, { as: buyer })).body;
  // As if a business had sold it to Europe.
  await sql`UPDATE orders SET may_withdraw = ${kind.mayWithdraw} WHERE id = ${orderId}`.execute(t.db);
  return {
    orderId: orderId ?? '',
    bookingIds,
    intentId: transactionId,
    totalCents: Math.round(total * 100),
    disputes: 0,
    isDisputed: false,
    isInquiry: false,
    lost: [],
  };
};

/** What the bank says of one of an order's disputes. */
const hear = async (story: Story, n: number, state: 'open' | 'won' | 'lost', isInquiry: boolean): Promise<void> => {
  const id = `dp_${story.orderId}_${n}`;
  const { intentId, totalCents: amountCents } = story;
  const facts = { id, intentId, amountCents, reason: 'fraudulent', dueBy: null, state, isInquiry };
  await t.db.transaction().execute((trx) => takeDispute(trx, facts, t.payments.hooks));
};

/**
 * A bank asks or takes; what it asked about it may take under the same name, before it decides or at once. What it gave
 * to the buyer an appeal may get back.
 */
const dispute = async (story: Story, to: 'open' | 'won' | 'lost' | 'appeal', isInquiry: boolean): Promise<void> => {
  if (to === 'appeal') {
    const n = story.lost.pop();
    if (n !== undefined) await hear(story, n, 'won', false);
    return;
  }
  if (to === 'open') {
    if (story.isDisputed && !(story.isInquiry && !isInquiry)) return;
    if (!story.isDisputed) story.disputes += 1;
    story.isInquiry = isInquiry;
  } else if (!story.isDisputed) return;
  story.isDisputed = to === 'open';
  if (to === 'lost') story.lost.push(story.disputes);
  await hear(story, story.disputes, to, story.isInquiry && to !== 'lost');
};

const go = async (story: Story, does: Step): Promise<void> => {
  const params = { id: story.orderId };
  switch (does.what) {
    case 'move': {
      const { code, problem } = (await t.call(readOrder, { params }, { as: people.buyer })).body;
      const body = {
        move: does.move,
        carrier: 'USPS',
        tracking: '1',
        place: 'Here',
        times: 'Now or later',
        code: does.rightCode ? code : '000000',
        reason: 'So it is',
        sendBack: 'By post, to 1 Elm Street',
        words: 'Not as described',
        why: does.isOne ? ('unclaimed' as const) : ('other' as const),
        // An offer is taken as it stands, or as it never was.
        amount: (does.rightCode ? problem?.offer : null) ?? does.amount / 100,
        ...(does.isOne && { bookingId: story.bookingIds[0] ?? '' }),
      };
      const { status } = await t.call(moveOrder, { params, body }, { as: people[does.who as keyof typeof people] });
      expect([200, 400, 409, 429]).toContain(status);
      return;
    }
    case 'wait':
      await advanceClock(t, does.hours);
      await moveDueOrders(t.db, orderRulesOf(t.config), failing);
      await remindOfOrders(t.db);
      return;
    case 'refunds':
      // What the provider refuses (more than is left after a refund elsewhere) is told, not thrown.
      await finishRefunds(t.payments, failing);
      return;
    case 'elsewhere': {
      const amount = String(does.amount);
      await atProvider(t, '/v1/refunds', { payment_intent: story.intentId, amount }, true).catch(() => undefined);
      const refunds = await t.provider.findRefunds(story.intentId);
      await t.db
        .transaction()
        .execute((trx) => takeRefunds(trx, { intentId: story.intentId, refunds }, t.payments.hooks));
      return;
    }
    case 'admin refunds':
      await t.call(refundBooking, { params: { id: story.bookingIds.at(-1) ?? '' } }, { as: people.admin });
      return;
    case 'dispute':
      await dispute(story, does.to, does.isInquiry);
      return;
    default:
      does satisfies never;
  }
};

test(
  'whatever happens to an order, and in which order: no cent is lost, and nothing is given twice',
  { timeout: STORIES_TIMEOUT_MS },
  async () => {
    await fc.assert(
      fc.asyncProperty(kind, fc.array(step, { minLength: 1, maxLength: 12 }), async (its, steps) => {
        const story = await begin(its);
        if (its.isThere && its.delivery === 'post') {
          for (const [as, move] of [
            ['seller', 'post'],
            ['buyer', 'receive'],
          ] as const)
            await t.call(
              moveOrder,
              { params: { id: story.orderId }, body: { move, carrier: 'USPS', tracking: '1' } },
              { as: people[as] },
            );
        }
        for (const does of steps) {
          await go(story, does);
          const broken = (await checkInvariants(t.db)).filter(({ violations }) => violations > 0);
          expect({ does, broken }).toEqual({ does, broken: [] });
          // Added up as orders end, it is what all of them make.
          const { calendar } = orderRulesOf(t.config).clock;
          const record = await recordAnew(t.db, people.seller.id, calendar);
          expect({ does, record: await readRecord(t.db, people.seller.id) }).toEqual({ does, record });
        }
        await finishRefunds(t.payments, failing);
        const made = await t.provider.findRefunds(story.intentId);
        const { rows } = await sql<{ cents: number; isTold: boolean }>`
          SELECT coalesce(sum(amount_cents), 0)::int AS cents, EXISTS (SELECT FROM money_differences
            WHERE kind = 'missed-refund' AND subject = ANY(${made.map(({ id }) => id)})) AS "isTold"
          FROM refunds WHERE intent_id = ${story.intentId} AND state = 'done' AND dispute_id IS NULL`.execute(t.db);
        const given = made.reduce((sum, { amountCents }) => sum + amountCents, 0);
        // What somebody gives back at the provider of money that is on its way already is told to an operator.
        if (rows[0]?.isTold !== true) expect(given).toBe(rows[0]?.cents);
      }),
      storiesOr(25, MOST_STORIES),
    );
  },
);
