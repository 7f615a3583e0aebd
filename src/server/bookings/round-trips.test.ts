import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookCopy } from '#contract/bookings/bookings.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBookingDraft, aBuyer, aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';
import { countRoundTrips, type CountedDatabase } from '#test/databases/round-trips.ts';

let t: TestApp;
let counted: CountedDatabase;
let far: TestApp;
let seller: TestUser;
let category: string;

beforeAll(async () => {
  t = await testApp();
  counted = await countRoundTrips(t.databaseAppUrl);
  far = await testApp({ beside: { ...t, databaseAppUrl: counted.url } });
  seller = await aSeller(t);
  category = await aCategory(t, seller);
});

afterAll(async () => {
  await far.close();
  await counted.close();
  await t.close();
});

/** Who it is, what they may still do, what the booking hangs on, the booking, its commit. */
const ROUND_TRIPS = 5;

const book = async (buyer: TestUser, key: string, copy?: Awaited<ReturnType<typeof aListing>>) => {
  const body = aBookingDraft(buyer, copy ?? (await aListing(t, seller, { category_id: category })));
  const options = { as: buyer, headers: { 'idempotency-key': key } };
  let status = 0;
  const trips = await counted.during(async () => {
    ({ status } = await far.call(bookCopy, { body }, options));
  });
  return { status, trips };
};

test(`a booking with its key takes ${ROUND_TRIPS} round trips to the database, as does its repetition`, async () => {
  const buyer = await aBuyer(t);
  // Connections are opened and keys are read.
  await book(buyer, 'first');
  const copy = await aListing(t, seller, { category_id: category });
  expect(await book(buyer, 'second', copy)).toEqual({ status: 201, trips: ROUND_TRIPS });
  expect(await book(buyer, 'second', copy)).toEqual({ status: 201, trips: ROUND_TRIPS });
});
