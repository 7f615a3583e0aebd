-- Bookings, the exclusive holds they take, and the line behind a held copy. Owner: server/bookings.

CREATE TABLE bookings (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  listing_id uuid NOT NULL REFERENCES listings,
  buyer_id uuid NOT NULL REFERENCES users,
  -- whose copy it is, as the listing has it: that never changes, and a seller's bookings need no look at the copies
  seller_id uuid,
  -- frozen at booking, so that later edits of the copy or the buyer change nothing; Pay compares it with the copy
  title text NOT NULL,
  authors text NOT NULL,
  image_url text NOT NULL,
  condition text,
  details text,
  buyer_name text NOT NULL,
  buyer_email text NOT NULL,
  phone text NOT NULL CHECK (length(phone) <= 200),
  location text NOT NULL CHECK (length(location) <= 200),
  price_cents integer NOT NULL CHECK (price_cents BETWEEN 50 AND 999999),
  created_at timestamptz NOT NULL DEFAULT now(),
  paid_at timestamptz,
  cancelled_at timestamptz,
  refunded_at timestamptz,
  CHECK (paid_at IS NULL OR cancelled_at IS NULL),
  CONSTRAINT bookings_refunded_were_paid CHECK (refunded_at IS NULL OR paid_at IS NOT NULL)
);
-- a copy has one sale that stands; one that was refunded leaves it to be sold again
CREATE UNIQUE INDEX bookings_one_paid_a_copy ON bookings (listing_id) WHERE paid_at IS NOT NULL AND refunded_at IS NULL;
-- a buyer has one open booking of a copy
CREATE UNIQUE INDEX bookings_one_open_a_buyer ON bookings (listing_id, buyer_id)
  WHERE paid_at IS NULL AND cancelled_at IS NULL;
CREATE INDEX bookings_buyer_newest ON bookings (buyer_id, created_at DESC, id DESC);
CREATE INDEX bookings_seller_newest ON bookings (seller_id, created_at DESC, id DESC);
CREATE INDEX bookings_listing ON bookings (listing_id, created_at DESC, id DESC);

CREATE FUNCTION bookings_seller() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.seller_id := (SELECT seller_id FROM listings WHERE id = NEW.listing_id);
  RETURN NEW;
END $$;
CREATE TRIGGER bookings_seller BEFORE INSERT ON bookings
  FOR EACH ROW WHEN (NEW.seller_id IS NULL) EXECUTE FUNCTION bookings_seller();

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

-- The primary key is the one-copy guarantee: no two rows can claim one copy.
CREATE TABLE holds (
  listing_id uuid PRIMARY KEY REFERENCES listings,
  booking_id uuid NOT NULL UNIQUE REFERENCES bookings,
  buyer_id uuid NOT NULL REFERENCES users,
  taken_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  renewable_until timestamptz,
  -- since when it was kept past its time because its buyer was with their bank
  confirming_since timestamptz,
  -- set while the provider is asked to cancel; the hold stays until it answered
  releasing_at timestamptz
);
CREATE INDEX holds_expiry ON holds (expires_at);
CREATE INDEX holds_buyer ON holds (buyer_id);

-- Who waits for a held copy. A place is taken under the copy's row lock, so the sequence is the order in which people
-- came.
CREATE TABLE waitlist_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  listing_id uuid NOT NULL REFERENCES listings,
  buyer_id uuid NOT NULL REFERENCES users,
  joined_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (listing_id, buyer_id)
);
CREATE INDEX waitlist_entries_order ON waitlist_entries (listing_id, id);
CREATE INDEX waitlist_entries_buyer ON waitlist_entries (buyer_id, id);

-- Cards of held copies show how many wait.
CREATE FUNCTION notify_waitlist() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalogue', 'listing ' || l.id || ' ' || l.category_id)
  FROM listings AS l WHERE l.id IN (SELECT listing_id FROM changed);
  RETURN NULL;
END $$;
CREATE TRIGGER waitlist_notify_new AFTER INSERT ON waitlist_entries
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notify_waitlist();
CREATE TRIGGER waitlist_notify_gone AFTER DELETE ON waitlist_entries
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notify_waitlist();

-- The first answer to a request with an Idempotency-Key, kept so that a repetition gets the same one.
CREATE TABLE idempotency_keys (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  operation text NOT NULL,
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  request_hash bytea NOT NULL,
  answer jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- set while a request with the key is under way; one that was cut off is taken up again after its lease
  claimed_at timestamptz,
  PRIMARY KEY (user_id, operation, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
