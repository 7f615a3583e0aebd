-- Bookings and the exclusive holds they take. Owner: server/bookings.

CREATE TABLE bookings (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  listing_id uuid NOT NULL REFERENCES listings,
  buyer_id uuid NOT NULL REFERENCES users,
  -- frozen at booking, so that later edits of the copy or the buyer change nothing
  title text NOT NULL,
  authors text NOT NULL,
  image_url text NOT NULL,
  buyer_name text NOT NULL,
  buyer_email text NOT NULL,
  phone text NOT NULL CHECK (length(phone) <= 200),
  location text NOT NULL CHECK (length(location) <= 200),
  price_cents integer NOT NULL CHECK (price_cents BETWEEN 50 AND 999999),
  created_at timestamptz NOT NULL DEFAULT now(),
  paid_at timestamptz,
  cancelled_at timestamptz,
  CHECK (paid_at IS NULL OR cancelled_at IS NULL)
);
-- a copy is paid for once, ever
CREATE UNIQUE INDEX bookings_one_paid_a_copy ON bookings (listing_id) WHERE paid_at IS NOT NULL;
-- a buyer has one open booking of a copy
CREATE UNIQUE INDEX bookings_one_open_a_buyer ON bookings (listing_id, buyer_id) WHERE paid_at IS NULL AND cancelled_at IS NULL;
CREATE INDEX bookings_buyer_newest ON bookings (buyer_id, created_at DESC, id DESC);

-- The primary key is the one-copy guarantee: no two rows can claim one copy.
CREATE TABLE holds (
  listing_id uuid PRIMARY KEY REFERENCES listings,
  booking_id uuid NOT NULL UNIQUE REFERENCES bookings,
  buyer_id uuid NOT NULL REFERENCES users,
  taken_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  -- set while the provider is asked to cancel; the hold stays until it answered
  releasing_at timestamptz
);
CREATE INDEX holds_expiry ON holds (expires_at);
CREATE INDEX holds_buyer ON holds (buyer_id);

-- The first answer to a request with an Idempotency-Key, kept so that a repetition gets the same one.
CREATE TABLE idempotency_keys (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  operation text NOT NULL,
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  request_hash bytea NOT NULL,
  answer jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, operation, key)
);
