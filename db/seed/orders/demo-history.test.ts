import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEditionPage } from '#contract/catalog/editions/edition-page.ts';
import { readDashboardCharts } from '#contract/money/charts.ts';
import { readSummary } from '#contract/bookings/dashboard.ts';
import { orderRulesOf } from '#server/app.ts';
import { reconcileAll } from '#server/payments/reconciliation/reconcile.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { failing } from '#test/deal.ts';
import { credentialsOf } from '#test/make.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { DEMO_ACCOUNTS } from '#db/seed/demo-accounts.ts';
import { seedDemoHistory } from './demo-history.ts';
import { findPerson, listShelf } from './demo-orders.queries.ts';
import { ORDERS_OF } from './demo-orders.ts';
import { seedDemoShop } from '#db/seed/demo-shop.ts';

const DUNE = '9780340839935';

let t: TestApp;
let count: number;
let shelves: readonly unknown[];
beforeAll(async () => {
  t = await testApp();
  await seedDemoShop(t.db);
  const { userId } = await findPerson(t.db, ORDERS_OF);
  const before = await listShelf(t.db, userId, 100);
  const began = performance.now();
  count = await seedDemoHistory({ payments: t.payments, rules: orderRulesOf(t.config), standin: t.standinUrl });
  shelves = [before, await listShelf(t.db, userId, 100)];
  process.stdout.write(`${count} sales of the past took ${Math.round(performance.now() - began)} ms.\n`);
});
afterAll(() => t.close());

const personOf = async (label: string) => {
  const { email = '', password = '' } = DEMO_ACCOUNTS.find((one) => one.label === label) ?? {};
  return credentialsOf(t, email, password);
};

test('the demo shop has a past whose books balance and agree with the provider', async () => {
  expect(count).toBeGreaterThan(40);
  // What its orders are made of is as it was.
  expect(shelves[1]).toEqual(shelves[0]);
  await expectInvariants(t.db);
  expect((await reconcileAll(t.payments, failing)).differences).toBe(0);
});

test('its seller and admin see weeks of it, and everybody what its most sold book went for', async () => {
  const [seller, admin] = [await personOf('Seller'), await personOf('Admin')];
  const sales = (await t.call(readDashboardCharts, {}, { as: seller })).body.seller;
  expect(sales?.weeks.filter(({ sold }) => sold > 0).length).toBeGreaterThan(8);
  const earned = (await t.call(readSummary, {}, { as: seller })).body.seller?.earned ?? 0;
  expect(sales?.weeks.reduce((sum, week) => sum + week.earned, 0)).toBeLessThanOrEqual(earned);
  const shop = (await t.call(readDashboardCharts, {}, { as: admin })).body.admin;
  expect(shop?.weeks.filter(({ orders, paid }) => orders > 0 && paid > 0).length).toBeGreaterThan(6);
  const { history } = (await t.call(readEditionPage, { params: { isbn: DUNE }, query: {} })).body;
  expect(history.map(({ condition, months }) => [condition, months.length])).toEqual([['Good', 5]]);
});

test('half of it was reviewed, some with a reply', async () => {
  const rows = await t.db.selectFrom('reviews').select(['stars', 'reply']).execute();
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter(({ reply }) => reply !== '').length).toBeGreaterThan(3);
});
