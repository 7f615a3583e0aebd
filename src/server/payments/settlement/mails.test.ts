import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifySeller } from '#contract/admin/admin.ts';
import { bookCopy, readBooking } from '#contract/bookings/bookings.ts';
import { createPaymentIntent, recordPayment } from '#contract/money/payments.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBookingDraft, aBuyer, aListing, anAdmin, aSeller } from '#test/make.ts';
import { confirmCard } from '#test/money/pay.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const subjectsTo = async (email: string): Promise<string[]> => (await t.mailTo(email)).map(({ subject }) => subject);

test('a booking and its payment are told by mail, once each, and a loser is told nothing', async () => {
  const [seller, buyer, loser] = await Promise.all([aSeller(t), aBuyer(t), aBuyer(t)]);
  const copy = await aListing(t, seller, { title: 'Middlemarch' });
  const book = () => t.call(bookCopy, { body: aBookingDraft(buyer, copy) }, { as: buyer });
  const bookingId = (await book()).body.insertedId;
  // A second click renews the hold of the same booking.
  await book();
  expect((await t.call(bookCopy, { body: aBookingDraft(loser, copy) }, { as: loser })).status).toBe(409);
  expect(await subjectsTo(loser.email)).toEqual([]);
  const [booked, ...more] = await t.mailTo(buyer.email);
  expect(more).toEqual([]);
  expect(booked?.subject).toBe('Reserved for you: Middlemarch');
  expect(booked?.text).toContain(`http://localhost:3000/dashboard/payment/${bookingId}`);
  expect(await subjectsTo(seller.email)).toEqual([]);

  const { clientSecret } = (await t.call(createPaymentIntent, { body: { price: 7.5, bookingId } }, { as: buyer })).body;
  const transactionId = clientSecret.split('_secret')[0] ?? '';
  await confirmCard(t.standinUrl, clientSecret, '4242424242424242');
  const body = { price: 7.5, transactionId, email: buyer.email, bookingId };
  await Promise.all(Array.from({ length: 3 }, () => t.call(recordPayment, { body }, { as: buyer })));
  const receipts = (await t.mailTo(buyer.email)).filter(({ subject }) => subject === 'Your receipt: Middlemarch');
  expect(receipts).toHaveLength(1);
  for (const fact of ['$7.50', transactionId, bookingId, seller.name, '/dashboard/orders/', '/#terms, version 20'])
    expect(receipts[0]?.text).toContain(fact);
  const [sold, ...others] = await t.mailTo(seller.email);
  expect(others).toEqual([]);
  expect(sold).toMatchObject({ subject: 'Sold: Middlemarch' });
  expect(sold?.text).toContain(buyer.name);
  expect(sold?.text).not.toContain(buyer.email);
  expect(sold?.text).toContain('The buyer’s phone number is on that page');
  expect(sold?.text).toMatch(/Offer times to pick it up by \w{3}, \w{3} \d+, \d{4}, 11:59 PM E[SD]T/);
  const { orderId } = (await t.call(readBooking, { params: { id: bookingId } }, { as: buyer })).body;
  expect(sold?.text).toContain(`/dashboard/orders/${orderId}`);
});

test('who has left the shop gets no mail about a sale', async () => {
  const [seller, buyer] = await Promise.all([aSeller(t), aBuyer(t)]);
  const copy = await aListing(t, seller);
  const { insertedId: bookingId } = (await t.call(bookCopy, { body: aBookingDraft(buyer, copy) }, { as: buyer })).body;
  const { clientSecret } = (await t.call(createPaymentIntent, { body: { price: 7.5, bookingId } }, { as: buyer })).body;
  await confirmCard(t.standinUrl, clientSecret, '4242424242424242');
  await sql`UPDATE users SET deleted_at = now() WHERE id = ${seller.id}`.execute(t.db);
  const body = { price: 7.5, transactionId: clientSecret.split('_secret')[0] ?? '', email: buyer.email, bookingId };
  expect((await t.call(recordPayment, { body }, { as: buyer })).status).toBe(200);
  expect(await subjectsTo(seller.email)).toEqual([]);
  expect(await subjectsTo(buyer.email)).toHaveLength(2);
});

test('a seller who is verified is told, once; somebody who sells nothing is not', async () => {
  const [admin, seller, buyer] = await Promise.all([anAdmin(t), aSeller(t), aBuyer(t)]);
  for (const id of [seller.id, seller.id, buyer.id]) await t.call(verifySeller, { params: { id } }, { as: admin });
  expect(await subjectsTo(seller.email)).toEqual(['You are a verified seller']);
  expect(await subjectsTo(buyer.email)).toEqual([]);
});
