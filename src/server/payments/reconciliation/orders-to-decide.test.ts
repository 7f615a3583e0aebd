import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSummary } from '#contract/bookings/dashboard.ts';
import { readMoneyState } from '#contract/money/money-admin.ts';
import { takeDispute } from '#server/payments/disputes/dispute.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { anAdmin, type TestUser } from '#test/make.ts';
import { orderSteps, type Sold } from '#test/order-steps.ts';

let t: TestApp;
let admin: TestUser;

beforeAll(async () => {
  t = await testApp();
  admin = await anAdmin(t);
});
afterAll(() => t.close());

const { sold, posted, move, read, ahead } = orderSteps(() => t);

const listed = async () => (await t.call(readMoneyState, {}, { as: admin })).body.orders;
const counted = async () => (await t.call(readSummary, {}, { as: admin })).body.admin?.ordersToDecide;

const disputed = async (sale: Sold, state: 'open' | 'won'): Promise<void> => {
  const { intentId, orderId } = sale;
  const facts = { id: `dp_${orderId}`, intentId, amountCents: 750, reason: 'fraudulent', dueBy: null, state };
  await t.db.transaction().execute((trx) => takeDispute(trx, facts, t.payments.hooks));
};

test('admins see orders that wait for them, or for a bank, until they go on', async () => {
  expect([await listed(), await counted()]).toEqual([[], 0]);

  const argued = await posted();
  await move(argued, argued.buyer, { move: 'receive' });
  await move(argued, argued.buyer, { move: 'report-problem', words: 'A page is missing' });
  expect(await listed()).toEqual([]);
  expect(await move(argued, argued.seller, { move: 'ask-admin' })).toMatchObject({ status: 200 });
  const { due } = await read(argued, argued.seller);
  expect(await listed()).toMatchObject([{ _id: argued.orderId, title: argued.copy.title, why: 'asked', due: due?.at }]);
  expect(await counted()).toBe(1);

  const waiting = await sold();
  await move(waiting, waiting.seller, { move: 'make-ready', place: 'Here', times: 'Now or later' });
  await ahead(13);
  expect(await listed()).toHaveLength(1);
  await ahead(1.1);
  const whys = async () => Object.fromEntries((await listed()).map(({ _id, why }) => [_id, why]));
  expect(await whys()).toEqual({ [argued.orderId]: 'asked', [waiting.orderId]: 'uncollected' });
  expect(await counted()).toBe(2);
  // The one that ends sooner comes first.
  expect((await listed()).map(({ _id }) => _id)).toEqual([waiting.orderId, argued.orderId]);

  await disputed(waiting, 'open');
  expect(await whys()).toEqual({ [argued.orderId]: 'asked', [waiting.orderId]: 'frozen' });
  expect(await counted()).toBe(1);
  await disputed(waiting, 'won');

  await move(argued, admin, { move: 'keep' });
  await move(waiting, waiting.buyer, { move: 'hand-over' });
  expect([await listed(), await counted()]).toEqual([[], 0]);
});

test('admins see what goes back once one side has put it to them', async () => {
  const sale = await posted();
  await move(sale, sale.buyer, { move: 'receive' });
  await move(sale, sale.buyer, { move: 'report-problem', words: 'A page is missing' });
  await move(sale, sale.seller, { move: 'ask-back', sendBack: 'By post, to 1 Elm Street' });
  expect([await listed(), await counted()]).toEqual([[], 0]);
  expect(await move(sale, sale.buyer, { move: 'ask-admin' })).toMatchObject({ status: 200 });
  expect(await listed()).toMatchObject([{ _id: sale.orderId, why: 'asked' }]);
  expect(await counted()).toBe(1);
  await move(sale, admin, { move: 'keep-unreturned' });
  expect([await listed(), await counted()]).toEqual([[], 0]);
});
