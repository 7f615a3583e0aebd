import { readFile } from 'node:fs/promises';
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { aCard, aStandin } from '#standins/stripe/test-standin.ts';

type Running = Awaited<ReturnType<typeof aStandin>>;

function anIntent({ stripe }: Running, amount = 1500): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create({ amount, currency: 'usd', metadata: { booking_id: 'b7' } });
}

/** Confirms with a card that asks for authentication, and answers the bank's question. */
async function authenticate(running: Running, number: string, outcome: 'complete' | 'fail') {
  const intent = await anIntent(running);
  const asked = await running.confirm(intent, aCard(number));
  const source = asked.body.next_action.use_stripe_sdk.three_d_secure_2_source;
  const values = { client_secret: intent.client_secret ?? '', source, outcome };
  const answered = await running.asBrowser('POST', '3ds2/challenge', values);
  return { intent, asked, answered, values };
}

test.each([
  ['4242424242424242', 'visa', '4242'],
  ['5555555555554444', 'mastercard', '4444'],
  ['378282246310005', 'amex', '0005'],
])('card %s is paid', async (number, brand, last4) => {
  const running = await aStandin();
  const intent = await anIntent(running);
  const billing = {
    'payment_method_data[billing_details][name]': 'Ada',
    'payment_method_data[billing_details][email]': 'a@b.co',
  };
  const { status, body } = await running.confirm(intent, { ...aCard(number), ...billing });
  expect([status, body.status]).toEqual([200, 'succeeded']);
  const after = await running.stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] });
  expect(after).toMatchObject({ status: 'succeeded', amount_received: 1500, metadata: { booking_id: 'b7' } });
  expect(after.latest_charge).toMatchObject({
    amount: 1500,
    amount_captured: 1500,
    billing_details: { name: 'Ada', email: 'a@b.co' },
    payment_method_details: { card: { brand, last4 } },
    metadata: { booking_id: 'b7' },
  });
});

test.each([
  ['4000000000000002', 'card_declined', 'generic_decline', 'Your card was declined.'],
  ['4000000000009995', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  ['4000000000000069', 'expired_card', undefined, 'Your card has expired.'],
  ['4000000000000127', 'incorrect_cvc', undefined, "Your card's security code is incorrect."],
])('card %s is declined, and another card may be tried', async (number, code, declineCode, message) => {
  const running = await aStandin();
  const intent = await anIntent(running);
  const { status, body } = await running.confirm(intent, aCard(number));
  expect(status).toBe(402);
  expect(body.error).toMatchObject({ type: 'card_error', code, message });
  expect(body.error.decline_code).toBe(declineCode);
  expect(body.error.payment_intent).toMatchObject({ id: intent.id, status: 'requires_payment_method' });
  expect(body.error.payment_intent).not.toHaveProperty('metadata');
  const after = await running.stripe.paymentIntents.retrieve(intent.id);
  expect(after).toMatchObject({ status: 'requires_payment_method', last_payment_error: { code, message } });
  expect(await running.stripe.charges.retrieve(String(after.latest_charge))).toMatchObject({
    paid: false,
    status: 'failed',
  });
  expect((await running.confirm(intent, aCard('4242424242424242'))).body.status).toBe('succeeded');
});

test.each([
  [aCard('4242424242424241'), 'incorrect_number', 'Your card number is incorrect.'],
  [aCard('424242424242'), 'incorrect_number', 'Your card number is incorrect.'],
  [aCard('4242x'), 'invalid_number', 'Your card number is not a valid credit card number.'],
  [aCard('4242424242424242', { exp_year: '2020' }), 'invalid_expiry_year', "Your card's expiration year is invalid."],
  [aCard('4242424242424242', { exp_month: '13' }), 'invalid_expiry_month', "Your card's expiration month is invalid."],
  [aCard('4242424242424242', { cvc: '12' }), 'invalid_cvc', "Your card's security code is invalid."],
])('details that cannot be right are a card error: %o', async (card, code, message) => {
  const running = await aStandin();
  const intent = await anIntent(running);
  const { status, body } = await running.confirm(intent, card);
  expect([status, body.error.type, body.error.code, body.error.message]).toEqual([402, 'card_error', code, message]);
  expect((await running.stripe.paymentIntents.retrieve(intent.id)).latest_charge).toBeNull();
});

test('a number that is no test card is refused as a live one', async () => {
  const running = await aStandin();
  const { status, body } = await running.confirm(await anIntent(running), aCard('4111111111111111'));
  expect([status, body.error.code, body.error.decline_code]).toEqual([402, 'card_declined', 'test_mode_live_card']);
});

test('an authenticated payment succeeds once', async () => {
  const running = await aStandin();
  const { intent, asked, answered, values } = await authenticate(running, '4000002500003155', 'complete');
  expect(asked.body).toMatchObject({ status: 'requires_action', next_action: { type: 'use_stripe_sdk' } });
  expect([answered.status, answered.body.status]).toEqual([200, 'succeeded']);
  const again = await running.asBrowser('POST', '3ds2/challenge', values);
  expect([again.status, again.body.error.code]).toEqual([400, 'payment_intent_unexpected_state']);
  expect((await running.stripe.charges.list({ payment_intent: intent.id })).data).toHaveLength(1);
});

test('a failed authentication leaves the intent unpaid, with the reason', async () => {
  const running = await aStandin();
  const { intent, answered } = await authenticate(running, '4000002500003155', 'fail');
  expect(answered.status).toBe(200);
  expect(answered.body).toMatchObject({
    status: 'requires_payment_method',
    next_action: null,
    last_payment_error: {
      code: 'payment_intent_authentication_failure',
      message:
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    },
  });
  expect((await running.confirm(intent, aCard('4242424242424242'))).body.status).toBe('succeeded');
});

test('a card may be declined after its authentication', async () => {
  const running = await aStandin();
  const { answered } = await authenticate(running, '4000008400001629', 'complete');
  expect(answered.body).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'card_declined' },
  });
});

test('a payment method or token made in advance pays', async () => {
  const running = await aStandin();
  const card = {
    'card[number]': '4242424242424242',
    'card[exp_month]': '1',
    'card[exp_year]': '39',
    'card[cvc]': '987',
  };
  const method = await running.asBrowser('POST', 'payment_methods', { type: 'card', ...card });
  expect(method.body).toMatchObject({ object: 'payment_method', card: { last4: '4242', exp_year: 2039 } });
  const first = await running.confirm(await anIntent(running), { payment_method: method.body.id });
  expect(first.body.status).toBe('succeeded');
  const token = await running.asBrowser('POST', 'tokens', card);
  expect(token.body).toMatchObject({ object: 'token', card: { brand: 'visa', last4: '4242' } });
  const data = { 'payment_method_data[type]': 'card', 'payment_method_data[card][token]': token.body.id };
  expect((await running.confirm(await anIntent(running), data)).body.status).toBe('succeeded');
});

test('an intent without a payment method, or a paid one, cannot be confirmed', async () => {
  const running = await aStandin();
  const intent = await anIntent(running);
  expect((await running.confirm(intent, {})).body.error.message).toMatch(/missing a payment method/);
  await running.confirm(intent, aCard('4242424242424242'));
  const again = await running.confirm(intent, aCard('4242424242424242'));
  expect(again.body.error).toMatchObject({
    code: 'payment_intent_unexpected_state',
    message: 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
    payment_intent: { status: 'succeeded' },
  });
});

test('an intent can be cancelled until it is paid', async () => {
  const running = await aStandin();
  const fresh = await anIntent(running);
  const canceled = await running.stripe.paymentIntents.cancel(fresh.id, { cancellation_reason: 'abandoned' });
  expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
  expect(canceled.canceled_at).toBeGreaterThan(0);
  expect((await running.confirm(fresh, aCard('4242424242424242'))).body.error.code).toBe(
    'payment_intent_unexpected_state',
  );
  const { intent, values } = await authenticate(running, '4000008400001629', 'fail');
  await running.stripe.paymentIntents.cancel(intent.id);
  expect((await running.asBrowser('POST', '3ds2/challenge', values)).status).toBe(400);
  const paid = await anIntent(running);
  await running.confirm(paid, aCard('4242424242424242'));
  await expect(running.stripe.paymentIntents.cancel(paid.id)).rejects.toMatchObject({
    statusCode: 400,
    code: 'payment_intent_unexpected_state',
    message:
      'You cannot cancel this PaymentIntent because it has a status of succeeded. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.',
  });
});

test('of a cancel and a confirm at the same moment exactly one wins', async () => {
  const running = await aStandin();
  for (let round = 0; round < 20; round += 1) {
    const intent = await anIntent(running);
    const [paid, canceled] = await Promise.all([
      running.confirm(intent, aCard('4242424242424242')).then(({ status }) => status === 200),
      running.stripe.paymentIntents.cancel(intent.id).then(
        () => true,
        () => false,
      ),
    ]);
    expect([paid, canceled].filter(Boolean)).toHaveLength(1);
    const { status } = await running.stripe.paymentIntents.retrieve(intent.id);
    expect(status).toBe(paid ? 'succeeded' : 'canceled');
  }
});

test('ten confirms at once make one charge', async () => {
  const running = await aStandin();
  const intent = await anIntent(running);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => running.confirm(intent, aCard('4242424242424242'))),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await running.stripe.charges.list({ payment_intent: intent.id })).data).toHaveLength(1);
});

test('a card number and its code are kept nowhere', async () => {
  const running = await aStandin();
  const headers = { 'Idempotency-Key': 'with-a-card' };
  for (const number of ['4242424242424242', '4000000000000002', '4111111111111111']) {
    const intent = await anIntent(running);
    const body = new URLSearchParams({ client_secret: intent.client_secret ?? '', ...aCard(number, { cvc: '737' }) });
    const url = `http://127.0.0.1:${running.port}/v1/payment_intents/${intent.id}/confirm?key=pk_test_dogear_standin`;
    const told = await (await fetch(url, { method: 'POST', body, headers })).text();
    const kept = (await readFile(running.file, 'utf8')) + running.log.join('\n') + told;
    expect(kept).not.toContain(number);
    expect(kept).not.toContain('737"');
  }
});
