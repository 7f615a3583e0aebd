import type { KnownStatement } from '#server/platform/at-once.ts';
import { MOST_TIMES } from './holds.queries.ts';

/** What other rooms write of a plain booking: SQL, as parts of its statement. */
export interface PlainBookingParts {
  /** Holds the copy `id` where `only` is true; answers what a booking writes down of it, or nothing. */
  taking(id: string, only: string): string;
  /** Queues a mail, each of its values SQL over the rows of `from`. */
  mailing(mail: { key: string; kind: string; email: string; name: string; data: string }, from: string): string;
}

export interface PlainBooking {
  readonly listingId: string;
  readonly buyerId: string;
  /** What the copy must be called and look like; blank where that was not said. */
  readonly title: string;
  readonly imageUrl: string;
  /** What the copy must cost. */
  readonly priceCents: number;
  readonly buyer: { readonly name: string; readonly email: string };
  readonly mailTo: { readonly name: string; readonly email: string };
  readonly phone: string;
  readonly location: string;
  readonly minutes: number;
  /** How many copies a buyer may hold. */
  readonly most: number;
}

/** A booking with its hold; or that somebody else has the copy, which is otherwise as the buyer saw it; or neither. */
export interface PlainBookingRow {
  readonly id: string | null;
  readonly expiresAt: Date | null;
  readonly isTaken: boolean;
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
/** What is known of the copy but for its state; that nobody buys their own is `mayBook` (booking.policy.ts) once more, as SQL. */
const AS_SEEN = `resale_cents = $3::integer AND ($12::text = '' OR title = $12::text) AND ($13::text = '' OR image_url = $13::text) AND seller_id <> $2::uuid AND NOT EXISTS (SELECT FROM bookings AS earlier
    WHERE earlier.listing_id = $1::uuid AND earlier.buyer_id = $2::uuid AND earlier.paid_at IS NULL AND earlier.cancelled_at IS NULL)`;

/**
 * A first booking of a copy, whole, as one statement: the copy, the booking, its hold for `minutes` by the database's clock, the mail, and the buyer out of the line. Where anything is
 * not as it is mostly (price, seller, an earlier booking, too many holds, somebody else has the copy) nothing is written. The buyer must have their turn (`buyerTurn`), taken by a statement
 * before, so that this one sees all their holds.
 */
export const plainBooking = ({ taking, mailing }: PlainBookingParts): ((booking: PlainBooking) => KnownStatement) => {
  const text = `WITH copy AS (
      ${taking('$1::uuid', `${AS_SEEN} AND (SELECT count(*) FROM holds WHERE buyer_id = $2::uuid) < $9::integer`)}
    ), booking AS (
      INSERT INTO bookings (listing_id, buyer_id, seller_id, title, authors, image_url, condition, details, price_cents, buyer_name, buyer_email, phone, location)
      SELECT id, $2::uuid, seller_id, title, authors, image_url, condition, details, resale_cents, $4::text, $5::text, $6::text, $7::text FROM copy
      RETURNING id
    ), place AS (
      DELETE FROM line_places WHERE buyer_id = $2::uuid AND listing_id = (SELECT id FROM copy)
    ), hold AS (
      INSERT INTO holds (listing_id, booking_id, buyer_id, expires_at, renewable_until)
      SELECT $1::uuid, id, $2::uuid, now() + make_interval(mins => $8::integer), now() + make_interval(mins => ${MOST_TIMES} * $8::integer) FROM booking
      RETURNING booking_id, expires_at
    ), mail AS (
      ${mailing(
        {
          key: `'booking-made:' || hold.booking_id`,
          kind: `'booking-made'`,
          email: '$10::text',
          name: '$11::text',
          data: `jsonb_build_object('title', copy.title, 'priceCents', copy.resale_cents, 'bookingId', hold.booking_id,
            'heldUntil', to_char(hold.expires_at AT TIME ZONE 'UTC', ${ISO}))`,
        },
        'copy, hold',
      )}
    )
    SELECT hold.booking_id AS id, hold.expires_at AS "expiresAt", hold.booking_id IS NULL AND EXISTS (
        SELECT FROM listings WHERE id = $1::uuid AND status <> 'available' AND ${AS_SEEN}) AS "isTaken"
    FROM (SELECT) AS one LEFT JOIN hold ON true`;
  return ({ listingId, buyerId, title, imageUrl, priceCents, buyer, mailTo, phone, location, minutes, most }) => ({
    text,
    values: [
      listingId,
      buyerId,
      priceCents,
      buyer.name,
      buyer.email,
      phone,
      location,
      minutes,
      most,
      mailTo.email,
      mailTo.name,
      title,
      imageUrl,
    ],
  });
};
