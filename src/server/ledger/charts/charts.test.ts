import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDashboardCharts, type SalesWeek, type ShopWeek } from '#contract/money/charts.ts';
import { refundBooking } from '#contract/money/money-admin.ts';
import { takeDispute } from '#server/payments/disputes/dispute.service.ts';
import { finishRefunds } from '#server/payments/refunds/refund.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { advanceClock } from '#test/clock.ts';
import { aSale, failing } from '#test/deal.ts';
import { aBuyer, anAdmin, aSeller, aUser, type TestUser } from '#test/make.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';

let t: TestApp;
let buyer: TestUser;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  [buyer, admin] = await Promise.all([aBuyer(t), anAdmin(t)]);
});
afterAll(async () => {
  await expectInvariants(t.db);
  await t.close();
});

const chartsOf = async (as: TestUser) => (await t.call(readDashboardCharts, {}, { as })).body;
const giveBack = async (bookingId: string): Promise<void> => {
  expect((await t.call(refundBooking, { params: { id: bookingId } }, { as: admin })).status).toBe(200);
  await finishRefunds(t.payments, failing);
};
const DAY_MS = 86_400_000;

/** A drawing has a name and letters, and nothing that the policy of the pages stops. */
const expectDrawn = (svg: string, ...says: readonly string[]): void => {
  expect(svg).toMatch(/^<svg role="img" aria-label="[^"]+" width="100%" height="\d+">.*<\/svg>$/);
  expect(svg).not.toMatch(/style|NaN|undefined|<script|\bon[a-z]+=/);
  for (const text of says) expect(svg).toContain(text);
};

describe('GET /dashboard/charts', () => {
  test('is refused to visitors, and has only the parts of the roles a person has', async () => {
    expect((await t.call(readDashboardCharts, {})).status).toBe(401);
    const users = [aUser(t), aBuyer(t), aSeller(t), anAdmin(t), aUser(t, { roles: ['buyer', 'seller', 'admin'] })];
    const parts = await Promise.all(users.map(async (user) => Object.keys(await chartsOf(await user)).sort()));
    expect(parts).toEqual([[], [], ['seller'], ['admin'], ['admin', 'seller']]);
  });

  test('tells a seller each of twelve weeks, what was refunded left out, and of nobody else', async () => {
    const [seller, stranger] = await Promise.all([aSeller(t), aSeller(t)]);
    const none = (await chartsOf(seller)).seller;
    expect(none?.svg).toBe('');
    expect(none?.weeks).toHaveLength(12);
    expect(none?.weeks.every(({ sold, earned }) => sold === 0 && earned === 0)).toBe(true);
    const began = none?.weeks.map(({ week }) => Date.parse(week)) ?? [];
    expect(began.every((at, n) => new Date(at).getUTCDay() === 1 && at === (began[0] ?? 0) + n * 7 * DAY_MS)).toBe(
      true,
    );

    await aSale(t, { buyer, seller });
    const lost = await aSale(t, { buyer, seller, price: '20' });
    await advanceClock(t, 3 * 7 * 24);
    for (const price of ['10', '12.50']) await aSale(t, { buyer, seller, price });
    const sold = async () => (await chartsOf(seller)).seller?.weeks.map((week) => week.sold);
    expect(await sold()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 2]);
    await giveBack(lost.bookingId);
    expect(await sold()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2]);
    const chart = (await chartsOf(seller)).seller;
    // Of $7.50, $10 and $12.50 the provider keeps 2.9 % and 30 cents each.
    expect(chart?.weeks.filter((week) => week.sold > 0).map((week) => week.earned)).toEqual([6.98, 21.25]);
    expectDrawn(chart?.svg ?? '', 'Books sold', 'Earned', '$28.23', 'this week');
    expect((await chartsOf(stranger)).seller?.svg).toBe('');
  });

  test('tells an admin what happened in the shop in each of eight weeks', async () => {
    const now = async (): Promise<ShopWeek | undefined> => (await chartsOf(admin)).admin?.weeks.at(-1);
    const before = await now();
    if (before === undefined) throw new Error('an admin has no weeks');
    const seller = await aSeller(t);
    const [kept, lost, disputed] = [
      await aSale(t, { buyer, seller, price: '8' }),
      await aSale(t, { buyer, seller, price: '9.50' }),
      await aSale(t, { buyer, seller, price: '5', card: '4000000000000259' }),
    ];
    expect(kept.intentId).not.toBe(disputed.intentId);
    await giveBack(lost.bookingId);
    for await (const facts of t.provider.listDisputes(new Date(Date.now() - DAY_MS)))
      await t.db.transaction().execute((trx) => takeDispute(trx, facts, t.payments.hooks));
    const moved = (await chartsOf(admin)).admin;
    expect(moved?.weeks).toHaveLength(8);
    expect(moved?.weeks.at(-1)).toMatchObject({
      week: before.week,
      orders: before.orders + 3,
      paid: before.paid + 22.5,
      refunded: before.refunded + 9.5,
      disputes: before.disputes + 1,
    });
    // An account is as old as it is by the real clock.
    const joined = moved?.weeks.reduce((sum, { newSellers }) => sum + newSellers, 0) ?? 0;
    await aSeller(t);
    const later = (await chartsOf(admin)).admin;
    expect(later?.weeks.reduce((sum, { newSellers }) => sum + newSellers, 0)).toBe(joined + 1);
    expectDrawn(later?.svg ?? '', 'Orders', 'Sold', 'Refunded', 'Disputes', 'New sellers');
  });

  test('shows what happened long ago no more', async () => {
    const seller = await aSeller(t);
    await aSale(t, { buyer, seller });
    await advanceClock(t, 12 * 7 * 24);
    const { weeks, svg }: { weeks: SalesWeek[]; svg: string } = (await chartsOf(seller)).seller ?? {
      weeks: [],
      svg: '-',
    };
    expect([weeks.length, svg]).toEqual([12, '']);
    expect((await chartsOf(admin)).admin?.svg).toBe('');
  });
});
