import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  DECLINED_CARD,
  GOOD_CARD,
  modelShop,
  storiesOr,
  STORIES_TIMEOUT_MS,
  type ModelCopy,
  type ModelShop,
} from '#test/model.ts';

let shop: ModelShop;

beforeAll(async () => {
  shop = await modelShop();
});
afterAll(() => shop.close());

type Who = 0 | 1;

/** What a buyer has of the copy: the latest booking, and what the provider thinks of its latest intent. */
interface BookingModel {
  state: 'cancelled' | 'open' | 'paid';
  intent: 'canceled' | 'none' | 'succeeded' | 'waiting';
}

/** The whole shop, as far as one copy and two buyers go. */
interface Model {
  copy: 'available' | 'held' | 'sold' | 'withdrawn';
  holder: Who | undefined;
  lapsed: boolean;
  bookings: [BookingModel | undefined, BookingModel | undefined];
}

interface Real {
  readonly copy: ModelCopy;
  readonly bookingIds: [string, string];
  readonly secrets: [string, string];
}

type Step = fc.AsyncCommand<Model, Real>;

const intentIdOf = (secret: string): string => secret.split('_secret')[0] ?? '';

const settle = (model: Model, who: Who, booking: BookingModel): void => {
  booking.state = 'paid';
  model.copy = 'sold';
  model.holder = undefined;
};

/** A hold ends: the intent is cancelled first, unless it had succeeded; then it settles instead. */
const release = (model: Model, who: Who, booking: BookingModel): 'paid' | 'released' => {
  if (booking.intent === 'succeeded') {
    settle(model, who, booking);
    return 'paid';
  }
  if (booking.intent === 'waiting') booking.intent = 'canceled';
  if (model.holder === who) {
    model.holder = undefined;
    model.copy = 'available';
  }
  return 'released';
};

const mayHold = (model: Model, who: Who): boolean =>
  model.copy === 'available' || (model.copy === 'held' && model.holder === who);

const hold = (model: Model, who: Who): void => {
  model.copy = 'held';
  model.holder = who;
  model.lapsed = false;
};

const agree = async (model: Model, real: Real): Promise<void> => {
  expect(await shop.statusOf(real.copy)).toBe(model.copy);
  const sales = await shop.salesOf(real.copy);
  const payer = model.bookings.findIndex((booking) => booking?.state === 'paid');
  expect(sales.map(({ booking_id: id, paid }) => ({ id, paid }))).toEqual(
    payer === -1 ? [] : [{ id: real.bookingIds[payer], paid: true }],
  );
};

/** A step that is checked against the model afterwards. */
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

const book = (who: Who): Step =>
  step(
    `${who} books`,
    () => true,
    async (model, real) => {
      const answer = await shop.book(shop.buyers[who], real.copy);
      const isOver = model.bookings[who]?.state !== 'open';
      if (!mayHold(model, who)) return expect(answer.status).toBe(409) as void;
      expect(answer.status).toBe(201);
      if (isOver) model.bookings[who] = { state: 'open', intent: 'none' };
      else expect(answer.body.insertedId).toBe(real.bookingIds[who]);
      real.bookingIds[who] = answer.body.insertedId;
      hold(model, who);
    },
  );

const cancel = (who: Who): Step =>
  step(
    `${who} cancels`,
    (model) => model.bookings[who] !== undefined,
    async (model, real) => {
      const booking = model.bookings[who] as BookingModel;
      const answer = await shop.cancel(shop.buyers[who], real.bookingIds[who]);
      if (booking.state === 'cancelled') return expect(answer.body.deletedCount).toBe(0) as void;
      if (booking.state === 'paid' || release(model, who, booking) === 'paid') {
        return expect(answer).toMatchObject({ status: 409, body: { error: { code: 'already_paid' } } }) as void;
      }
      expect(answer).toMatchObject({ status: 200, body: { deletedCount: 1 } });
      booking.state = 'cancelled';
    },
  );

const askForIntent = (who: Who): Step =>
  step(
    `${who} goes to pay`,
    (model) => model.bookings[who] !== undefined,
    async (model, real) => {
      const booking = model.bookings[who] as BookingModel;
      const answer = await shop.askForIntent(shop.buyers[who], real.bookingIds[who]);
      if (booking.state !== 'open' || !mayHold(model, who)) return expect(answer.status).toBe(409) as void;
      if (booking.intent === 'succeeded') {
        expect(answer).toMatchObject({ status: 409, body: { error: { code: 'already_paid' } } });
        return settle(model, who, booking);
      }
      expect(answer.status).toBe(200);
      if (booking.intent === 'waiting') expect(answer.body.clientSecret).toBe(real.secrets[who]);
      else expect(answer.body.clientSecret).not.toBe(real.secrets[who]);
      real.secrets[who] = answer.body.clientSecret;
      booking.intent = 'waiting';
      hold(model, who);
    },
  );

const confirm = (who: Who, card: string): Step =>
  step(
    `${who} confirms ${card}`,
    (model) => (model.bookings[who]?.intent ?? 'none') !== 'none',
    async (model, real) => {
      const booking = model.bookings[who] as BookingModel;
      const answer = await shop.confirm(real.secrets[who], card);
      if (booking.intent === 'waiting' && card === GOOD_CARD) {
        expect(answer['status']).toBe('succeeded');
        booking.intent = 'succeeded';
      } else expect(answer['error']).toBeDefined();
    },
  );

const record = (who: Who): Step =>
  step(
    `${who} reports the payment`,
    (model) => (model.bookings[who]?.intent ?? 'none') !== 'none',
    async (model, real) => {
      const booking = model.bookings[who] as BookingModel;
      const intent = intentIdOf(real.secrets[who]);
      const answer = await shop.record(shop.buyers[who], real.bookingIds[who], intent);
      expect(answer.status).toBe(booking.intent === 'succeeded' ? 200 : 409);
      if (booking.intent === 'succeeded' && booking.state === 'open') settle(model, who, booking);
    },
  );

const tell = (who: Who, type: string): Step =>
  step(
    `the provider tells of ${who}: ${type}`,
    (model) => (model.bookings[who]?.intent ?? 'none') !== 'none',
    async (model, real) => {
      const booking = model.bookings[who] as BookingModel;
      expect((await shop.tell(intentIdOf(real.secrets[who]), type)).statusCode).toBe(200);
      // Whatever the event says, the intent's state counts.
      if (booking.intent === 'succeeded' && booking.state === 'open') settle(model, who, booking);
    },
  );

const lapse: Step = step(
  'the hold lapses',
  (model) => model.holder !== undefined,
  async (model, real) => {
    await shop.lapse(real.copy);
    model.lapsed = true;
  },
);

const sweep: Step = step(
  'the sweep comes by',
  () => true,
  async (model) => {
    await shop.sweep();
    const { holder } = model;
    const booking = holder === undefined ? undefined : model.bookings[holder];
    if (holder !== undefined && booking !== undefined && model.lapsed) release(model, holder, booking);
  },
);

const withdraw: Step = step(
  'the seller deletes the copy',
  () => true,
  async (model, real) => {
    const answer = await shop.deleteCopy(real.copy);
    expect(answer.status).toBe({ available: 200, held: 409, sold: 409, withdrawn: 404 }[model.copy]);
    if (model.copy === 'available') model.copy = 'withdrawn';
  },
);

/** Those that lead to a payment more often than the rest, or most stories would end before one. */
const STEPS = ([0, 1] as const).flatMap((who) => [
  book(who),
  book(who),
  askForIntent(who),
  confirm(who, GOOD_CARD),
  cancel(who),
  askForIntent(who),
  confirm(who, GOOD_CARD),
  confirm(who, DECLINED_CARD),
  record(who),
  tell(who, 'payment_intent.succeeded'),
  tell(who, 'payment_intent.canceled'),
]);

test(
  'booking, hold and payment agree with their model, in whatever order the steps come',
  { timeout: STORIES_TIMEOUT_MS },
  async () => {
    const stories = fc.commands(
      [...STEPS, lapse, sweep, withdraw].map((one) => fc.constant(one)),
      { maxCommands: 25 },
    );
    await fc.assert(
      fc.asyncProperty(stories, async (steps) => {
        const copy = await shop.aCopy();
        const setup = () => ({
          model: { copy: 'available', holder: undefined, lapsed: false, bookings: [undefined, undefined] } as Model,
          real: { copy, bookingIds: ['', ''], secrets: ['', ''] } as Real,
        });
        await fc.asyncModelRun(setup, steps);
        await shop.endStory(copy);
      }),
      storiesOr(100),
    );
  },
);
