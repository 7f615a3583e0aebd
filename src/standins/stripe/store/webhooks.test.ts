import { join } from 'node:path';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { STANDIN_WEBHOOK_SECRET } from '#standins/stripe/keys.ts';
import { aCard, aFolder, aReceiver, aStandin, type Received, sdkAt } from '#standins/stripe/test-standin.ts';

function eventIn({ body, headers }: Received): Stripe.Event {
  return sdkAt(1).webhooks.constructEvent(body, String(headers['stripe-signature']), STANDIN_WEBHOOK_SECRET);
}

test('the SDK accepts what is posted, and each step of a payment is told', async () => {
  const { url, received } = await aReceiver();
  const running = await aStandin({ webhookUrls: [url] });
  const { stripe, standin } = running;
  const intent = await stripe.paymentIntents.create({ amount: 1000, currency: 'usd' }, { idempotencyKey: 'first' });
  await running.confirm(intent, aCard('4000000000000002'));
  const asked = await running.confirm(intent, aCard('4000002500003155'));
  const source = asked.body.next_action.use_stripe_sdk.three_d_secure_2_source;
  const values = { client_secret: intent.client_secret ?? '', source, outcome: 'complete' };
  await running.asBrowser('POST', '3ds2/challenge', values);
  await stripe.refunds.create({ payment_intent: intent.id });
  const other = await stripe.paymentIntents.create({ amount: 1000, currency: 'usd' });
  await stripe.paymentIntents.cancel(other.id);
  await standin.webhooksSettled();
  const events = received.map(eventIn);
  const types = events.map(({ type }) => type).sort();
  expect(types).toEqual([
    'charge.failed',
    'charge.refunded',
    'charge.succeeded',
    'payment_intent.canceled',
    'payment_intent.created',
    'payment_intent.created',
    'payment_intent.payment_failed',
    'payment_intent.requires_action',
    'payment_intent.succeeded',
    'refund.created',
  ]);
  const paid = events.find(({ type }) => type === 'payment_intent.succeeded');
  expect(paid?.data.object).toMatchObject({ id: intent.id, status: 'succeeded', amount_received: 1000 });
  expect(events.find(({ request }) => request?.idempotency_key === 'first')?.type).toBe('payment_intent.created');
  const listed = await stripe.events.list({ limit: 100 });
  expect(new Set(listed.data.map(({ id }) => id))).toEqual(new Set(events.map(({ id }) => id)));
  expect(listed.data.every(({ pending_webhooks: pending }) => pending === 0)).toBe(true);
  const charges = await stripe.events.list({ types: ['charge.succeeded', 'refund.*'] });
  expect(charges.data.map(({ type }) => type)).toEqual(['refund.created', 'charge.succeeded']);
  expect((await stripe.events.retrieve(paid?.id ?? '')).type).toBe('payment_intent.succeeded');
});

test('a signature of another secret is not accepted', async () => {
  const { url, received } = await aReceiver();
  const { stripe, standin } = await aStandin({ webhookUrls: [url], webhookSecret: 'whsec_other' });
  await stripe.paymentIntents.create({ amount: 1000, currency: 'usd' });
  await standin.webhooksSettled();
  const [first] = received;
  expect(first).toBeDefined();
  expect(() => first && eventIn(first)).toThrow(Stripe.errors.StripeSignatureVerificationError);
});

test('a refused webhook is tried again until it is accepted, and then no more', async () => {
  const { url, received } = await aReceiver((_, count) => (count < 4 ? 500 : 200));
  const { stripe, standin } = await aStandin({ webhookUrls: [url], retryDelaysMs: [1, 1, 1, 1, 1] });
  await stripe.paymentIntents.create({ amount: 1000, currency: 'usd' });
  await standin.webhooksSettled();
  expect(received).toHaveLength(4);
  expect(new Set(received.map((one) => eventIn(one).id)).size).toBe(1);
});

test('a redirect is no acceptance, and after the last try a webhook is given up', async () => {
  const { url, received } = await aReceiver(() => 302);
  const { stripe, standin, log } = await aStandin({ webhookUrls: [url], retryDelaysMs: [1, 1] });
  await stripe.paymentIntents.create({ amount: 1000, currency: 'usd' });
  await standin.webhooksSettled();
  expect(received).toHaveLength(3);
  expect(log.at(-1)).toContain('given up: HTTP 302');
  expect((await stripe.events.list()).data).toHaveLength(1);
});

test('what was not delivered goes out after a restart, to the address that is there then', async () => {
  const file = join(await aFolder(), 'stripe.sqlite');
  const before = await aStandin({
    file,
    webhookUrls: ['http://127.0.0.1:9/nobody'],
    retryDelaysMs: [1, 1, 1, 600_000],
  });
  const intent = await before.stripe.paymentIntents.create({ amount: 1000, currency: 'usd' });
  await before.standin.close();
  const { url, received } = await aReceiver();
  const after = await aStandin({ file, webhookUrls: [url] });
  await after.standin.webhooksSettled();
  expect(received.map(eventIn)).toMatchObject([
    { type: 'payment_intent.created', data: { object: { id: intent.id } } },
  ]);
});

test('addresses may become known later, and every one of them is told', async () => {
  const [first, second] = [await aReceiver(), await aReceiver()];
  const { stripe, standin } = await aStandin();
  standin.setWebhookUrls([first.url, second.url]);
  await stripe.paymentIntents.create({ amount: 1000, currency: 'usd' });
  await standin.webhooksSettled();
  expect([first.received.length, second.received.length]).toEqual([1, 1]);
});

test('an app is fed a long queue a few at a time', async () => {
  const { stripe, standin } = await aStandin();
  let now = 0;
  let most = 0;
  const { url, received } = await aReceiver(async () => {
    now += 1;
    most = Math.max(most, now);
    // Like a shop that looks the payment up before it answers.
    await stripe.paymentIntents.list({ limit: 1 });
    now -= 1;
    return 200;
  });
  standin.setWebhookUrls([url]);
  await Promise.all(Array.from({ length: 40 }, () => stripe.paymentIntents.create({ amount: 1000, currency: 'usd' })));
  await standin.webhooksSettled();
  expect(received).toHaveLength(40);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(4);
});
