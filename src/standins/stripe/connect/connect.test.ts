import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { STANDIN_CONNECT_WEBHOOK_SECRET, STANDIN_SECRET_KEY, STANDIN_WEBHOOK_SECRET } from '#standins/stripe/keys.ts';
import { aReceiver, aStandin, type Received } from '#standins/stripe/test-standin.ts';

type Running = Awaited<ReturnType<typeof aStandin>>;

const DAY_SECONDS = 24 * 60 * 60;
const PAYEE = {
  contact_email: 'ada@books.example',
  display_name: 'Ada',
  dashboard: 'express',
  identity: { country: 'US' },
  configuration: { recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } } },
  defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
} as const satisfies Stripe.V2.Core.AccountCreateParams;

const anAccount = async ({ stripe, control }: Running, state = 'active'): Promise<string> => {
  const { id } = await stripe.v2.core.accounts.create(PAYEE);
  await control('POST', `accounts/${id}/state`, { state });
  return id;
};

const pay = ({ stripe }: Running, amount: number) =>
  stripe.paymentIntents.create({ amount, currency: 'usd', confirm: true, payment_method: 'pm_card_visa' });

const secretOf = ({ body, headers }: Received): string | undefined => {
  const [, time, signature] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['stripe-signature'])) ?? [];
  return [STANDIN_WEBHOOK_SECRET, STANDIN_CONNECT_WEBHOOK_SECRET].find(
    (secret) => createHmac('sha256', secret).update(`${time}.${body}`).digest('hex') === signature,
  );
};

describe('the first version of the API', () => {
  test.each([
    ['transfers', { amount: '500', currency: 'usd', destination: 'acct_1', to: 'bank' }, 'to'],
    ['transfers', { amount: '500', currency: 'usd', destination: 'acct_1', 'source_transaction[id]': 'ch_1' }, ''],
    ['transfers/tr_1/reversals', { amount: '500', refund_application_fee: 'true' }, 'refund_application_fee'],
    ['balance_settings', { payments: '' }, ''],
  ])('refuses %s with what it does not know', async (path, values, param) => {
    const { port } = await aStandin();
    const answer = await fetch(`http://127.0.0.1:${port}/v1/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${STANDIN_SECRET_KEY}` },
      body: new URLSearchParams(values),
    });
    const { error } = (await answer.json()) as { error: Record<string, string> };
    expect(answer.status).toBe(400);
    if (param !== '') expect(error).toMatchObject({ code: 'parameter_unknown', param });
  });

  test('sends dollars only, and takes them from a payment in dollars only', async () => {
    const running = await aStandin();
    const { stripe } = running;
    const destination = await anAccount(running);
    const euros = { amount: 500, currency: 'eur', destination };
    await expect(stripe.transfers.create(euros)).rejects.toMatchObject({ code: 'balance_insufficient' });
    const { latest_charge: charge, id } = await pay(running, 1_000);
    const taken = stripe.transfers.create({ ...euros, source_transaction: String(charge) });
    await expect(taken).rejects.toMatchObject({ message: expect.stringContaining('must be the same as the transfer') });
    const intent = stripe.transfers.create({ ...euros, source_transaction: id });
    await expect(intent).rejects.toMatchObject({ code: 'resource_missing' });
  });

  test('knows a key again, and an account of nobody as such', async () => {
    const running = await aStandin();
    const destination = await anAccount(running);
    const send = (amount: number) =>
      running.stripe.transfers.create({ amount, currency: 'usd', destination }, { idempotencyKey: 'k' });
    expect(await send(500)).toEqual(await send(500));
    await expect(send(501)).rejects.toMatchObject({ type: 'StripeIdempotencyError' });
    const stranger = running.stripe.balance.retrieve({}, { stripeAccount: 'acct_other' });
    await expect(stranger).rejects.toMatchObject({ code: 'account_invalid', statusCode: 403 });
  });
});

describe('the second version of the API', () => {
  test('tells only what was asked for, and refuses what it does not know', async () => {
    const { stripe, port } = await aStandin();
    const made = await stripe.v2.core.accounts.create(PAYEE);
    expect(made).toMatchObject({ configuration: null, identity: null, requirements: null, livemode: false });
    const asked = await stripe.v2.core.accounts.retrieve(made.id, { include: ['configuration.recipient', 'identity'] });
    expect(asked).toMatchObject({ identity: { country: 'us' }, requirements: null, defaults: null });
    expect(asked.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status).toBe('restricted');
    const send = async (body: string) => {
      const headers = { Authorization: `Bearer ${STANDIN_SECRET_KEY}`, 'Content-Type': 'application/json' };
      return fetch(`http://127.0.0.1:${port}/v2/core/accounts`, { method: 'POST', headers, body });
    };
    const deep = structuredClone<object>(PAYEE);
    Object.assign(deep, { identity: { country: 'US', shoe_size: 44 } });
    const refused = await send(JSON.stringify(deep));
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { param: 'shoe_size' } }]);
    for (const body of ['[', '"text"', '{"configuration":"all"}', '{}']) expect((await send(body)).status).toBe(400);
  });
});

describe('events', () => {
  test('of connected accounts are signed with the other secret, and those of accounts say no more than which', async () => {
    const { url, received } = await aReceiver();
    const running = await aStandin({ webhookUrls: [url] });
    const account = await anAccount(running);
    await running.stripe.transfers.create({ amount: 500, currency: 'usd', destination: account });
    await running.control('POST', `accounts/${account}/pay-out`);
    await running.standin.webhooksSettled();
    const told = new Map(received.map((one) => [JSON.parse(one.body).type as string, one]));
    const [payout, transfer] = ['payout.created', 'transfer.created'].map((type) => told.get(type));
    const notice = told.get('v2.core.account[requirements].updated');
    if (payout === undefined || transfer === undefined || notice === undefined) throw new Error('an event is missing');
    expect([payout, transfer, notice].map(secretOf)).toEqual([
      STANDIN_CONNECT_WEBHOOK_SECRET,
      STANDIN_WEBHOOK_SECRET,
      STANDIN_CONNECT_WEBHOOK_SECRET,
    ]);
    expect(JSON.parse(payout.body)).toMatchObject({ account, livemode: false, data: { object: { amount: 500 } } });
    expect(JSON.parse(transfer.body)).not.toHaveProperty('account');
    expect(JSON.parse(notice.body)).toMatchObject({ object: 'v2.core.event', related_object: { id: account } });
    expect(JSON.parse(notice.body)).not.toHaveProperty('data');
  });

  test('come twice where they are to', async () => {
    const { url, received } = await aReceiver();
    const running = await aStandin({ webhookUrls: [url] });
    const account = await anAccount(running);
    await running.standin.webhooksSettled();
    const faults = [{ fault: 'double', next: 1, on: 'payout.created' }];
    await running.control('POST', 'faults', { faults });
    await running.stripe.transfers.create({ amount: 500, currency: 'usd', destination: account });
    await running.control('POST', `accounts/${account}/pay-out`);
    await running.standin.webhooksSettled();
    const types = received.map(({ body }) => JSON.parse(body).type as string);
    expect(types.filter((type) => type === 'payout.created')).toHaveLength(2);
  });
});

describe('the page of the stand-in', () => {
  const press = (port: number, token: string, deed: string, prefix = '') =>
    fetch(`http://127.0.0.1:${port}/deeds`, {
      method: 'POST',
      headers: { 'X-Forwarded-Prefix': prefix },
      body: new URLSearchParams({ token, deed }),
      redirect: 'manual',
    });

  test('shows where money is, and does with a button what banks and Stripe do', async () => {
    const running = await aStandin();
    const { stripe, port } = running;
    const account = await anAccount(running);
    await stripe.transfers.create({ amount: 500, currency: 'usd', destination: account });
    const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    const token = /name="token" value="(\w+)"/.exec(page)?.[1] ?? '';
    const deed = `POST accounts/${account}/pay-out {}`;
    expect(page).toContain(`value="${deed}"`);
    expect(page).not.toContain('ada@books.example');
    const pressed = await press(port, token, deed, '/standins/stripe');
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/standins/stripe/']);
    expect((await stripe.payouts.list({}, { stripeAccount: account })).data).toHaveLength(1);
    expect((await press(port, 'guessed', deed)).status).toBe(403);
    expect((await press(port, token, 'POST nothing {}')).status).toBe(404);
    expect((await press(port, token, deed)).status).toBe(400);
    expect((await press(port, token, 'DELETE faults {}', 'https://elsewhere')).headers.get('location')).toBe('/');
  });
});

describe('the balance', () => {
  test('has what was paid after two days, less the fee, and each change as a transaction', async () => {
    const running = await aStandin();
    const { stripe, control } = running;
    await control('POST', 'balance', { available: 0 });
    await pay(running, 1_000);
    const amounts = async () => {
      const { available, pending } = await stripe.balance.retrieve();
      return [available[0]?.amount, pending[0]?.amount];
    };
    expect(await amounts()).toEqual([0, 941]);
    const [charge] = (await stripe.balanceTransactions.list({ type: 'charge' })).data;
    expect(charge).toMatchObject({ amount: 1_000, fee: 59, net: 941, status: 'pending' });
    await control('POST', 'clock', { aheadSeconds: 2 * DAY_SECONDS });
    expect(await amounts()).toEqual([941, 0]);
    expect((await stripe.balanceTransactions.list({ type: 'charge' })).data[0]?.status).toBe('available');
    // it never goes back
    expect((await control('POST', 'clock', { aheadSeconds: 5 })).body).toEqual({ aheadSeconds: 2 * DAY_SECONDS });
  });

  test('of a seller’s account may be below zero', async () => {
    const running = await aStandin();
    const { stripe, control } = running;
    const stripeAccount = await anAccount(running);
    const put = (available: unknown, id = stripeAccount) => control('POST', `accounts/${id}/balance`, { available });
    expect((await put(-1_000)).status).toBe(200);
    expect((await stripe.balance.retrieve({}, { stripeAccount })).available[0]?.amount).toBe(-1_000);
    expect((await control('POST', `accounts/${stripeAccount}/pay-out`)).status).toBe(400);
    await stripe.transfers.create({ amount: 400, currency: 'usd', destination: stripeAccount });
    expect((await stripe.balance.retrieve({}, { stripeAccount })).available[0]?.amount).toBe(-600);
    expect([(await put('many')).status, (await put(0, 'acct_none')).status]).toEqual([400, 404]);
  });

  test('keeps a refund waiting while it is short, and pays it when it is not', async () => {
    const running = await aStandin();
    const { stripe, control } = running;
    const intent = await pay(running, 1_000);
    await control('POST', 'balance', { available: 999 });
    const refund = await stripe.refunds.create({ payment_intent: intent.id });
    expect(refund).toMatchObject({ status: 'pending', balance_transaction: null });
    await control('POST', 'balance', { available: 1_000 });
    expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'succeeded' });
    expect((await stripe.events.list({ type: 'refund.updated' })).data).toHaveLength(1);
    expect((await stripe.balance.retrieve()).available[0]?.amount).toBe(0);
    await control('POST', `refunds/${refund.id}/fail`);
    expect((await stripe.balance.retrieve()).available[0]?.amount).toBe(1_000);
  });

  test('loses a disputed payment and a fee, and has it back when an appeal is won', async () => {
    const running = await aStandin();
    const { stripe, control } = running;
    const intent = await pay(running, 1_000);
    const { body: dispute } = await control('POST', 'disputes', { payment_intent: intent.id });
    expect(dispute.balance_transactions).toMatchObject([{ amount: -1_000, fee: 1_500, net: -2_500 }]);
    const appeal = (status: string) => control('POST', `disputes/${dispute.id}/appeal`, { status });
    expect((await appeal('won')).status).toBe(400);
    await control('POST', `disputes/${dispute.id}/close`, { status: 'lost' });
    expect((await appeal('appeal_under_review')).body.status).toBe('appeal_under_review');
    expect((await appeal('won')).body.balance_transactions).toMatchObject([{ net: -2_500 }, { net: 1_000 }]);
    expect((await stripe.disputes.retrieve(dispute.id)).status).toBe('won');
  });

  test('and accounts, links and transfers are there after a restart', async () => {
    const before = await aStandin();
    const account = await anAccount(before);
    const transfer = await before.stripe.transfers.create({ amount: 500, currency: 'usd', destination: account });
    const balance = await before.stripe.balance.retrieve();
    await before.standin.close();
    const { stripe } = await aStandin({ file: before.file });
    expect(await stripe.transfers.retrieve(transfer.id)).toEqual(transfer);
    expect(await stripe.balance.retrieve()).toEqual(balance);
    expect(await stripe.v2.core.accounts.retrieve(account)).toMatchObject({ id: account });
  });
});
