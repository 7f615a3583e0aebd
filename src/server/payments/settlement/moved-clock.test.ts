import { afterEach, beforeEach, expect, test } from 'vitest';
import { listMyBookings } from '#contract/bookings/bookings.ts';
import { readSummary } from '#contract/bookings/dashboard.ts';
import { listStandings } from '#contract/bookings/standing.ts';
import { joinWaitlist } from '#contract/bookings/waitlist.ts';
import { readStatement } from '#contract/money/ledger.ts';
import { readSession } from '#contract/users/identity.ts';
import { advanceClock } from '#test/clock.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aDeal, bookingOf, copyOf, deliverIntent, failing, payAtProvider, recordPaid } from '#test/deal.ts';
import { aBuyer, type TestUser } from '#test/make.ts';
import { releaseLapsedHolds } from './release.service.ts';

let t: TestApp;
beforeEach(async () => {
  t = await testApp();
});
afterEach(() => t.close());

const [HOLD_HOURS, FORTNIGHT_HOURS] = [0.5, 14 * 24];
const HOUR_MS = 3_600_000;
const CLOSE_MS = 60_000;

const hoursAhead = (at: string | null | undefined): number => (Date.parse(at ?? '') - Date.now()) / HOUR_MS;
const bookingsOf = async (user: TestUser) =>
  (await t.call(listMyBookings, { query: { email: user.email } }, { as: user })).body;

test('a hold ends when the clock passes its end, and the next in line has theirs by the same clock', async () => {
  const deal = await aDeal(t);
  const next = await aBuyer(t);
  await t.call(joinWaitlist, { params: { id: deal.copy._id } }, { as: next });
  await advanceClock(t, HOLD_HOURS - 0.1);
  await releaseLapsedHolds(t.payments, failing);
  expect((await bookingOf(t, deal)).hold).toBe('held');

  await advanceClock(t, FORTNIGHT_HOURS);
  expect(await bookingOf(t, deal)).toMatchObject({ hold: 'lapsed', holdExpiresAt: null });
  expect((await t.call(readSummary, {}, { as: deal.buyer })).body.buyer).toMatchObject({ held: 0, heldUntil: null });
  await releaseLapsedHolds(t.payments, failing);
  expect((await copyOf(t, deal)).status).toBe('Reserved');
  const [theirs] = await bookingsOf(next);
  expect(hoursAhead(theirs?.holdExpiresAt)).toBeCloseTo(FORTNIGHT_HOURS + 2 * HOLD_HOURS - 0.1, 1);
  expect(hoursAhead(theirs?.bookedAt)).toBeCloseTo(FORTNIGHT_HOURS + HOLD_HOURS - 0.1, 1);
  const standings = await t.call(listStandings, { query: { ids: deal.copy._id } }, { as: next });
  expect(standings.body).toMatchObject([{ kind: 'held', until: theirs?.holdExpiresAt }]);
});

test('two weeks later nobody is signed out, no event of the provider is refused, and the books say two weeks later', async () => {
  const deal = await aDeal(t);
  const intentId = await payAtProvider(t, deal);
  await advanceClock(t, FORTNIGHT_HOURS);
  const { accessToken, cookie, email } = deal.buyer;
  expect((await t.call(readSession, {}, { as: { cookie } })).body.user?.email).toBe(email);
  expect((await t.call(listMyBookings, { query: { email } }, { as: { accessToken } })).status).toBe(200);

  expect((await deliverIntent(t, 'payment_intent.succeeded', intentId)).statusCode).toBe(200);
  const booking = await bookingOf(t, deal);
  expect(booking.paid).toBe(true);
  expect(Math.abs(hoursAhead(booking.paidAt) - FORTNIGHT_HOURS) * HOUR_MS).toBeLessThan(CLOSE_MS);
  const statement = await t.call(readStatement, { query: {} }, { as: deal.seller });
  expect(Math.abs(hoursAhead(statement.body[0]?.at) - FORTNIGHT_HOURS) * HOUR_MS).toBeLessThan(CLOSE_MS);

  expect((await recordPaid(t, deal, intentId)).status).toBe(200);
});
