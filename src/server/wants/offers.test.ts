import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cancelBooking, listMyBookings } from '#contract/bookings/bookings.ts';
import { joinWaitlist } from '#contract/bookings/waitlist.ts';
import { readListing, type ListingDraft } from '#contract/catalog/catalog.ts';
import { listWants, passOffer, setFirstRefusal, takeOffer, type Want } from '#contract/wants/wants.ts';
import { releaseLapsedHolds } from '#server/payments/settlement/release.service.ts';
import { relistSoldCopy } from '#server/catalog/listings/listing.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { failing, payAtProvider, recordPaid } from '#test/deal.ts';
import { aBooking, aBuyer, aCategory, aDraft, aListing, aSeller, type TestUser } from '#test/make.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { commitFile, dryRun } from '#test/stock.ts';
import { aWant, offerAll } from '#test/wants.ts';
import { minutesOfOffer } from './offers.queries.ts';

let t: TestApp;
let seller: TestUser;
let category: string;
let title: string;
beforeAll(async () => {
  t = await testApp();
});
beforeEach(async () => {
  seller = await aSeller(t);
  category = await aCategory(t, seller);
  title = `Book ${randomUUID().slice(0, 8)}`;
});
afterAll(async () => {
  await expectInvariants(t.db);
  await t.close();
});

const list = async (more: Partial<ListingDraft> = {}): Promise<string> => {
  const body = aDraft(seller, category, { title, authors: 'Jane Austen', resale_price: '12', ...more });
  const { insertedId } = (await t.send('POST', '/api/categories', { as: seller, body })).json();
  if (typeof insertedId !== 'string') throw new Error('It was not listed.');
  return insertedId;
};
const stateOf = async (id: string): Promise<string> =>
  (await t.db.selectFrom('listings').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;
const holderOf = async (id: string): Promise<string | undefined> =>
  (await t.db.selectFrom('holds').select('buyer_id').where('listing_id', '=', id).executeTakeFirst())?.buyer_id;
const asideOf = (id: string) => t.db.selectFrom('copies_aside').select('is_due').where('listing_id', '=', id).execute();
const wantOf = async (reader: TestUser): Promise<Want | undefined> =>
  (await t.call(listWants, {}, { as: reader })).body.wants[0];
const offerOf = async (reader: TestUser) => {
  const offer = (await wantOf(reader))?.offer;
  if (offer == null) throw new Error('There is no offer.');
  return offer;
};
const pass = async (reader: TestUser) =>
  t.call(passOffer, { params: { id: (await offerOf(reader)).id } }, { as: reader });
/** As when the time of a hold is over. */
const lapse = async (id: string): Promise<void> => {
  await sql`UPDATE holds SET expires_at = shop_now() WHERE listing_id = ${id}`.execute(t.db);
  await releaseLapsedHolds(t.payments, failing);
};

describe('a copy that somebody waits for', () => {
  it('is held for whoever waits longest, without a moment on the shelf, and bought by them', async () => {
    const [first, second] = [await aBuyer(t), await aBuyer(t)];
    await aWant(t, first, { title });
    await aWant(t, second, { title });
    const id = await list();
    expect(await stateOf(id)).toBe('paused');
    expect((await t.send('GET', `/api/categories/${id}`)).statusCode).toBe(404);
    expect(await offerAll(t)).toBe(1);
    expect(await holderOf(id)).toBe(first.id);
    expect((await t.call(readListing, { params: { id } })).body).toMatchObject({ status: 'Reserved', offered: true });
    const offer = await offerOf(first);
    expect(offer).toMatchObject({ listingId: id, title, price: 12 });
    expect((await wantOf(second))?.offer).toBeNull();
    const [mail] = await t.mailTo(first.email);
    expect(mail).toMatchObject({ subject: `We found it: ${title}` });
    expect(mail?.text).toContain(`/dashboard/wants?take=${offer.id}`);
    expect(mail?.text).toContain(`/dashboard/wants?pass=${offer.id}`);
    expect(mail?.text).toMatch(/Price: \$12\.00/);

    const { body } = await t.call(takeOffer, { params: { id: offer.id } }, { as: first });
    expect(body.bookingId).toBe(offer.bookingId);
    const copy = (await t.call(readListing, { params: { id } })).body;
    const deal = { buyer: first, seller, bookingId: body.bookingId, copy };
    await recordPaid(t, deal, await payAtProvider(t, deal));
    expect(await wantOf(first)).toMatchObject({ state: 'bought', offer: null });
    expect(await wantOf(second)).toMatchObject({ state: 'active' });
    // Taken once more, as from a second tab, it is the same booking.
    expect((await t.call(takeOffer, { params: { id: offer.id } }, { as: first })).body.bookingId).toBe(body.bookingId);
  });

  it('goes to the next when it is passed on or its time is over, and after three of them on the shelf', async () => {
    const readers = [await aBuyer(t), await aBuyer(t), await aBuyer(t), await aBuyer(t)];
    for (const reader of readers) await aWant(t, reader, { title });
    const [first, second, third, fourth] = readers as [TestUser, TestUser, TestUser, TestUser];
    const id = await list();
    await offerAll(t);
    const early = await offerOf(first);
    await pass(first);
    expect(await stateOf(id)).toBe('paused');
    await offerAll(t);
    expect(await holderOf(id)).toBe(second.id);
    await lapse(id);
    await offerAll(t);
    expect(await holderOf(id)).toBe(third.id);
    // What came to nothing is none of their orders, and no mail of its own.
    for (const [reader, count] of [
      [first, 0],
      [second, 0],
      [third, 1],
    ] as const) {
      const { body } = await t.call(listMyBookings, { query: { email: reader.email } }, { as: reader });
      expect(body).toHaveLength(count);
      expect(await t.mailTo(reader.email)).toHaveLength(1);
    }
    expect(await t.call(takeOffer, { params: { id: early.id } }, { as: first })).toMatchObject({
      status: 409,
      body: { error: { code: 'hold_lost', message: expect.stringContaining('another reader has the book now') } },
    });
    await pass(third);
    expect(await stateOf(id)).toBe('available');
    expect(await offerAll(t)).toBe(0);
    expect((await wantOf(fourth))?.offers).toBe(0);
    expect(await t.call(takeOffer, { params: { id: early.id } }, { as: first })).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('the book is on the shelf') } },
    });
    const states = await t.db
      .selectFrom('want_offers')
      .select('state')
      .where('listing_id', '=', id)
      .orderBy('offered_at')
      .execute();
    expect(states.map(({ state }) => state)).toEqual(['passed', 'lapsed', 'passed']);
    expect(await asideOf(id)).toEqual([]);
  });

  it('is not offered to its own seller, above the price, in a worse condition, elsewhere or of another author', async () => {
    const reader = await aBuyer(t);
    await t.db.updateTable('users').set({ is_buyer: true }).where('id', '=', seller.id).execute();
    await aWant(t, seller, { title });
    await aWant(t, reader, { title, max_price: '11.99' });
    await aWant(t, reader, { title, condition: 'Excellent' });
    await aWant(t, reader, { title, near: 'Chicago, IL', km: 100 });
    await aWant(t, reader, { title, author: 'Charlotte Brontë' });
    await aWant(t, reader, { title, without: ['writing'] });
    const id = await list({ condition: 'Good', location: 'Portland, OR' });
    expect(await offerAll(t)).toBe(0);
    expect(await stateOf(id)).toBe('available');
    await aWant(t, reader, {
      title: `The ${title}`,
      author: 'Austen',
      near: 'Vancouver, WA',
      km: 25,
      condition: 'Good',
    });
    const next = await list({ title: `${title}: A Novel (Classics)`, condition: 'Good', location: 'Portland, OR' });
    expect(await offerAll(t)).toBe(1);
    expect(await holderOf(next)).toBe(reader.id);
  });

  it('counts among the five books that a reader holds, and is offered to the next where they are five', async () => {
    const [full, other] = [await aBuyer(t), await aBuyer(t)];
    for (let n = 0; n < 5; n += 1) await aBooking(t, full, await aListing(t, seller, { category_id: category }));
    await aWant(t, full, { title });
    await aWant(t, other, { title });
    const id = await list();
    await offerAll(t);
    expect(await holderOf(id)).toBe(other.id);
  });

  it('is on the shelf at once where its seller wants it so', async () => {
    await aWant(t, await aBuyer(t), { title });
    await t.call(setFirstRefusal, { body: { on: false } }, { as: seller });
    expect(await stateOf(await list())).toBe('available');
  });

  it('comes from a file of many, too, and by its ISBN', async () => {
    const reader = await aBuyer(t);
    await aWant(t, reader, { isbn13: '0-14-143955-6' });
    const rows = ['sku,title,isbn,price,condition', 'A,Wuthering Heights,9780141439556,4,Good', `B,${title},,4,Good`];
    const file = await dryRun(t, seller, rows.join('\n'), { category, location: 'Portland, OR' });
    await commitFile(t, seller, file.id);
    expect(await offerAll(t)).toBe(1);
    expect(await offerOf(reader)).toMatchObject({ title: 'Wuthering Heights', price: 4 });
  });
});

describe('a copy that comes back', () => {
  it('goes to its line first, and to wants when nobody is in line', async () => {
    const [holder, inLine, reader] = [await aBuyer(t), await aBuyer(t), await aBuyer(t)];
    const copy = await aListing(t, seller, { category_id: category, title });
    const bookingId = await aBooking(t, holder, copy);
    await t.call(joinWaitlist, { params: { id: copy._id } }, { as: inLine });
    await aWant(t, reader, { title });
    await t.call(cancelBooking, { params: { id: bookingId } }, { as: holder });
    expect(await offerAll(t)).toBe(0);
    expect(await holderOf(copy._id)).toBe(inLine.id);
    await lapse(copy._id);
    expect(await offerAll(t)).toBe(1);
    expect(await holderOf(copy._id)).toBe(reader.id);
  });

  it('is an order of whoever takes it, whether they pay in time or not', async () => {
    const reader = await aBuyer(t);
    await aWant(t, reader, { title });
    const id = await list();
    await offerAll(t);
    const { id: offerId } = await offerOf(reader);
    await t.call(takeOffer, { params: { id: offerId } }, { as: reader });
    await lapse(id);
    expect(await offerAll(t)).toBe(0);
    const { body } = await t.call(listMyBookings, { query: { email: reader.email } }, { as: reader });
    expect(body).toMatchObject([{ listingId: id, hold: 'lapsed' }]);
    expect((await t.call(readListing, { params: { id } })).body).toMatchObject({ status: 'Available', offered: false });
  });

  it('of an order that came to nothing is offered like a new one', async () => {
    const copy = await aListing(t, seller, { category_id: category, title });
    await t.db.updateTable('listings').set({ status: 'held' }).where('id', '=', copy._id).execute();
    await t.db.updateTable('listings').set({ status: 'sold', on_shelf: false }).where('id', '=', copy._id).execute();
    const reader = await aBuyer(t);
    await aWant(t, reader, { title });
    await t.payments.db.transaction().execute((trx) => relistSoldCopy(trx, copy._id));
    expect(await offerAll(t)).toBe(1);
    expect(await holderOf(copy._id)).toBe(reader.id);
  });

  it('stays paused where its seller paused it meanwhile', async () => {
    await aWant(t, await aBuyer(t), { title });
    const id = await list();
    await t.db.updateTable('listings').set({ paused_alone: true }).where('id', '=', id).execute();
    expect(await offerAll(t)).toBe(0);
    expect(await stateOf(id)).toBe('paused');
    expect(await asideOf(id)).toEqual([]);
  });
});

describe('an offer', () => {
  it('of the night lasts until nine in the morning of its reader, ten hours at most', async () => {
    const reader = await aBuyer(t);
    expect(await minutesAt(reader, '12:00')).toBe(60);
    expect(await minutesAt(reader, '21:50')).toBe(60);
    expect(await minutesAt(reader, '22:05')).toBe(600);
    expect(Math.abs((await minutesAt(reader, '03:00')) - 360)).toBeLessThanOrEqual(1);
    expect(await minutesAt(reader, '08:30')).toBe(60);
  });

  it('passed on five times in a row pauses its want, until its reader goes on', async () => {
    const reader = await aBuyer(t);
    const { id } = await aWant(t, reader, { title });
    for (let n = 0; n < 5; n += 1) {
      expect((await wantOf(reader))?.state).toBe('active');
      await list();
      await offerAll(t);
      await pass(reader);
      await offerAll(t);
    }
    expect(await wantOf(reader)).toMatchObject({ state: 'paused', offers: 5 });
    await list();
    expect(await offerAll(t)).toBe(0);
    const on = await t.send('PUT', `/api/wants/${id}/state`, { as: reader, body: { state: 'active' } });
    expect(on.json()).toMatchObject({ state: 'active' });
  });

  it('is nobody else’s, and is passed on once', async () => {
    const [reader, other] = [await aBuyer(t), await aBuyer(t)];
    await aWant(t, reader, { title });
    await list();
    await offerAll(t);
    const { id } = await offerOf(reader);
    for (const spec of [takeOffer, passOffer]) {
      expect((await t.call(spec, { params: { id } }, { as: other })).status).toBe(404);
      expect((await t.call(spec, { params: { id } })).status).toBe(401);
    }
    const passes = await Promise.all([1, 2, 3].map(() => t.call(passOffer, { params: { id } }, { as: reader })));
    expect(passes.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await t.db.selectFrom('want_offers').select('state').where('id', '=', id).execute()).toEqual([
      { state: 'passed' },
    ]);
  });
});

/** For how many minutes a copy is offered that comes at this time of the reader's day. */
const minutesAt = async (reader: TestUser, local: string): Promise<number> => {
  // A zone whose clock shows that time now.
  const { rows } = await sql<{ ahead: number }>`
    SELECT extract(epoch FROM ${local}::time - (shop_now() AT TIME ZONE 'UTC')::time)::float8 AS ahead`.execute(t.db);
  const ahead = Math.round((rows[0]?.ahead ?? 0) / 60);
  // POSIX counts westward.
  const zone = `<LOC>${ahead > 0 ? '-' : '+'}${Math.floor(Math.abs(ahead) / 60)}:${String(Math.abs(ahead) % 60).padStart(2, '0')}`;
  await t.db.updateTable('users').set({ time_zone: zone }).where('id', '=', reader.id).execute();
  return t.payments.db
    .transaction()
    .execute((trx) => minutesOfOffer(trx, { userId: reader.id, minutes: 60, timeZone: 'UTC' }));
};
