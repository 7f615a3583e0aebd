-- What a booking can become, and the line behind a held copy. Owner: server/bookings.

ALTER TABLE bookings
  ADD COLUMN refunded_at timestamptz,
  ADD CONSTRAINT bookings_refunded_were_paid CHECK (refunded_at IS NULL OR paid_at IS NOT NULL);

-- a copy has one sale that stands; one that was refunded leaves it to be sold again
DROP INDEX bookings_one_paid_a_copy;
CREATE UNIQUE INDEX bookings_one_paid_a_copy ON bookings (listing_id) WHERE paid_at IS NOT NULL AND refunded_at IS NULL;

-- Paid is final, and so are refunded and cancelled; what was paid for never changes.
CREATE FUNCTION keep_booking_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.paid_at IS NOT NULL
    AND (NEW.paid_at, NEW.price_cents, NEW.listing_id, NEW.buyer_id)
      IS DISTINCT FROM (OLD.paid_at, OLD.price_cents, OLD.listing_id, OLD.buyer_id) THEN
    RAISE EXCEPTION 'booking % is paid for good', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.refunded_at IS NOT NULL AND NEW.refunded_at IS DISTINCT FROM OLD.refunded_at THEN
    RAISE EXCEPTION 'booking % is refunded for good', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.cancelled_at IS NOT NULL AND NEW.cancelled_at IS DISTINCT FROM OLD.cancelled_at THEN
    RAISE EXCEPTION 'booking % is cancelled for good', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER bookings_final BEFORE UPDATE ON bookings
  FOR EACH ROW WHEN (OLD.paid_at IS NOT NULL OR OLD.cancelled_at IS NOT NULL) EXECUTE FUNCTION keep_booking_final();

-- Who waits for a held copy. A place is taken under the copy's row lock, so the sequence is the order in which people came.
CREATE TABLE line_places (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  listing_id uuid NOT NULL REFERENCES listings,
  buyer_id uuid NOT NULL REFERENCES users,
  joined_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (listing_id, buyer_id)
);
CREATE INDEX line_places_order ON line_places (listing_id, id);
CREATE INDEX line_places_buyer ON line_places (buyer_id, id);

-- Set while a request with the key is under way; one that was cut off is taken up again after its lease.
ALTER TABLE idempotency_keys ADD COLUMN claimed_at timestamptz;
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
