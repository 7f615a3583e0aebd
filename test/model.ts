import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { bookCopy, cancelBooking } from '#contract/bookings/bookings.ts';
import { deleteListing } from '#contract/catalog/catalog.ts';
import { createPaymentIntent, recordPayment } from '#contract/money/payments.ts';
import { releaseLapsedHolds } from '#server/payments/settlement/release.service.ts';
import { STANDIN_WEBHOOK_SECRET } from '#standins/stripe/keys.ts';
import { signatureHeader } from '#standins/stripe/api/webhook-signature.ts';
import { testApp, type TestApp } from './app.ts';
import { aBuyer, aCategory, aSeller, type TestUser } from './make.ts';
import { confirmCard } from './money/pay.ts';

const isLong = process.env['DOGEAR_TEST_LONG'] === '1';

/**
 * On a machine that is busy with other things a test ends with the cases it has tried by then; the people of a long one
 * are signed in for ten minutes.
 */
const LIMIT_MS = isLong ? 45_000 : 40_000;

/**
 * How many generated stories are tried: the long tests are thorough, with fewer where each takes the better part of a
 * second.
 */
export const storiesOr = (short: number, long = 1_000) => ({
  numRuns: isLong ? long : short,
  interruptAfterTimeLimit: LIMIT_MS,
});

export const STORIES_TIMEOUT_MS = isLong ? 1_800_000 : 60_000;

export const GOOD_CARD = '4242424242424242';
export const DECLINED_CARD = '4000000000000002';

/** A copy of a fresh listing, at $7.50. */
export interface ModelCopy {
  readonly id: string;
}

export const PRICE_CENTS = 750;

export type ModelShop = Awaited<ReturnType<typeof modelShop>>;

/**
 * A shop for generated stories: two buyers, one seller, a new copy for each story, and every way in which a story goes
 * on.
 */
export const modelShop = async () => {
  const t: TestApp = await testApp();
  const [first, second, seller] = [await aBuyer(t), await aBuyer(t), await aSeller(t)];
  const category = await aCategory(t, seller);
  const price = PRICE_CENTS / 100;

  const aCopy = async (): Promise<ModelCopy> => {
    const id = randomUUID();
    await sql`INSERT INTO listings
        (id, seller_id, category_id, title, original_cents, resale_cents, years_of_use, location, phone, details, condition)
        VALUES (${id}, ${seller.id}, ${category}, 'A story', 1800, ${PRICE_CENTS}, 3, 'Portland', '1', 'Read.', 'Good')`.execute(
      t.db,
    );
    return { id };
  };

  return {
    t,
    seller,
    buyers: [first, second] as const,
    aCopy,
    book: (buyer: TestUser, copy: ModelCopy) => {
      const contact = { phone: '1', location: 'Seattle' };
      const draft = {
        listingId: copy.id,
        title: 'A story',
        buyer: buyer.name,
        email: buyer.email,
        image_url: '',
        price,
      };
      return t.call(bookCopy, { body: { ...draft, ...contact } }, { as: buyer });
    },
    cancel: (buyer: TestUser, id: string) => t.call(cancelBooking, { params: { id } }, { as: buyer }),
    askForIntent: (buyer: TestUser, bookingId: string) =>
      t.call(createPaymentIntent, { body: { price, bookingId } }, { as: buyer }),
    confirm: (clientSecret: string, card: string) => confirmCard(t.standinUrl, clientSecret, card),
    record: (buyer: TestUser, bookingId: string, transactionId: string) =>
      t.call(recordPayment, { body: { price, transactionId, email: buyer.email, bookingId } }, { as: buyer }),
    deleteCopy: (copy: ModelCopy) => t.call(deleteListing, { params: { id: copy.id } }, { as: seller }),
    /** Delivers an event of the provider about an intent, signed as it signs. */
    tell: (intentId: string, type: string, eventId = `evt_${randomUUID().replaceAll('-', '')}`) => {
      const object = { id: intentId, object: 'payment_intent' };
      const body = JSON.stringify({ id: eventId, object: 'event', type, data: { object } });
      const signature = signatureHeader(body, STANDIN_WEBHOOK_SECRET, Math.floor(Date.now() / 1000));
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      return t.send('POST', '/api/webhooks/stripe', { body, headers });
    },
    /** The hold of a copy is over by the database's clock. */
    lapse: (copy: ModelCopy) =>
      sql`UPDATE holds SET expires_at = shop_now() - interval '1 second' WHERE listing_id = ${copy.id}`.execute(t.db),
    sweep: () =>
      releaseLapsedHolds(t.payments, (error) => {
        throw error;
      }),
    statusOf: async (copy: ModelCopy) => {
      const { rows } = await sql<{ status: string }>`SELECT status FROM listings WHERE id = ${copy.id}`.execute(t.db);
      return rows[0]?.status;
    },
    /** Payments of a copy that were kept. */
    salesOf: async (copy: ModelCopy) => {
      const { rows } = await sql<{ booking_id: string; provider_id: string; buyer_id: string; paid: boolean }>`
        SELECT p.booking_id, p.provider_id, b.buyer_id, b.paid_at IS NOT NULL AS paid
          FROM payments p JOIN bookings b ON b.id = p.booking_id
          WHERE b.listing_id = ${copy.id} AND p.outcome = 'sale'`.execute(t.db);
      return rows;
    },
    /** Ends a story: nobody holds its copy any more, so that its people may hold others. */
    endStory: async (copy: ModelCopy) => {
      await sql`WITH gone AS (DELETE FROM holds WHERE listing_id = ${copy.id} RETURNING listing_id)
        UPDATE listings SET status = 'available' WHERE id IN (SELECT listing_id FROM gone)`.execute(t.db);
    },
    close: () => t.close(),
  };
};
