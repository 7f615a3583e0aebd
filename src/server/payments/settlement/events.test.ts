import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bookCopy, cancelBooking } from '#contract/bookings/bookings.ts';
import { readSummary } from '#contract/bookings/dashboard.ts';
import { readMoneyState } from '#contract/money/money-admin.ts';
import { STANDIN_SECRET_KEY } from '#standins/stripe/keys.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import {
  aDeal,
  askForIntent,
  aSale,
  atProvider,
  bookingOf,
  copyOf,
  DECLINED_CARD,
  deliver,
  deliverIntent,
  failing,
  GOOD_CARD,
  intentIdOf,
  lapse,
  payAtProvider,
  recordPaid,
} from '#test/deal.ts';
import { aBookingDraft, aBuyer, aCategory, anAdmin, aSeller, type TestUser } from '#test/make.ts';
import { confirmCard } from '#test/money/pay.ts';
import { cancelStoppedIntents } from '#server/payments/intents/failure.service.ts';
import { releaseLapsedHolds } from './release.service.ts';

let t: TestApp;
let seller: TestUser;
let buyer: TestUser;
let admin: TestUser;
let category: string;

beforeAll(async () => {
  t = await testApp();
  [seller, buyer, admin] = await Promise.all([aSeller(t), aBuyer(t), anAdmin(t)]);
  category = await aCategory(t, seller);
});
afterAll(async () => {
  await expectInvariants(t.db);
  await t.close();
});

const deal = (who: TestUser = buyer) => aDeal(t, { seller, category, buyer: who });
const eventOf = (id: string) => t.db.selectFrom('provider_events').selectAll().where('id', '=', id).executeTakeFirst();
const intentsOf = (bookingId: string) =>
  t.db.selectFrom('payment_intents').selectAll().where('booking_id', '=', bookingId).orderBy('n').execute();

describe('an event is stored', () => {
  test('with when it came and when its effect was written; of a kind that means nothing it is let go', async () => {
    const paying = await deal();
    const intentId = await payAtProvider(t, paying);
    await deliverIntent(t, 'payment_intent.created', intentId, 'evt_stored1');
    await deliverIntent(t, 'payment_intent.succeeded', 'pi_ofAnotherShop', 'evt_stored2');
    await deliverIntent(t, 'payment_intent.succeeded', intentId, 'evt_stored3');
    expect(await eventOf('evt_stored1')).toMatchObject({ outcome: 'ignored' });
    expect(await eventOf('evt_stored2')).toMatchObject({ outcome: 'not-ours' });
    const acted = await eventOf('evt_stored3');
    expect(acted).toMatchObject({ outcome: 'acted', type: 'payment_intent.succeeded' });
    expect(acted?.processed_at.getTime()).toBeGreaterThanOrEqual(acted?.received_at.getTime() ?? Number.NaN);
    expect(await bookingOf(t, paying)).toMatchObject({ paid: true });
  });

  test('together with its effect, or not at all', async () => {
    const paying = await deal();
    const intentId = await payAtProvider(t, paying);
    t.standin.plan({ seed: 1, faults: [{ fault: 'cut', on: 'GET /v1/payment_intents/:id', next: 3 }] });
    expect((await deliverIntent(t, 'payment_intent.succeeded', intentId, 'evt_again')).statusCode).toBe(502);
    expect(await eventOf('evt_again')).toBeUndefined();
    expect((await deliverIntent(t, 'payment_intent.succeeded', intentId, 'evt_again')).statusCode).toBe(200);
    expect(await bookingOf(t, paying)).toMatchObject({ paid: true });
  });
});

describe('money on its way', () => {
  test('shows as processing and keeps its hold past its time, until it arrives', async () => {
    const paying = await deal();
    const intentId = await payAtProvider(t, paying, '4000007700000000');
    expect((await deliverIntent(t, 'payment_intent.processing', intentId)).statusCode).toBe(200);
    expect(await bookingOf(t, paying)).toMatchObject({ paid: false, processing: true, hold: 'held' });
    expect(await recordPaid(t, paying, intentId)).toMatchObject({ status: 202, body: { insertedId: null } });
    await lapse(t, paying);
    await releaseLapsedHolds(t.payments, failing);
    expect((await copyOf(t, paying)).status).toBe('Reserved');
    const cancelled = await t.call(cancelBooking, { params: { id: paying.bookingId } }, { as: buyer });
    expect(cancelled).toMatchObject({ status: 409, body: { error: { code: 'request_in_progress' } } });
    await atProvider(t, `/processing/${intentId}/finish`, { outcome: 'succeeds' });
    await deliverIntent(t, 'payment_intent.succeeded', intentId);
    expect(await bookingOf(t, paying)).toMatchObject({ paid: true, processing: false });
  });

  test('that does not arrive leaves the booking to be paid with another card', async () => {
    const paying = await deal();
    const intentId = await payAtProvider(t, paying, '4000007700000018');
    await deliverIntent(t, 'payment_intent.processing', intentId);
    await atProvider(t, `/processing/${intentId}/finish`, { outcome: 'fails' });
    await deliverIntent(t, 'payment_intent.payment_failed', intentId);
    expect(await bookingOf(t, paying)).toMatchObject({ paid: false, processing: false });
    expect((await recordPaid(t, paying, await payAtProvider(t, paying))).status).toBe(200);
  });
});

test('an intent cancelled at the provider is not paid any more; Pay makes the next one', async () => {
  const paying = await deal();
  const { clientSecret } = (await askForIntent(t, paying)).body;
  const intentId = intentIdOf(clientSecret);
  await atProvider(t, `/v1/payment_intents/${intentId}/cancel`, {}, true);
  await deliverIntent(t, 'payment_intent.canceled', intentId);
  expect(await intentsOf(paying.bookingId)).toMatchObject([{ n: 1, state: 'cancelled' }]);
  const next = await payAtProvider(t, paying);
  expect(next).not.toBe(intentId);
  expect((await recordPaid(t, paying, next)).status).toBe(200);
  // What comes late changes nothing: paid is final.
  for (const late of ['payment_intent.canceled', 'payment_intent.payment_failed', 'payment_intent.processing']) {
    for (const id of [intentId, next]) expect((await deliverIntent(t, late, id)).statusCode).toBe(200);
  }
  expect(await bookingOf(t, paying)).toMatchObject({ paid: true, processing: false });
  expect(await intentsOf(paying.bookingId)).toMatchObject([
    { n: 1, state: 'cancelled' },
    { n: 2, state: 'succeeded' },
  ]);
});

describe('an intent whose creation broke off at the provider', () => {
  const planned = (fault: 'fail' | 'cut') =>
    t.standin.plan({ seed: 1, faults: [{ fault, on: 'POST /v1/payment_intents', next: 3 }] });

  test.each(['fail', 'cut'] as const)('(%s) is still the only one', async (fault) => {
    const paying = await deal();
    planned(fault);
    const first = await askForIntent(t, paying);
    t.standin.plan({ seed: 1, faults: [] });
    expect([200, 502]).toContain(first.status);
    const id = await payAtProvider(t, paying);
    expect((await recordPaid(t, paying, id)).status).toBe(200);
    const made: string[] = [];
    for await (const facts of t.provider.listIntents(new Date(Date.now() - 60_000))) {
      if (facts.bookingId === paying.bookingId) made.push(facts.id);
    }
    expect(made).toEqual([id]);
  });
});

describe('cards that fail', () => {
  test('five times within the hour stop the intent and every other for an hour; each report counts once', async () => {
    const tester = await aBuyer(t);
    const [trying, other] = [await deal(tester), await deal(tester)];
    const { clientSecret } = (await askForIntent(t, trying)).body;
    const intentId = intentIdOf(clientSecret);
    await askForIntent(t, other);
    for (let failures = 1; failures <= 4; failures += 1) {
      await confirmCard(t.standinUrl, clientSecret, DECLINED_CARD);
      const id = `evt_failed${failures}`;
      for (let copies = 0; copies < 3; copies += 1)
        await deliverIntent(t, 'payment_intent.payment_failed', intentId, id);
    }
    expect((await askForIntent(t, trying)).body.clientSecret).toBe(clientSecret);
    await confirmCard(t.standinUrl, clientSecret, DECLINED_CARD);
    expect((await deliverIntent(t, 'payment_intent.payment_failed', intentId)).statusCode).toBe(200);
    for (const stopped of [trying, other]) {
      const refused = await askForIntent(t, stopped);
      expect(refused).toMatchObject({ status: 429, body: { clientSecret: '', error: { code: 'too_many' } } });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
    }
    expect(await cancelStoppedIntents(t.payments, failing)).toBe(2);
    expect(await cancelStoppedIntents(t.payments, failing)).toBe(0);
    expect((await t.provider.findIntent(intentId))?.status).toBe('canceled');
    expect(await confirmCard(t.standinUrl, clientSecret, GOOD_CARD)).toHaveProperty('error');
    // Others pay, and so does this one when the hour is over.
    const honest = await deal();
    expect((await recordPaid(t, honest, await payAtProvider(t, honest))).status).toBe(200);
    await t.db
      .updateTable('payment_intents')
      .set({ stopped_at: new Date(Date.now() - 3_700_000) })
      .where('stopped_at', 'is not', null)
      .execute();
    await t.call(bookCopy, { body: aBookingDraft(tester, trying.copy) }, { as: tester });
    expect((await recordPaid(t, trying, await payAtProvider(t, trying))).status).toBe(200);
  });
});

describe('a dispute', () => {
  interface AtProvider {
    id: string;
    evidence_details: { due_by: number };
  }
  const disputesOf = async (intentId: string): Promise<AtProvider[]> => {
    const answer = await fetch(new URL(`/v1/disputes?payment_intent=${intentId}`, t.standinUrl), {
      headers: { authorization: `Bearer ${STANDIN_SECRET_KEY}` },
    });
    return ((await answer.json()) as { data: AtProvider[] }).data;
  };
  const tell = (type: string, id: string, intentId: string) =>
    deliver(t, `charge.dispute.${type}`, { id, object: 'dispute', payment_intent: intentId });
  /** Cents on an account of the ledger. */
  const balance = async (account: string) => {
    const state = await t.call(readMoneyState, {}, { as: admin });
    return Math.round((state.body.balances.find((one) => one.account === account)?.amount ?? 0) * 100);
  };
  const stateOf = (id: string) => t.db.selectFrom('disputes').select('state').where('id', '=', id).executeTakeFirst();

  test('sets the seller’s share aside, tells admins, and gives it back when won', async () => {
    const sold = await aSale(t, { seller, category, buyer, card: '4000000000000259' });
    const [dispute] = await disputesOf(sold.intentId);
    const id = dispute?.id ?? '';
    const owed = await balance('seller-pending');
    await Promise.all(Array.from({ length: 10 }, () => tell('created', id, sold.intentId)));
    expect([await balance('seller-pending'), await balance('dispute-reserve')]).toEqual([owed + 698, -750]);
    const shown = (await t.call(readMoneyState, {}, { as: admin })).body.disputes;
    expect(shown).toMatchObject([
      { _id: id, state: 'open', amount: 7.5, reason: 'fraudulent', title: sold.copy.title },
    ]);
    const mails = () => t.db.selectFrom('outbox').select('to_email').where('kind', '=', 'dispute').execute();
    expect(await mails()).toEqual([{ to_email: admin.email }]);
    // The day until which it may be answered is known, and told where an admin looks first.
    const dueBy = new Date((dispute?.evidence_details.due_by ?? 0) * 1000).toISOString();
    expect(shown).toMatchObject([{ dueBy, transactionId: sold.intentId }]);
    const attention = async () => (await t.call(readSummary, {}, { as: admin })).body.admin;
    expect(await attention()).toMatchObject({ openDisputes: 1, disputeDueBy: dueBy });
    // One that an earlier release noted learns its date when the provider is next asked.
    await t.db.updateTable('disputes').set({ due_by: null }).where('id', '=', id).execute();
    await tell('updated', id, sold.intentId);
    expect(await attention()).toMatchObject({ openDisputes: 1, disputeDueBy: dueBy });
    const told = (await t.mailTo(admin.email)).find(({ subject }) => subject === `Disputed: ${sold.copy.title}`);
    expect(told?.text).toContain('Answer at Stripe by: ');
    await atProvider(t, `/disputes/${id}/close`, { status: 'won' });
    await tell('closed', id, sold.intentId);
    await tell('created', id, sold.intentId);
    expect([await balance('seller-pending'), await balance('dispute-reserve')]).toEqual([owed, 0]);
    expect(await stateOf(id)).toEqual({ state: 'won' });
    expect(await attention()).toMatchObject({ openDisputes: 0, disputeDueBy: null });
    expect(await mails()).toHaveLength(2);
  });

  test('that is lost before we heard of it is both opened and lost; the money is gone, and the copy comes back', async () => {
    const paying = await deal();
    const intentId = await payAtProvider(t, paying, '4000000000002685');
    const [dispute] = await disputesOf(intentId);
    const id = dispute?.id ?? '';
    await atProvider(t, `/disputes/${id}/close`, { status: 'lost' });
    const held = await balance('provider');
    // The dispute is the first that is heard of the payment, too.
    await tell('closed', id, intentId);
    expect(await stateOf(id)).toEqual({ state: 'lost' });
    expect(await bookingOf(t, paying)).toMatchObject({ paid: true, refunded: true });
    expect((await copyOf(t, paying)).status).toBe('Available');
    expect([await balance('provider'), await balance('dispute-reserve')]).toEqual([held, 0]);
  });
});
