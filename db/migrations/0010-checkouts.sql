-- What one payment buys of one seller: one or several bookings, their delivery and what each costs. Owner:
-- server/payments.

CREATE TABLE checkouts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  buyer_id uuid NOT NULL REFERENCES users,
  seller_id uuid NOT NULL REFERENCES users,
  delivery text NOT NULL CHECK (delivery IN ('pickup', 'post')),
  -- where the parcel goes, as the contract's Address; the order takes it over with the payment
  address jsonb,
  -- another country than the seller's
  is_abroad boolean NOT NULL DEFAULT false,
  -- where it is picked up
  place text NOT NULL DEFAULT '' CHECK (length(place) <= 300),
  -- working days until it is posted or ready, as its buyer was told
  days_to_post integer NOT NULL DEFAULT 3 CHECK (days_to_post BETWEEN 1 AND 10),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX checkouts_buyer ON checkouts (buyer_id);

CREATE TABLE checkout_bookings (
  checkout_id uuid NOT NULL REFERENCES checkouts,
  booking_id uuid NOT NULL REFERENCES bookings,
  price_cents integer NOT NULL CHECK (price_cents BETWEEN 50 AND 9999999),
  -- the share of the postage: the oldest booking bears that of a first book
  postage_cents integer NOT NULL DEFAULT 0 CHECK (postage_cents BETWEEN 0 AND 9999999),
  -- whether an intent of the checkout could still take money
  is_live boolean NOT NULL DEFAULT false,
  PRIMARY KEY (checkout_id, booking_id)
);
CREATE INDEX checkout_bookings_booking ON checkout_bookings (booking_id);
-- a booking can be paid in one way at a time
CREATE UNIQUE INDEX checkout_bookings_one_live ON checkout_bookings (booking_id) WHERE is_live;

-- What was begun before checkouts keeps its key at the provider, pi:{booking}:{n}: its checkout has the booking's id.
INSERT INTO checkouts (id, buyer_id, seller_id, delivery, created_at)
SELECT b.id, b.buyer_id, l.seller_id, 'pickup', min(i.created_at)
FROM payment_intents AS i JOIN bookings AS b ON b.id = i.booking_id JOIN listings AS l ON l.id = b.listing_id
GROUP BY b.id, l.seller_id;
INSERT INTO checkout_bookings (checkout_id, booking_id, price_cents, is_live)
SELECT DISTINCT ON (booking_id) booking_id, booking_id, amount_cents, state = 'live'
FROM payment_intents ORDER BY booking_id, n DESC;

-- booking_id is the first of the checkout's bookings; n counts on over all checkouts that begin with it.
ALTER TABLE payment_intents ADD COLUMN checkout_id uuid;
UPDATE payment_intents SET checkout_id = booking_id;
ALTER TABLE payment_intents ADD CONSTRAINT payment_intents_checkout
  FOREIGN KEY (checkout_id) REFERENCES checkouts NOT VALID;
ALTER TABLE payment_intents DROP CONSTRAINT payment_intents_amount_cents_check;
ALTER TABLE payment_intents ADD CONSTRAINT payment_intents_amount_cents_check
  CHECK (amount_cents BETWEEN 50 AND 99999999) NOT VALID;

-- The release before writes intents of one booking and knows no checkouts.
CREATE FUNCTION payment_intents_checkout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.checkout_id IS NULL THEN
    INSERT INTO checkouts (id, buyer_id, seller_id, delivery)
    SELECT b.id, b.buyer_id, l.seller_id, 'pickup' FROM bookings AS b JOIN listings AS l ON l.id = b.listing_id
    WHERE b.id = NEW.booking_id
    ON CONFLICT DO NOTHING;
    INSERT INTO checkout_bookings (checkout_id, booking_id, price_cents)
    VALUES (NEW.booking_id, NEW.booking_id, NEW.amount_cents)
    ON CONFLICT (checkout_id, booking_id) DO UPDATE SET price_cents = excluded.price_cents;
    NEW.checkout_id := NEW.booking_id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_intents_checkout BEFORE INSERT ON payment_intents
  FOR EACH ROW EXECUTE FUNCTION payment_intents_checkout();

-- A booking is in at most one checkout that could take money: kept here, whoever writes an intent.
CREATE FUNCTION checkout_bookings_live() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE checkout_bookings SET is_live = NEW.state = 'live'
  WHERE checkout_id = NEW.checkout_id AND is_live <> (NEW.state = 'live');
  RETURN NULL;
END $$;
CREATE TRIGGER payment_intents_live_new AFTER INSERT ON payment_intents
  FOR EACH ROW EXECUTE FUNCTION checkout_bookings_live();
CREATE TRIGGER payment_intents_live_moved AFTER UPDATE OF state ON payment_intents
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION checkout_bookings_live();

-- One payment a booking, with its share of the intent: price and postage.
-- Who has which part of it is frozen with it.
ALTER TABLE payments ADD COLUMN postage_cents integer NOT NULL DEFAULT 0;
ALTER TABLE payments ADD COLUMN fee_cents integer NOT NULL DEFAULT 0;
ALTER TABLE payments ADD COLUMN postage_fee_cents integer NOT NULL DEFAULT 0;
ALTER TABLE payments ADD COLUMN commission_cents integer NOT NULL DEFAULT 0;
UPDATE payments AS p SET
  fee_cents = coalesce((SELECT -e.amount_cents FROM ledger_entries AS e
    WHERE e.transaction_id = t.id AND e.account = 'provider-fees'), 0),
  commission_cents = coalesce((SELECT -e.amount_cents FROM ledger_entries AS e
    WHERE e.transaction_id = t.id AND e.account = 'commission'), 0)
FROM ledger_transactions AS t WHERE t.kind = 'sale' AND t.reference = p.id::text;
ALTER TABLE payments DROP CONSTRAINT payments_provider_id_key;
ALTER TABLE payments DROP CONSTRAINT payments_amount_cents_check;
ALTER TABLE payments ADD CONSTRAINT payments_amount_cents_check
  CHECK (amount_cents BETWEEN 50 AND 99999999) NOT VALID;
ALTER TABLE payments ADD CONSTRAINT payments_postage_cents_check
  CHECK (postage_cents BETWEEN 0 AND amount_cents) NOT VALID;

-- Several refunds a payment, each of a part. amount_cents is null for what was begun before: all that is left.
ALTER TABLE refunds DROP CONSTRAINT refunds_pkey;
ALTER TABLE refunds ADD COLUMN id uuid;
UPDATE refunds SET id = gen_random_uuid();
ALTER TABLE refunds ALTER COLUMN id SET DEFAULT gen_random_uuid();
ALTER TABLE refunds ADD COLUMN amount_cents integer;
ALTER TABLE refunds ADD COLUMN borne_by text NOT NULL DEFAULT 'shop';
ALTER TABLE refunds ADD CONSTRAINT refunds_shape CHECK (
  amount_cents > 0 AND borne_by IN ('shop', 'seller')) NOT VALID;
-- whose key at the provider is refund:{intent}:{n}; n counts every one ever asked of the intent
ALTER TABLE refunds ADD COLUMN intent_id text;
UPDATE refunds AS r SET intent_id = p.provider_id,
  amount_cents = CASE r.state WHEN 'done' THEN p.amount_cents END
FROM payments AS p WHERE p.id = r.payment_id;
ALTER TABLE refunds DROP CONSTRAINT refunds_reason_check;
ALTER TABLE refunds ADD CONSTRAINT refunds_reason_check
  CHECK (reason IN ('admin', 'lost-copy', 'provider', 'order')) NOT VALID;
-- The provider has it on its way; it is done when it says so.
ALTER TABLE refunds DROP CONSTRAINT refunds_state_check;
ALTER TABLE refunds ADD CONSTRAINT refunds_state_check
  CHECK (state IN ('requested', 'pending', 'done', 'failed')) NOT VALID;
-- of the amount, what is postage
ALTER TABLE refunds ADD COLUMN postage_cents integer NOT NULL DEFAULT 0;
-- Parts that were given back at the provider, not here, had no row.
INSERT INTO refunds (payment_id, intent_id, n, reason, state, amount_cents, done_at)
SELECT p.id, p.provider_id, 1, 'provider', 'done', p.refunded_cents, now() FROM payments AS p
WHERE p.refunded_cents BETWEEN 1 AND p.amount_cents - 1 AND NOT EXISTS (SELECT FROM refunds AS r WHERE r.payment_id = p.id);

-- The release before writes refunds without naming their intent: all that is left, once a payment.
CREATE FUNCTION refunds_intent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.intent_id := coalesce(NEW.intent_id, (SELECT provider_id FROM payments WHERE id = NEW.payment_id));
  RETURN NEW;
END $$;
CREATE TRIGGER refunds_intent BEFORE INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION refunds_intent();

-- No more goes back than was paid, whoever writes it down; whoever does has the payment locked.
CREATE FUNCTION refunds_within_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(amount_cents) FROM refunds WHERE payment_id = NEW.payment_id)
    > (SELECT amount_cents FROM payments WHERE id = NEW.payment_id) THEN
    RAISE EXCEPTION 'more would go back of payment % than was paid', NEW.payment_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refunds_within_payment AFTER INSERT OR UPDATE OF amount_cents ON refunds
  FOR EACH ROW EXECUTE FUNCTION refunds_within_payment();

CREATE OR REPLACE FUNCTION keep_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.booking_id, NEW.provider_id, NEW.amount_cents, NEW.postage_cents, NEW.currency, NEW.created_at, NEW.outcome)
    IS DISTINCT FROM
      (OLD.id, OLD.booking_id, OLD.provider_id, OLD.amount_cents, OLD.postage_cents, OLD.currency, OLD.created_at, OLD.outcome)
    OR NEW.refunded_cents < OLD.refunded_cents THEN
    RAISE EXCEPTION 'payment % stands as it is', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

-- A dispute is about an intent; what of it each of its payments bears.
CREATE TABLE dispute_shares (
  dispute_id text NOT NULL REFERENCES disputes,
  payment_id uuid NOT NULL REFERENCES payments,
  amount_cents integer NOT NULL CHECK (amount_cents >= 0),
  PRIMARY KEY (dispute_id, payment_id)
);
CREATE INDEX dispute_shares_payment ON dispute_shares (payment_id);
INSERT INTO dispute_shares (dispute_id, payment_id, amount_cents) SELECT id, payment_id, amount_cents FROM disputes;
