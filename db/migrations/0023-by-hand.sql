-- Paying sellers by hand, and corrections of what they are due. Owner: server/payments.

-- Where a seller has their money sent. The account is readable only with a key that is not in the database.
CREATE TABLE payout_details (
  seller_id uuid PRIMARY KEY REFERENCES users,
  -- counts how often they were entered
  version integer NOT NULL DEFAULT 1,
  kind text NOT NULL CHECK (kind IN ('us', 'iban')),
  country text NOT NULL CHECK (length(country) = 2),
  account_type text CHECK (account_type IN ('checking', 'savings')),
  -- the last characters of the account
  shown text NOT NULL CHECK (length(shown) <= 5),
  -- which key has sealed it
  key_id text NOT NULL,
  sealed bytea NOT NULL,
  -- the same for the same account, under the same key
  fingerprint bytea NOT NULL,
  entered_at timestamptz NOT NULL DEFAULT shop_now(),
  paused_until timestamptz NOT NULL,
  -- why they have to be entered anew
  locked text
);
CREATE INDEX payout_details_fingerprint ON payout_details (fingerprint);

-- Payouts that go to the bank together.
CREATE TABLE payout_batches (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  n integer NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE,
  made_by uuid NOT NULL REFERENCES users,
  made_at timestamptz NOT NULL DEFAULT shop_now(),
  -- why a second admin has to approve it; null: none has to
  second_reason text,
  approved_by uuid REFERENCES users,
  approved_at timestamptz,
  -- what its file says beside its payouts, written down when it was made first
  filed jsonb,
  CONSTRAINT payout_batches_four_eyes CHECK (approved_by <> made_by),
  CONSTRAINT payout_batches_approval CHECK ((approved_by IS NULL) = (approved_at IS NULL))
);
CREATE INDEX payout_batches_made ON payout_batches (made_at DESC);

-- What a payout by hand has beside others: the details as they were when its batch was made.
CREATE TABLE hand_payouts (
  payout_id uuid PRIMARY KEY REFERENCES payouts,
  batch_id uuid NOT NULL REFERENCES payout_batches,
  -- its place in the file; null: it is not in it
  line integer,
  kind text NOT NULL CHECK (kind IN ('us', 'iban')),
  country text NOT NULL,
  shown text NOT NULL,
  details_version integer NOT NULL,
  key_id text NOT NULL,
  -- null once it was forgotten
  sealed bytea,
  second_reason text,
  -- the bank's, and the day on which it paid
  reference text,
  settled_on date,
  UNIQUE (batch_id, line)
);
CREATE INDEX hand_payouts_batch ON hand_payouts (batch_id);

-- A correction of what a seller is due, which one admin asks for and another one books.
CREATE TABLE adjustments (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  seller_id uuid NOT NULL REFERENCES users,
  -- above zero: the seller's
  amount_cents integer NOT NULL CHECK (amount_cents <> 0),
  account text NOT NULL CHECK (account IN ('refund-costs', 'commission')),
  reason text NOT NULL,
  asked_by uuid NOT NULL REFERENCES users,
  asked_at timestamptz NOT NULL DEFAULT shop_now(),
  state text NOT NULL DEFAULT 'asked' CHECK (state IN ('asked', 'booked', 'declined')),
  decided_by uuid REFERENCES users,
  decided_at timestamptz,
  CONSTRAINT adjustments_decision CHECK ((state = 'asked') = (decided_by IS NULL)),
  CONSTRAINT adjustments_four_eyes CHECK (state <> 'booked' OR (decided_by <> asked_by AND decided_by <> seller_id))
);
CREATE INDEX adjustments_asked ON adjustments (asked_at DESC, id DESC);
CREATE INDEX adjustments_seller ON adjustments (seller_id);
