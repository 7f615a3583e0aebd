import { createHmac, randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBooking } from '#contract/bookings/bookings.ts';
import { createPaymentIntent } from '#contract/money/payments.ts';
import { STANDIN_CONNECT_WEBHOOK_SECRET, STANDIN_SECRET_KEY, STANDIN_WEBHOOK_SECRET } from '#standins/stripe/keys.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBuyer, aListing, aSeller } from '#test/make.ts';
import { confirmCard } from '#test/money/pay.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const NOW = () => Math.floor(Date.now() / 1000);

const signed = (body: string, { at = NOW(), secret = STANDIN_WEBHOOK_SECRET } = {}): Record<string, string> => ({
  'content-type': 'application/json',
  'stripe-signature': `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`,
});

const event = (id: string, type: string, intentId: string): string =>
  JSON.stringify({ id, object: 'event', type, data: { object: { id: intentId, object: 'payment_intent' } } });

const deliver = (body: string, headers = signed(body)) => t.send('POST', '/api/webhooks/stripe', { body, headers });

const aPaidIntent = async () => {
  const [buyer, seller] = [await aBuyer(t), await aSeller(t)];
  const bookingId = await aBooking(t, buyer, await aListing(t, seller));
  const intent = await t.call(createPaymentIntent, { body: { price: 7.5, bookingId } }, { as: buyer });
  await confirmCard(t.standinUrl, intent.body.clientSecret, '4242424242424242');
  const paid = async () => (await t.call(readBooking, { params: { id: bookingId } }, { as: buyer })).body.paid;
  return { intentId: intent.body.clientSecret.split('_secret')[0] ?? '', bookingId, paid };
};

describe('the signature', () => {
  test.each<[string, (body: string) => [string, Record<string, string>]]>([
    ['missing', (body) => [body, { 'content-type': 'application/json' }]],
    ['of another secret', (body) => [body, signed(body, { secret: 'whsec_other' })]],
    ['of another body', (body) => [body.replace('evt', 'evx'), signed(body)]],
    ['of the same body written differently', (body) => [JSON.stringify(JSON.parse(body), null, 1), signed(body)]],
    ['older than five minutes', (body) => [body, signed(body, { at: NOW() - 301 })]],
    ['more than five minutes ahead', (body) => [body, signed(body, { at: NOW() + 310 })]],
    ['without a time', (body) => [body, { ...signed(body), 'stripe-signature': 'v1=00' }]],
  ])('%s is refused and nothing happens', async (_, forge) => {
    const deal = await aPaidIntent();
    const [body, headers] = forge(event('evt_forged', 'payment_intent.succeeded', deal.intentId));
    expect((await deliver(body, headers)).statusCode).toBe(400);
    expect(await deal.paid()).toBe(false);
  });
});

describe('an event', () => {
  test('may have a megabyte, all of which is signed; beyond that it is not read', async () => {
    const padded = (bytes: number): string =>
      JSON.stringify({ ...JSON.parse(event('evt_large', 'customer.created', 'cus_1')), padding: 'x'.repeat(bytes) });
    expect((await deliver(padded(900_000))).statusCode).toBe(200);
    const large = await deliver(padded(1_000_001));
    expect([large.statusCode, large.json().error.code]).toEqual([413, 'too_large']);
  });

  test('suffices alone: the booking is paid when the browser never comes back', async () => {
    const deal = await aPaidIntent();
    const answer = await deliver(event('evt_alone', 'payment_intent.succeeded', deal.intentId));
    expect(answer.statusCode).toBe(200);
    expect(await deal.paid()).toBe(true);
  });

  test('has one effect, delivered fifty times at once', async () => {
    const deal = await aPaidIntent();
    const body = event('evt_often', 'payment_intent.succeeded', deal.intentId);
    const answers = await Promise.all(Array.from({ length: 50 }, () => deliver(body)));
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
    const rows = await t.db.selectFrom('payments').selectAll().where('booking_id', '=', deal.bookingId).execute();
    expect(rows).toHaveLength(1);
  });

  test('acts on what the intent is, whatever it says and in whatever order', async () => {
    const deal = await aPaidIntent();
    await deliver(event('evt_failed', 'payment_intent.payment_failed', deal.intentId));
    expect(await deal.paid()).toBe(true);
    await deliver(event('evt_late', 'payment_intent.canceled', deal.intentId));
    await deliver(event('evt_created', 'payment_intent.created', deal.intentId));
    expect(await deal.paid()).toBe(true);
  });

  test('of an intent or a kind that is not ours is taken and does nothing', async () => {
    const others = event('evt_other', 'payment_intent.succeeded', 'pi_unknown');
    expect((await deliver(others)).statusCode).toBe(200);
    const stranger = new Stripe(STANDIN_SECRET_KEY, {
      host: '127.0.0.1',
      port: Number(t.standinUrl.port),
      protocol: 'http',
    });
    const strange: Record<string, string>[] = [
      {},
      { booking_id: 'nonsense', n: '1' },
      { booking_id: randomUUID(), n: 'x' },
      { booking_id: randomUUID(), n: '1' },
    ];
    for (const metadata of strange) {
      const intent = await stranger.paymentIntents.create({ amount: 750, currency: 'usd', metadata });
      await confirmCard(t.standinUrl, intent.client_secret ?? '', '4242424242424242');
      expect((await deliver(event(`evt_${intent.id}`, 'payment_intent.succeeded', intent.id))).statusCode).toBe(200);
    }
    const kind = JSON.stringify({ id: 'evt_kind', object: 'event', type: 'customer.created', data: { object: {} } });
    expect((await deliver(kind)).statusCode).toBe(200);
  });
});

describe('what an event speaks of', () => {
  const read = (body: object, secret = STANDIN_CONNECT_WEBHOOK_SECRET) => {
    const raw = JSON.stringify({ id: 'evt_read', object: 'event', livemode: false, ...body });
    return t.provider.readEvent(Buffer.from(raw), signed(raw, { secret })['stripe-signature'] ?? '');
  };

  test('is read by either secret: the account, its bank payout, the transfer', async () => {
    const payout = { type: 'payout.failed', account: 'acct_1', data: { object: { id: 'po_1', object: 'payout' } } };
    expect(await read(payout)).toEqual({
      id: 'evt_read',
      type: 'payout.failed',
      accountId: 'acct_1',
      bankPayoutId: 'po_1',
      intentId: undefined,
      disputeId: undefined,
      transferId: undefined,
      isOfOtherMode: false,
    });
    const object = { id: 'tr_1', object: 'transfer', destination: 'acct_2' };
    const transfer = { type: 'transfer.reversed', data: { object } };
    expect(await read(transfer, STANDIN_WEBHOOK_SECRET)).toMatchObject({ transferId: 'tr_1', accountId: 'acct_2' });
    await expect(read(payout, 'whsec_other')).rejects.toThrow('The signature does not match');
  });

  test('is an account where nothing but its id is told', async () => {
    const type = 'v2.core.account[requirements].updated';
    const thin = (id: string) =>
      read({ object: 'v2.core.event', type, related_object: { id, type: 'v2.core.account', url: '/v2/core/x' } });
    expect(await thin('acct_3')).toMatchObject({ type, accountId: 'acct_3', isOfOtherMode: false });
    expect(await thin('acct_3/../../v1')).toMatchObject({ accountId: undefined });
    expect(await read({ object: 'v2.core.event', type: 'v2.core.x', related_object: null })).toMatchObject({
      accountId: undefined,
    });
  });

  test('is no payment of the shop where an account tells of it', async () => {
    const data = { object: { id: 'pi_1', object: 'payment_intent' } };
    expect(await read({ type: 'payment_intent.succeeded', account: 'acct_1', data })).toMatchObject({
      accountId: 'acct_1',
      intentId: undefined,
    });
  });

  test('is let go where it is of the other mode than the key of the shop', async () => {
    const deal = await aPaidIntent();
    const live = { ...JSON.parse(event('evt_live', 'payment_intent.succeeded', deal.intentId)), livemode: true };
    expect(await read(live)).toMatchObject({ isOfOtherMode: true });
    expect((await deliver(JSON.stringify(live))).statusCode).toBe(200);
    expect(await deal.paid()).toBe(false);
    const noted = await t.db.selectFrom('provider_events').select('outcome').where('id', '=', 'evt_live').execute();
    expect(noted).toEqual([{ outcome: 'ignored' }]);
  });
});

test('the stand-in’s own webhook settles over the wire', async () => {
  const address = await t.listen();
  t.standin.setWebhookUrls([`${address}/api/webhooks/stripe`]);
  const deal = await aPaidIntent();
  await t.standin.webhooksSettled();
  expect(await deal.paid()).toBe(true);
});
