import { expect, test } from 'vitest';
import { aCard, aStandin } from '#standins/stripe/test-standin.ts';

type Running = Awaited<ReturnType<typeof aStandin>>;

const DISPUTED = { amount: 2000, currency: 'usd', confirm: true, payment_method: 'pm_card_createDispute' } as const;

const eventTypes = async ({ stripe }: Running) =>
  (await stripe.events.list({ types: ['charge.dispute.*'] })).data.map(({ type }) => type).reverse();

test('the documented card is paid and disputed as fraudulent at once', async () => {
  const running = await aStandin();
  const { stripe } = running;
  const intent = await stripe.paymentIntents.create({ amount: 2000, currency: 'usd' });
  const { body } = await running.confirm(intent, aCard('4000000000000259'));
  expect(body.status).toBe('succeeded');
  const [dispute] = (await stripe.disputes.list({ payment_intent: intent.id })).data;
  expect(dispute).toMatchObject({ amount: 2000, reason: 'fraudulent', status: 'needs_response' });
  expect(await stripe.disputes.retrieve(dispute?.id ?? '')).toEqual(dispute);
  expect((await stripe.charges.retrieve(String(dispute?.charge))).disputed).toBe(true);
  expect(await eventTypes(running)).toEqual(['charge.dispute.created', 'charge.dispute.funds_withdrawn']);
});

test.each([
  ['winning_evidence', 'won', ['charge.dispute.funds_reinstated', 'charge.dispute.closed']],
  ['losing_evidence', 'lost', ['charge.dispute.closed']],
] as const)('%s closes a dispute as %s, once', async (evidence, status, events) => {
  const running = await aStandin();
  const { stripe } = running;
  await stripe.paymentIntents.create(DISPUTED);
  const id = (await stripe.disputes.list()).data[0]?.id ?? '';
  const kept = await stripe.disputes.update(id, { evidence: { uncategorized_text: evidence }, submit: false });
  expect(kept).toMatchObject({ status: 'needs_response', evidence_details: { has_evidence: true } });
  const closed = await stripe.disputes.update(id, { evidence: { uncategorized_text: evidence } });
  expect(closed).toMatchObject({ status, evidence_details: { submission_count: 1 } });
  expect((await eventTypes(running)).slice(4)).toEqual(events);
  await expect(stripe.disputes.close(id)).rejects.toMatchObject({ message: 'This dispute is already closed' });
});

test('other evidence is reviewed, and giving in loses', async () => {
  const { stripe } = await aStandin();
  await stripe.paymentIntents.create(DISPUTED);
  const id = (await stripe.disputes.list()).data[0]?.id ?? '';
  const reviewed = await stripe.disputes.update(id, { evidence: { uncategorized_text: 'It was signed for.' } });
  expect(reviewed.status).toBe('under_review');
  expect((await stripe.disputes.close(id)).status).toBe('lost');
});

test('a disputed charge cannot be refunded as well, until the dispute is won', async () => {
  const { stripe } = await aStandin();
  const intent = await stripe.paymentIntents.create(DISPUTED);
  const refund = () => stripe.refunds.create({ payment_intent: intent.id });
  await expect(refund()).rejects.toMatchObject({ code: 'charge_disputed', statusCode: 400 });
  const id = (await stripe.disputes.list()).data[0]?.id ?? '';
  await stripe.disputes.update(id, { evidence: { uncategorized_text: 'winning_evidence' } });
  expect((await refund()).status).toBe('succeeded');
});

test('a dispute is opened and decided by hand through the control API', async () => {
  const running = await aStandin();
  const { stripe, control } = running;
  const intent = await stripe.paymentIntents.create({ ...DISPUTED, payment_method: 'pm_card_visa' });
  const opened = await control('POST', 'disputes', { payment_intent: intent.id, reason: 'product_not_received' });
  expect(opened).toMatchObject({ status: 200, body: { reason: 'product_not_received', payment_intent: intent.id } });
  expect((await control('POST', 'disputes', { payment_intent: intent.id })).status).toBe(400);
  expect((await control('POST', 'disputes', { payment_intent: 'pi_none' })).status).toBe(404);
  const other = await stripe.paymentIntents.create({ ...DISPUTED, payment_method: 'pm_card_visa' });
  const part = (amount: number) => control('POST', 'disputes', { payment_intent: other.id, amount });
  expect((await part(2_001)).status).toBe(400);
  expect(await part(500)).toMatchObject({ body: { amount: 500, balance_transactions: [{ amount: -500 }] } });
  const close = () => control('POST', `disputes/${opened.body.id}/close`, { status: 'won' });
  expect(await close()).toMatchObject({ status: 200, body: { status: 'won' } });
  expect((await close()).status).toBe(400);
});
