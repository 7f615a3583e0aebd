import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aCard, aFolder, aStandin } from '#standins/stripe/test-standin.ts';

const PARAMS = { amount: 1500, currency: 'usd' };
const SUCCEEDS = '4000007700000000';
const FAILS = '4000007700000018';

test('a slow bank’s answer comes by itself, and the intent is processing until then', async () => {
  const running = await aStandin({ processingMs: 200 });
  const { stripe } = running;
  const [good, bad] = [await stripe.paymentIntents.create(PARAMS), await stripe.paymentIntents.create(PARAMS)];
  expect((await running.confirm(good, aCard(SUCCEEDS))).body.status).toBe('processing');
  expect((await running.confirm(bad, aCard(FAILS))).body.status).toBe('processing');
  const again = await running.confirm(good, aCard('4242424242424242'));
  expect(again.body.error.code).toBe('payment_intent_unexpected_state');
  await expect.poll(async () => (await stripe.paymentIntents.retrieve(good.id)).status).toBe('succeeded');
  await expect.poll(async () => (await stripe.paymentIntents.retrieve(bad.id)).status).toBe('requires_payment_method');
  const after = await stripe.paymentIntents.retrieve(bad.id);
  expect(after.last_payment_error?.decline_code).toBe('generic_decline');
  const types = (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type);
  expect(types.filter((type) => type === 'payment_intent.processing')).toHaveLength(2);
  expect(types).toEqual(expect.arrayContaining(['payment_intent.succeeded', 'payment_intent.payment_failed']));
  expect((await stripe.charges.list()).data.map(({ paid }) => paid).sort()).toEqual([false, true]);
});

test('it comes at once when asked for, once, and not for a cancelled intent', async () => {
  const running = await aStandin();
  const { stripe, control } = running;
  const [paid, cancelled] = [await stripe.paymentIntents.create(PARAMS), await stripe.paymentIntents.create(PARAMS)];
  for (const intent of [paid, cancelled]) await running.confirm(intent, aCard(SUCCEEDS));
  await stripe.paymentIntents.cancel(cancelled.id);
  const finish = (id: string, outcome = 'succeeds') => control('POST', `processing/${id}/finish`, { outcome });
  expect(await finish(paid.id)).toMatchObject({ status: 200, body: { status: 'succeeded' } });
  expect((await finish(paid.id, 'fails')).status).toBe(400);
  expect((await finish(cancelled.id)).status).toBe(400);
  expect((await stripe.charges.list()).data).toHaveLength(1);
});

test('a restart does not forget it', async () => {
  const file = join(await aFolder(), 'stripe.sqlite');
  const before = await aStandin({ file });
  const intent = await before.stripe.paymentIntents.create(PARAMS);
  await before.confirm(intent, aCard(SUCCEEDS));
  await before.standin.close();
  const after = await aStandin({ file, processingMs: 50 });
  await expect.poll(async () => (await after.stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
});
