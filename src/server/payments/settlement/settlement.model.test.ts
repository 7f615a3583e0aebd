import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GOOD_CARD, modelShop, PRICE_CENTS, storiesOr, STORIES_TIMEOUT_MS, type ModelShop } from '#test/model.ts';

let shop: ModelShop;

beforeAll(async () => {
  shop = await modelShop();
});
afterAll(() => shop.close());

/** The ways by which the shop learns that money was taken. */
const ROUTES = [
  'the webhook',
  'the same webhook again',
  'POST /payments',
  'the sweep',
  'an event of something else',
] as const;
type Route = (typeof ROUTES)[number];

const aPaidDeal = async () => {
  const copy = await shop.aCopy();
  const [buyer] = shop.buyers;
  const bookingId = (await shop.book(buyer, copy)).body.insertedId;
  const { clientSecret } = (await shop.askForIntent(buyer, bookingId)).body;
  await shop.confirm(clientSecret, GOOD_CARD);
  return { copy, buyer, bookingId, intentId: clientSecret.split('_secret')[0] ?? '' };
};

type Deal = Awaited<ReturnType<typeof aPaidDeal>>;

const go = async (route: Route, deal: Deal): Promise<number> => {
  switch (route) {
    case 'the webhook':
      return (await shop.tell(deal.intentId, 'payment_intent.succeeded')).statusCode;
    case 'the same webhook again':
      return (await shop.tell(deal.intentId, 'payment_intent.succeeded', `evt_same${deal.intentId}`)).statusCode;
    case 'POST /payments':
      return (await shop.record(deal.buyer, deal.bookingId, deal.intentId)).status;
    case 'the sweep':
      await shop.lapse(deal.copy);
      await shop.sweep();
      return 200;
    case 'an event of something else':
      return (await shop.tell(deal.intentId, 'payment_intent.processing')).statusCode;
    default:
      return route satisfies never;
  }
};

const stateOf = async (deal: Deal) => {
  const { rows } = await sql<{ payments: string; paid: boolean; intents: string; postings: string; cents: string }>`
    SELECT (SELECT count(*) FROM payments WHERE booking_id = b.id AND provider_id = ${deal.intentId}) AS payments,
           b.paid_at IS NOT NULL AS paid,
           (SELECT string_agg(state, ',') FROM payment_intents WHERE booking_id = b.id) AS intents,
           (SELECT string_agg(kind, ',') FROM ledger_transactions WHERE booking_id = b.id) AS postings,
           (SELECT sum(e.amount_cents) FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
              WHERE t.booking_id = b.id AND e.account = 'provider') AS cents
      FROM bookings b WHERE b.id = ${deal.bookingId}`.execute(shop.t.db);
  return { ...rows[0], copy: await shop.statusOf(deal.copy) };
};

const ONCE = {
  payments: '1',
  paid: true,
  intents: 'succeeded',
  postings: 'sale',
  cents: String(PRICE_CENTS),
  copy: 'sold',
};

test(
  'money settles once, by whichever ways and however often it is told, one after the other or all at once',
  { timeout: STORIES_TIMEOUT_MS },
  async () => {
    const ways = fc.record({
      // One sweep at a time: a second one would wait for the first at the provider, by the key of its cancellation.
      routes: fc
        .array(fc.constantFrom(...ROUTES), { minLength: 1, maxLength: 7 })
        .map((routes) => routes.filter((route, at) => route !== 'the sweep' || routes.indexOf(route) === at)),
      atOnce: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(ways, async ({ routes, atOnce }) => {
        const deal = await aPaidDeal();
        const answers: number[] = [];
        if (atOnce) answers.push(...(await Promise.all(routes.map((route) => go(route, deal)))));
        else for (const route of routes) answers.push(await go(route, deal));
        expect(new Set(answers)).toEqual(new Set([200]));
        expect(await stateOf(deal)).toEqual(ONCE);
      }),
      storiesOr(100),
    );
  },
);
