import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bookCopy } from '#contract/bookings/bookings.ts';
import { forgetOldKeys } from '#server/bookings/idempotency.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aDeal, askForIntent, atProvider, bookingOf, intentIdOf, payAtProvider, recordPaid } from '#test/deal.ts';
import { aBooking, aBookingDraft, aBuyer, aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let seller: TestUser;
let buyer: TestUser;
let category: string;

beforeAll(async () => {
  t = await testApp();
  [seller, buyer] = await Promise.all([aSeller(t), aBuyer(t)]);
  category = await aCategory(t, seller);
});
afterAll(() => t.close());

const deal = () => aDeal(t, { seller, category, buyer });
const keyed = (key: string) => ({ 'idempotency-key': key });
const keyRow = (key: string) =>
  t.db.selectFrom('idempotency_keys').selectAll().where('key', '=', key).executeTakeFirst();

describe('Idempotency-Key on the payment calls', () => {
  test('gives the same answer to the same body, however many at once, and 422 to another', async () => {
    const paying = await deal();
    const answers = await Promise.all(Array.from({ length: 8 }, () => askForIntent(t, paying, keyed('intent'))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.clientSecret)).size).toBe(1);
    const other = await askForIntent(t, { ...paying, bookingId: (await deal()).bookingId }, keyed('intent'));
    expect(other).toMatchObject({ status: 422, body: { clientSecret: '', error: { code: 'key_reused' } } });

    const id = await payAtProvider(t, paying);
    const paid = await Promise.all(Array.from({ length: 8 }, () => recordPaid(t, paying, id, keyed('payment'))));
    expect(new Set(paid.map(({ status, body }) => `${status} ${body.insertedId}`)).size).toBe(1);
    expect(paid[0]?.status).toBe(200);
    const forged = await recordPaid(t, paying, 'pi_other', keyed('payment'));
    expect(forged).toMatchObject({ status: 422, body: { insertedId: null } });
    // The same key of another user is another key.
    expect((await recordPaid(t, { ...paying, buyer: await aBuyer(t) }, id, keyed('payment'))).status).toBe(404);
    // The first answer again, although a new request would be told that it is paid.
    expect((await askForIntent(t, paying, keyed('intent'))).body.clientSecret).toBe(answers[0]?.body.clientSecret);
    expect((await askForIntent(t, paying)).status).toBe(409);
  });

  test('keeps no secret', async () => {
    const paying = await deal();
    const { clientSecret } = (await askForIntent(t, paying, keyed('secret'))).body;
    expect(await keyRow('secret')).toMatchObject({ answer: { intentId: intentIdOf(clientSecret) }, claimed_at: null });
  });

  test('stays when the first request fails; then the same body may be tried again, and no other', async () => {
    const paying = await deal();
    t.standin.plan({ seed: 1, faults: [{ fault: 'cut', on: 'POST /v1/payment_intents', next: 3 }] });
    expect((await askForIntent(t, paying, keyed('failed'))).status).toBe(502);
    expect(await keyRow('failed')).toMatchObject({ answer: null, claimed_at: null });
    const other = { ...paying, bookingId: (await deal()).bookingId };
    expect((await askForIntent(t, other, keyed('failed'))).status).toBe(422);
    const again = await askForIntent(t, paying, keyed('failed'));
    expect(again.status).toBe(200);

    const unpaid = await recordPaid(t, paying, intentIdOf(again.body.clientSecret), keyed('early'));
    expect(unpaid).toMatchObject({ status: 409, body: { error: { code: 'not_paid' } } });
    const id = await payAtProvider(t, paying);
    expect((await recordPaid(t, paying, id, keyed('early'))).status).toBe(200);
  });

  test('"still processing" is no answer to keep', async () => {
    const paying = await deal();
    const id = await payAtProvider(t, paying, '4000007700000000');
    expect((await recordPaid(t, paying, id, keyed('slow'))).status).toBe(202);
    expect(await keyRow('slow')).toMatchObject({ answer: null });
    await atProvider(t, `/processing/${id}/finish`, { outcome: 'succeeds' });
    expect((await recordPaid(t, paying, id, keyed('slow'))).status).toBe(200);
    expect(await bookingOf(t, paying)).toMatchObject({ paid: true });
  });

  test('of a request that was cut off is taken up after its time; before, it is told to wait', async () => {
    const paying = await deal();
    await askForIntent(t, paying, keyed('cut'));
    const claim = (seconds: number) =>
      t.db
        .updateTable('idempotency_keys')
        .set({ answer: null, claimed_at: new Date(Date.now() - seconds * 1_000) })
        .where('key', '=', 'cut')
        .execute();
    await claim(0);
    const waiting = await askForIntent(t, paying, keyed('cut'));
    expect(waiting).toMatchObject({ status: 409, body: { error: { code: 'request_in_progress' } } });
    expect(waiting.headers['retry-after']).toBe('1');
    await claim(61);
    expect((await askForIntent(t, paying, keyed('cut'))).status).toBe(200);
  });
});

test('a refused booking keeps its key too: another body under it is 422, the same may succeed later', async () => {
  const copy = await aListing(t, seller, { category_id: category });
  const rival = await aBuyer(t);
  const bookingId = await aBooking(t, rival, copy);
  const body = aBookingDraft(buyer, copy);
  const book = (draft = body) => t.call(bookCopy, { body: draft }, { as: buyer, headers: keyed('refused') });
  expect(await book()).toMatchObject({ status: 409, body: { error: { code: 'copy_taken' } } });
  expect((await book({ ...body, phone: '1' })).status).toBe(422);
  await t.send('DELETE', `/api/bookings/${bookingId}`, { as: rival });
  expect((await book()).status).toBe(201);
});

test('keys are forgotten after two days, not before a day', async () => {
  const paying = await aDeal(t, { seller, category });
  await askForIntent(t, paying, keyed('old'));
  const age = (hours: number) =>
    t.db
      .updateTable('idempotency_keys')
      .set({ created_at: new Date(Date.now() - hours * 3_600_000) })
      .where('key', '=', 'old')
      .execute();
  await age(25);
  await forgetOldKeys(t.db);
  expect(await keyRow('old')).toBeDefined();
  await age(49);
  await forgetOldKeys(t.db);
  expect(await keyRow('old')).toBeUndefined();
});
