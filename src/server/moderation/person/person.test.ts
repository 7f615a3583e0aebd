import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listUsers } from '#contract/admin/admin.ts';
import { readPerson } from '#contract/admin/person.ts';
import { reportThing } from '#contract/admin/reports.ts';
import { suspendUser } from '#contract/admin/suspending.ts';
import { refundBooking } from '#contract/money/money-admin.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aSale, bookingOf } from '#test/deal.ts';
import { aBuyer, aListing, anAdmin, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await anAdmin(t);
});
afterAll(() => t.close());

const read = (id: string, as = admin) => t.call(readPerson, { params: { id } }, { as });

test('a person is told of whole: books, orders and money of both sides, reports, sign-ins, standing', async () => {
  const seller = await aSeller(t);
  const one = await aSale(t, { seller });
  const two = await aSale(t, { seller, buyer: one.buyer });
  await aListing(t, seller);
  await t.call(refundBooking, { params: { id: two.bookingId } }, { as: admin });
  await t.call(reportThing, { body: { kind: 'person', id: seller.id, reason: 'fraud', words: '' } }, { as: one.buyer });
  await t.call(suspendUser, { params: { id: seller.id }, body: { reason: 'Look', days: 7 } }, { as: admin });
  const { body } = await read(seller.id);
  expect(body).toMatchObject({
    user: { _id: seller.id, email: seller.email, suspended: true },
    emailProven: true,
    suspension: { reason: 'Look' },
    // The one on the shelf is paused while its seller is suspended.
    listings: { onShelf: 0, paused: 1, sold: 2, removed: 0 },
    bought: { orders: 0, paid: 0 },
    sold: { orders: 2, taken: 15, disputes: 0 },
    reports: { about: 1, upheld: 0, by: 0 },
    sameBank: [],
  });
  expect(body.orders.map(({ side, other, title }) => [side, other, title])).toEqual(
    [two, one].map(({ copy, buyer }) => ['seller', buyer.name, copy.title]),
  );
  expect(body.signIns.length).toBeGreaterThan(0);
  const buyer = (await read(one.buyer.id)).body;
  expect(buyer).toMatchObject({ bought: { orders: 2, paid: 15, refunded: 7.5 }, reports: { by: 1 } });
  expect(JSON.stringify(body)).not.toMatch(/password|token|\+1 555/);
});

test('is found by the number of an order or a payment as well', async () => {
  const sale = await aSale(t);
  const order = (await bookingOf(t, sale)).orderId ?? '';
  const found = async (q: string) =>
    (await t.call(listUsers, { query: { q } }, { as: admin })).body.map(({ _id }) => _id).toSorted();
  const both = [sale.buyer.id, sale.seller.id].toSorted();
  expect(await found(order)).toEqual(both);
  expect(await found(order.toUpperCase())).toEqual(both);
  expect(await found(sale.intentId)).toEqual(both);
  expect(await found(sale.buyer.id)).toEqual([sale.buyer.id]);
  expect(await found(randomUUID())).toEqual([]);
  expect(await found('pi_none')).toEqual([]);
});

test('is for admins, and of who is there', async () => {
  const user = await aBuyer(t);
  expect((await read(user.id, await aSeller(t))).status).toBe(403);
  expect((await read(user.id, user)).status).toBe(403);
  expect((await read(randomUUID())).status).toBe(404);
});
