import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMyBookings, listMyBuyers } from '#contract/bookings/bookings.ts';
import { countListings } from '#contract/catalog/catalog.ts';
import { ORDER_STATES } from '#contract/orders/states.ts';
import { listWants } from '#contract/wants/wants.ts';
import { orderRulesOf } from '#server/app.ts';
import { releaseLapsedHolds } from '#server/payments/settlement/release.service.ts';
import { moveShopClock } from '#server/platform/postgres/clock.ts';
import { finishRefunds } from '#server/payments/refunds/refund.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { failing } from '#test/deal.ts';
import { credentialsOf } from '#test/make.ts';
import { offerAll } from '#test/wants.ts';
import { DEMO_ACCOUNTS } from '#db/seed/demo-accounts.ts';
import { DEMO_STORIES } from './demo-order-stories.ts';
import { seedDemoHolds } from '#db/seed/demo-holds.ts';
import { seedDemoOrders } from './demo-orders.ts';
import { seedDemoShop } from '#db/seed/demo-shop.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  await seedDemoShop(t.db);
});
afterAll(() => t.close());

const personOf = async (label: string) => {
  const { email = '', password = '' } = DEMO_ACCOUNTS.find((one) => one.label === label) ?? {};
  return { email, ...(await credentialsOf(t, email, password)) };
};

test('the demo shop has orders in every state on both sides, and its books balance', async () => {
  const { count: shelf } = (await t.call(countListings, {})).body;
  const began = performance.now();
  const count = await seedDemoOrders({ payments: t.payments, rules: orderRulesOf(t.config), standin: t.standinUrl });
  process.stdout.write(`${count} demo orders took ${Math.round(performance.now() - began)} ms.\n`);
  expect(count).toBe(DEMO_STORIES.length);
  await finishRefunds(t.payments, failing);
  await expectInvariants(t.db);
  // What its buyer cancelled is for sale again.
  expect((await t.call(countListings, {})).body).toEqual({ count: shelf + 1 });

  const [buyer, seller] = [await personOf('Buyer'), await personOf('Seller')];
  const bought = (await t.call(listMyBookings, { query: { email: buyer.email, limit: '100' } }, { as: buyer })).body;
  const sold = (await t.call(listMyBuyers, { query: { email: seller.email, limit: '100' } }, { as: seller })).body;
  for (const rows of [bought, sold]) {
    expect(new Set(rows.map(({ order }) => order?.state))).toEqual(new Set(ORDER_STATES));
    expect(rows.filter(({ order }) => order?.frozen)).toHaveLength(1);
    expect(rows.filter(({ order }) => order?.deciding)).toHaveLength(1);
  }
  const outcomes = new Set(
    bought.flatMap(({ order }) => (order === null || order.outcome === '' ? [] : order.outcome)),
  );
  expect(outcomes).toEqual(
    new Set(['completed', 'kept', 'refunded', 'part-refunded', 'cancelled-by-buyer', 'cancelled-by-seller']),
  );
});

test('its buyer has a book to pay, and the line gives them another once it is free', async () => {
  await seedDemoHolds(t.db, 30);
  const buyer = await personOf('Buyer');
  const mine = async () =>
    (await t.call(listMyBookings, { query: { email: buyer.email, limit: '100' } }, { as: buyer })).body.filter(
      ({ order }) => order === null,
    );
  expect(await mine()).toMatchObject([{ title: 'Sapiens: A Brief History of Humankind', hold: 'held' }]);
  await moveShopClock(t.db, 3_600);
  await releaseLapsedHolds(t.payments, failing);
  expect(await mine()).toMatchObject([
    { title: 'Dune', hold: 'held' },
    { title: 'Sapiens: A Brief History of Humankind', hold: 'lapsed' },
  ]);
  expect(await offerAll(t)).toBe(1);
  const { wants } = (await t.call(listWants, {}, { as: buyer })).body;
  expect(wants.filter(({ offer }) => offer !== null)).toMatchObject([{ title: 'Kindred', state: 'offered' }]);
  await expectInvariants(t.db);
});
