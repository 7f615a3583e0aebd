import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cancelBooking } from '#contract/bookings/bookings.ts';
import { listPayments, readMoneyState } from '#contract/money/money-admin.ts';
import { STANDIN_SECRET_KEY } from '#standins/stripe/keys.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aDeal, askForIntent, aSale, atProvider, bookingOf, failing, payAtProvider } from '#test/deal.ts';
import { aBuyer, aCategory, anAdmin, aSeller, type TestUser } from '#test/make.ts';
import { confirmCard } from '#test/money/pay.ts';
import { checkInvariants } from './invariants.service.ts';
import { reconcileAll, reconcileUnpaid, reconcileWhenDue } from './reconcile.service.ts';

let t: TestApp;
let seller: TestUser;
let buyer: TestUser;
let admin: TestUser;
let category: string;

beforeAll(async () => {
  t = await testApp();
  [seller, buyer, admin] = await Promise.all([aSeller(t), aBuyer(t), anAdmin(t)]);
  category = await aCategory(t, seller);
});
afterAll(() => t.close());

/** Alerts of the last test: what calls a user is told once. */
let alerts: string[] = [];
beforeEach(() => {
  alerts = [];
});
const deps = () => ({ ...t.payments, alert: (what: string) => void alerts.push(what) });

const deal = () => aDeal(t, { seller, category, buyer });
const ageIntents = () =>
  t.db
    .updateTable('payment_intents')
    .set({ created_at: new Date(Date.now() - 600_000) })
    .execute();
const differencesOf = (subject: string) =>
  t.db.selectFrom('money_differences').selectAll().where('subject', '=', subject).execute();
/** As by default. */
const often = { unpaidSeconds: 600, allSeconds: 86_400 };
const runs = () => t.db.selectFrom('reconcile_runs').selectAll().orderBy('id').execute();

describe('comparing unpaid bookings', () => {
  test('books money that nobody told of, and leaves what is still being paid alone', async () => {
    const [forgotten, young] = [await deal(), await deal()];
    await payAtProvider(t, forgotten);
    await ageIntents();
    await askForIntent(t, young);
    expect(await reconcileUnpaid(deps(), failing)).toMatchObject({ lookedAt: 1, settled: 1 });
    expect(await bookingOf(t, forgotten)).toMatchObject({ paid: true });
    expect(await reconcileUnpaid(deps(), failing)).toEqual({ lookedAt: 0, settled: 0, differences: 0 });
    await t.call(cancelBooking, { params: { id: young.bookingId } }, { as: buyer });
  });

  test('goes on when the provider does not answer about one of them', async () => {
    const [silent, told] = [await deal(), await deal()];
    for (const one of [silent, told]) await payAtProvider(t, one);
    await ageIntents();
    t.standin.plan({ seed: 1, faults: [{ fault: 'cut', on: 'GET /v1/payment_intents/:id', next: 3 }] });
    const failed: string[] = [];
    const counts = await reconcileUnpaid(deps(), (_error, subject) => failed.push(subject));
    expect([failed.length, counts.settled]).toEqual([1, 1]);
    expect(await reconcileUnpaid(deps(), failing)).toMatchObject({ settled: 1 });
  });
});

describe('comparing everything', () => {
  test('finds an intent in our name that we did not make, and tells of it once', async () => {
    const sold = await aSale(t, { seller, category, buyer });
    const stripe = new Stripe(STANDIN_SECRET_KEY, {
      host: '127.0.0.1',
      port: Number(t.standinUrl.port),
      protocol: 'http',
    });
    const foreign = await stripe.paymentIntents.create({
      amount: 750,
      currency: 'usd',
      metadata: { booking_id: sold.bookingId, n: '7' },
    });
    await confirmCard(t.standinUrl, foreign.client_secret ?? '', '4242424242424242');
    expect(await reconcileAll(deps(), failing)).toMatchObject({ settled: 0, differences: 1 });
    expect(await reconcileAll(deps(), failing)).toMatchObject({ differences: 1 });
    expect(await differencesOf(foreign.id)).toMatchObject([{ kind: 'unknown-intent', times: 2, mended_at: null }]);
    expect(alerts).toEqual(['the books and the provider differ']);
    await t.db.deleteFrom('money_differences').execute();
    await stripe.refunds.create({ payment_intent: foreign.id });
  });

  test('finds a payment of ours that the provider does not confirm', async () => {
    const paying = await deal();
    const intent = {
      booking_id: paying.bookingId,
      n: 1,
      amount_cents: 750,
      provider_id: 'pi_never',
      state: 'succeeded',
    } as const;
    await t.db.insertInto('payment_intents').values(intent).execute();
    await t.db
      .insertInto('payments')
      .values({ booking_id: paying.bookingId, provider_id: 'pi_never', amount_cents: 750, currency: 'usd' })
      .execute();
    await reconcileAll(deps(), failing);
    expect(await differencesOf('pi_never')).toMatchObject([{ kind: 'payment-without-intent', mended_at: null }]);
    // The invariants see the payment that paid for nothing, too: no booking, no posting, no cent in the ledger, no
    // receipt.
    const broken = (await checkInvariants(t.db)).filter(({ violations }) => violations > 0);
    expect(broken.map(({ id }) => id)).toEqual(['I2', 'I4', 'I8', 'I6']);
    const state = (await t.call(readMoneyState, {}, { as: admin })).body;
    expect(state.violations).toBe(4);
    expect(state.differences.find(({ subject }) => subject === 'pi_never')).toMatchObject({ mendedAt: null, times: 1 });
  });

  test('books refunds, disputes and intents whose id was never saved', async () => {
    const [refunded, disputed, lost] = [
      await aSale(t, { seller, category, buyer }),
      await aSale(t, { seller, category, buyer, card: '4000000000000259' }),
      await deal(),
    ];
    await atProvider(t, '/v1/refunds', { payment_intent: refunded.intentId }, true);
    const lostId = await payAtProvider(t, lost);
    await t.db.updateTable('payment_intents').set({ provider_id: null }).where('provider_id', '=', lostId).execute();
    expect(await reconcileAll(deps(), failing)).toMatchObject({ settled: 1 });
    expect(await bookingOf(t, refunded)).toMatchObject({ refunded: true });
    expect(await differencesOf(refunded.intentId)).toMatchObject([
      { kind: 'missed-refund', mended_at: expect.any(Date) },
    ]);
    expect(await bookingOf(t, lost)).toMatchObject({ paid: true });
    const payments = (await t.call(listPayments, { query: {} }, { as: admin })).body;
    expect(payments.find(({ bookingId }) => bookingId === disputed.bookingId)?.state).toBe('disputed');
  });
});

test('goes on with the next dispute when one of them fails', async () => {
  const [one, two] = [await aSale(t, { seller, category, buyer }), await aSale(t, { seller, category, buyer })];
  for (const { intentId } of [one, two]) await atProvider(t, '/disputes', { payment_intent: intentId });
  const failed: string[] = [];
  let isFirst = true;
  const disputed: typeof t.payments.hooks.disputed = async (trx, dispute) => {
    if (isFirst) {
      isFirst = false;
      throw new Error('of a test');
    }
    await t.payments.hooks.disputed(trx, dispute);
  };
  const hooks = { ...t.payments.hooks, disputed };
  await reconcileAll({ ...deps(), hooks }, (_error, subject) => failed.push(subject));
  const known = await t.db.selectFrom('disputes').select('id').execute();
  expect(failed).toHaveLength(1);
  expect(known.map(({ id }) => id)).not.toContain(failed[0]);
  await reconcileAll(deps(), failing);
  expect(await t.db.selectFrom('disputes').select('id').execute()).toHaveLength(known.length + 1);
});

test('is done when it is due, by one process, and written down', async () => {
  await t.db.deleteFrom('reconcile_runs').execute();
  await Promise.all([1, 2, 3].map(() => reconcileWhenDue(deps(), often, failing)));
  expect((await runs()).map(({ scope }) => scope).toSorted()).toEqual(['all', 'unpaid']);
  await reconcileWhenDue(deps(), often, failing);
  expect(await runs()).toHaveLength(2);
  await t.db
    .updateTable('reconcile_runs')
    .set({ ended_at: new Date(Date.now() - 601_000) })
    .execute();
  await reconcileWhenDue(deps(), often, failing);
  expect((await runs()).map(({ scope }) => scope)).toEqual(expect.arrayContaining(['unpaid', 'unpaid', 'all']));
  const { reconciled } = (await t.call(readMoneyState, {}, { as: admin })).body;
  expect(reconciled).toMatchObject({ unpaid: { settled: 0 }, all: { differences: expect.any(Number) } });
});

test('the money page and the payments are for admins', async () => {
  for (const user of [buyer, seller]) {
    expect((await t.call(readMoneyState, {}, { as: user })).status).toBe(403);
    expect((await t.call(listPayments, { query: {} }, { as: user })).status).toBe(403);
  }
  expect((await t.call(readMoneyState, {})).status).toBe(401);
  expect((await t.call(listPayments, { query: {} })).status).toBe(401);
  expect((await t.call(listPayments, { query: { cursor: 'nonsense' } }, { as: admin })).status).toBe(400);
});
