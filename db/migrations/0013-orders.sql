-- What one payment bought of one seller, from paid to closed. Owner: server/orders. The states, moves and deadlines are
-- data in src/contract/orders/states.ts.

CREATE TABLE orders (
  -- the checkout that was paid
  id uuid PRIMARY KEY REFERENCES checkouts,
  buyer_id uuid NOT NULL REFERENCES users,
  seller_id uuid NOT NULL REFERENCES users,
  delivery text NOT NULL CHECK (delivery IN ('pickup', 'post')),
  -- where the parcel goes, as the contract's Address; 180 days after closing only city and country are left
  address jsonb,
  -- another country than the seller's: parcels take longer
  is_abroad boolean NOT NULL DEFAULT false,
  place text NOT NULL DEFAULT '' CHECK (length(place) <= 300),
  postage_cents integer NOT NULL DEFAULT 0 CHECK (postage_cents >= 0),
  days_to_post integer NOT NULL DEFAULT 3 CHECK (days_to_post BETWEEN 1 AND 10),
  state text NOT NULL DEFAULT 'paid'
    CHECK (state IN ('paid', 'posted', 'ready', 'received', 'problem', 'returning', 'closed', 'cancelled')),
  -- how it ended
  outcome text CHECK (outcome IN ('completed', 'kept', 'refunded', 'part-refunded', 'came-back', 'cancelled-by-buyer',
    'cancelled-by-seller', 'not-posted', 'not-collected', 'lost', 'before')),
  carrier text NOT NULL DEFAULT '' CHECK (length(carrier) <= 100),
  tracking text NOT NULL DEFAULT '' CHECK (length(tracking) <= 100),
  pickup_times text NOT NULL DEFAULT '' CHECK (length(pickup_times) <= 300),
  -- shown to the buyer, who tells it when the book is handed over
  pickup_code text CHECK (pickup_code ~ '^[0-9]{6}$'),
  code_failures integer NOT NULL DEFAULT 0,
  posted_at timestamptz,
  -- "not here yet": once
  extended_at timestamptz,
  -- when the state was entered, and what happens by itself when
  entered_at timestamptz NOT NULL DEFAULT shop_now(),
  due_at timestamptz,
  due_move text,
  -- a dispute stops the clock; what was left of the deadline is kept, and what it was for in due_move
  frozen_at timestamptz,
  frozen_by text CHECK (frozen_by IN ('dispute', 'inquiry')),
  frozen_left_ms bigint,
  created_at timestamptz NOT NULL DEFAULT shop_now(),
  closed_at timestamptz,
  CHECK ((due_at IS NOT NULL) = (due_move IS NOT NULL AND frozen_at IS NULL)),
  CHECK ((frozen_at IS NULL) = (frozen_by IS NULL)),
  CHECK ((state IN ('closed', 'cancelled')) = (closed_at IS NOT NULL)),
  CHECK ((closed_at IS NULL) = (outcome IS NULL))
);
CREATE INDEX orders_due ON orders (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX orders_buyer ON orders (buyer_id, created_at DESC, id DESC);
CREATE INDEX orders_seller ON orders (seller_id, created_at DESC, id DESC);

-- Every move of an order, in the transaction that made it.
CREATE TABLE order_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES orders,
  move text NOT NULL,
  -- null: it began with it
  from_state text,
  to_state text NOT NULL,
  -- whose deed it was: 'buyer', 'seller', 'admin', 'clock', 'settle' or 'bank'
  by text NOT NULL,
  user_id uuid REFERENCES users,
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 1000),
  at timestamptz NOT NULL DEFAULT shop_now()
);
CREATE INDEX order_events_order ON order_events (order_id, id);
CREATE TRIGGER order_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON order_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What is to be told before a deadline; it goes with the state it belongs to.
CREATE TABLE order_reminders (
  order_id uuid NOT NULL REFERENCES orders,
  kind text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (order_id, kind)
);
CREATE INDEX order_reminders_at ON order_reminders (at);

-- What a buyer complains about, while it is not settled and afterwards: one an order.
CREATE TABLE order_problems (
  order_id uuid PRIMARY KEY REFERENCES orders,
  -- null: all of it
  booking_id uuid REFERENCES bookings,
  kind text NOT NULL CHECK (kind IN ('missing', 'not-as-described', 'damaged')),
  words text NOT NULL CHECK (length(words) BETWEEN 1 AND 2000),
  -- what the seller offers to give back
  offer_cents integer CHECK (offer_cents > 0),
  opened_at timestamptz NOT NULL DEFAULT shop_now()
);

ALTER TABLE bookings ADD COLUMN order_id uuid;
ALTER TABLE bookings ADD CONSTRAINT bookings_order FOREIGN KEY (order_id) REFERENCES orders NOT VALID;

-- What was paid before is closed: its seller was credited with the payment.
INSERT INTO orders (id, buyer_id, seller_id, delivery, state, outcome, entered_at, created_at, closed_at)
SELECT c.id, c.buyer_id, c.seller_id, 'pickup', 'closed',
  CASE WHEN b.refunded_at IS NULL THEN 'before' ELSE 'refunded' END, b.paid_at, b.paid_at, b.paid_at
FROM bookings AS b JOIN checkouts AS c ON c.id = b.id WHERE b.paid_at IS NOT NULL;
INSERT INTO order_events (order_id, move, from_state, to_state, by, at)
SELECT id, 'before', NULL, 'closed', 'settle', created_at FROM orders;
UPDATE bookings SET order_id = id WHERE paid_at IS NOT NULL;

-- The ledger: what a seller is owed once an order is closed, and until when.
ALTER TABLE ledger_transactions ADD COLUMN order_id uuid;
ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_kind_check;
ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_kind_check CHECK (kind IN (
  'sale', 'postage', 'stray-payment', 'part-refund', 'refund', 'refund-sent', 'refund-failed', 'release',
  'dispute-opened', 'dispute-won', 'dispute-lost')) NOT VALID;
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_account_check;
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_account_check CHECK (account IN (
  'provider', 'provider-fees', 'commission', 'seller', 'seller-pending', 'owed-to-buyers', 'refund-costs',
  'dispute-reserve')) NOT VALID;
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_check;
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_check
  CHECK ((account IN ('seller', 'seller-pending')) = (seller_id IS NOT NULL)) NOT VALID;
