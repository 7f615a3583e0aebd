import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GOOD_CARD, modelShop, storiesOr, STORIES_TIMEOUT_MS, type ModelShop } from '#test/model.ts';

let shop: ModelShop;

beforeAll(async () => {
  shop = await modelShop();
});
afterAll(() => shop.close());

const setUp = async () => {
  const copy = await shop.aCopy();
  const [buyer, rival] = shop.buyers;
  const bookingId = (await shop.book(buyer, copy)).body.insertedId;
  const { clientSecret } = (await shop.askForIntent(buyer, bookingId)).body;
  return { copy, buyer, rival, bookingId, clientSecret, intentId: clientSecret.split('_secret')[0] ?? '' };
};

type Scene = Awaited<ReturnType<typeof setUp>>;

/** What may happen at the same moment; each answers the status it was given, 200 where nobody asked. */
const DEEDS = {
  'the seller deletes the copy': async ({ copy }: Scene) => (await shop.deleteCopy(copy)).status,
  'the hold lapses and is swept': async ({ copy }: Scene) => {
    await shop.lapse(copy);
    await shop.sweep();
    return 200;
  },
  'the buyer pays and reports it': async ({ buyer, bookingId, clientSecret, intentId }: Scene) => {
    await shop.confirm(clientSecret, GOOD_CARD);
    return (await shop.record(buyer, bookingId, intentId)).status;
  },
  'the buyer pays and the webhook comes': async ({ clientSecret, intentId }: Scene) => {
    await shop.confirm(clientSecret, GOOD_CARD);
    return (await shop.tell(intentId, 'payment_intent.succeeded')).statusCode;
  },
  'the buyer cancels': async ({ buyer, bookingId }: Scene) => (await shop.cancel(buyer, bookingId)).status,
  'the buyer goes to pay again': async ({ buyer, bookingId }: Scene) =>
    (await shop.askForIntent(buyer, bookingId)).status,
  'a rival books and pays': async ({ rival, copy }: Scene) => {
    const booked = await shop.book(rival, copy);
    if (booked.status !== 201) return booked.status;
    const asked = await shop.askForIntent(rival, booked.body.insertedId);
    if (asked.status !== 200) return asked.status;
    await shop.confirm(asked.body.clientSecret, GOOD_CARD);
    return (await shop.record(rival, booked.body.insertedId, asked.body.clientSecret.split('_secret')[0] ?? '')).status;
  },
} as const;

type Deed = keyof typeof DEEDS;

/** A refusal is an answer; a failure of ours is not. */
const CLEAN = new Set([200, 201, 202, 404, 409]);

/** The provider's word on every intent of a copy, beside the shop's. */
const moneyOf = async ({ copy }: Scene) => {
  const { rows } = await sql<{ id: string; provider_id: string; listing: string; sale: boolean; returned: boolean }>`
    SELECT b.id, i.provider_id, l.status AS listing,
           EXISTS (SELECT FROM payments p WHERE p.provider_id = i.provider_id AND p.outcome = 'sale') AS sale,
           EXISTS (SELECT FROM payments p WHERE p.provider_id = i.provider_id AND p.outcome = 'returned') AS returned
      FROM payment_intents i JOIN bookings b ON b.id = i.booking_id JOIN listings l ON l.id = b.listing_id
      WHERE b.listing_id = ${copy.id} AND i.provider_id IS NOT NULL`.execute(shop.t.db);
  return Promise.all(rows.map(async (row) => ({ ...row, facts: await shop.t.provider.findIntent(row.provider_id) })));
};

test(
  'deleting, booking, expiry and payment at the same moment leave one owner and no money unaccounted for',
  { timeout: STORIES_TIMEOUT_MS },
  async () => {
    const crowd = fc.uniqueArray(fc.constantFrom(...(Object.keys(DEEDS) as Deed[])), { minLength: 2, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(crowd, async (deeds) => {
        const scene = await setUp();
        const answers = await Promise.all(deeds.map((deed) => DEEDS[deed](scene)));
        expect(answers.filter((status) => !CLEAN.has(status))).toEqual([]);
        // What was left undecided is taken up by the sweep, as it would be in time.
        await shop.lapse(scene.copy);
        await sql`UPDATE holds SET releasing_at = now() - interval '1 hour' WHERE releasing_at IS NOT NULL`.execute(
          shop.t.db,
        );
        await shop.sweep();
        const money = await moneyOf(scene);
        const taken = money.filter(({ facts }) => facts?.status === 'succeeded');
        const sales = await shop.salesOf(scene.copy);
        expect(sales.length).toBeLessThanOrEqual(1);
        expect(taken.every(({ sale, returned }) => sale !== returned)).toBe(true);
        expect(money.filter(({ sale }) => sale)).toHaveLength(sales.length);
        expect(money.filter(({ facts, sale }) => sale && facts?.status !== 'succeeded')).toEqual([]);
        const left = sales.length === 1 ? ['sold'] : ['available', 'withdrawn'];
        expect(left).toContain(await shop.statusOf(scene.copy));
        await shop.endStory(scene.copy);
      }),
      storiesOr(50),
    );
  },
);
