import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bookCopy } from '#contract/bookings/bookings.ts';
import {
  deleteListing,
  editListing,
  listListings,
  listMyListings,
  readListing,
  type Listing,
  type ListingEdit,
} from '#contract/catalog/catalog.ts';
import { createPaymentIntent } from '#contract/money/payments.ts';
import { acceptCopy } from '#contract/bookings/promise.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { whileDemoted } from '#test/demoted.ts';
import {
  aBooking,
  aBookingDraft,
  aBuyer,
  aCategory,
  aListing,
  anAdmin,
  aSeller,
  aUser,
  type TestUser,
} from '#test/make.ts';
import { becoming } from './listing.queries.ts';

const LONG = process.env['DOGEAR_TEST_LONG'] === '1';
const [RUNS, RACES] = LONG ? [1_000, 200] : [40, 12];
const FOLLOWS = { category_name: '', author_pages: [], reduced_from: null };

let t: TestApp;
let seller: TestUser;
let category: string;
let others: { stranger: TestUser; buyer: TestUser; admin: TestUser };
beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  category = await aCategory(t, seller);
  others = { stranger: await aSeller(t), buyer: await aBuyer(t), admin: await anAdmin(t) };
});
afterAll(() => t.close());

const listing = (more = {}): Promise<Listing> => aListing(t, seller, { category_id: category, ...more });
const row = (id: string) => t.db.selectFrom('listings').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
/** A copy's row without the columns that the database works out of the others. */
const written = async (id: string) => {
  const { rows } = await sql<{ name: string }>`
    SELECT attname AS name FROM pg_attribute WHERE attrelid = 'listings'::regclass AND attgenerated <> ''`.execute(
    t.db,
  );
  const derived = new Set(rows.map(({ name }) => name));
  const columns = Object.entries(await row(id)).filter(([name]) => !derived.has(name));
  return Object.fromEntries(columns);
};
const edit = (id: string, body: ListingEdit, as: TestUser | undefined = seller) =>
  t.call(editListing, { params: { id }, body }, { as });
const remove = (id: string, as: TestUser | undefined = seller) => t.call(deleteListing, { params: { id } }, { as });
const ABSENT = '11111111-1111-4111-8111-111111111111';

/** A copy in a state that somebody's claim has brought it to. */
const inState = async (status: 'held' | 'sold'): Promise<Listing> => {
  const copy = await listing();
  await aBooking(t, await aBuyer(t), copy);
  if (status === 'sold') await t.db.updateTable('listings').set(becoming(status)).where('id', '=', copy._id).execute();
  return copy;
};

describe('PATCH /categories/:id', () => {
  it('is refused to visitors, to whoever does not sell, and for what is not there or is not theirs', async () => {
    const copy = await listing();
    const before = await row(copy._id);
    const anonymous = await t.call(editListing, { params: { id: copy._id }, body: { title: 'Mine now' } });
    expect([anonymous.status, anonymous.body.modifiedCount]).toEqual([401, 0]);
    expect((await edit(copy._id, { title: 'Mine now' }, others.buyer)).status).toBe(403);
    expect((await edit(copy._id, { title: 'Mine now' }, others.admin)).status).toBe(403);
    const theirs = await edit(copy._id, { title: 'Mine now' }, others.stranger);
    const nothing = await edit(ABSENT, { title: 'Mine now' }, others.stranger);
    expect([theirs.status, nothing.status]).toEqual([404, 404]);
    expect(theirs.body.error?.message).toBe(nothing.body.error?.message);
    expect(theirs.body.modifiedCount).toBe(0);
    expect((await t.send('PATCH', '/api/categories/x', { as: seller, body: {} })).statusCode).toBe(404);
    expect(await row(copy._id)).toEqual(before);
  });

  it('changes the given fields and no other, and says when it is so already', async () => {
    const copy = await listing({ authors: 'Ursula K. Le Guin', isbn13: '9780441478125', published_year: 1969 });
    const before = await written(copy._id);
    const first = await edit(copy._id, { resale_price: '6.25', title: '  The  Left Hand ', isbn13: '' });
    expect([first.status, first.body, first.headers['cache-control']]).toEqual([200, { modifiedCount: 1 }, 'no-store']);
    const after = await written(copy._id);
    expect(after).toEqual({
      ...before,
      resale_cents: 625,
      title: 'The Left Hand',
      isbn13: '',
      updated_at: after['updated_at'],
    });
    expect((await edit(copy._id, { resale_price: 6.25, title: 'The Left Hand' })).body.modifiedCount).toBe(0);
    expect((await edit(copy._id, {})).body.modifiedCount).toBe(0);
    const shown = await t.call(readListing, { params: { id: copy._id } });
    expect(shown.body).toMatchObject({ title: 'The Left Hand', resale_price: 6.25, published_year: 1969 });
  });

  it('never changes whose it is, its state or its age', async () => {
    const copy = await listing();
    const before = await row(copy._id);
    const body = {
      email: others.stranger.email,
      Seller: 'Somebody Else',
      seller_id: others.stranger.id,
      status: 'sold',
      published_at: '1999-01-01',
      _id: ABSENT,
    };
    const answer = await t.send('PATCH', `/api/categories/${copy._id}`, { as: seller, body });
    expect([answer.statusCode, answer.json()]).toEqual([200, { modifiedCount: 0 }]);
    expect(await row(copy._id)).toEqual(before);
  });

  it.each(['held', 'sold'] as const)('is 409 for a copy that is %s, and changes nothing', async (state) => {
    const copy = await inState(state);
    const before = await row(copy._id);
    const answer = await edit(copy._id, { resale_price: 99 });
    expect([answer.status, answer.body.error?.code, answer.body.modifiedCount]).toEqual([409, 'copy_locked', 0]);
    expect(await row(copy._id)).toEqual(before);
  });

  it('names each field that breaks a rule of offering, an unknown category among them, and stores none of it', async () => {
    const copy = await listing();
    const before = await row(copy._id);
    const answer = await edit(copy._id, {
      title: ' ',
      image_url: 'javascript:alert(1)',
      resale_price: '0.49',
      years_of_use: 'long',
      category_id: 'nowhere',
      isbn13: '123',
      details: 'This alone would be right',
    });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error?.fields ?? {}).sort()).toEqual([
      'category_id',
      'image_url',
      'isbn13',
      'resale_price',
      'title',
      'years_of_use',
    ]);
    expect(await row(copy._id)).toEqual(before);
  });

  it('makes known what was not, and until then the original price follows the one that is asked', async () => {
    const listing = await aListing(t, seller, { resale_price: '8.00' });
    const unknown = { original_cents: 800, original_known: false, years_of_use: 0, years_known: false };
    await t.db.updateTable('listings').set(unknown).where('id', '=', listing._id).execute();
    const edit = (body: ListingEdit) =>
      t.call(editListing, { params: { id: listing._id }, body }, { as: seller }).then(({ body: answer }) => answer);
    const row = () =>
      t.db
        .selectFrom('listings')
        .select(['original_cents', 'original_known', 'resale_cents', 'years_known'])
        .where('id', '=', listing._id)
        .executeTakeFirstOrThrow();
    await edit({ resale_price: '6.00' });
    expect(await row()).toEqual({ original_cents: 600, original_known: false, resale_cents: 600, years_known: false });
    await edit({ years_of_use: '0', original_price: '6.00' });
    expect(await row()).toEqual({ original_cents: 600, original_known: true, resale_cents: 600, years_known: true });
  });

  it('leaves a copy as any order of right and wrong edits says, and nothing else', async () => {
    const second = await aCategory(t, seller);
    const text = fc.stringMatching(/^[A-Za-z]{1,9}( [A-Za-z.-]{1,9}){0,3}$/);
    const right = fc.record(
      {
        title: text,
        details: text,
        location: text,
        phone: text,
        authors: text,
        publisher: text,
        resale_price: fc.integer({ min: 50, max: 9_999_999 }).map((cents) => (cents / 100).toFixed(2)),
        original_price: fc.integer({ min: 50, max: 9_999_999 }).map((cents) => cents / 100),
        years_of_use: fc.integer({ min: 0, max: 5_000 }).map((tenths) => tenths / 10),
        condition: fc.constantFrom('Excellent' as const, 'Good' as const, 'Fair' as const),
        category_id: fc.constantFrom(category, second),
      },
      { requiredKeys: [] },
    );
    const wrong = fc.record({ title: text, resale_price: fc.constantFrom(-1, 0, '1e3', 100_000, '5.001') });
    const step = fc.oneof(
      right.map((body) => ({ body, status: 200 })),
      wrong.map((body) => ({ body, status: 400 })),
    );
    const shown = ({ resale_price, ...others }: ListingEdit) =>
      resale_price === undefined ? others : { ...others, resale_price: Number(resale_price) };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        const copy = await listing();
        const { body: first } = await t.call(readListing, { params: { id: copy._id } }, { as: seller });
        let expected: Record<string, unknown> = { ...first };
        for (const { body, status } of steps) {
          expect((await edit(copy._id, body)).status).toBe(status);
          if (status === 200) expected = { ...expected, ...shown(body) };
        }
        const { body: last } = await t.call(readListing, { params: { id: copy._id } }, { as: seller });
        expected['delivery'] = { ...first.delivery, pickupPlace: expected['location'] };
        expect({ ...last, ...FOLLOWS }).toEqual({ ...expected, ...FOLLOWS });
      }),
      { numRuns: RUNS },
    );
  });

  it('waits, in production, until the address of the seller is proven', async () => {
    const env = {
      DOGEAR_MODE: 'production',
      PUBLIC_URL: 'https://books.example',
      DATABASE_URL: 'postgres://unused.example/x',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
      SMTP_URL: 'smtp://mail.example',
    };
    const production = await testApp({ env });
    try {
      const newcomer = await aSeller(production);
      const own = await aListing(production, newcomer);
      await production.db.updateTable('users').set({ email_proven_at: null }).where('id', '=', newcomer.id).execute();
      const input = { params: { id: own._id }, body: { title: 'Changed' } };
      expect((await production.call(editListing, input, { as: newcomer })).status).toBe(403);
    } finally {
      await production.close();
    }
  });
});

describe('DELETE /categories/:id', () => {
  it('is refused to visitors, to whoever may not, and for what is not there or is not theirs', async () => {
    const copy = await listing();
    const anonymous = await t.call(deleteListing, { params: { id: copy._id } });
    expect([anonymous.status, anonymous.body.deletedCount]).toEqual([401, 0]);
    expect((await remove(copy._id, others.buyer)).status).toBe(403);
    const theirs = await remove(copy._id, others.stranger);
    const nothing = await remove(ABSENT, others.stranger);
    expect([theirs.status, nothing.status, theirs.body.deletedCount]).toEqual([404, 404, 0]);
    expect(theirs.body.error?.message).toBe(nothing.body.error?.message);
    expect((await row(copy._id)).status).toBe('available');
  });

  it('takes an own copy out of every list and keeps its row; once more it is not there', async () => {
    const owner = await aUser(t, { roles: ['seller'] });
    const copy = await aListing(t, owner);
    expect((await remove(copy._id, owner)).body).toEqual({ deletedCount: 1 });
    expect((await row(copy._id)).status).toBe('withdrawn');
    expect((await t.call(readListing, { params: { id: copy._id } })).status).toBe(404);
    const mine = await t.call(listMyListings, { query: { email: owner.email } }, { as: owner });
    const all = await t.call(listListings, { query: { limit: '100' } });
    expect([...mine.body, ...all.body].map(({ _id }) => _id)).not.toContain(copy._id);
    expect((await remove(copy._id, owner)).status).toBe(404);
    expect((await edit(copy._id, { title: 'Back' }, owner)).status).toBe(404);
  });

  it('lets an admin delete what anybody sells, and writes it down', async () => {
    const copy = await listing();
    expect((await remove(copy._id, others.admin)).body).toEqual({ deletedCount: 1 });
    expect((await remove(copy._id, others.admin)).status).toBe(404);
    const deeds = await t.db.selectFrom('audit_entries').selectAll().where('subject_id', '=', copy._id).execute();
    expect(deeds.map(({ actor_id, action }) => [actor_id, action])).toEqual([[others.admin.id, 'listing deleted']]);
  });

  it('writes down which by its id as it is stored, however it was typed', async () => {
    const copy = await listing();
    expect((await remove(copy._id.toUpperCase(), others.admin)).status).toBe(200);
    const deeds = await t.db.selectFrom('audit_entries').select('action').where('subject_id', '=', copy._id).execute();
    expect(deeds).toEqual([{ action: 'listing deleted' }]);
  });

  it('is refused to an admin who loses the role at that moment', async () => {
    const copy = await listing();
    expect((await whileDemoted(t, (admin) => remove(copy._id, admin))).status).toBe(403);
    expect((await row(copy._id)).status).toBe('available');
  });

  it.each(['held', 'sold'] as const)('is 409 for a copy that is %s, to admins too', async (state) => {
    const copy = await inState(state);
    for (const user of [seller, others.admin]) {
      const answer = await remove(copy._id, user);
      expect([answer.status, answer.body.error?.code, answer.body.deletedCount]).toEqual([409, 'copy_locked', 0]);
    }
    expect((await row(copy._id)).status).toBe(state);
  });
});

/** Lets both calls come as far as the copy's row and wait there, so that neither has seen the other when they go on. */
const atTheRow = async <A, B>(id: string, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> => {
  const waiting = async (): Promise<number> => {
    const found = await sql<{ count: number }>`SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(t.db);
    return found.rows[0]?.count ?? 0;
  };
  const calls = await t.db.transaction().execute(async (trx) => {
    await trx.selectFrom('listings').select('id').where('id', '=', id).forNoKeyUpdate().execute();
    const both = Promise.all([one(), other()]);
    await expect.poll(waiting).toBe(2);
    return { both };
  });
  return calls.both;
};

describe('met at the row of the copy', () => {
  it('a deletion and a booking: one wins, and a held copy is never withdrawn', async () => {
    const [copy, buyer] = await Promise.all([listing(), aBuyer(t)]);
    const book = () => t.call(bookCopy, { body: aBookingDraft(buyer, copy) }, { as: buyer });
    const [booked, deleted] = await atTheRow(copy._id, book, () => remove(copy._id));
    expect([
      [201, 'copy_locked', 'held'],
      [409, undefined, 'withdrawn'],
    ]).toContainEqual([booked.status, deleted.body.error?.code, (await row(copy._id)).status]);
  });

  it('an edit and a booking: one wins, and nobody holds a copy at another price than it has', async () => {
    const [copy, buyer] = await Promise.all([listing(), aBuyer(t)]);
    const book = () => t.call(bookCopy, { body: aBookingDraft(buyer, copy) }, { as: buyer });
    const [booked, edited] = await atTheRow(copy._id, book, () => edit(copy._id, { resale_price: 20 }));
    const { resale_cents: price } = await row(copy._id);
    expect([
      [undefined, 'copy_locked', 750],
      ['price_changed', undefined, 2_000],
    ]).toContainEqual([booked.body.error?.code, edited.body.error?.code, price]);
  });
});

describe('at the same moment', () => {
  it('either the copy is deleted or it is booked: a held copy is never withdrawn', async () => {
    for (let race = 0; race < RACES; race += 1) {
      const [copy, buyer] = await Promise.all([listing(), aBuyer(t)]);
      const book = () => t.call(bookCopy, { body: aBookingDraft(buyer, copy) }, { as: buyer });
      const both = race % 2 === 0 ? [book(), remove(copy._id)] : [remove(copy._id), book()];
      const statuses = (await Promise.all(both)).map(({ status }) => status);
      const [booked, deleted] = race % 2 === 0 ? statuses : statuses.toReversed();
      const { status } = await row(copy._id);
      const holds = await t.db.selectFrom('holds').select('booking_id').where('listing_id', '=', copy._id).execute();
      expect([
        [201, 409, 'held', 1],
        [409, 200, 'withdrawn', 0],
      ]).toContainEqual([booked, deleted, status, holds.length]);
    }
  });

  it('a booking is made at the price the copy has, or not at all', async () => {
    for (let race = 0; race < RACES; race += 1) {
      const [copy, buyer] = await Promise.all([listing(), aBuyer(t)]);
      const book = () => t.call(bookCopy, { body: aBookingDraft(buyer, copy) }, { as: buyer });
      const raise = () => edit(copy._id, { resale_price: 20 });
      const both = race % 2 === 0 ? [book(), raise()] : [raise(), book()];
      await Promise.all(both);
      const { resale_cents: price, status } = await row(copy._id);
      const bookings = await t.db
        .selectFrom('bookings')
        .select('price_cents')
        .where('listing_id', '=', copy._id)
        .execute();
      expect(bookings.map(({ price_cents }) => price_cents)).toEqual(status === 'held' ? [price] : []);
    }
  });

  it('two edits of different fields both last', async () => {
    const copy = await listing();
    const answers = await Promise.all([edit(copy._id, { title: 'One' }), edit(copy._id, { details: 'Two' })]);
    expect(answers.map(({ body }) => body.modifiedCount)).toEqual([1, 1]);
    expect(await row(copy._id)).toMatchObject({ title: 'One', details: 'Two' });
  });
});

describe('a booking whose hold is over', () => {
  it('is not paid at the old price once the seller raised it, and is at the new one when its buyer goes on', async () => {
    const [copy, buyer] = await Promise.all([listing(), aBuyer(t)]);
    const bookingId = await aBooking(t, buyer, copy);
    await t.db.deleteFrom('holds').where('booking_id', '=', bookingId).execute();
    await t.db.updateTable('listings').set(becoming('available')).where('id', '=', copy._id).execute();
    expect((await edit(copy._id, { resale_price: 20 })).status).toBe(200);
    const pay = (price: number) => t.call(createPaymentIntent, { body: { price, bookingId } }, { as: buyer });
    const old = await pay(copy.resale_price);
    expect([old.status, old.body.error?.code, old.body.error?.message]).toEqual([
      409,
      'copy_changed',
      'The seller has changed this book since you booked it',
    ]);
    expect((await row(copy._id)).status).toBe('available');
    const again = { ...aBookingDraft(buyer, copy), price: 20 };
    expect((await t.call(bookCopy, { body: again }, { as: buyer })).body.error?.code).toBe('copy_changed');
    const version = old.body.error?.change?.version ?? '';
    await t.call(acceptCopy, { params: { id: bookingId }, body: { version } }, { as: buyer });
    expect((await t.call(bookCopy, { body: again }, { as: buyer })).body.insertedId).toBe(bookingId);
    expect((await pay(20)).status).toBe(200);
  });
});
