import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveOrder, readOrder } from '#contract/orders/orders.ts';
import { orderRulesOf } from '#server/app.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { advanceClock } from '#test/clock.ts';
import { aSale, bookingOf, failing } from '#test/deal.ts';
import { keepHeartbeat, moveDueOrders, remindOfOrders } from '#server/orders/order-sweep.service.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const HOUR_MS = 3_600_000;

const anOrder = async () => {
  const sale = await aSale(t);
  return { ...sale, id: (await bookingOf(t, sale)).orderId ?? '' };
};

type Sold = Awaited<ReturnType<typeof anOrder>>;

const dueOf = async ({ id, buyer }: Sold): Promise<number> =>
  Date.parse((await t.call(readOrder, { params: { id } }, { as: buyer })).body.due?.at ?? '');

const remindersOf = async ({ id }: Sold): Promise<number[]> =>
  (await t.db.selectFrom('order_reminders').select('at').where('order_id', '=', id).orderBy('at').execute()).map(
    ({ at }) => at.getTime(),
  );

/** As if nothing had run for so long: all that was there is as much older, and as much of every wait is over. */
const standStill = async (hours: number): Promise<void> => {
  const gap = sql`make_interval(secs => ${hours * 3_600}::float8)`;
  await sql`UPDATE order_heartbeat SET at = now() - ${gap}`.execute(t.db);
  await sql`UPDATE orders SET due_at = due_at - ${gap}, entered_at = entered_at - ${gap}`.execute(t.db);
  await sql`UPDATE order_reminders SET at = at - ${gap}`.execute(t.db);
};

const sweep = () => moveDueOrders(t.db, orderRulesOf(t.config), failing);

/** Within the seconds that a test takes. */
const about = (ms: number): readonly [number, number] => [ms - 30_000, ms + 30_000];
const expectAbout = (actual: number, expected: number): void => {
  const [least, most] = about(expected);
  expect(actual).toBeGreaterThan(least);
  expect(actual).toBeLessThan(most);
};

describe('a shop that stood still', () => {
  test('for two days gives everybody two days more, once, and cancels nothing', async () => {
    await keepHeartbeat(t.db);
    const sale = await anOrder();
    const [due, reminders] = [await dueOf(sale), await remindersOf(sale)];
    expect(reminders).toHaveLength(2);
    await standStill(48);
    const stood = await Promise.all([keepHeartbeat(t.db), keepHeartbeat(t.db)]);
    expect(stood.filter((one) => one !== undefined)).toMatchObject([{ orders: 1 }]);
    expectAbout(stood.find((one) => one !== undefined)?.ms ?? 0, 48 * HOUR_MS);
    expectAbout(await dueOf(sale), due);
    for (const [place, at] of (await remindersOf(sale)).entries()) expectAbout(at, reminders[place] ?? 0);
    expect([await sweep(), await remindOfOrders(t.db)]).toEqual([0, 0]);
    expect(await keepHeartbeat(t.db)).toBeUndefined();
    expectAbout(await dueOf(sale), due);
  });

  test('for ten days has not cancelled what was promised meanwhile; after the rest it does', async () => {
    const sale = await anOrder();
    const due = await dueOf(sale);
    await standStill(240);
    await keepHeartbeat(t.db);
    expect(await sweep()).toBe(0);
    expectAbout(await dueOf(sale), due);
    await advanceClock(t, 24 * 12);
    expect(await sweep()).toBeGreaterThan(0);
    expect((await t.call(readOrder, { params: { id: sale.id } }, { as: sale.buyer })).body.outcome).toBe('not-posted');
  });

  test('for less than an hour goes on as before', async () => {
    const sale = await anOrder();
    const due = await dueOf(sale);
    await standStill(0.9);
    expect(await keepHeartbeat(t.db)).toBeUndefined();
    expectAbout(await dueOf(sale), due - 0.9 * HOUR_MS);
  });

  test('gives a buyer as much more time to complain', async () => {
    const sale = await anOrder();
    const { id, buyer, seller } = sale;
    await t.db.updateTable('orders').set({ delivery: 'post' }).where('id', '=', id).execute();
    const move = (as: typeof buyer, body: { move: string } & Record<string, string>) =>
      t.call(moveOrder, { params: { id }, body }, { as });
    expect((await move(seller, { move: 'post', carrier: 'USPS', tracking: '1' })).status).toBe(200);
    expect((await move(buyer, { move: 'receive' })).status).toBe(200);
    await standStill(96);
    await keepHeartbeat(t.db);
    expect(await sweep()).toBe(0);
    expect((await move(buyer, { move: 'report-problem', words: 'Pages are missing' })).status).toBe(200);
  });

  test('leaves alone what was overdue before and what began since', async () => {
    const [late, fresh] = [await anOrder(), await anOrder()];
    await standStill(5);
    await sql`UPDATE orders SET due_at = shop_now() - interval '6 hours' WHERE id = ${late.id}`.execute(t.db);
    await sql`UPDATE orders SET entered_at = shop_now() WHERE id = ${fresh.id}`.execute(t.db);
    const [lateDue, freshDue] = [await dueOf(late), await dueOf(fresh)];
    await keepHeartbeat(t.db);
    expect([await dueOf(late), await dueOf(fresh)]).toEqual([lateDue, freshDue]);
  });
});
