import { confirmForm } from '#standins/stripe/confirm-form.ts';
import { bookCopy } from '#server/bookings/booking.service.ts';
import { insertListings } from '#server/catalog/listings/bulk-listing.queries.ts';
import { writeNote } from '#server/orders/notes/notes.service.ts';
import { makeMove, type OrderRules } from '#server/orders/order-moves.service.ts';
import { writeReview } from '#server/orders/reviews/reviews.service.ts';
import { moveOrder } from '#server/orders/order.service.ts';
import { takeDispute } from '#server/payments/disputes/dispute.service.ts';
import { createPaymentIntent, recordPayment } from '#server/payments/intents/payment.service.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import type { SignedIn } from '#server/platform/viewer.ts';
import { DEMO_STORIES, type Step, type Story } from './demo-order-stories.ts';
import { seedDemoReports } from '#db/seed/demo-reports.ts';
import { seedDemoThreads } from '#db/seed/demo-threads.ts';
import { sharePhotos } from '#db/seed/demo-photos.queries.ts';
import { findPerson, listShelf, listOrdersCopies, type ShelfCopy } from './demo-orders.queries.ts';

/** Whose copies they are. */
export const ORDERS_OF = 'seller@example.com';

const DAY_MS = 86_400_000;
const CARD = '4242424242424242';
/** Its owner's bank takes the money back at once. */
const DISPUTED_CARD = '4000000000000259';
const TO = {
  name: 'Nora Lindqvist',
  line1: '12 Harbor Street',
  line2: '',
  city: 'Portland',
  state: 'OR',
  postcode: '97201',
  country: 'US',
};
const ABROAD = {
  name: 'Nora Lindqvist',
  line1: '7 Quay Street',
  line2: '',
  city: 'Bristol',
  state: '',
  postcode: 'BS1 4QA',
  country: 'GB',
};
const PHONE = '+1 555 0142';

/** What demo orders are made with: the shop's own services, and the stand-in that plays the payment provider. */
export interface DemoOrderDeps {
  readonly payments: PaymentDeps;
  readonly rules: OrderRules;
  readonly standin: URL;
}

interface People {
  readonly buyer: SignedIn;
  readonly seller: SignedIn;
}

/** Confirms an intent as the browser does, with the client secret alone. */
export const confirmAtStandin = async (standin: URL, clientSecret: string, number = CARD): Promise<void> => {
  const { path, body } = confirmForm(clientSecret, number);
  const answer = await fetch(new URL(path, standin), { method: 'POST', body });
  if (!answer.ok) throw new Error(`a demo order could not be paid: ${await answer.text()}`);
};

/** Books copies and pays for them together; answers the booking whose price was named. */
const buy = async (
  { payments, standin }: DemoOrderDeps,
  { buyer }: People,
  copies: readonly ShelfCopy[],
  { delivery, isAbroad, isDisputed }: Story,
): Promise<{ bookingId: string; intentId: string }> => {
  const bookingIds: string[] = [];
  for (const copy of copies) {
    const { title, imageUrl: image_url, price } = copy;
    const draft = { listingId: copy.id, title, image_url, price, buyer: buyer.name, email: buyer.email };
    // The picture is named as it is stored.
    const options = { holdMinutes: payments.holdMinutes, publicUrl: '' };
    const booked = await bookCopy(payments.db, buyer, { ...draft, phone: PHONE, location: '' }, options);
    bookingIds.push(booked.insertedId);
  }
  const [bookingId = ''] = bookingIds;
  const price = copies[0]?.price ?? 0;
  const wish = {
    price,
    bookingId,
    bookingIds,
    delivery,
    ...(delivery === 'post' && { address: isAbroad === true ? ABROAD : TO }),
  };
  const intent = await createPaymentIntent(payments, buyer, wish);
  await confirmAtStandin(standin, intent.clientSecret, isDisputed === true ? DISPUTED_CARD : CARD);
  await recordPayment(payments, buyer, { price, transactionId: intent.intentId, email: buyer.email, bookingId });
  return { bookingId, intentId: intent.intentId };
};

const go = async ({ payments, rules }: DemoOrderDeps, people: People, id: string, step: Step): Promise<void> => {
  const { db } = payments;
  if (step.by === 'clock') {
    await db.transaction().execute((trx) => makeMove(trx, rules, id, { id: step.does, by: 'clock', userId: null }));
    return;
  }
  const viewer = people[step.by];
  if ('reviews' in step) {
    await writeReview(db, viewer, { id, draft: step.reviews });
  } else if ('writes' in step) {
    await writeNote(db, viewer, { id, text: step.writes, reachDays: rules.reachDays, idempotencyKey: undefined });
  } else {
    await moveOrder(db, rules, viewer, { id, input: step.does, idempotencyKey: undefined });
  }
};

/** What the bank of a disputed card did meanwhile; the stand-in also tells it by an event once the shop listens. */
const takeDisputes = async ({ payments }: DemoOrderDeps, intentIds: ReadonlySet<string>): Promise<void> => {
  for await (const facts of payments.provider.listDisputes(new Date(Date.now() - DAY_MS))) {
    if (!intentIds.has(facts.intentId)) continue;
    await payments.db.transaction().execute((trx) => takeDispute(trx, facts, payments.hooks));
  }
};

/**
 * Puts orders in every state into a new demo shop, between its buyer and its seller: made by the shop's own services,
 * paid at the stand-in, so that the books balance. The copies are further ones of the seller's; the shelf keeps
 * what it has. Answers how many there are.
 */
export const seedDemoOrders = async (deps: DemoOrderDeps): Promise<number> => {
  const { db } = deps.payments;
  const [buyer, seller] = await Promise.all([findPerson(db, 'buyer@example.com'), findPerson(db, ORDERS_OF)]);
  const people = { buyer, seller };
  const publishedAt = new Date(Date.now() - 40 * DAY_MS);
  const wanted = new Set(DEMO_STORIES.flatMap((story) => story.copies));
  const shelf = (await listShelf(db, seller.userId, Math.max(...wanted) + 1)).map((copy, place) => ({ copy, place }));
  const ordered = shelf.filter(({ place }) => wanted.has(place));
  const keyOf = (place: number): string => `demo order ${place}`;
  await insertListings(
    db,
    ordered.map(({ copy, place }) => ({ ...copy, importKey: keyOf(place), details: 'A second copy.', publishedAt })),
  );
  const keys = ordered.map(({ place }) => keyOf(place));
  await sharePhotos(db, seller.userId, keys);
  const copies = await listOrdersCopies(db, seller.userId, keys);
  const disputed = new Set<string>();
  for (const story of DEMO_STORIES) {
    const books = story.copies.flatMap((place) => copies.get(keyOf(place)) ?? []);
    const { bookingId, intentId } = await buy(deps, people, books, story);
    if (story.isDisputed === true) disputed.add(intentId);
    const { order_id: id } = await db
      .selectFrom('bookings')
      .select('order_id')
      .where('id', '=', bookingId)
      .executeTakeFirstOrThrow();
    for (const step of story.steps) await go(deps, people, id ?? '', step);
  }
  await takeDisputes(deps, disputed);
  await seedDemoReports(db, people);
  await seedDemoThreads(db, { ...people, reachDays: deps.rules.reachDays });
  return DEMO_STORIES.length;
};
