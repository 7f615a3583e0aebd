-- Payment intents, settled payments and the inbox of the provider's events. Owner: server/payments.

CREATE TABLE payment_intents (
  booking_id uuid NOT NULL REFERENCES bookings,
  -- the n-th intent of this booking; its durable idempotency key at the provider is pi:{booking}:{n}
  n integer NOT NULL CHECK (n >= 1),
  amount_cents integer NOT NULL CHECK (amount_cents BETWEEN 50 AND 999999),
  currency text NOT NULL DEFAULT 'usd' CHECK (currency = 'usd'),
  -- null between the row's commit and the provider's answer
  provider_id text UNIQUE,
  state text NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'succeeded', 'cancelled')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (booking_id, n)
);
-- at most one intent that could still take money, and at most one that did
CREATE UNIQUE INDEX payment_intents_one_live ON payment_intents (booking_id) WHERE state = 'live';
CREATE UNIQUE INDEX payment_intents_one_succeeded ON payment_intents (booking_id) WHERE state = 'succeeded';

CREATE TABLE payments (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  booking_id uuid NOT NULL UNIQUE REFERENCES bookings,
  provider_id text NOT NULL UNIQUE REFERENCES payment_intents (provider_id),
  amount_cents integer NOT NULL CHECK (amount_cents BETWEEN 50 AND 999999),
  currency text NOT NULL CHECK (currency = 'usd'),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE provider_events (
  id text PRIMARY KEY,
  type text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now()
);
