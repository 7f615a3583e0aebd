import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAudit } from '#contract/admin/audit.ts';
import { bookCopy, cancelBooking, relistCopy, withdrawCopy } from '#contract/bookings/bookings.ts';
import { readSummary } from '#contract/bookings/dashboard.ts';
import { readListing } from '#contract/catalog/catalog.ts';
import { listPayments, refundBooking, retryRefund } from '#contract/money/money-admin.ts';
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
  deliver,
  deliverIntent,
  failing,
  payAtProvider,
  recordPaid,
  type Deal,
} from '#test/deal.ts';
import { aBooking, aBookingDraft, aBuyer, aCategory, anAdmin, aSeller, type TestUser } from '#test/make.ts';
import { noteDifference } from '#server/payments/reconciliation/difference.queries.ts';
import { finishRefunds } from './refund.service.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';

let t: TestApp;
let seller: TestUser;
let admin: TestUser;
let buyer: TestUser;
let category: string;

beforeAll(async () => {
  t = await testApp();
  [seller, admin, buyer] = await Promise.all([aSeller(t), anAdmin(t), aBuyer(t)]);
  category = await aCategory(t, seller);
});
afterAll(async () => {
  await expectInvariants(t.db);
  await t.close();
});

const sale = () => aSale(t, { seller, category, buyer });
const refund = (deal: Pick<Deal, 'bookingId'>, as: Partial<TestUser> = admin) =>
  t.call(refundBooking, { params: { id: deal.bookingId } }, { as });

/** What the provider's own books say of an intent. */
const listAtProvider = async (
  kind: 'refunds' | 'disputes',
  intentId: string,
): Promise<{ id: string; amount: number }[]> => {
  const answer = await fetch(new URL(`/v1/${kind}?payment_intent=${intentId}`, t.standinUrl), {
    headers: { authorization: `Bearer ${STANDIN_SECRET_KEY}` },
  });
  return ((await answer.json()) as { data: { id: string; amount: number }[] }).data;
};
const refundsAtProvider = (intentId: string) => listAtProvider('refunds', intentId);

const mails = (bookingId: string, kind: string) =>
  t.db
    .selectFrom('outbox')
    .select('to_email')
    .where('kind', '=', kind)
    .where(sql<boolean>`data ->> 'bookingId' = ${bookingId}`)
    .execute();

const differencesOf = (intentId: string) =>
  t.db.selectFrom('money_differences').selectAll().where('subject', '=', intentId).execute();

const paymentsShown = async () => (await t.call(listPayments, { query: { limit: '100' } }, { as: admin })).body;

describe('a refund', () => {
  test('is an admin’s to give, of a booking that is paid', async () => {
    const unpaid = await aDeal(t, { seller, category });
    expect((await refund(unpaid, {})).status).toBe(401);
    for (const user of [buyer, seller]) expect((await refund(unpaid, user)).status).toBe(403);
    expect(await refund(unpaid)).toMatchObject({
      status: 409,
      body: { refundedAt: null, error: { code: 'not_paid' } },
    });
    const nothing = { bookingId: '00000000-0000-4000-8000-000000000000' };
    expect((await refund(nothing)).status).toBe(404);
  });

  test('gives the money back once, however many ask at once; the copy stays sold, the buyer is told', async () => {
    const sold = await sale();
    const answers = await Promise.all(Array.from({ length: 5 }, () => refund(sold)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await refund(sold)).body).toEqual({ refundedAt: expect.stringMatching(/Z$/) });
    expect(await refundsAtProvider(sold.intentId)).toMatchObject([{ amount: 750 }]);
    expect(await bookingOf(t, sold)).toMatchObject({ paid: true, refunded: true, hold: 'none' });
    expect((await copyOf(t, sold)).status).toBe('Sold');
    expect(await mails(sold.bookingId, 'refunded')).toEqual([{ to_email: buyer.email }]);
    const audit = await t.db.selectFrom('audit_entries').selectAll().where('subject_id', '=', sold.bookingId).execute();
    expect(audit).toMatchObject([{ actor_id: admin.id, action: 'booking refunded' }]);
    const [told] = (await t.call(listAudit, { query: { q: sold.bookingId } }, { as: admin })).body;
    expect(told?.says).toBe(`Refunded $7.50 to ${buyer.name} for ${sold.copy.title}`);
    expect((await paymentsShown()).find(({ bookingId }) => bookingId === sold.bookingId)).toMatchObject({
      state: 'refunded',
      amount: 7.5,
      refunded: 7.5,
      copy: 'sold',
      undecided: true,
    });
    // Nobody is paid, cancels or pays again after that.
    expect((await askForIntent(t, sold)).status).toBe(409);
    expect((await t.call(cancelBooking, { params: { id: sold.bookingId } }, { as: buyer })).status).toBe(409);
  });

  test('whose answer was lost is finished by the shop, and is still one', async () => {
    const sold = await sale();
    t.standin.plan({ seed: 1, faults: [{ fault: 'cut', on: 'POST /v1/refunds', next: 3 }] });
    expect(await refund(sold)).toMatchObject({ status: 502, body: { error: { code: 'provider_unavailable' } } });
    expect(await bookingOf(t, sold)).toMatchObject({ refunded: false });
    expect((await paymentsShown()).find(({ bookingId }) => bookingId === sold.bookingId)?.state).toBe('refunding');
    expect(await finishRefunds(t.payments, failing)).toBe(1);
    expect(await finishRefunds(t.payments, failing)).toBe(0);
    expect(await refundsAtProvider(sold.intentId)).toHaveLength(1);
    expect(await bookingOf(t, sold)).toMatchObject({ refunded: true });
  });

  test('that the provider made and then called broken is found there', async () => {
    const sold = await sale();
    t.standin.plan({ seed: 1, faults: [{ fault: 'fail', on: 'POST /v1/refunds', next: 1 }] });
    expect((await refund(sold)).status).toBe(200);
    expect(await refundsAtProvider(sold.intentId)).toHaveLength(1);
  });

  test('made at the provider is taken down, by however many events; a part of it is told to admins', async () => {
    const sold = await sale();
    const give = (amount: string) => atProvider(t, '/v1/refunds', { payment_intent: sold.intentId, amount }, true);
    const tell = () => deliverIntent(t, 'charge.refunded', sold.intentId);
    await give('250');
    expect((await tell()).statusCode).toBe(200);
    expect(await bookingOf(t, sold)).toMatchObject({ paid: true, refunded: false });
    expect(await differencesOf(sold.intentId)).toMatchObject([{ kind: 'partial-refund', mended_at: null }]);
    await give('500');
    await Promise.all(Array.from({ length: 10 }, tell));
    expect(await bookingOf(t, sold)).toMatchObject({ paid: true, refunded: true });
    expect(await mails(sold.bookingId, 'refunded')).toHaveLength(1);
    expect((await refund(sold)).status).toBe(200);
    expect(await refundsAtProvider(sold.intentId)).toHaveLength(2);
  });

  test('that fails at the bank is told to admins and not called done', async () => {
    const sold = await sale();
    expect((await refund(sold)).status).toBe(200);
    const [given] = await refundsAtProvider(sold.intentId);
    expect(await atProvider(t, `/refunds/${given?.id}/fail`, {})).toMatchObject({ status: 'failed' });
    expect((await deliverIntent(t, 'refund.failed', sold.intentId)).statusCode).toBe(200);
    expect(await differencesOf(sold.intentId)).toMatchObject([{ kind: 'refund-failed', mended_at: null }]);
  });

  test('of a disputed payment is refused: the bank decides', async () => {
    const sold = await aSale(t, { seller, category, buyer, card: '4000000000000259' });
    const [dispute] = await listAtProvider('disputes', sold.intentId);
    await deliver(t, 'charge.dispute.created', {
      id: dispute?.id ?? '',
      object: 'dispute',
      payment_intent: sold.intentId,
    });
    expect(await refund(sold)).toMatchObject({ status: 409, body: { error: { code: 'disputed' } } });
    expect(await refundsAtProvider(sold.intentId)).toEqual([]);
  });
});

describe('money that comes for a lost copy', () => {
  /**
   * A copy that was given to another buyer although an intent for it could still succeed: as a defect would leave it.
   */
  const aLostCopy = async (card?: string) => {
    const deal = await aDeal(t, { seller, category });
    const intentId = await payAtProvider(t, deal, card);
    await t.db.deleteFrom('holds').where('booking_id', '=', deal.bookingId).execute();
    await t.db.updateTable('listings').set(becoming('available')).where('id', '=', deal.copy._id).execute();
    const other = await aBuyer(t);
    await aBooking(t, other, deal.copy);
    return { ...deal, intentId };
  };

  test('is recorded and given back by itself, and the buyer is told', async () => {
    const lost = await aLostCopy();
    expect(await recordPaid(t, lost, lost.intentId)).toMatchObject({
      status: 409,
      body: { insertedId: null, error: { code: 'money_returned' } },
    });
    expect(await recordPaid(t, lost, lost.intentId)).toMatchObject({ status: 409 });
    expect((await deliverIntent(t, 'payment_intent.succeeded', lost.intentId)).statusCode).toBe(200);
    expect(await finishRefunds(t.payments, failing)).toBe(1);
    expect(await refundsAtProvider(lost.intentId)).toMatchObject([{ amount: 750 }]);
    expect(await bookingOf(t, lost)).toMatchObject({ paid: false, cancelled: true, refunded: false });
    expect(await mails(lost.bookingId, 'money-returned')).toEqual([{ to_email: lost.buyer.email }]);
    expect(await differencesOf(lost.intentId)).toMatchObject([{ kind: 'lost-copy', times: 1 }]);
    expect((await askForIntent(t, lost)).status).toBe(409);
    expect((await copyOf(t, lost)).status).toBe('Reserved');
    expect((await paymentsShown()).find(({ bookingId }) => bookingId === lost.bookingId)).toMatchObject({
      state: 'returned',
      refunded: 7.5,
      undecided: false,
    });
  });

  test('that the provider will not give back is tried again by an admin, when it can be', async () => {
    const lost = await aLostCopy('4000000000000259');
    await recordPaid(t, lost, lost.intentId);
    const shown = async () => (await paymentsShown()).find(({ bookingId }) => bookingId === lost.bookingId);
    const id = (await shown())?._id ?? '';
    const retry = (as: Partial<TestUser> = admin) => t.call(retryRefund, { params: { id } }, { as });
    expect(await finishRefunds(t.payments, failing)).toBe(0);
    expect(await differencesOf(lost.intentId)).toContainEqual(
      expect.objectContaining({ kind: 'refund-refused', mended_at: null }),
    );
    expect(await shown()).toMatchObject({ state: 'return-refused', refunded: 0 });
    expect((await retry({})).status).toBe(401);
    for (const user of [lost.buyer, seller]) expect((await retry(user)).status).toBe(403);
    expect(await retry()).toMatchObject({ status: 409, body: { refundedAt: null, error: { code: 'refund_refused' } } });
    // The bank decides for the shop: now the money is there to be given back. An answer is lost on the way.
    const [dispute] = await listAtProvider('disputes', lost.intentId);
    await atProvider(t, `/disputes/${dispute?.id}/close`, { status: 'won' });
    t.standin.plan({ seed: 1, faults: [{ fault: 'cut', on: 'POST /v1/refunds', next: 3 }] });
    expect((await retry()).status).toBe(502);
    const answers = await Promise.all(Array.from({ length: 3 }, () => retry()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await retry()).body).toEqual({ refundedAt: expect.stringMatching(/Z$/) });
    expect(await refundsAtProvider(lost.intentId)).toMatchObject([{ amount: 750 }]);
    expect(await shown()).toMatchObject({ state: 'returned', refunded: 7.5 });
    expect(await finishRefunds(t.payments, failing)).toBe(0);
    expect(await differencesOf(lost.intentId)).toContainEqual(
      expect.objectContaining({ kind: 'refund-refused', mended_at: expect.any(Date) }),
    );
    const audit = await t.db.selectFrom('audit_entries').selectAll().where('subject_id', '=', id).execute();
    expect(audit.map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['refund tried again', admin.id],
      ['refund tried again', admin.id],
    ]);
  });

  test('buys the copy all the same while nobody else has it', async () => {
    const deal = await aDeal(t, { seller, category });
    const intentId = await payAtProvider(t, deal);
    await t.db.deleteFrom('holds').where('booking_id', '=', deal.bookingId).execute();
    await t.db.updateTable('listings').set(becoming('available')).where('id', '=', deal.copy._id).execute();
    expect((await deliverIntent(t, 'payment_intent.succeeded', intentId)).statusCode).toBe(200);
    expect(await bookingOf(t, deal)).toMatchObject({ paid: true });
    expect((await copyOf(t, deal)).status).toBe('Sold');
  });
});

describe('the copy of a refunded sale', () => {
  const relist = ({ copy }: Deal, as: Partial<TestUser> = admin) =>
    t.call(relistCopy, { params: { id: copy._id } }, { as });
  const withdraw = ({ copy }: Deal, as: Partial<TestUser> = admin) =>
    t.call(withdrawCopy, { params: { id: copy._id } }, { as });

  test('waits on the dashboard of admins until it is decided, as does money that does not add up', async () => {
    const waiting = async () => (await t.call(readSummary, {}, { as: admin })).body.admin;
    const before = await waiting();
    const sold = await sale();
    await refund(sold);
    expect((await waiting())?.refundsToDecide).toBe((before?.refundsToDecide ?? 0) + 1);
    expect((await relist(sold)).status).toBe(200);
    expect((await waiting())?.refundsToDecide).toBe(before?.refundsToDecide);
    const standing = {
      kind: 'unknown-intent',
      subject: 'pi_attention',
      says: 'Nobody knows it',
      mended: false,
    } as const;
    await noteDifference(t.db, standing);
    expect((await waiting())?.differences).toBe((before?.differences ?? 0) + 1);
    await noteDifference(t.db, { ...standing, mended: true });
    expect((await waiting())?.differences).toBe(before?.differences);
  });

  test('is an admin’s to decide about, once the money is back', async () => {
    const sold = await sale();
    for (const decide of [relist, withdraw]) {
      expect((await decide(sold, {})).status).toBe(401);
      expect((await decide(sold, seller)).status).toBe(403);
      expect(await decide(sold)).toMatchObject({ status: 409, body: { error: { code: 'copy_locked' } } });
    }
    await refund(sold);
    expect((await relist(sold)).body).toEqual({ modifiedCount: 1 });
    expect((await relist(sold)).body).toEqual({ modifiedCount: 0 });
    expect((await copyOf(t, sold)).status).toBe('Available');
    const audit = await t.db.selectFrom('audit_entries').selectAll().where('subject_id', '=', sold.copy._id).execute();
    expect(audit).toMatchObject([{ actor_id: admin.id, action: 'refunded copy relisted' }]);
    // Sold again, to whoever comes: the first sale stays in the books.
    const next = await aBuyer(t);
    const made = await t.call(bookCopy, { body: aBookingDraft(next, sold.copy) }, { as: next });
    const again = { ...sold, buyer: next, bookingId: made.body.insertedId };
    expect((await recordPaid(t, again, await payAtProvider(t, again))).status).toBe(200);
    expect(await relist(sold)).toMatchObject({ status: 409 });
  });

  test('can be withdrawn instead', async () => {
    const sold = await sale();
    await refund(sold);
    expect((await withdraw(sold)).body).toEqual({ modifiedCount: 1 });
    expect((await withdraw(sold)).body).toEqual({ modifiedCount: 0 });
    expect((await t.call(readListing, { params: { id: sold.copy._id } })).status).toBe(404);
    expect(await relist(sold)).toMatchObject({ status: 409 });
  });
});
