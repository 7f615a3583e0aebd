import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { aCard, aStandin } from '#standins/stripe/test-standin.ts';

const PARAMS = { amount: 1999, currency: 'usd', metadata: { booking_id: 'b1' } };

test('the same key and parameters answer the same, and do nothing twice', async () => {
  const { stripe } = await aStandin();
  const first = await stripe.paymentIntents.create(PARAMS, { idempotencyKey: 'pi:b1:1' });
  await stripe.paymentIntents.update(first.id, { metadata: { later: 'yes' } });
  const second = await stripe.paymentIntents.create(PARAMS, { idempotencyKey: 'pi:b1:1' });
  expect(second).toEqual(first);
  expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect(second.lastResponse.headers['original-request']).toBe(first.lastResponse.requestId);
  expect(first.lastResponse.headers).not.toHaveProperty('idempotent-replayed');
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
});

test('the same key with other parameters, or elsewhere, is an idempotency error', async () => {
  const { stripe } = await aStandin();
  const intent = await stripe.paymentIntents.create(PARAMS, { idempotencyKey: 'k' });
  const other = stripe.paymentIntents.create({ ...PARAMS, amount: 2000 }, { idempotencyKey: 'k' });
  await expect(other).rejects.toMatchObject({
    type: 'StripeIdempotencyError',
    statusCode: 400,
    message:
      "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than 'k' if you meant to execute a different request.",
  });
  const elsewhere = stripe.paymentIntents.cancel(intent.id, {}, { idempotencyKey: 'k' });
  await expect(elsewhere).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_payment_method');
});

test('of many requests with one key at once, one runs and the others conflict or repeat its answer', async () => {
  const { stripe, standin } = await aStandin();
  // Whoever comes first is still at it when the others come.
  standin.plan({ seed: 1, faults: [{ fault: 'hang', next: 1, ms: 300, on: 'POST /v1/payment_intents' }] });
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => stripe.paymentIntents.create(PARAMS, { idempotencyKey: 'same' })),
  );
  const ids = new Set(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : [])));
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(ids.size).toBe(1);
  expect(refusals.length).toBeGreaterThan(0);
  for (const refusal of refusals) expect(refusal).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
});

test('the SDK gets through a conflict by retrying', async () => {
  const { port, stripe } = await aStandin();
  const patient = new Stripe('sk_test_dogear_standin', {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    maxNetworkRetries: 5,
  });
  const made = await Promise.all(
    Array.from({ length: 5 }, () => patient.paymentIntents.create(PARAMS, { idempotencyKey: 'patient' })),
  );
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
});

test('a request that failed validation may be asked again with the same key', async () => {
  const { stripe } = await aStandin();
  const wrong = stripe.paymentIntents.create({ ...PARAMS, amount: 1 }, { idempotencyKey: 'v' });
  await expect(wrong).rejects.toMatchObject({ code: 'amount_too_small' });
  const right = await stripe.paymentIntents.create(PARAMS, { idempotencyKey: 'v' });
  expect(right.amount).toBe(1999);
});

test('a declined card is an outcome: its key repeats the decline and charges nothing again', async () => {
  const { stripe } = await aStandin();
  const create = () =>
    stripe.paymentIntents.create(
      { ...PARAMS, confirm: true, payment_method: 'pm_card_visa_chargeDeclined' },
      { idempotencyKey: 'd' },
    );
  await expect(create()).rejects.toMatchObject({ type: 'StripeCardError', decline_code: 'generic_decline' });
  await expect(create()).rejects.toMatchObject({ type: 'StripeCardError', decline_code: 'generic_decline' });
  expect((await stripe.charges.list()).data).toHaveLength(1);
});

test('a key is not reused by another browser call with another card', async () => {
  const { stripe, port } = await aStandin();
  const intent = await stripe.paymentIntents.create(PARAMS);
  const confirm = async (number: string) => {
    const body = new URLSearchParams({
      key: 'pk_test_dogear_standin',
      client_secret: intent.client_secret ?? '',
      ...aCard(number),
    });
    const url = `http://127.0.0.1:${port}/v1/payment_intents/${intent.id}/confirm`;
    return (await fetch(url, { method: 'POST', body, headers: { 'Idempotency-Key': 'c' } })).status;
  };
  expect(await confirm('4000000000000002')).toBe(402);
  expect(await confirm('4242424242424242')).toBe(400);
  expect(await confirm('4000000000000002')).toBe(402);
});
