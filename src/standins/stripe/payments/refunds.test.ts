import { expect, test } from 'vitest';
import { aStandin } from '#standins/stripe/test-standin.ts';

type Running = Awaited<ReturnType<typeof aStandin>>;

function aPaidIntent({ stripe }: Running, amount = 2000) {
  return stripe.paymentIntents.create({ amount, currency: 'usd', confirm: true, payment_method: 'pm_card_visa' });
}

test('a paid intent is refunded in full, once', async () => {
  const running = await aStandin();
  const { stripe } = running;
  const intent = await aPaidIntent(running);
  const refund = await stripe.refunds.create({ payment_intent: intent.id, reason: 'requested_by_customer' });
  expect(refund).toMatchObject({ amount: 2000, status: 'succeeded', payment_intent: intent.id });
  expect(await stripe.refunds.retrieve(refund.id)).toEqual(refund);
  const charge = await stripe.charges.retrieve(String(intent.latest_charge));
  expect(charge).toMatchObject({ amount_refunded: 2000, refunded: true });
  expect(charge.refunds?.data.map(({ id }) => id)).toEqual([refund.id]);
  await expect(stripe.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({
    code: 'charge_already_refunded',
    statusCode: 400,
  });
});

test('parts are refunded up to what was paid', async () => {
  const running = await aStandin();
  const { stripe } = running;
  const intent = await aPaidIntent(running);
  await stripe.refunds.create({ payment_intent: intent.id, amount: 1500 });
  await expect(stripe.refunds.create({ payment_intent: intent.id, amount: 501 })).rejects.toMatchObject({
    message: 'Refund amount ($5.01) is greater than unrefunded amount on charge ($5.00)',
  });
  await stripe.refunds.create({ charge: String(intent.latest_charge) });
  expect((await stripe.refunds.list({ payment_intent: intent.id })).data.map(({ amount }) => amount)).toEqual([
    500, 1500,
  ]);
});

test('twenty refunds at once give the money back once', async () => {
  const running = await aStandin();
  const intent = await aPaidIntent(running);
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => running.stripe.refunds.create({ payment_intent: intent.id })),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('an unpaid intent has nothing to refund', async () => {
  const { stripe } = await aStandin();
  const intent = await stripe.paymentIntents.create({ amount: 2000, currency: 'usd' });
  await expect(stripe.refunds.create({ payment_intent: intent.id })).rejects.toHaveProperty('statusCode', 400);
});

test('a refund the bank sends back later has failed, and may be made anew', async () => {
  const running = await aStandin();
  const { stripe, control } = running;
  const intent = await aPaidIntent(running);
  const refund = await stripe.refunds.create({ payment_intent: intent.id });
  const fail = () => control('POST', `refunds/${refund.id}/fail`);
  expect(await fail()).toMatchObject({ status: 200, body: { status: 'failed' } });
  expect((await fail()).status).toBe(400);
  expect((await stripe.events.list({ type: 'refund.failed' })).data).toHaveLength(1);
  const charge = await stripe.charges.retrieve(String(intent.latest_charge));
  expect(charge).toMatchObject({ amount_refunded: 0, refunded: false });
  expect((await stripe.refunds.create({ payment_intent: intent.id })).amount).toBe(2000);
});
