-- Payment intents, settled payments, money that goes back or is disputed, the provider's events, and what the books and
-- the provider say of each other. Owner: server/payments.

CREATE TABLE payment_intents (
  booking_id uuid NOT NULL REFERENCES bookings,
  -- the n-th intent of this booking; its durable idempotency key at the provider is pi:{booking}:{n}
  n integer NOT NULL CHECK (n >= 1),
  amount_cents integer NOT NULL CHECK (amount_cents BETWEEN 50 AND 999999),
  currency text NOT NULL DEFAULT 'usd' CHECK (currency = 'usd'),
  -- null between the row's commit and the provider's answer
  provider_id text UNIQUE,
  -- 'returned': it took money for a copy that was lost; the money goes back
  state text NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'succeeded', 'cancelled', 'returned')),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- the provider has the money on its way: it can be neither cancelled nor called paid
  processing_at timestamptz,
  -- too many cards failed: it is to be cancelled, and its buyer waits
  stopped_at timestamptz,
  PRIMARY KEY (booking_id, n)
);
-- at most one intent that could still take money, and at most one that did
CREATE UNIQUE INDEX payment_intents_one_live ON payment_intents (booking_id) WHERE state = 'live';
CREATE UNIQUE INDEX payment_intents_one_succeeded ON payment_intents (booking_id) WHERE state = 'succeeded';
CREATE INDEX payment_intents_live ON payment_intents (created_at) WHERE state = 'live';

CREATE TABLE payments (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  booking_id uuid NOT NULL REFERENCES bookings,
  provider_id text NOT NULL UNIQUE REFERENCES payment_intents (provider_id),
  amount_cents integer NOT NULL CHECK (amount_cents BETWEEN 50 AND 999999),
  currency text NOT NULL CHECK (currency = 'usd'),
  created_at timestamptz NOT NULL DEFAULT now(),
  outcome text NOT NULL DEFAULT 'sale' CHECK (outcome IN ('sale', 'returned')),
  -- what the provider confirmed to have given back; grows only
  refunded_cents integer NOT NULL DEFAULT 0,
  CONSTRAINT payments_refunded_at_most_all CHECK (refunded_cents BETWEEN 0 AND amount_cents)
);
CREATE UNIQUE INDEX payments_one_sale_a_booking ON payments (booking_id) WHERE outcome = 'sale';
CREATE INDEX payments_booking ON payments (booking_id);
CREATE INDEX payments_newest ON payments (created_at DESC, id DESC);

CREATE FUNCTION keep_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.booking_id, NEW.provider_id, NEW.amount_cents, NEW.currency, NEW.created_at, NEW.outcome)
    IS DISTINCT FROM (OLD.id, OLD.booking_id, OLD.provider_id, OLD.amount_cents, OLD.currency, OLD.created_at, OLD.outcome)
    OR NEW.refunded_cents < OLD.refunded_cents THEN
    RAISE EXCEPTION 'payment % stands as it is', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payments_stand BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION keep_payment();
CREATE TRIGGER payments_stay BEFORE DELETE OR TRUNCATE ON payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- One refund a payment, by its primary key. The row is there before the provider is asked and is never deleted.
CREATE TABLE refunds (
  payment_id uuid PRIMARY KEY REFERENCES payments,
  -- 'lost-copy': the shop gives back by itself; 'provider': it was given back at the provider, not here
  reason text NOT NULL CHECK (reason IN ('admin', 'lost-copy', 'provider')),
  requested_by uuid REFERENCES users,
  state text NOT NULL DEFAULT 'requested' CHECK (state IN ('requested', 'done', 'failed')),
  provider_id text UNIQUE,
  -- its idempotency key is refund:{payment intent} for the first, refund:{payment intent}:{n} for the n-th, which is
  -- asked for when the provider refused the one before; while an answer is open the number, and so the key, stays
  n integer NOT NULL DEFAULT 1 CHECK (n > 0),
  -- when the provider was last asked: the next one to try waits a while
  asked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz,
  CHECK ((reason = 'admin') = (requested_by IS NOT NULL)),
  CHECK ((state = 'done') = (done_at IS NOT NULL))
);
CREATE INDEX refunds_open ON refunds (created_at) WHERE state = 'requested';
CREATE TRIGGER refunds_stay BEFORE DELETE OR TRUNCATE ON refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- When an event arrived, when its effect was written (in one transaction with this row), and what that was.
CREATE TABLE provider_events (
  id text PRIMARY KEY,
  type text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  processed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  outcome text NOT NULL DEFAULT 'acted' CHECK (outcome IN ('acted', 'not-ours', 'ignored'))
);
CREATE TRIGGER provider_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON provider_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Cards that the provider reported to have failed, each report once.
CREATE TABLE payment_failures (
  event_id text PRIMARY KEY REFERENCES provider_events DEFERRABLE INITIALLY DEFERRED,
  booking_id uuid NOT NULL,
  n integer NOT NULL,
  buyer_id uuid NOT NULL REFERENCES users,
  at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (booking_id, n) REFERENCES payment_intents
);
CREATE INDEX payment_failures_buyer ON payment_failures (buyer_id, at);

CREATE TABLE disputes (
  -- the provider's id
  id text PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  reason text NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'won', 'lost')),
  opened_at timestamptz NOT NULL DEFAULT now(),
  -- until when the shop may answer; null where the provider does not say
  due_by timestamptz,
  closed_at timestamptz,
  CHECK ((state = 'open') = (closed_at IS NULL))
);
CREATE INDEX disputes_payment ON disputes (payment_id);

-- What does not add up between our books and the provider's, or did not until it was mended. Each is told once.
CREATE TABLE money_differences (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (length(kind) BETWEEN 1 AND 50),
  -- the provider's id of what it is about
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 300),
  says text NOT NULL,
  times integer NOT NULL DEFAULT 1,
  found_at timestamptz NOT NULL DEFAULT now(),
  last_found_at timestamptz NOT NULL DEFAULT now(),
  mended_at timestamptz,
  UNIQUE (kind, subject)
);

CREATE TABLE reconcile_runs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  scope text NOT NULL CHECK (scope IN ('unpaid', 'all')),
  started_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL DEFAULT now(),
  looked_at integer NOT NULL,
  settled integer NOT NULL,
  differences integer NOT NULL
);
CREATE INDEX reconcile_runs_last ON reconcile_runs (scope, ended_at DESC);
