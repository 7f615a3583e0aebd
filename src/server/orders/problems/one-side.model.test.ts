import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ORDER_ENDS, ORDER_MOVE_IDS, stateAfter } from '#contract/orders/states.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { storiesOr, STORIES_TIMEOUT_MS } from '#test/model.ts';
import { orderSteps, type Sold } from '#test/order-steps.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const { posted, move, read, ahead } = orderSteps(() => t);

const DAY_MS = 86_400_000;
/** Everything that can be waited for once, one after the other: more than this is put off. */
const MOST_DAYS = 130;

const BEGINNINGS = ['asked', 'missing', 'asked back', 'sent back', 'came back'] as const;
const began = fc.constantFrom(...BEGINNINGS);
const side = fc.constantFrom('buyer' as const, 'seller' as const);
/** One of what that side may do then, or some time. */
const step = fc.oneof(
  fc.record({ nth: fc.nat({ max: 9 }), cents: fc.integer({ min: 1, max: 750 }) }),
  fc.record({ hours: fc.integer({ min: 1, max: 500 }) }),
);

/** An order with a problem, as far as both sides have brought it. */
const begin = async (where: (typeof BEGINNINGS)[number]): Promise<Sold> => {
  const sale = await posted();
  const { buyer, seller } = sale;
  if (where === 'missing') {
    await ahead(10.1);
    await move(sale, buyer, { move: 'report-missing', words: 'It is not here' });
    return sale;
  }
  if (where === 'came back') {
    await move(sale, seller, { move: 'come-back', why: 'unclaimed' });
    return sale;
  }
  await move(sale, buyer, { move: 'receive' });
  await move(sale, buyer, { move: 'report-problem', words: 'It is torn' });
  if (where === 'asked') return sale;
  await move(sale, seller, { move: 'ask-back', sendBack: 'A label is in the parcel: 1 Elm Street' });
  if (where === 'sent back') await move(sale, buyer, { move: 'post-back' });
  return sale;
};

const isOver = (state: string): boolean => ORDER_ENDS.some((end) => end === state);

test(
  'whatever one side alone does with a problem, as often as it likes: its end comes, and never later for doing it again',
  { timeout: STORIES_TIMEOUT_MS },
  async () => {
    await fc.assert(
      fc.asyncProperty(began, side, fc.array(step, { maxLength: 10 }), async (where, who, steps) => {
        const sale = await begin(where);
        const as = sale[who];
        const since = new Date((await read(sale, as)).events.at(-1)?.at ?? '').getTime();
        for (const does of steps) {
          const before = await read(sale, as);
          if (isOver(before.state)) break;
          if ('hours' in does) {
            await ahead(does.hours / 24);
            continue;
          }
          // What ends it puts nothing off.
          const moves = ORDER_MOVE_IDS.filter(
            (id) => before.moves.includes(id) && !isOver(stateAfter(before.state, id)),
          );
          const id = moves[does.nth % Math.max(moves.length, 1)];
          if (id === undefined) continue;
          const { status } = await move(sale, as, {
            move: id,
            amount: does.cents / 100,
            reason: 'So it is',
            sendBack: 'By post',
          });
          const { due } = await read(sale, as);
          const isAgain = before.events.some((event) => event.move === id && event.state === before.state);
          if (isAgain && status === 200) expect({ id, at: due?.at }).toEqual({ id, at: before.due?.at });
        }
        for (let times = 0; times < 5 && !isOver((await read(sale, as)).state); times += 1) await ahead(61);
        const { state, events } = await read(sale, as);
        expect(state).toBe('closed');
        const days = (new Date(events.at(-1)?.at ?? '').getTime() - since) / DAY_MS;
        // A deadline that the last wait overran was over before its end.
        expect(days - 61).toBeLessThan(MOST_DAYS);
      }),
      storiesOr(25, 300),
    );
  },
);
