import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { createFaults, type Fault } from './faults.ts';
import { aReceiver, aStandin, type Received } from './test-standin.ts';

const PARAMS = { amount: 1000, currency: 'usd' };
const intentIn = ({ body }: Received): string => JSON.parse(body).data.object.id;

/** Makes `count` intents, one after the other, under a plan of faults; answers whose webhook came, in order. */
const toldUnder = async (faults: Fault[], count: number) => {
  const { url, received } = await aReceiver();
  const { stripe, standin, control } = await aStandin({ webhookUrls: [url] });
  await control('POST', 'faults', { seed: 7, faults });
  const made: string[] = [];
  for (let n = 0; n < count; n += 1) made.push((await stripe.paymentIntents.create(PARAMS)).id);
  await standin.webhooksSettled();
  return { made, told: received.map(intentIn), report: (await control('GET', 'faults')).body };
};

test('the seed alone decides what befalls the n-th webhook, and each fault keeps its share', () => {
  const faults: Fault[] = (['drop', 'double', 'reorder'] as const).map((fault) => ({ fault, ratio: 0.2 }));
  const fates = (seed: number) => {
    const made = createFaults();
    made.plan({ seed, faults });
    return Array.from({ length: 2_000 }, () => made.ofWebhook('any')?.fault);
  };
  expect(fates(3)).toEqual(fates(3));
  expect(fates(3)).not.toEqual(fates(4));
  for (const { fault } of faults) {
    const share = fates(3).filter((fate) => fate === fault).length / 2_000;
    expect(share).toBeGreaterThan(0.17);
    expect(share).toBeLessThan(0.23);
  }
});

test('webhooks are dropped for good, doubled, and sent after later ones', async () => {
  const dropped = await toldUnder([{ fault: 'drop', next: 2 }], 3);
  expect(dropped.told).toEqual(dropped.made.slice(2));
  expect(dropped.report.faults).toEqual([{ fault: 'drop', next: 2, left: 0, struck: 2 }]);
  const doubled = await toldUnder([{ fault: 'double', next: 1 }], 2);
  expect(doubled.told.toSorted()).toEqual([...doubled.made, doubled.made[0]].toSorted());
  const reordered = await toldUnder([{ fault: 'reorder', next: 1, ms: 60_000 }], 2);
  expect(reordered.told).toEqual(reordered.made.toReversed());
  const late = await toldUnder([{ fault: 'delay', next: 1, ms: 50 }], 1);
  expect(late.told).toEqual(late.made);
});

test('work that was done and answered 500 stays done, and its key repeats the 500', async () => {
  const { stripe, control } = await aStandin();
  await control('POST', 'faults', { faults: [{ fault: 'fail', next: 1, on: 'POST /v1/payment_intents' }] });
  const create = () => stripe.paymentIntents.create(PARAMS, { idempotencyKey: 'k' });
  for (let n = 0; n < 2; n += 1) await expect(create()).rejects.toMatchObject({ type: 'StripeAPIError' });
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
  expect((await stripe.paymentIntents.create(PARAMS, { idempotencyKey: 'other' })).amount).toBe(1000);
});

test('an answer that was lost on the way is had again by the same key', async () => {
  const { port, stripe, control } = await aStandin();
  await control('POST', 'faults', { faults: [{ fault: 'cut', next: 1 }] });
  const patient = new Stripe('sk_test_dogear_standin', {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    maxNetworkRetries: 2,
  });
  const intent = await patient.paymentIntents.create(PARAMS, { idempotencyKey: 'k' });
  expect(intent.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect((await stripe.paymentIntents.list()).data.map(({ id }) => id)).toEqual([intent.id]);
});

test('a call that hangs is done late, and keeps its key busy meanwhile', async () => {
  const { stripe, control } = await aStandin();
  await control('POST', 'faults', { faults: [{ fault: 'hang', next: 1, ms: 300 }] });
  const slow = stripe.paymentIntents.create(PARAMS, { idempotencyKey: 'k' });
  await expect
    .poll(async () => {
      const { body } = await control('GET', 'faults');
      return body.faults[0].struck;
    })
    .toBe(1);
  const second = stripe.paymentIntents.create(PARAMS, { idempotencyKey: 'k' });
  await expect(second).rejects.toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
  expect((await slow).amount).toBe(1000);
});

test('browsers are spared unless a fault names their call, and DELETE ends all faults', async () => {
  const { stripe, control, asBrowser } = await aStandin();
  const intent = await stripe.paymentIntents.create(PARAMS);
  const look = () => asBrowser('GET', `payment_intents/${intent.id}`, { client_secret: intent.client_secret ?? '' });
  await control('POST', 'faults', { faults: [{ fault: 'fail', ratio: 1 }] });
  expect((await look()).status).toBe(200);
  await control('POST', 'faults', { faults: [{ fault: 'fail', ratio: 1, on: 'GET /v1/payment_intents/:id' }] });
  expect((await look()).status).toBe(500);
  expect((await control('DELETE', 'faults')).body).toEqual({ seed: 0, faults: [] });
  expect((await look()).status).toBe(200);
});

test('the control API is closed without the secret key, and refuses what makes no sense', async () => {
  const { port, control } = await aStandin();
  const open = await fetch(`http://127.0.0.1:${port}/faults`, { method: 'POST', body: '{"faults":[]}' });
  expect(open.status).toBe(401);
  for (const faults of [
    'none',
    [{ fault: 'explode', ratio: 1 }],
    [{ fault: 'drop' }],
    [{ fault: 'drop', ratio: 2 }],
    [{ fault: 'drop', ratio: 0.5, next: 1 }],
    [{ fault: 'hang', next: 1, ms: 1e9 }],
    [null],
  ]) {
    expect((await control('POST', 'faults', { faults })).status).toBe(400);
  }
});

test('a call that asks for it meets no fault, and uses none up', async () => {
  const { port, control } = await aStandin();
  await control('POST', 'faults', { faults: [{ fault: 'fail', next: 1 }] });
  const list = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/v1/events`, {
      headers: { Authorization: 'Bearer sk_test_dogear_standin', ...headers },
    });
  expect((await list({ 'Standin-Faults': 'off' })).status).toBe(200);
  expect((await list({})).status).toBe(500);
});
