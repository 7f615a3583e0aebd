import { randomUUID } from 'node:crypto';
import { sharesOf } from '#contract/money/shares.ts';
import { insertListings, readClock } from '#server/catalog/listings/bulk-listing.queries.ts';
import { makeMissingRecords } from '#server/orders/record/record.service.ts';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import { insertPastSales, joinBefore, type PastSale } from './demo-history.queries.ts';
import { insertPastReviews } from './demo-reviews.ts';
import { confirmAtStandin, ORDERS_OF, type DemoOrderDeps } from './demo-orders.ts';
import { findPerson, listCopiesOf, listShelf, type ListedAgain } from './demo-orders.queries.ts';

/** Who bought all of it; never signs in. */
const BUYER = { email: 'theo.marsh@example.com', name: 'Theo Marsh' };

/** A book that was sold often enough for its prices to be told, by the sellers who have it in this condition. */
const SOLD_OFTEN = { title: 'Dune', condition: 'Good' } as const;
/** What was paid for it in which month before this one; in one of them too seldom to be told. */
const PRICES_BY_MONTH: Readonly<Record<number, readonly number[]>> = {
  7: [10, 13, 9, 12, 8.5],
  5: [12, 9.5, 8, 11, 7],
  4: [8, 10, 7, 11, 6.5, 9],
  3: [7.5, 8],
  2: [6, 8.5, 9, 7, 5.5],
  1: [5.5, 8, 6, 7.5, 5, 6.5],
};
/** How many other books the demo's seller sold, eleven weeks ago first; this week has orders of its own. */
const SOLD_BY_WEEK = [2, 3, 2, 4, 3, 0, 2, 5, 3, 6, 4];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** A sale that is to have been. */
interface Wanted {
  readonly copy: ListedAgain;
  readonly at: Date;
}

/** Some days apart, from the second of its month on; closed by its end. */
const inMonth = (now: Date, monthsAgo: number, place: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 2 + 4 * place, 15));

const soldOften = (now: Date, copies: readonly ListedAgain[]): Wanted[] => {
  let turn = 0;
  return Object.entries(PRICES_BY_MONTH).flatMap(([monthsAgo, prices]) =>
    prices.flatMap((dollars, place) => {
      const copy = copies[(turn += 1) % copies.length];
      if (copy === undefined) return [];
      return [{ copy: { ...copy, resaleCents: dollars * 100 }, at: inMonth(now, Number(monthsAgo), place) }];
    }),
  );
};

const soldByWeek = (now: Date, shelf: readonly ListedAgain[]): Wanted[] => {
  let turn = 0;
  return SOLD_BY_WEEK.flatMap((count, week) =>
    Array.from({ length: count }, (_, place) => {
      const copy = shelf[(turn += 1) % shelf.length];
      const agoMs = (SOLD_BY_WEEK.length - week) * WEEK_MS + place * 7 * HOUR_MS;
      return copy === undefined ? [] : [{ copy, at: new Date(now.getTime() - agoMs) }];
    }).flat(),
  );
};

/**
 * Gives a new demo shop a past: sales of months ago whose orders are closed, of one book at several sellers' and of the
 * demo seller's shelf. The payments are intents of the stand-in, so that the books agree with it. Answers how many
 * there are.
 */
export const seedDemoHistory = async ({ payments, rules, standin }: DemoOrderDeps): Promise<number> => {
  const { db, provider, terms } = payments;
  const { calendar } = rules.clock;
  await db
    .transaction()
    .execute((trx) => registerUser(trx, { ...BUYER, roles: ['buyer'], verified: false, emailProven: true }));
  const [buyer, seller, now] = await Promise.all([
    findPerson(db, BUYER.email),
    findPerson(db, ORDERS_OF),
    readClock(db),
  ]);
  const { title, condition } = SOLD_OFTEN;
  const [shelf, copies] = await Promise.all([listShelf(db, seller.userId, 20), listCopiesOf(db, title, condition)]);
  const wanted = [...soldOften(now, copies), ...soldByWeek(now, shelf)].toSorted((a, b) => Number(a.at) - Number(b.at));
  const keyOf = (place: number): string => `demo past ${place}`;
  const sales: (PastSale & { clientSecret: string })[] = [];
  for (const [place, { copy, at }] of wanted.entries()) {
    const [bookingId, orderId, priceCents] = [randomUUID(), randomUUID(), copy.resaleCents];
    const intent = {
      bookingId,
      checkoutId: orderId,
      n: 1,
      amountCents: priceCents,
      email: buyer.email,
      writtenAt: now,
    };
    const { id: intentId, clientSecret } = await provider.createIntent(intent);
    const { feeCents, commissionCents } = sharesOf(priceCents, terms);
    const sale = { bookingId, orderId, sellerId: copy.sellerId, importKey: keyOf(place), intentId, priceCents };
    sales.push({ ...sale, feeCents, commissionCents, at, clientSecret });
  }
  await db.transaction().execute(async (trx) => {
    const listings = wanted.map(({ copy, at }, place) => ({
      ...copy,
      importKey: keyOf(place),
      imageUrl: '',
      details: 'A copy that was sold.',
      publishedAt: new Date(at.getTime() - WEEK_MS),
    }));
    await insertListings(trx, listings);
    await insertPastSales(trx, buyer, sales);
    await insertPastReviews(
      trx,
      sales.map(({ orderId }) => orderId),
    );
    const first = wanted[0]?.at ?? now;
    await joinBefore(
      trx,
      [buyer.userId, ...wanted.map(({ copy }) => copy.sellerId)],
      new Date(first.getTime() - 30 * DAY_MS),
    );
  });
  await makeMissingRecords(db, calendar);
  // Told of them afterwards, the shop knows them already.
  for (const { clientSecret } of sales) await confirmAtStandin(standin, clientSecret);
  return sales.length;
};
