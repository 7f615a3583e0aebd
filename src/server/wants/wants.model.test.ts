// Wants, holds, the line and the clock, in whatever order things happen: one copy and three readers who look for it.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookCopy, cancelBooking } from '#contract/bookings/bookings.ts';
import { joinWaitlist } from '#contract/bookings/waitlist.ts';
import { offerListing, readListing, type Listing } from '#contract/catalog/catalog.ts';
import { MOST_OFFERS, PASSES_THAT_PAUSE, type WantState } from '#contract/wants/want-states.ts';
import { passOffer, setWantState, takeOffer } from '#contract/wants/wants.ts';
import { releaseLapsedHolds } from '#server/payments/settlement/release.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { failing, payAtProvider, recordPaid } from '#test/deal.ts';
import { aBookingDraft, aBuyer, aCategory, aDraft, aSeller, type TestUser } from '#test/make.ts';
import { storiesOr, STORIES_TIMEOUT_MS } from '#test/model.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { aWant, offerAll } from '#test/wants.ts';

type Who = 0 | 1 | 2;
const READERS = [0, 1, 2] as const;

interface ReaderModel {
  want: WantState;
  passes: number;
  wasOffered: boolean;
  /** They have a booking of the copy that may still be paid for. */
  isOpen: boolean;
  /** That booking, or one before it that is open still, came with an offer. */
  isByOffer: boolean;
  hasBought: boolean;
}

interface Model {
  copy: 'aside' | 'available' | 'held' | 'sold';
  holder: Who | undefined;
  /** The holder was offered it, and has neither bought it nor lost it. */
  isOffer: boolean;
  lapsed: boolean;
  offers: number;
  line: Who[];
  readers: [ReaderModel, ReaderModel, ReaderModel];
}

interface Real {
  readonly title: string;
  readonly wants: readonly string[];
  copy: Listing | undefined;
}

type Step = fc.AsyncCommand<Model, Real>;

let t: TestApp;
let seller: TestUser;
let category: string;
let readers: TestUser[];
beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  category = await aCategory(t, seller);
  readers = [await aBuyer(t), await aBuyer(t), await aBuyer(t)];
});
afterAll(async () => {
  await expectInvariants(t.db);
  await t.close();
});

const readerOf = (who: Who): TestUser => readers[who] as TestUser;
const copyOf = ({ copy }: Real): Listing => {
  if (copy === undefined) throw new Error('There is no copy yet.');
  return copy;
};

/** A copy that would be on the shelf is aside while somebody may want it, until three were offered it. */
const putUp = (model: Model): void => {
  const isWanted = model.readers.some(({ want }) => want === 'active');
  model.copy = isWanted && model.offers < MOST_OFFERS ? 'aside' : 'available';
  if (model.copy === 'available') model.offers = 0;
};

/** A hold ends: the first in line has the copy, else it is put up. */
const end = (model: Model, who: Who): void => {
  const reader = model.readers[who];
  if (model.isOffer) {
    reader.passes += 1;
    if (reader.want === 'offered') reader.want = reader.passes < PASSES_THAT_PAUSE ? 'active' : 'paused';
  }
  model.isOffer = false;
  model.holder = undefined;
  model.lapsed = false;
  const next = model.line.shift();
  if (next === undefined) return putUp(model);
  model.holder = next;
  if (!model.readers[next].isOpen) model.readers[next].isByOffer = false;
  model.readers[next].isOpen = true;
};

const STATUS = { aside: 'paused', available: 'available', held: 'held', sold: 'sold' } as const;

const agree = async (model: Model, real: Real): Promise<void> => {
  const wants = await t.db
    .selectFrom('wants')
    .select(['id', 'state'])
    .where('id', 'in', [...real.wants])
    .execute();
  const states = real.wants.map((id) => wants.find((want) => want.id === id)?.state);
  expect(states).toEqual(model.readers.map(({ want }) => want));
  const { _id: id } = copyOf(real);
  const copy = await t.db.selectFrom('listings').select('status').where('id', '=', id).executeTakeFirstOrThrow();
  expect(copy.status).toBe(STATUS[model.copy]);
  const hold = await t.db.selectFrom('holds').select('buyer_id').where('listing_id', '=', id).executeTakeFirst();
  expect(hold?.buyer_id).toBe(model.holder === undefined ? undefined : readerOf(model.holder).id);
  // Off the shelf for no other reason, it is known to be offered next: never neither.
  const aside = await t.db
    .selectFrom('copies_aside')
    .select('is_due')
    .where('listing_id', '=', id)
    .where('is_due', '=', true)
    .execute();
  expect(aside).toHaveLength(model.copy === 'aside' ? 1 : 0);
};

const step = (
  name: string,
  check: (model: Readonly<Model>) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Step => ({
  check,
  run: async (model, real) => {
    await run(model, real);
    await agree(model, real);
  },
  toString: () => name,
});

/** The seller lists the copy; its readers look for it, or have paused that. */
const begin = async (model: Model, real: Real): Promise<void> => {
  for (const who of READERS)
    if (model.readers[who].want === 'paused')
      await t.call(
        setWantState,
        { params: { id: real.wants[who] ?? '' }, body: { state: 'paused' } },
        { as: readerOf(who) },
      );
  const { body } = await t.call(
    offerListing,
    { body: aDraft(seller, category, { title: real.title }) },
    { as: seller },
  );
  real.copy = (await t.call(readListing, { params: { id: body.insertedId } }, { as: seller })).body;
  putUp(model);
  await agree(model, real);
};

const job = step(
  'the shop offers what is aside',
  () => true,
  async (model) => {
    await offerAll(t);
    if (model.copy !== 'aside') return;
    const who = READERS.find((each) => model.readers[each].want === 'active' && !model.readers[each].wasOffered);
    if (who === undefined) {
      model.copy = 'available';
      model.offers = 0;
      return;
    }
    Object.assign(model, { copy: 'held', holder: who, isOffer: true, lapsed: false, offers: model.offers + 1 });
    Object.assign(model.readers[who], { want: 'offered', wasOffered: true, isOpen: true, isByOffer: true });
  },
);

const bookingIdOf = async (who: Who, real: Real): Promise<string> => {
  const { id } = await t.db
    .selectFrom('bookings')
    .select('id')
    .where('listing_id', '=', copyOf(real)._id)
    .where('buyer_id', '=', readerOf(who).id)
    .where('cancelled_at', 'is', null)
    .executeTakeFirstOrThrow();
  return id;
};

const book = (who: Who): Step =>
  step(
    `${who} books`,
    ({ holder }) => holder !== who,
    async (model, real) => {
      const body = { ...aBookingDraft(readerOf(who), copyOf(real)), listingId: copyOf(real)._id };
      const { status } = await t.call(bookCopy, { body }, { as: readerOf(who) });
      expect(status).toBe({ aside: 404, available: 201, held: 409, sold: 409 }[model.copy]);
      if (model.copy !== 'available') return;
      Object.assign(model, { copy: 'held', holder: who, isOffer: false, lapsed: false });
      if (!model.readers[who].isOpen) model.readers[who].isByOffer = false;
      model.readers[who].isOpen = true;
    },
  );

const join = (who: Who): Step =>
  step(
    `${who} joins the line`,
    ({ copy, holder, line }) => copy === 'held' && holder !== who && !line.includes(who),
    async (model, real) => {
      const { status } = await t.call(joinWaitlist, { params: { id: copyOf(real)._id } }, { as: readerOf(who) });
      expect(status).toBe(200);
      model.line.push(who);
    },
  );

const giveUp = (who: Who): Step =>
  step(
    `${who} passes it on, or cancels`,
    ({ holder }) => holder === who,
    async (model, real) => {
      const bookingId = await bookingIdOf(who, real);
      const offer = await t.db
        .selectFrom('want_offers')
        .select('id')
        .where('booking_id', '=', bookingId)
        .where('state', 'in', ['open', 'taken'])
        .executeTakeFirst();
      expect(offer !== undefined).toBe(model.isOffer);
      const { status } =
        offer === undefined
          ? await t.call(cancelBooking, { params: { id: bookingId } }, { as: readerOf(who) })
          : await t.call(passOffer, { params: { id: offer.id } }, { as: readerOf(who) });
      expect(status).toBe(200);
      Object.assign(model.readers[who], { isOpen: false, isByOffer: false });
      end(model, who);
    },
  );

const take = (who: Who): Step =>
  step(
    `${who} takes what they were offered`,
    ({ readers: all }) => all[who].wasOffered,
    async (model, real) => {
      const offer = await t.db
        .selectFrom('want_offers')
        .select('id')
        .where('want_id', '=', real.wants[who] ?? '')
        .executeTakeFirstOrThrow();
      const { status } = await t.call(takeOffer, { params: { id: offer.id } }, { as: readerOf(who) });
      const isTheirs = model.holder === who && model.readers[who].isByOffer && !model.lapsed;
      expect(status).toBe(isTheirs || model.readers[who].hasBought ? 200 : 409);
    },
  );

const pay = (who: Who): Step =>
  step(
    `${who} pays`,
    ({ holder, lapsed }) => holder === who && !lapsed,
    async (model, real) => {
      const deal = { buyer: readerOf(who), seller, copy: copyOf(real), bookingId: await bookingIdOf(who, real) };
      expect((await recordPaid(t, deal, await payAtProvider(t, deal))).status).toBe(200);
      if (model.readers[who].isByOffer) Object.assign(model.readers[who], { want: 'bought', hasBought: true });
      Object.assign(model, { copy: 'sold', holder: undefined, isOffer: false, line: [] });
    },
  );

const lapse = step(
  'the time of the hold is over',
  ({ holder }) => holder !== undefined,
  async (model, real) => {
    await sql`UPDATE holds SET expires_at = shop_now() - interval '1 second' WHERE listing_id = ${copyOf(real)._id}`.execute(
      t.db,
    );
    model.lapsed = true;
  },
);

const sweep = step(
  'the sweep comes by',
  () => true,
  async (model) => {
    await releaseLapsedHolds(t.payments, failing);
    if (model.holder !== undefined && model.lapsed) end(model, model.holder);
  },
);

const change = (who: Who, state: 'active' | 'paused'): Step =>
  step(
    `${who} has their want ${state}`,
    () => true,
    async (model, real) => {
      const reader = model.readers[who];
      const id = real.wants[who] ?? '';
      const { status } = await t.call(setWantState, { params: { id }, body: { state } }, { as: readerOf(who) });
      const isRefused = state === 'paused' && reader.want !== 'active' && reader.want !== 'paused';
      expect(status).toBe(isRefused ? 409 : 200);
      if (isRefused) return;
      if (state === 'active') reader.passes = 0;
      if (reader.want !== 'offered') reader.want = state;
    },
  );

const STEPS = [
  job,
  job,
  job,
  lapse,
  sweep,
  sweep,
  ...READERS.flatMap((who) => [
    book(who),
    join(who),
    giveUp(who),
    giveUp(who),
    take(who),
    pay(who),
    change(who, 'paused'),
    change(who, 'active'),
  ]),
];

/** Most readers of a story look for its book. */
const LOOKS = fc.integer({ min: 0, max: 3 }).map((n) => n > 0);

/** So that the next story has readers with free hands and no wants. */
const forget = async ({ copy }: Real): Promise<void> => {
  if (copy !== undefined) {
    await t.db.deleteFrom('waitlist_entries').where('listing_id', '=', copy._id).execute();
    await t.db.updateTable('wants').set({ state: 'paused' }).where('state', 'in', ['active', 'offered']).execute();
    await sql`UPDATE holds SET expires_at = shop_now() - interval '1 second' WHERE listing_id = ${copy._id}`.execute(
      t.db,
    );
    await releaseLapsedHolds(t.payments, failing);
    await offerAll(t);
  }
  await t.db.deleteFrom('wants').execute();
};

test(
  'wants, holds and the line agree with their model, in whatever order the steps come',
  { timeout: STORIES_TIMEOUT_MS },
  async () => {
    const stories = fc.commands(
      STEPS.map((one) => fc.constant(one)),
      { maxCommands: 25, size: 'max' },
    );
    await fc.assert(
      fc.asyncProperty(fc.tuple(LOOKS, LOOKS, LOOKS), stories, async (looking, steps) => {
        const title = `Story ${randomUUID()}`;
        const wants: string[] = [];
        for (const who of READERS) wants.push((await aWant(t, readerOf(who), { title })).id);
        const reader = (looks: boolean): ReaderModel => ({
          want: looks ? 'active' : 'paused',
          passes: 0,
          wasOffered: false,
          isOpen: false,
          isByOffer: false,
          hasBought: false,
        });
        const real: Real = { title, wants, copy: undefined };
        const model: Model = {
          copy: 'available',
          holder: undefined,
          isOffer: false,
          lapsed: false,
          offers: 0,
          line: [],
          readers: [reader(looking[0]), reader(looking[1]), reader(looking[2])],
        };
        await begin(model, real);
        await fc.asyncModelRun(() => ({ model, real }), steps);
        await forget(real);
      }),
      storiesOr(60),
    );
  },
);
