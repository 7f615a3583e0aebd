import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinWaitlist } from '#contract/bookings/waitlist.ts';
import { releaseLapsedHolds } from '#server/payments/settlement/release.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aDeal, askForIntent, bookingOf, copyOf, failing, intentIdOf, recordPaid, type Deal } from '#test/deal.ts';
import { aBuyer } from '#test/make.ts';
import { confirmCard } from '#test/money/pay.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const MINUTE_MS = 60_000;
/** A card whose bank asks its owner. */
const ASKING_CARD = '4000002500003155';

/** So much time goes by for a hold. */
const minutesPass = ({ bookingId }: Deal, minutes: number) =>
  sql`UPDATE holds SET taken_at = taken_at - make_interval(mins => ${minutes}), expires_at = expires_at - make_interval(mins => ${minutes}),
    renewable_until = renewable_until - make_interval(mins => ${minutes}), confirming_since = confirming_since - make_interval(mins => ${minutes})
    WHERE booking_id = ${bookingId}`.execute(t.db);

const minutesLeft = async (deal: Deal): Promise<number> => {
  const { holdExpiresAt } = await bookingOf(t, deal);
  return holdExpiresAt === null ? 0 : Math.round((Date.parse(holdExpiresAt) - Date.now()) / MINUTE_MS);
};

const sweep = () => releaseLapsedHolds(t.payments, failing);

test('Pay renews a hold until twice its time from the booking is over, and says when it does no more', async () => {
  const deal = await aDeal(t);
  await minutesPass(deal, 20);
  expect((await askForIntent(t, deal)).status).toBe(200);
  expect([await minutesLeft(deal), (await bookingOf(t, deal)).holdIsFinal]).toEqual([30, false]);
  await minutesPass(deal, 20);
  await askForIntent(t, deal);
  expect([await minutesLeft(deal), (await bookingOf(t, deal)).holdIsFinal]).toEqual([20, true]);
  await minutesPass(deal, 15);
  expect((await askForIntent(t, deal)).status).toBe(200);
  expect(await minutesLeft(deal)).toBe(5);
});

test('a hold that was renewed long enough is not taken back: the copy is on the shelf, and may be booked by anybody again', async () => {
  const deal = await aDeal(t);
  await minutesPass(deal, 20);
  await askForIntent(t, deal);
  await minutesPass(deal, 41);
  const over = await askForIntent(t, deal);
  expect([over.status, over.body.error?.code, over.headers['retry-after']]).toEqual([409, 'hold_lost', '2']);
  await sweep();
  expect((await copyOf(t, deal)).status).toBe('Available');
  expect((await askForIntent(t, deal)).status).toBe(200);
  expect(await minutesLeft(deal)).toBe(30);
});

test('while somebody waits in line nothing is renewed, and the booking says so', async () => {
  const [deal, next] = [await aDeal(t), await aBuyer(t)];
  await minutesPass(deal, 20);
  await t.call(joinWaitlist, { params: { id: deal.copy._id } }, { as: next });
  expect((await bookingOf(t, deal)).holdIsFinal).toBe(true);
  await askForIntent(t, deal);
  expect(await minutesLeft(deal)).toBe(10);
});

test('a payment that the bank asks its buyer about keeps the hold past its time, and pays', async () => {
  const [deal, next] = [await aDeal(t), await aBuyer(t)];
  await t.call(joinWaitlist, { params: { id: deal.copy._id } }, { as: next });
  const { clientSecret } = (await askForIntent(t, deal)).body;
  await confirmCard(t.standinUrl, clientSecret, ASKING_CARD);
  await minutesPass(deal, 31);
  await sweep();
  expect([(await bookingOf(t, deal)).hold, await minutesLeft(deal)]).toEqual(['held', 1]);
  await minutesPass(deal, 2);
  await sweep();
  expect((await bookingOf(t, deal)).hold).toBe('held');
  await confirmCard(t.standinUrl, clientSecret, '4242424242424242');
  expect((await recordPaid(t, deal, intentIdOf(clientSecret))).status).toBe(200);
});

test('a buyer who leaves the question of the bank unanswered keeps the hold for ten minutes and no longer', async () => {
  const deal = await aDeal(t);
  const { clientSecret } = (await askForIntent(t, deal)).body;
  await confirmCard(t.standinUrl, clientSecret, ASKING_CARD);
  await minutesPass(deal, 31);
  await sweep();
  expect((await bookingOf(t, deal)).hold).toBe('held');
  await minutesPass(deal, 11);
  await sweep();
  expect((await copyOf(t, deal)).status).toBe('Available');
});

test('a hold taken by a release that knew no end of renewing keeps its time and is not renewed', async () => {
  const deal = await aDeal(t);
  await t.db.updateTable('holds').set({ renewable_until: null }).where('booking_id', '=', deal.bookingId).execute();
  await minutesPass(deal, 20);
  expect((await bookingOf(t, deal)).holdIsFinal).toBe(true);
  expect((await askForIntent(t, deal)).status).toBe(200);
  expect(await minutesLeft(deal)).toBe(10);
});
