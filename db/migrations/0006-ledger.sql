-- Where every cent is: double entry in integer cents. Owner: server/ledger; docs/decisions/009-ledger.md says how to
-- read it.

-- A thing that happened to money. `reference` is what it happened to, so that nothing is posted twice.
CREATE TABLE ledger_transactions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('sale', 'stray-payment', 'refund', 'dispute-opened', 'dispute-won', 'dispute-lost')),
  reference text NOT NULL CHECK (length(reference) BETWEEN 1 AND 300),
  booking_id uuid NOT NULL REFERENCES bookings,
  -- whose statement it stands on; null for money that belongs to no sale
  seller_id uuid REFERENCES users,
  posted_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (kind, reference),
  UNIQUE (id, seller_id)
);
CREATE INDEX ledger_transactions_seller ON ledger_transactions (seller_id, id);
CREATE INDEX ledger_transactions_booking ON ledger_transactions (booking_id, id);

-- Debits are above zero, credits below: an account that holds money is positive, what we owe or earned is negative.
CREATE TABLE ledger_entries (
  transaction_id bigint NOT NULL REFERENCES ledger_transactions,
  account text NOT NULL CHECK (account IN
    ('provider', 'provider-fees', 'commission', 'seller', 'owed-to-buyers', 'refund-costs', 'dispute-reserve')),
  -- whom it is owed to
  seller_id uuid,
  amount_cents integer NOT NULL CHECK (amount_cents <> 0),
  PRIMARY KEY (transaction_id, account),
  FOREIGN KEY (transaction_id, seller_id) REFERENCES ledger_transactions (id, seller_id),
  CHECK ((account = 'seller') = (seller_id IS NOT NULL))
);
CREATE INDEX ledger_entries_seller ON ledger_entries (seller_id, transaction_id) WHERE account = 'seller';
CREATE INDEX ledger_entries_account ON ledger_entries (account);

-- Checked when the transaction of the database ends, whoever wrote it.
CREATE FUNCTION ledger_sums_to_zero() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  posting bigint := CASE TG_TABLE_NAME WHEN 'ledger_entries' THEN (to_jsonb(NEW) ->> 'transaction_id')::bigint
    ELSE (to_jsonb(NEW) ->> 'id')::bigint END;
  total bigint;
  entries integer;
BEGIN
  SELECT coalesce(sum(amount_cents), 0), count(*) INTO total, entries FROM ledger_entries WHERE transaction_id = posting;
  IF total <> 0 OR entries < 2 THEN
    RAISE EXCEPTION 'ledger transaction % does not balance: % entries, % cents', posting, entries, total
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_transactions_balance AFTER INSERT ON ledger_transactions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_sums_to_zero();
CREATE CONSTRAINT TRIGGER ledger_entries_balance AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_sums_to_zero();

CREATE TRIGGER ledger_transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transactions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
