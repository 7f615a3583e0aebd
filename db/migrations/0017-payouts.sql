-- Paying sellers out. The ledger's part is owned by server/ledger, the tables by server/payments.

-- A payout is of no single booking, and an adjustment of none at all.
-- squawk-ignore ban-drop-not-null
ALTER TABLE ledger_transactions ALTER COLUMN booking_id DROP NOT NULL;
ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_kind_check;
ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_kind_check CHECK (kind IN (
  'sale', 'postage', 'stray-payment', 'part-refund', 'refund', 'refund-sent', 'refund-failed', 'refund-by-hand',
  'release', 'payout', 'payout-sent', 'payout-refused', 'payout-reversed', 'payout-returned', 'adjustment',
  'dispute-opened', 'dispute-won', 'dispute-lost')) NOT VALID;
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_account_check;
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_account_check CHECK (account IN (
  'provider', 'provider-fees', 'commission', 'seller', 'seller-pending', 'in-transit', 'owed-to-buyers', 'refund-costs',
  'dispute-reserve', 'bank')) NOT VALID;
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_check;
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_check
  CHECK ((account IN ('seller', 'seller-pending', 'in-transit')) = (seller_id IS NOT NULL)) NOT VALID;

-- Where a seller is paid, and when to look whether there is something to pay. Every seller who ever had money has one.
CREATE TABLE payout_accounts (
  seller_id uuid PRIMARY KEY REFERENCES users,
  -- counts the accounts ever asked for; the key at the provider is acct:{seller}:{n}
  n integer NOT NULL DEFAULT 1,
  -- the provider's id
  account_id text UNIQUE,
  country text CHECK (length(country) = 2),
  status text NOT NULL DEFAULT 'none' CHECK (status IN ('none', 'pending', 'active', 'restricted')),
  -- what the provider still wants to know, as the contract's PayoutRequirement
  requirements jsonb NOT NULL DEFAULT '[]',
  checked_at timestamptz,
  -- when the weekly payouts to the bank were set up
  scheduled_at timestamptz,
  -- since when money could go there
  ready_at timestamptz,
  -- since when money waits for details that are missing, and after how many days its seller was told last
  waiting_since timestamptz,
  told_days integer,
  -- null: nothing has changed since it was looked at
  look_at timestamptz DEFAULT shop_now(),
  created_at timestamptz NOT NULL DEFAULT shop_now()
);
CREATE INDEX payout_accounts_look ON payout_accounts (look_at) WHERE look_at IS NOT NULL;
CREATE INDEX payout_accounts_checked ON payout_accounts (checked_at) WHERE account_id IS NOT NULL;

-- Money of an order that was asked to go to its seller: written, and taken off their balance, before it is asked.
CREATE TABLE payouts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  seller_id uuid NOT NULL REFERENCES users,
  -- null for what belongs to no order
  order_id uuid REFERENCES orders,
  -- counts the payouts of the order; the key at the provider is tr:{order}:{n}
  n integer NOT NULL,
  way text NOT NULL CHECK (way IN ('connect', 'manual')),
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  account_id text,
  state text NOT NULL DEFAULT 'asked' CHECK (state IN ('asked', 'sent', 'refused', 'returned')),
  provider_id text UNIQUE,
  refusal_code text,
  refusal_words text,
  reversed_cents integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT shop_now(),
  -- real time: the provider forgets a key after a day
  written_at timestamptz NOT NULL DEFAULT now(),
  asked_at timestamptz,
  settled_at timestamptz,
  CONSTRAINT payouts_reversed CHECK (reversed_cents BETWEEN 0 AND amount_cents)
);
CREATE UNIQUE INDEX payouts_order_n ON payouts (coalesce(order_id, seller_id), n);
-- nothing is asked for twice at a time
CREATE UNIQUE INDEX payouts_one_asked ON payouts (coalesce(order_id, seller_id)) WHERE state = 'asked';
CREATE INDEX payouts_asked ON payouts (created_at) WHERE state = 'asked';
CREATE INDEX payouts_seller ON payouts (seller_id, created_at);

-- Money of a transfer that is asked back, as its buyer got it back.
CREATE TABLE payout_reversals (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  payout_id uuid NOT NULL REFERENCES payouts,
  n integer NOT NULL,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  state text NOT NULL DEFAULT 'asked' CHECK (state IN ('asked', 'done', 'refused')),
  provider_id text UNIQUE,
  refusal_code text,
  refusal_words text,
  created_at timestamptz NOT NULL DEFAULT shop_now(),
  written_at timestamptz NOT NULL DEFAULT now(),
  asked_at timestamptz,
  settled_at timestamptz,
  UNIQUE (payout_id, n)
);
CREATE UNIQUE INDEX payout_reversals_one_asked ON payout_reversals (payout_id) WHERE state = 'asked';

-- What the provider sent from a seller's account there to their bank: shown, and never in the ledger.
CREATE TABLE bank_payouts (
  id text PRIMARY KEY,
  seller_id uuid NOT NULL REFERENCES users,
  amount_cents integer NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'in_transit', 'paid', 'failed', 'canceled')),
  arrives_at timestamptz,
  failure text,
  first_seen_at timestamptz NOT NULL DEFAULT shop_now()
);
CREATE INDEX bank_payouts_seller ON bank_payouts (seller_id, first_seen_at);

-- Whatever changes what a seller is due, whoever posts it, has somebody look whether to pay. A sale is only pending.
CREATE FUNCTION payout_accounts_look() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payout_accounts (seller_id) VALUES (NEW.seller_id)
  ON CONFLICT (seller_id) DO UPDATE SET look_at = least(payout_accounts.look_at, shop_now());
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_transactions_look AFTER INSERT ON ledger_transactions
  FOR EACH ROW WHEN (NEW.seller_id IS NOT NULL AND NEW.kind NOT IN ('sale', 'postage'))
  EXECUTE FUNCTION payout_accounts_look();

-- Whoever is due something from before is looked at first.
INSERT INTO payout_accounts (seller_id) SELECT DISTINCT seller_id FROM ledger_entries WHERE account = 'seller';
