import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bookCopy, listMyBookings } from '#contract/bookings/bookings.ts';
import { editListing, type ListingEdit } from '#contract/catalog/catalog.ts';
import { joinWaitlist } from '#contract/bookings/waitlist.ts';
import { acceptCopy, type CopyChange } from '#contract/bookings/promise.ts';
import { releaseLapsedHolds } from '#server/payments/settlement/release.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import {
  aDeal,
  askForIntent,
  bookingOf,
  copyOf,
  failing,
  lapse,
  payAtProvider,
  recordPaid,
  type Deal,
} from '#test/deal.ts';
import { aBookingDraft, aBuyer, aSeller } from '#test/make.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

/** A booking whose hold is over, and its copy back on the shelf. */
const aLapsedDeal = async (): Promise<Deal> => {
  const deal = await aDeal(t);
  await lapse(t, deal);
  await releaseLapsedHolds(t.payments, failing);
  return deal;
};

const edit = async ({ seller, copy }: Deal, body: ListingEdit): Promise<void> => {
  const { status } = await t.call(editListing, { params: { id: copy._id }, body }, { as: seller });
  expect(status).toBe(200);
};

const accept = ({ buyer, bookingId }: Deal, change: Pick<CopyChange, 'version'> | undefined) =>
  t.call(acceptCopy, { params: { id: bookingId }, body: { version: change?.version ?? '' } }, { as: buyer });

const bookAgain = async (deal: Deal) =>
  t.call(bookCopy, { body: aBookingDraft(deal.buyer, await copyOf(t, deal)) }, { as: deal.buyer });

const OTHER = 'https://images.example/other.jpg';

describe.each([
  ['title', { title: 'The Dispossessed' }, 'The Left Hand of Darkness', 'The Dispossessed'],
  ['authors', { authors: 'Ursula K. Le Guin' }, '', 'Ursula K. Le Guin'],
  ['condition', { condition: 'Fair' }, 'Good', 'Fair'],
  ['details', { details: 'Water stains.' }, 'Spine uncreased, one dog-eared page.', 'Water stains.'],
  ['image_url', { image_url: OTHER }, 'https://images.example/cover.jpg', OTHER],
  ['price', { resale_price: 9 }, 7.5, 9],
] as const)('a copy whose %s was changed after its hold lapsed', (field, body, before, after) => {
  test('is neither paid for nor booked again: the answer says then and now', async () => {
    const deal = await aLapsedDeal();
    await edit(deal, body);
    for (const answer of [await askForIntent(t, deal), await bookAgain(deal)]) {
      expect([answer.status, answer.body.error?.code]).toEqual([409, 'copy_changed']);
      const { bookingId, then, now } = answer.body.error?.change ?? {};
      expect([bookingId, then, now]).toEqual([deal.bookingId, { [field]: before }, { [field]: after }]);
    }
    expect((await copyOf(t, deal)).status).toBe('Available');
    expect(
      await t.db.selectFrom('payment_intents').selectAll().where('booking_id', '=', deal.bookingId).execute(),
    ).toEqual([]);
  });

  test('is paid for once its buyer goes on with it', async () => {
    const deal = await aLapsedDeal();
    await edit(deal, body);
    const { change } = await bookingOf(t, deal);
    expect((await accept(deal, change ?? undefined)).body).toEqual({ modifiedCount: 1 });
    const booking = await bookingOf(t, deal);
    expect(booking.change).toBeNull();
    if (field !== 'condition' && field !== 'details') expect(booking[field]).toBe(after);
    const now = { ...deal, copy: await copyOf(t, deal) };
    const paid = await recordPaid(t, now, await payAtProvider(t, now));
    expect(paid.status).toBe(200);
  });
});

test('a buyer sees what was changed in the list of their orders', async () => {
  const deal = await aLapsedDeal();
  await edit(deal, { condition: 'Fair', resale_price: 8 });
  const { buyer } = deal;
  const [order] = (await t.call(listMyBookings, { query: { email: buyer.email } }, { as: buyer })).body;
  const { then, now } = order?.change ?? {};
  expect([then, now]).toEqual([
    { condition: 'Good', price: 7.5 },
    { condition: 'Fair', price: 8 },
  ]);
});

describe('what takes nothing from a buyer is no change', () => {
  test('a lower price is taken: the intent asks for it, and the payment is written down at it', async () => {
    const deal = await aLapsedDeal();
    await edit(deal, { resale_price: 5 });
    expect((await bookingOf(t, deal)).change).toBeNull();
    const asked = await askForIntent(t, deal);
    expect([asked.status, asked.body.price]).toEqual([200, 5]);
    expect((await bookingOf(t, deal)).price).toBe(5);
    const cheaper = { ...deal, copy: await copyOf(t, deal) };
    expect((await recordPaid(t, cheaper, await payAtProvider(t, cheaper))).status).toBe(200);
  });

  test('so is one that the buyer knew of', async () => {
    const deal = await aLapsedDeal();
    await edit(deal, { resale_price: 5 });
    const asked = await askForIntent(t, { ...deal, copy: await copyOf(t, deal) });
    expect([asked.status, asked.body.price]).toEqual([200, 5]);
  });

  test('a picture where there was none is promised from then on', async () => {
    const deal = await aLapsedDeal();
    await t.db.updateTable('bookings').set({ image_url: '' }).where('id', '=', deal.bookingId).execute();
    await sql`UPDATE booking_promises SET promise = jsonb_set(promise, '{picture}', '""')
      WHERE booking_id = ${deal.bookingId}`.execute(t.db);
    expect((await askForIntent(t, deal)).status).toBe(200);
    expect((await bookingOf(t, deal)).image_url).toBe(deal.copy.image_url);
  });

  test('nor is what Pay never promised: place and years of use', async () => {
    const deal = await aLapsedDeal();
    await edit(deal, { location: 'Salem', years_of_use: 9 });
    expect((await askForIntent(t, deal)).status).toBe(200);
  });
});

test('a booking of an earlier release, which wrote no condition and no details down, is compared by what it has', async () => {
  const deal = await aLapsedDeal();
  await t.db.updateTable('bookings').set({ condition: null, details: null }).where('id', '=', deal.bookingId).execute();
  await edit(deal, { condition: 'Fair', details: 'Water stains.' });
  expect((await askForIntent(t, deal)).status).toBe(200);
  const other = await aLapsedDeal();
  await t.db
    .updateTable('bookings')
    .set({ condition: null, details: null })
    .where('id', '=', other.bookingId)
    .execute();
  await edit(other, { title: 'The Dispossessed' });
  expect((await askForIntent(t, other)).body.error?.code).toBe('copy_changed');
});

test('money that came for a copy is settled, whatever was promised', async () => {
  const deal = await aDeal(t);
  const intentId = await payAtProvider(t, deal);
  await t.db.updateTable('listings').set({ title: 'The Dispossessed' }).where('id', '=', deal.copy._id).execute();
  expect((await recordPaid(t, deal, intentId)).status).toBe(200);
});

test('who gets a copy by the line under an earlier booking is told what has changed since that one', async () => {
  const [deal, next] = [await aLapsedDeal(), await aBuyer(t)];
  await edit(deal, { details: 'Water stains.' });
  const other = await t.call(bookCopy, { body: aBookingDraft(next, await copyOf(t, deal)) }, { as: next });
  await t.call(joinWaitlist, { params: { id: deal.copy._id } }, { as: deal.buyer });
  await lapse(t, { bookingId: other.body.insertedId });
  await releaseLapsedHolds(t.payments, failing);
  const booking = await bookingOf(t, deal);
  expect([booking.hold, booking.change?.now]).toEqual(['held', { details: 'Water stains.' }]);
  expect((await askForIntent(t, deal)).body.error?.code).toBe('copy_changed');
  await accept(deal, booking.change ?? undefined);
  expect((await askForIntent(t, deal)).status).toBe(200);
});

describe('PUT /bookings/:id/promise', () => {
  test('accepts the copy that was seen and no other: changed once more it is 409 with what is so now', async () => {
    const deal = await aLapsedDeal();
    await edit(deal, { condition: 'Fair' });
    const { change: seen } = await bookingOf(t, deal);
    await edit(deal, { details: 'Water stains.' });
    const answer = await accept(deal, seen ?? undefined);
    expect([answer.status, answer.body.error?.change?.now]).toEqual([
      409,
      { condition: 'Fair', details: 'Water stains.' },
    ]);
    expect((await accept(deal, answer.body.error?.change)).body).toEqual({ modifiedCount: 1 });
    expect((await accept(deal, answer.body.error?.change)).body).toEqual({ modifiedCount: 0 });
  });

  test('is for the buyer of the booking; to others it does not exist', async () => {
    const deal = await aLapsedDeal();
    await edit(deal, { condition: 'Fair' });
    const { change } = await bookingOf(t, deal);
    const [stranger, seller] = [await aBuyer(t), await aSeller(t)];
    const params = { id: deal.bookingId };
    const body = { version: change?.version ?? '' };
    expect((await t.call(acceptCopy, { params, body })).status).toBe(401);
    expect((await t.call(acceptCopy, { params, body }, { as: seller })).status).toBe(403);
    expect((await accept({ ...deal, buyer: stranger }, change ?? undefined)).status).toBe(404);
    expect((await bookingOf(t, deal)).change).not.toBeNull();
  });
});
