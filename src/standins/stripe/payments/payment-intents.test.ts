import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { STRIPE_API_VERSION } from '#standins/stripe/keys.ts';
import { aCard, aStandin, sdkAt } from '#standins/stripe/test-standin.ts';

test('the API version is the one of the pinned SDK', () => {
  expect(STRIPE_API_VERSION).toBe(Stripe.API_VERSION);
});

test('a payment intent is created, found again and listed newest first', async () => {
  const { stripe } = await aStandin();
  const first = await stripe.paymentIntents.create({ amount: 1299, currency: 'USD', metadata: { booking_id: 'b1' } });
  const second = await stripe.paymentIntents.create({
    amount: 50,
    currency: 'usd',
    allowed_payment_method_types: ['card'],
  });
  expect(first).toMatchObject({ amount: 1299, currency: 'usd', status: 'requires_payment_method', livemode: false });
  expect(first.metadata).toEqual({ booking_id: 'b1' });
  expect(first.client_secret).toMatch(new RegExp(`^${first.id}_secret_[A-Za-z0-9]+$`));
  expect(first.lastResponse.apiVersion).toBe(STRIPE_API_VERSION);
  expect(first.lastResponse.requestId).toMatch(/^req_/);
  expect(second.allowed_payment_method_types).toEqual(['card']);
  expect(await stripe.paymentIntents.retrieve(first.id)).toEqual(first);
  expect((await stripe.paymentIntents.list()).data.map(({ id }) => id)).toEqual([second.id, first.id]);
});

test('a long list is paged through to its end', async () => {
  const { stripe } = await aStandin();
  const made: string[] = [];
  for (let count = 0; count < 7; count += 1) {
    made.unshift((await stripe.paymentIntents.create({ amount: 100 + count, currency: 'usd' })).id);
  }
  const listed = await stripe.paymentIntents.list({ limit: 3 }).autoPagingToArray({ limit: 100 });
  expect(listed.map(({ id }) => id)).toEqual(made);
  const before = await stripe.paymentIntents.list({ limit: 2, ending_before: made[3] ?? '' });
  expect(before.data.map(({ id }) => id)).toEqual([made[1], made[2]]);
  expect(before.has_more).toBe(true);
  const future = { gt: Math.floor(Date.now() / 1000) + 60 };
  expect((await stripe.paymentIntents.list({ created: future })).data).toEqual([]);
});

test.each([
  [{ amount: 49, currency: 'usd' }, 'amount_too_small', 'amount'],
  [{ amount: 0, currency: 'usd' }, 'parameter_invalid_integer', 'amount'],
  [{ amount: 10.5, currency: 'usd' }, 'parameter_invalid_integer', 'amount'],
  [{ amount: 100_000_000, currency: 'usd' }, 'amount_too_large', 'amount'],
  [{ currency: 'usd' }, 'parameter_missing', 'amount'],
  [{ amount: 100 }, 'parameter_missing', 'currency'],
  [{ amount: 100, currency: 'xxx' }, undefined, 'currency'],
  [{ amount: 100, currency: 'usd', amnt: 5 }, 'parameter_unknown', 'amnt'],
  [{ amount: 100, currency: 'usd', payment_method_types: ['card'] }, 'parameter_unknown', 'payment_method_types'],
  [{ amount: 100, currency: 'usd', capture_method: 'manual' }, undefined, 'capture_method'],
  [{ amount: 100, currency: 'usd', metadata: { key: 'v'.repeat(501) } }, undefined, 'metadata[key]'],
])('an intent of %o is refused', async (params, code, param) => {
  const { stripe } = await aStandin();
  const refused = stripe.paymentIntents.create(params as Stripe.PaymentIntentCreateParams);
  await expect(refused).rejects.toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400, param });
  await expect(refused).rejects.toHaveProperty('code', code);
  expect((await stripe.paymentIntents.list()).data).toEqual([]);
});

test('an update changes amount and merges metadata until the intent is paid', async () => {
  const { stripe, confirm } = await aStandin();
  const intent = await stripe.paymentIntents.create({ amount: 900, currency: 'usd', metadata: { a: '1', b: '2' } });
  const updated = await stripe.paymentIntents.update(intent.id, { amount: 950, metadata: { a: '', c: '3' } });
  expect(updated.amount).toBe(950);
  expect(updated.metadata).toEqual({ b: '2', c: '3' });
  expect((await confirm(intent, aCard('4242424242424242'))).body.amount).toBe(950);
  const late = stripe.paymentIntents.update(intent.id, { amount: 1000 });
  await expect(late).rejects.toMatchObject({ code: 'payment_intent_unexpected_state', statusCode: 400 });
  expect((await stripe.paymentIntents.update(intent.id, { metadata: { d: '4' } })).metadata).toHaveProperty('d', '4');
});

test('an authentication asked for the old amount cannot pay the new one', async () => {
  const { stripe, confirm, asBrowser } = await aStandin();
  const intent = await stripe.paymentIntents.create({ amount: 900, currency: 'usd' });
  const asked = await confirm(intent, aCard('4000002500003155'));
  await stripe.paymentIntents.update(intent.id, { amount: 5000 });
  const answered = await asBrowser('POST', '3ds2/challenge', {
    client_secret: intent.client_secret ?? '',
    source: asked.body.next_action.use_stripe_sdk.three_d_secure_2_source,
    outcome: 'complete',
  });
  expect(answered.status).toBe(400);
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_confirmation');
});

test('an unknown id is resource_missing', async () => {
  const { stripe } = await aStandin();
  const missing = { code: 'resource_missing', statusCode: 404, type: 'StripeInvalidRequestError' };
  await expect(stripe.paymentIntents.retrieve('pi_nothing')).rejects.toMatchObject({
    ...missing,
    message: "No such payment_intent: 'pi_nothing'",
  });
  await expect(stripe.charges.retrieve('ch_nothing')).rejects.toMatchObject(missing);
  await expect(stripe.refunds.retrieve('re_nothing')).rejects.toMatchObject(missing);
  await expect(stripe.events.retrieve('evt_nothing')).rejects.toMatchObject(missing);
  await expect(stripe.paymentMethods.retrieve('pm_nothing')).rejects.toMatchObject(missing);
  await expect(stripe.paymentIntents.list({ starting_after: 'pi_nothing' })).rejects.toMatchObject(missing);
});

test('a wrong key, no key, and the publishable key where the secret one is needed are refused', async () => {
  const { port, asBrowser } = await aStandin();
  const wrong = sdkAt(port, 'sk_test_somebody_else_12345');
  await expect(wrong.paymentIntents.list()).rejects.toMatchObject({ type: 'StripeAuthenticationError' });
  await expect(wrong.paymentIntents.list()).rejects.not.toHaveProperty('message', expect.stringContaining('somebody'));
  expect((await fetch(`http://127.0.0.1:${port}/v1/payment_intents`)).status).toBe(401);
  const { status, body } = await asBrowser('POST', 'payment_intents', { amount: '100', currency: 'usd' });
  expect([status, body.error.code]).toEqual([403, 'secret_key_required']);
});

test('a browser needs the client secret and is not told the merchant’s notes', async () => {
  const { stripe, asBrowser } = await aStandin();
  const intent = await stripe.paymentIntents.create({ amount: 700, currency: 'usd', metadata: { note: 'private' } });
  const path = `payment_intents/${intent.id}`;
  const seen = await asBrowser('GET', path, { client_secret: intent.client_secret ?? '' });
  expect(seen.body).toMatchObject({ id: intent.id, amount: 700, status: 'requires_payment_method' });
  expect(seen.body).not.toHaveProperty('metadata');
  expect((await asBrowser('GET', path, {})).body.error.code).toBe('parameter_missing');
  const guessed = await asBrowser('GET', path, { client_secret: `${intent.id}_secret_guess` });
  expect([guessed.status, guessed.body.error.code]).toEqual([400, 'payment_intent_invalid_parameter']);
});

test('ids are expanded where asked, in lists too', async () => {
  const { stripe } = await aStandin();
  const paid = await stripe.paymentIntents.create({
    amount: 800,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_mastercard',
    expand: ['latest_charge'],
  });
  expect(paid.latest_charge).toMatchObject({ object: 'charge', amount: 800, paid: true });
  const listed = await stripe.paymentIntents.list({ expand: ['data.latest_charge', 'data.payment_method'] });
  expect(listed.data[0]).toMatchObject({ latest_charge: { id: expect.stringMatching(/^ch_/) } });
  expect(listed.data[0]?.payment_method).toMatchObject({ card: { brand: 'mastercard', last4: '4444' } });
  await expect(stripe.paymentIntents.retrieve(paid.id, { expand: ['amount'] })).rejects.toHaveProperty(
    'statusCode',
    400,
  );
});
