import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBooking } from '#contract/bookings/bookings.ts';
import { refundBooking } from '#contract/money/money-admin.ts';
import { linkPayoutAccount } from '#contract/money/payouts.ts';
import { moveOrder } from '#contract/orders/orders.ts';
import { orderRulesOf } from '#server/app.ts';
import { moveDueOrders } from '#server/orders/order-sweep.service.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { takeDispute } from '#server/payments/disputes/dispute.service.ts';
import { checkInvariants } from '#server/payments/reconciliation/invariants.service.ts';
import { reconcileAll } from '#server/payments/reconciliation/reconcile.service.ts';
import { finishRefunds } from '#server/payments/refunds/refund.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { advanceClock } from '#test/clock.ts';
import { aSale, atProvider, failing } from '#test/deal.ts';
import { aBuyer, aCategory, anAdmin, aSeller, type TestUser } from '#test/make.ts';
import { storiesOr, STORIES_TIMEOUT_MS } from '#test/model.ts';
import { lookAtSellers } from './due.service.ts';
import { refreshAccount } from './payee.service.ts';
import { sendReversals } from './reversal.service.ts';
import { sendPayouts } from './transfer.service.ts';

let t: TestApp;
let beside: TestApp;
let buyer: TestUser;
let admin: TestUser;
let category: string;

beforeAll(async () => {
  t = await testApp();
  beside = await testApp({ beside: t });
  [buyer, admin] = await Promise.all([aBuyer(t), anAdmin(t)]);
  category = await aCategory(t, await aSeller(t));
});
afterAll(async () => {
  await beside.close();
  await t.close();
});

/** Of the provider's own clock. */
let aheadSeconds = 0;

const PRICES = ['7.50', '12.10', '0.50', '99.99'] as const;

/** What can happen: sales come to their end, money goes back, banks and the provider do as they please. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('release' as const), price: fc.constantFrom(...PRICES) }),
  },
  { weight: 5, arbitrary: fc.record({ what: fc.constant('work' as const), atOnce: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('refund' as const), which: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('give back' as const),
      which: fc.nat(9),
      cents: fc.integer({ min: 1, max: 900 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('dispute' as const),
      which: fc.nat(9),
      to: fc.constantFrom('open' as const, 'won' as const, 'lost' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('fault' as const),
      fault: fc.constantFrom('fail' as const, 'cut' as const),
      on: fc.constantFrom('POST /v1/transfers', 'POST /v1/transfers/:id/reversals'),
      next: fc.constantFrom(1, 3),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('account' as const),
      state: fc.constantFrom('active', 'restricted'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('to the bank' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('balance' as const), available: fc.constantFrom(0, 1_000_000) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('wait' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Sale {
  readonly orderId: string;
  readonly bookingId: string;
  readonly intentId: string;
  readonly cents: number;
  disputes: number;
  isDisputed: boolean;
}

interface Story {
  readonly seller: TestUser;
  readonly account: string;
  readonly sales: Sale[];
}

const begin = async (): Promise<Story> => {
  const seller = await aSeller(t);
  const { body } = await t.call(linkPayoutAccount, { body: {} }, { as: seller });
  expect(body.url).not.toBe('');
  const row = await t.db
    .selectFrom('payout_accounts')
    .select('account_id')
    .where('seller_id', '=', seller.id)
    .executeTakeFirstOrThrow();
  const story = { seller, account: row.account_id ?? '', sales: [] };
  await atProvider(t, '/balance', { available: 1_000_000 } as never);
  await setAccount(story, 'active');
  return story;
};

/** Of an account that is ready an event tells; that it is not any more, the next transfer finds out. */
const setAccount = async ({ seller, account }: Story, state: string): Promise<void> => {
  await atProvider(t, `/accounts/${account}/state`, { state });
  if (state === 'active') await refreshAccount(t.payments, seller.id);
};

const release = async ({ seller, sales }: Story, price: string): Promise<void> => {
  const { bookingId, intentId } = await aSale(t, { buyer, seller, category, price });
  const { orderId } = (await t.call(readBooking, { params: { id: bookingId } }, { as: buyer })).body;
  const id = orderId ?? '';
  const move = (body: { move: string } & Record<string, string>, as: TestUser) =>
    t.call(moveOrder, { params: { id }, body }, { as });
  expect(await move({ move: 'make-ready', place: 'Here', times: 'Now or later' }, seller)).toMatchObject({
    status: 200,
  });
  expect(await move({ move: 'hand-over' }, buyer)).toMatchObject({ status: 200 });
  sales.push({
    orderId: id,
    bookingId,
    intentId,
    cents: Math.round(Number(price) * 100),
    disputes: 0,
    isDisputed: false,
  });
  await advanceClock(t, 73);
  await moveDueOrders(t.db, orderRulesOf(t.config), failing);
};

const round = async (payments: PaymentDeps): Promise<void> => {
  // What the provider broke is taken up again, and is not for the test to fail by.
  await lookAtSellers(payments.db, failing);
  await sendPayouts(payments, () => {});
  await sendReversals(payments, () => {});
};

/** A second process of the shop, which has the same provider. */
const others = (): PaymentDeps => ({ ...beside.payments, provider: t.provider });

const leasesOver = () =>
  sql`WITH r AS (UPDATE payout_reversals SET asked_at = now() - interval '1 minute' WHERE state = 'asked' AND asked_at IS NOT NULL)
    UPDATE payouts SET asked_at = now() - interval '1 minute' WHERE state = 'asked' AND asked_at IS NOT NULL`.execute(
    t.db,
  );

const dispute = async (sale: Sale, to: 'open' | 'won' | 'lost'): Promise<void> => {
  if (to === 'open' ? sale.isDisputed : !sale.isDisputed) return;
  if (to === 'open') sale.disputes += 1;
  sale.isDisputed = to === 'open';
  const id = `dp_${sale.orderId}_${sale.disputes}`;
  const facts = { id, intentId: sale.intentId, amountCents: sale.cents, reason: 'fraudulent', dueBy: null, state: to };
  await t.db.transaction().execute((trx) => takeDispute(trx, facts, t.payments.hooks));
};

const go = async (story: Story, does: Step): Promise<void> => {
  const sale = 'which' in does ? story.sales[does.which % Math.max(1, story.sales.length)] : undefined;
  switch (does.what) {
    case 'release':
      return release(story, does.price);
    case 'work':
      await leasesOver();
      await (does.atOnce ? Promise.all([t.payments, others(), t.payments].map(round)) : round(t.payments));
      return;
    case 'refund':
      if (sale === undefined) return;
      expect([200, 409]).toContain(
        (await t.call(refundBooking, { params: { id: sale.bookingId } }, { as: admin })).status,
      );
      return;
    case 'give back': {
      if (sale === undefined) return;
      const body = { move: 'refund-later', amount: does.cents / 100 };
      const { status } = await t.call(moveOrder, { params: { id: sale.orderId }, body }, { as: story.seller });
      expect([200, 409]).toContain(status);
      return;
    }
    case 'dispute':
      if (sale !== undefined) await dispute(sale, does.to);
      return;
    case 'fault':
      t.standin.plan({ seed: 1, faults: [{ fault: does.fault, on: does.on, next: does.next }] });
      return;
    case 'account':
      return setAccount(story, does.state);
    case 'to the bank':
      // Once what was paid by a card is at hand there.
      aheadSeconds += 3 * 86_400;
      await atProvider(t, '/clock', { aheadSeconds } as never);
      await atProvider(t, `/accounts/${story.account}/pay-out`, {});
      return;
    case 'balance':
      await atProvider(t, '/balance', { available: does.available } as never);
      return;
    case 'wait':
      await advanceClock(t, 1);
      return;
    default:
      does satisfies never;
  }
};

/** What the provider has sent to an account and not taken back, in cents; each transfer named once. */
const atTheProvider = async (account: string) => {
  const all = [];
  for await (const transfer of t.provider.connect.listTransfers(new Date(0))) {
    if (transfer.accountId === account) all.push(transfer);
  }
  const named = new Set(all.map(({ payoutId }) => payoutId));
  return {
    twice: all.length - named.size,
    cents: all.reduce((sum, { amountCents, reversedCents }) => sum + amountCents - reversedCents, 0),
  };
};

const inTheBooks = async (sellerId: string) => {
  const { rows } = await sql<{ sent: number; onItsWay: number; due: number; asked: number }>`
    SELECT (SELECT coalesce(sum(amount_cents - reversed_cents), 0) FROM payouts
        WHERE seller_id = ${sellerId} AND state = 'sent')::int AS sent,
      -coalesce(sum(amount_cents) FILTER (WHERE account = 'in-transit'), 0)::int AS "onItsWay",
      -coalesce(sum(amount_cents) FILTER (WHERE account = 'seller'), 0)::int AS due,
      (SELECT count(*)::int FROM payout_reversals r JOIN payouts p ON p.id = r.payout_id
        WHERE p.seller_id = ${sellerId} AND r.state = 'asked') AS asked
    FROM ledger_entries WHERE seller_id = ${sellerId}`.execute(t.db);
  return rows[0] ?? { sent: 0, onItsWay: 0, due: 0, asked: 0 };
};

test(
  'whatever is released, given back, disputed, refused or lost on the way: everybody has what they are due, once',
  { timeout: STORIES_TIMEOUT_MS },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const story = await begin();
        await release(story, '7.50');
        for (const does of steps) {
          await go(story, does);
          const broken = (await checkInvariants(t.db)).filter(({ violations }) => violations > 0);
          expect({ does, broken }).toEqual({ does, broken: [] });
        }
        // Everything that was in the way is over.
        t.standin.plan({ seed: 1, faults: [] });
        await atProvider(t, '/balance', { available: 1_000_000 } as never);
        await setAccount(story, 'active');
        for (const sale of story.sales) await dispute(sale, 'won');
        await finishRefunds(t.payments, failing);
        for (let n = 0; n < 4; n += 1) {
          await advanceClock(t, 1);
          await leasesOver();
          await round(t.payments);
        }
        const [books, there] = [await inTheBooks(story.seller.id), await atTheProvider(story.account)];
        expect(there).toEqual({ twice: 0, cents: books.sent });
        expect(books).toMatchObject({ onItsWay: 0, asked: 0 });
        // Nobody is due anything any more; who owes has had it taken back as far as it was there.
        expect(books.due).toBeLessThanOrEqual(0);
        await reconcileAll(t.payments, failing);
        const told = await t.db
          .selectFrom('money_differences')
          .select(['kind', 'says'])
          .where('kind', 'in', ['unknown-transfer', 'other-transfer', 'missed-transfer', 'missed-reversal'])
          .where('says', 'like', `%${story.account}%`)
          .execute();
        expect(told).toEqual([]);
      }),
      storiesOr(15, 120),
    );
    // Stories in which nothing was sent or taken back would prove little.
    const { rows } = await sql<{ what: string; times: number }>`
      SELECT 'payouts ' || state AS what, count(*)::int AS times FROM payouts GROUP BY 1
      UNION ALL SELECT 'reversals ' || state, count(*)::int FROM payout_reversals GROUP BY 1`.execute(t.db);
    const times = new Map(rows.map((row) => [row.what, row.times]));
    const never = ['payouts sent', 'reversals done'].filter((what) => !times.has(what));
    expect(never).toEqual([]);
  },
);
