import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bookCopy,
  cancelBooking,
  editContact,
  listMyBookings,
  listMyBuyers,
  MAX_UNPAID_HOLDS,
  readBooking,
} from '#contract/bookings/bookings.ts';
import { listListings, readListing } from '#contract/catalog/catalog.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBookingDraft, aBuyer, aCategory, aListing, anAdmin, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let seller: TestUser;
let category: string;

beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  category = await aCategory(t, seller);
});
afterAll(() => t.close());

/** Races that go right once may go wrong the tenth time. */
const ROUNDS = process.env['DOGEAR_TEST_LONG'] === '1' ? 100 : 5;

const listing = (more = {}) => aListing(t, seller, { category_id: category, ...more });

const expireHold = (bookingId: string) =>
  t.db
    .updateTable('holds')
    .set({ expires_at: new Date(0) })
    .where('booking_id', '=', bookingId)
    .execute();

describe('booking a copy', () => {
  test('takes its hold: others see Reserved, the buyer sees when it ends', async () => {
    const [buyer, copy] = await Promise.all([aBuyer(t), listing()]);
    const made = await t.call(bookCopy, { body: aBookingDraft(buyer, copy) }, { as: buyer });
    expect(made).toMatchObject({ status: 201, body: { acknowledged: true } });
    const seen = await t.call(readListing, { params: { id: copy._id } });
    expect(seen.body.status).toBe('Reserved');
    const booking = await t.call(readBooking, { params: { id: made.body.insertedId } }, { as: buyer });
    expect(booking.body).toMatchObject({
      paid: false,
      hold: 'held',
      price: 7.5,
      title: copy.title,
      email: buyer.email,
    });
    expect(booking.body.holdExpiresAt).toBe(made.body.holdExpiresAt);
  });

  test('its mail says what the answer said, the first time and again', async () => {
    const [buyer, copy] = await Promise.all([aBuyer(t), listing({ title: 'Letters "from" a stoic' })]);
    const mails = () => t.db.selectFrom('outbox').selectAll().where('to_email', '=', buyer.email).execute();
    const made = await t.call(bookCopy, { body: aBookingDraft(buyer, copy) }, { as: buyer });
    const mail = (await mails()).find(({ kind }) => kind === 'booking-made');
    const said = {
      key: `booking-made:${made.body.insertedId}`,
      to_name: buyer.name,
      data: {
        title: copy.title,
        priceCents: 750,
        bookingId: made.body.insertedId,
        heldUntil: made.body.holdExpiresAt,
      },
    };
    expect(mail).toMatchObject(said);
    await t.call(bookCopy, { body: aBookingDraft(buyer, copy) }, { as: buyer });
    expect((await mails()).filter(({ kind }) => kind === 'booking-made')).toMatchObject([said]);
  });

  test('of many buyers at once exactly one wins and the others are told, round after round', async () => {
    const buyers = await Promise.all(Array.from({ length: 12 }, () => aBuyer(t)));
    for (let round = 0; round < ROUNDS; round += 1) {
      const copy = await listing();
      const answers = await Promise.all(
        buyers.map((buyer) => t.call(bookCopy, { body: aBookingDraft(buyer, copy) }, { as: buyer })),
      );
      const losers = answers.filter((answer) => answer.status !== 201);
      expect(losers).toHaveLength(buyers.length - 1);
      expect(losers.every((answer) => answer.status === 409 && answer.body.error?.code === 'copy_taken')).toBe(true);
      expect(losers[0]?.body).toMatchObject({ acknowledged: false, insertedId: null });
      const holds = await t.db.selectFrom('holds').selectAll().where('listing_id', '=', copy._id).execute();
      expect(holds).toHaveLength(1);
      // So that no buyer runs into the limit of five.
      await t.db.deleteFrom('holds').where('listing_id', '=', copy._id).execute();
    }
  });

  test('a double click, and ten, are one booking', async () => {
    const [buyer, other, copy] = await Promise.all([aBuyer(t), aBuyer(t), listing()]);
    const clicks = [buyer, other].flatMap((user) =>
      Array.from({ length: 5 }, () => t.call(bookCopy, { body: aBookingDraft(user, copy) }, { as: user })),
    );
    const answers = await Promise.all(clicks);
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([
      201, 201, 201, 201, 201, 409, 409, 409, 409, 409,
    ]);
    const made = answers.filter((answer) => answer.status === 201);
    expect(new Set(made.map((answer) => answer.body.insertedId)).size).toBe(1);
  });

  test('the database itself refuses a second hold on a copy', async () => {
    const [buyer, copy] = await Promise.all([aBuyer(t), listing()]);
    const bookingId = await aBooking(t, buyer, copy);
    const second = t.db
      .insertInto('holds')
      .values({
        listing_id: copy._id,
        booking_id: bookingId,
        buyer_id: buyer.id,
        expires_at: new Date(),
        releasing_at: null,
      })
      .execute();
    await expect(second).rejects.toMatchObject({ code: '23505' });
  });

  test('the price of the browser is compared, never obeyed', async () => {
    const [buyer, copy] = await Promise.all([aBuyer(t), listing()]);
    const cheap = { ...aBookingDraft(buyer, copy), price: 0.5 };
    const answer = await t.call(bookCopy, { body: cheap }, { as: buyer });
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { code: 'price_changed', message: 'The price has changed' } },
    });
    expect((await t.call(readListing, { params: { id: copy._id } })).body.status).toBe('Available');
  });

  test.each([
    ['title', 'Something else'],
    ['image_url', 'https://images.example/other.jpg'],
    ['buyer', 'Somebody else'],
    ['email', 'somebody@example.com'],
  ])('%s of the browser is compared with the record, too', async (field, said) => {
    const [buyer, copy] = await Promise.all([aBuyer(t), listing()]);
    const draft = aBookingDraft(buyer, copy);
    const refused = await t.call(bookCopy, { body: { ...draft, [field]: said } }, { as: buyer });
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'record_differs']);
    expect(Object.keys(refused.body.error?.fields ?? {})).toEqual([field]);
    expect((await t.call(readListing, { params: { id: copy._id } })).body.status).toBe('Available');
    const spaced = { ...draft, [field]: ` ${draft[field as 'title']} ` };
    if (field !== 'email') expect((await t.call(bookCopy, { body: spaced }, { as: buyer })).status).toBe(201);
  });

  test('what is left blank claims nothing: title and names come from the records', async () => {
    const [buyer, copy] = await Promise.all([aBuyer(t), listing()]);
    const forged = { ...aBookingDraft(buyer, copy), title: '', image_url: '', buyer: '', paid: true };
    const made = await t.call(bookCopy, { body: forged }, { as: buyer });
    const booking = await t.call(readBooking, { params: { id: made.body.insertedId } }, { as: buyer });
    expect(booking.body).toMatchObject({ title: copy.title, buyer: buyer.name, paid: false });
  });

  test('without its id a copy is found by title, picture and price', async () => {
    const buyer = await aBuyer(t);
    const copy = await listing({ title: 'Kept apart' });
    const { listingId: _, ...draft } = aBookingDraft(buyer, copy);
    expect((await t.call(bookCopy, { body: { ...draft, title: 'No such book' } }, { as: buyer })).status).toBe(404);
    await listing({ title: 'Kept apart' });
    const several = await t.call(bookCopy, { body: draft }, { as: buyer });
    expect(several).toMatchObject({ status: 409, body: { error: { code: 'copy_ambiguous' } } });
    const only = await listing({ title: 'Kept apart', resale_price: 9 });
    const { listingId: __, ...exact } = aBookingDraft(buyer, only);
    expect((await t.call(bookCopy, { body: exact }, { as: buyer })).status).toBe(201);
  });

  test('nobody books their own copy, and only buyers book', async () => {
    const both = await t.call(bookCopy, { body: aBookingDraft(seller, await listing()) }, { as: seller });
    expect(both.status).toBe(403);
    await t.db.updateTable('users').set({ is_buyer: true }).where('id', '=', seller.id).execute();
    const own = await t.call(bookCopy, { body: aBookingDraft(seller, await listing()) }, { as: seller });
    expect(own).toMatchObject({ status: 403, body: { error: { code: 'own_copy' } } });
  });

  test("another's address is refused, and so is no one", async () => {
    const [buyer, other, copy] = await Promise.all([aBuyer(t), aBuyer(t), listing()]);
    const draft = { ...aBookingDraft(buyer, copy), email: other.email };
    expect((await t.call(bookCopy, { body: draft }, { as: buyer })).status).toBe(409);
    expect((await t.call(bookCopy, { body: draft })).status).toBe(401);
  });

  test('a sixth unpaid hold is 429, told after the copy is known to be free', async () => {
    const buyer = await aBuyer(t);
    for (let held = 0; held < MAX_UNPAID_HOLDS; held += 1) await aBooking(t, buyer, await listing());
    const sixth = await t.call(bookCopy, { body: aBookingDraft(buyer, await listing()) }, { as: buyer });
    expect(sixth).toMatchObject({ status: 429, body: { error: { code: 'too_many' } } });
    expect(sixth.body.error?.message).toContain('You have 5 unpaid books already: The Left Hand of Darkness, ');
    expect(sixth.headers['retry-after']).toBeDefined();
    const taken = await listing();
    await aBooking(t, await aBuyer(t), taken);
    expect((await t.call(bookCopy, { body: aBookingDraft(buyer, taken) }, { as: buyer })).status).toBe(409);
  });

  test('five at once and one more never make six', async () => {
    const buyer = await aBuyer(t);
    const copies = await Promise.all(Array.from({ length: 10 }, () => listing()));
    const answers = await Promise.all(
      copies.map((copy) => t.call(bookCopy, { body: aBookingDraft(buyer, copy) }, { as: buyer })),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(MAX_UNPAID_HOLDS);
  });

  test('a buyer whose hold lapsed books the same copy again under the same booking', async () => {
    const [buyer, copy] = await Promise.all([aBuyer(t), listing()]);
    const first = await aBooking(t, buyer, copy);
    await expireHold(first);
    const again = await t.call(bookCopy, { body: aBookingDraft(buyer, copy) }, { as: buyer });
    expect(again).toMatchObject({ status: 201, body: { insertedId: first } });
  });
});

describe('Idempotency-Key', () => {
  const keyed = (key: string) => ({ 'idempotency-key': key });

  test('the same key and body get the same answer, another body 422', async () => {
    const [buyer, copy] = await Promise.all([aBuyer(t), listing()]);
    const body = aBookingDraft(buyer, copy);
    const first = await t.call(bookCopy, { body }, { as: buyer, headers: keyed('k1') });
    const second = await t.call(bookCopy, { body }, { as: buyer, headers: keyed('k1') });
    expect(second).toMatchObject({ status: 201, body: first.body });
    const other = await t.call(bookCopy, { body: { ...body, phone: '1' } }, { as: buyer, headers: keyed('k1') });
    expect(other).toMatchObject({ status: 422, body: { error: { code: 'key_reused' } } });
  });

  test('many at once make one booking and get one answer', async () => {
    const [buyer, copy] = await Promise.all([aBuyer(t), listing()]);
    const body = aBookingDraft(buyer, copy);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => t.call(bookCopy, { body }, { as: buyer, headers: keyed('k2') })),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.body.insertedId)).size).toBe(1);
  });
});

describe('bookings are private', () => {
  test('a list is its buyer’s alone', async () => {
    const [buyer, other] = await Promise.all([aBuyer(t), aBuyer(t)]);
    const query = { email: buyer.email };
    expect((await t.call(listMyBookings, { query })).status).toBe(401);
    const refused = await t.call(listMyBookings, { query }, { as: other });
    expect(refused.status).toBe(403);
    expect(Object.keys(refused.body)).toEqual(['error']);
  });

  test('a booking is seen by its buyer, its seller and admins; to others it does not exist', async () => {
    const [buyer, other, admin, copy] = await Promise.all([aBuyer(t), aBuyer(t), anAdmin(t), listing()]);
    const params = { id: await aBooking(t, buyer, copy) };
    const absent = { id: '00000000-0000-4000-8000-000000000000' };
    expect((await t.call(readBooking, { params })).status).toBe(401);
    const [refused, missing] = await Promise.all([
      t.call(readBooking, { params }, { as: other }),
      t.call(readBooking, { params: absent }, { as: other }),
    ]);
    expect([refused.status, missing.status]).toEqual([404, 404]);
    expect(refused.body.error?.message).toBe(missing.body.error?.message);
    expect((await t.call(readBooking, { params }, { as: admin })).status).toBe(200);
    expect((await t.call(readBooking, { params }, { as: seller })).body).toMatchObject({ hold: 'held' });
  });

  test('its seller sees of a booking what My Buyers tells: how to reach the buyer while it is paid for, and never the address', async () => {
    const [buyer, copy] = await Promise.all([aBuyer(t), listing()]);
    const params = { id: await aBooking(t, buyer, copy) };
    const seen = async () => {
      const { body: one } = await t.call(readBooking, { params }, { as: seller });
      const { body: list } = await t.call(listMyBuyers, { query: { email: seller.email } }, { as: seller });
      const listed = list.find(({ _id }) => _id === params.id);
      expect(one).toMatchObject(listed ?? { _id: 'is listed' });
      return [one.email, one.phone, one.location];
    };
    const become = (stamps: { paid_at?: Date; refunded_at?: Date; cancelled_at?: Date }) =>
      t.db.updateTable('bookings').set(stamps).where('id', '=', params.id).execute();
    expect(await seen()).toEqual(['', '', '']);
    await become({ paid_at: new Date() });
    expect(await seen()).toEqual(['', '+1 555 0199', 'Seattle']);
    await become({ refunded_at: new Date() });
    expect(await seen()).toEqual(['', '', '']);
    const cancelled = { id: await aBooking(t, buyer, await listing()) };
    await t.call(cancelBooking, { params: cancelled }, { as: buyer });
    const { body } = await t.call(readBooking, { params: cancelled }, { as: seller });
    expect([body.email, body.phone, body.location]).toEqual(['', '', '']);
  });

  test('its buyer sees how to reach the seller while it is paid for', async () => {
    const [buyer, copy] = await Promise.all([aBuyer(t), listing()]);
    const params = { id: await aBooking(t, buyer, copy) };
    const seen = async () => (await t.call(readBooking, { params }, { as: buyer })).body;
    expect(await seen()).toMatchObject({ Seller: seller.name, seller_phone: '', seller_location: '' });
    await t.db.updateTable('bookings').set({ paid_at: new Date() }).where('id', '=', params.id).execute();
    expect(await seen()).toMatchObject({ seller_phone: '+1 555 0100', seller_location: copy.location });
    await t.db.updateTable('bookings').set({ refunded_at: new Date() }).where('id', '=', params.id).execute();
    expect(await seen()).toMatchObject({ seller_phone: '', seller_location: '' });
  });

  test('its buyer says later how to be reached; nobody else does', async () => {
    const [buyer, other, copy] = await Promise.all([aBuyer(t), aBuyer(t), listing()]);
    const params = { id: await aBooking(t, buyer, copy) };
    const body = { phone: ' +1 555 0142 ', location: '' };
    const stranger = await aSeller(t);
    expect((await t.call(editContact, { params, body })).status).toBe(401);
    expect((await t.call(editContact, { params, body }, { as: stranger })).status).toBe(403);
    expect((await t.call(editContact, { params, body }, { as: other })).status).toBe(404);
    expect((await t.call(editContact, { params, body }, { as: buyer })).body).toEqual({ modifiedCount: 1 });
    expect((await t.call(editContact, { params, body }, { as: buyer })).body).toEqual({ modifiedCount: 0 });
    const { body: booking } = await t.call(readBooking, { params }, { as: buyer });
    expect([booking.phone, booking.location]).toEqual(['+1 555 0142', '']);
    await t.call(cancelBooking, { params }, { as: buyer });
    expect((await t.call(editContact, { params, body }, { as: buyer })).status).toBe(409);
  });

  test('the list is paged, newest first, each booking once', async () => {
    const buyer = await aBuyer(t);
    const booked: string[] = [];
    for (let count = 0; count < 5; count += 1) booked.unshift(await aBooking(t, buyer, await listing()));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await t.call(listMyBookings, { query: { email: buyer.email, limit: '2', cursor } }, { as: buyer });
      seen.push(...page.body.map((booking) => booking._id));
      cursor = /cursor=([^&>]+)/.exec(String(page.headers.link ?? ''))?.[1];
    } while (cursor !== undefined);
    expect(seen).toEqual(booked);
  });
});

test('a sold or reserved copy still counts as found: reserved stays in the lists', async () => {
  const [buyer, copy] = await Promise.all([aBuyer(t), listing()]);
  await aBooking(t, buyer, copy);
  const lists = await t.call(listListings, { query: { limit: '100' } });
  expect(lists.body.find((row) => row._id === copy._id)?.status).toBe('Reserved');
});
