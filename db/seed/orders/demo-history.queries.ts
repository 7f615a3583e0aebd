import { sql, type RawBuilder } from 'kysely';
import { becoming } from '#server/catalog/listings/listing.queries.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** A sale of the past whose order is closed: one copy that was picked up. */
export interface PastSale {
  readonly bookingId: string;
  /** Of the checkout and the order. */
  readonly orderId: string;
  readonly sellerId: string;
  /** What its listing is known by. */
  readonly importKey: string;
  readonly intentId: string;
  readonly priceCents: number;
  readonly feeCents: number;
  readonly commissionCents: number;
  readonly at: Date;
}

/** The sales as rows of a statement. */
const rowsOf = (sales: readonly PastSale[]): RawBuilder<unknown> => sql`
  jsonb_to_recordset(${JSON.stringify(sales)}::jsonb) AS s("bookingId" uuid, "orderId" uuid, "sellerId" uuid,
    "importKey" text, "intentId" text, "priceCents" integer, "feeCents" integer, "commissionCents" integer, at timestamptz)`;

/** How long after its payment an order was handed over, and closed. */
const HANDED_OVER = sql`interval '2 days'`;
const CLOSED = sql`interval '5 days'`;

/** Their copies are sold, in the steps that the table allows. */
const sellCopies = async (trx: Trx, keys: readonly string[]): Promise<void> => {
  for (const status of ['held', 'sold'] as const) {
    await trx
      .updateTable('listings')
      .set(becoming(status))
      .where('import_key', 'in', [...keys])
      .execute();
  }
};

/**
 * Writes down sales of the past with all that belongs to them, as the shop's own services would have then: those write
 * the present alone. Their copies are listed.
 */
export const insertPastSales = async (
  trx: Trx,
  buyer: { readonly userId: string; readonly name: string; readonly email: string },
  sales: readonly PastSale[],
): Promise<void> => {
  const rows = rowsOf(sales);
  await sql`INSERT INTO bookings (id, listing_id, buyer_id, seller_id, title, authors, image_url, condition, details,
      buyer_name, buyer_email, phone, location, price_cents, created_at, paid_at)
    SELECT s."bookingId", l.id, ${buyer.userId}, l.seller_id, l.title, l.authors, l.image_url, l.condition, l.details,
      ${buyer.name}, ${buyer.email}, '', '', s."priceCents", s.at, s.at
    FROM ${rows} JOIN listings AS l ON l.seller_id = s."sellerId" AND l.import_key = s."importKey"`.execute(trx);
  await sellCopies(
    trx,
    sales.map(({ importKey }) => importKey),
  );
  await sql`INSERT INTO checkouts (id, buyer_id, seller_id, delivery, created_at)
    SELECT s."orderId", ${buyer.userId}, s."sellerId", 'pickup', s.at FROM ${rows}`.execute(trx);
  await sql`INSERT INTO checkout_bookings (checkout_id, booking_id, price_cents)
    SELECT s."orderId", s."bookingId", s."priceCents" FROM ${rows}`.execute(trx);
  await sql`INSERT INTO payment_intents (booking_id, n, amount_cents, provider_id, state, checkout_id)
    SELECT s."bookingId", 1, s."priceCents", s."intentId", 'succeeded', s."orderId" FROM ${rows}`.execute(trx);
  await sql`INSERT INTO payments (booking_id, provider_id, amount_cents, fee_cents, commission_cents, currency, created_at)
    SELECT s."bookingId", s."intentId", s."priceCents", s."feeCents", s."commissionCents", 'usd', s.at FROM ${rows}`.execute(
    trx,
  );
  await sql`INSERT INTO orders (id, buyer_id, seller_id, delivery, state, outcome, entered_at, created_at, closed_at)
    SELECT s."orderId", ${buyer.userId}, s."sellerId", 'pickup', 'closed', 'completed', s.at + ${CLOSED}, s.at, s.at + ${CLOSED}
    FROM ${rows}`.execute(trx);
  await sql`INSERT INTO order_events (order_id, move, from_state, to_state, by, user_id, at)
    SELECT s."orderId", e.move, e.was, e.becomes, e.by, CASE e.by WHEN 'seller' THEN s."sellerId" END, s.at + e.after
    FROM ${rows} CROSS JOIN (VALUES ('settle', NULL, 'paid', 'settle', interval '0'),
      ('make-ready', 'paid', 'ready', 'seller', interval '1 day'), ('hand-over', 'ready', 'received', 'seller', ${HANDED_OVER}),
      ('close', 'received', 'closed', 'clock', ${CLOSED})) AS e(move, was, becomes, by, after)
    ORDER BY s.at, e.after`.execute(trx);
  await sql`UPDATE bookings AS b SET order_id = s."orderId" FROM ${rows} WHERE b.id = s."bookingId"`.execute(trx);
  await sql`INSERT INTO outbox (key, kind, to_email, to_name, data, queued_at, sent_at)
    SELECT 'paid-receipt:' || s."orderId", 'paid-receipt', '', '', '{}', s.at, s.at FROM ${rows}`.execute(trx);
  await insertPostings(trx, rows);
};

/** What each sale put on which account, and its release once its order was closed; ids follow the time. */
const insertPostings = async (trx: Trx, rows: RawBuilder<unknown>): Promise<void> => {
  await sql`WITH posted AS (
      SELECT s.*, p.kind, s.at + p.after AS posted_at FROM ${rows}
      CROSS JOIN (VALUES ('sale', interval '0'), ('release', ${CLOSED})) AS p(kind, after)),
    made AS (
      INSERT INTO ledger_transactions (kind, reference, booking_id, order_id, seller_id, posted_at)
      SELECT p.kind, CASE p.kind WHEN 'sale' THEN y.id::text ELSE p."orderId"::text END, p."bookingId", p."orderId",
        p."sellerId", p.posted_at
      FROM posted AS p JOIN payments AS y ON y.booking_id = p."bookingId" ORDER BY p.posted_at
      RETURNING id, kind, booking_id)
    INSERT INTO ledger_entries (transaction_id, account, seller_id, amount_cents)
    SELECT m.id, e.account, CASE WHEN e.account LIKE 'seller%' THEN p."sellerId" END, e.cents
    FROM made AS m JOIN posted AS p ON p."bookingId" = m.booking_id AND p.kind = m.kind
    CROSS JOIN LATERAL (SELECT p."priceCents" - p."feeCents" - p."commissionCents" AS share) AS x
    CROSS JOIN LATERAL (VALUES ('sale', 'provider', p."priceCents"), ('sale', 'provider-fees', -p."feeCents"),
      ('sale', 'commission', -p."commissionCents"), ('sale', 'seller-pending', -x.share),
      ('release', 'seller-pending', x.share), ('release', 'seller', -x.share)) AS e(kind, account, cents)
    WHERE e.kind = m.kind AND e.cents <> 0`.execute(trx);
};

/** Has people join before what they did. */
export const joinBefore = async (db: Db, userIds: readonly string[], at: Date): Promise<void> => {
  await db
    .updateTable('users')
    .set({ created_at: at })
    .where('id', 'in', [...userIds])
    .where('created_at', '>', at)
    .execute();
};
