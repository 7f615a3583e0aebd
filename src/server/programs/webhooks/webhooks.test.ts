import { sql } from 'kysely';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listSales } from '#contract/programs/sales.ts';
import {
  addWebhook,
  listDeliveries,
  MAX_WEBHOOKS,
  removeWebhook,
  resendDelivery,
  testWebhook,
  WEBHOOK_EVENTS,
} from '#contract/programs/webhooks.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aSale } from '#test/deal.ts';
import { aSeller, type TestUser } from '#test/make.ts';
import { openReceiver, type Receiver } from '#test/receiver.ts';
import { tellPrograms, tidyDeliveries } from './sending.service.ts';

let t: TestApp;
let receiver: Receiver;
let seller: TestUser;
beforeAll(async () => {
  receiver = await openReceiver();
  t = await testApp({ outside: receiver.rules });
});
beforeEach(async () => {
  seller = await aSeller(t);
  receiver.told.length = 0;
  receiver.answer = (response) => void response.writeHead(204).end();
});
afterAll(async () => {
  await t.close();
  receiver.close();
});

const add = (url = receiver.url, as = seller) =>
  t.call(addWebhook, { body: { url, events: [...WEBHOOK_EVENTS] } }, { as });
const tell = () => tellPrograms({ db: t.payments.db, userAgent: 'Dogear', outside: receiver.rules });
/** What failed is due again at once. */
const hurry = () => sql`UPDATE webhook_deliveries SET next_at = now() WHERE state = 'waiting'`.execute(t.db);
const typesTold = (): string[] =>
  receiver.told.map(({ body }) => (JSON.parse(body) as { type: string }).type).toSorted();
const deliveries = async (id: string) =>
  (await t.call(listDeliveries, { params: { id }, query: {} }, { as: seller })).body;

it('tells of a sale in the words of the shop, signed as Standard Webhooks says, and of no buyer', async () => {
  const { secret, added } = (await add()).body;
  const { buyer, copy, bookingId } = await aSale(t, { seller });
  await tell();
  expect(typesTold()).toEqual(['copy.sold', 'order.paid']);
  for (const { headers, body } of receiver.told) {
    const read = new Verifier(secret).verify(body, headers as Record<string, string>) as { data: unknown };
    expect(read).toEqual(JSON.parse(body));
    expect(() => new Verifier(secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
    for (const secretOfBuyer of [buyer.email, buyer.name, '+1 555 0199']) expect(body).not.toContain(secretOfBuyer);
  }
  const paid = receiver.told.find(({ body }) => body.includes('order.paid'));
  const [sale] = (await t.call(listSales, { query: {} }, { as: seller })).body;
  expect(JSON.parse(paid?.body ?? '')).toMatchObject({ data: { ...sale, state: 'paid' } });
  expect(sale?.books).toMatchObject([
    { listing_id: copy._id, booking_id: bookingId, price: copy.resale_price, sku: '' },
  ]);
  expect(await deliveries(added._id)).toMatchObject([
    { state: 'delivered', status: 204, attempts: 1 },
    { state: 'delivered', status: 204, attempts: 1 },
  ]);
  await tell();
  expect(receiver.told).toHaveLength(2);
});

it('tells of a cancelled order, and only what was asked for', async () => {
  await t.call(addWebhook, { body: { url: receiver.url, events: ['order.cancelled'] } }, { as: seller });
  const { bookingId } = await aSale(t, { seller });
  await tell();
  expect(receiver.told).toEqual([]);
  const [sale] = (await t.call(listSales, { query: {} }, { as: seller })).body;
  expect(sale?.books[0]?.booking_id).toBe(bookingId);
  const body = { move: 'refuse', reason: 'It was sold over the counter' } as const;
  const moved = await t.send('POST', `/api/orders/${sale?._id}/moves`, { as: seller, body });
  expect(moved.statusCode, moved.body).toBe(200);
  await tell();
  expect(typesTold()).toEqual(['order.cancelled']);
});

it('tries again under the same id until it is taken, and gives up after three days', async () => {
  const { added } = (await add()).body;
  await t.call(testWebhook, { params: { id: added._id } }, { as: seller });
  receiver.answer = (response) => void response.writeHead(500).end();
  await tell();
  const [first] = await deliveries(added._id);
  expect(first).toMatchObject({ state: 'waiting', attempts: 1, status: 500, problem: 'It answered 500' });
  // Not before its time.
  await tell();
  expect(receiver.told).toHaveLength(1);
  await hurry();
  receiver.answer = (response) => void response.destroy();
  await tell();
  expect(await deliveries(added._id)).toMatchObject([{ attempts: 2, status: null, state: 'waiting' }]);
  await hurry();
  receiver.answer = (response) => void response.writeHead(204).end();
  await tell();
  expect(new Set(receiver.told.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([first?._id]));
  expect(await deliveries(added._id)).toMatchObject([{ state: 'delivered', attempts: 3 }]);

  await t.call(testWebhook, { params: { id: added._id } }, { as: seller });
  await sql`UPDATE webhook_deliveries SET until = now() WHERE state = 'waiting'`.execute(t.db);
  receiver.answer = (response) => void response.writeHead(410).end();
  await tell();
  const [given] = await deliveries(added._id);
  expect(given).toMatchObject({ state: 'given-up', nextAt: null });
  // Its owner has it sent once more.
  receiver.answer = (response) => void response.writeHead(200).end();
  const params = { id: added._id, deliveryId: given?._id ?? '' };
  expect((await t.call(resendDelivery, { params }, { as: seller })).body).toMatchObject({ state: 'waiting' });
  await tell();
  expect((await deliveries(added._id))[0]).toMatchObject({ state: 'delivered', status: 200 });
});

it('goes to no private network by whatever name, follows no redirect and waits five seconds', async () => {
  const port = new URL(receiver.url).port;
  for (const url of [`https://inside.example:${port}/`, `https://127.0.0.1:${port}/`]) {
    const { added } = (await add(url)).body;
    await t.call(testWebhook, { params: { id: added._id } }, { as: seller });
    await tell();
    expect(await deliveries(added._id)).toMatchObject([{ problem: 'The shop cannot reach this address' }]);
  }
  expect(receiver.told).toEqual([]);
  for (const url of [
    'http://pictures.example/',
    'https://pictures.example/',
    'https://a:b@pictures.example/',
    'nowhere',
  ])
    expect((await add(url)).status, url).toBe(400);
  const { added } = (await add()).body;
  await t.call(testWebhook, { params: { id: added._id } }, { as: seller });
  receiver.answer = (response) => void response.writeHead(302, { location: receiver.url }).end();
  await tell();
  expect(receiver.told).toHaveLength(1);
  expect(await deliveries(added._id)).toMatchObject([{ problem: 'It answered 302' }]);
  receiver.answer = () => {};
  await hurry();
  await tell();
  expect(await deliveries(added._id)).toMatchObject([{ problem: 'It took longer than 5 seconds' }]);
}, 20_000);

it('is another’s for nobody else, goes with its address, and is dropped after 30 days', async () => {
  const { added } = (await add()).body;
  const other = await aSeller(t);
  const params = { id: added._id };
  expect((await t.call(testWebhook, { params }, { as: other })).status).toBe(404);
  expect((await t.call(listDeliveries, { params, query: {} }, { as: other })).status).toBe(404);
  expect((await t.call(removeWebhook, { params }, { as: other })).body).toEqual({ deletedCount: 0 });
  await t.call(testWebhook, { params }, { as: seller });
  await sql`UPDATE webhook_deliveries SET at = now() - interval '31 days' WHERE webhook_id = ${added._id}`.execute(
    t.db,
  );
  await tidyDeliveries(t.payments.db);
  expect(await deliveries(added._id)).toEqual([]);
  for (let n = 1; n < MAX_WEBHOOKS; n += 1) expect((await add()).status).toBe(201);
  expect((await add()).status).toBe(429);
  expect((await t.call(removeWebhook, { params }, { as: seller })).body).toEqual({ deletedCount: 1 });
  await aSale(t, { seller });
  const { rows } = await sql<{ count: number }>`SELECT count(*)::integer AS count FROM webhook_deliveries
    WHERE webhook_id = ${added._id}`.execute(t.db);
  expect(rows).toEqual([{ count: 0 }]);
});
