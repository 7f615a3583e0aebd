-- What a bank gave its customer back of what was to be refunded anyway, and what a dispute costs at the provider.

-- The lost dispute by which the bank paid it; null for what the shop gave back.
ALTER TABLE refunds ADD COLUMN dispute_id text;
ALTER TABLE refunds ADD CONSTRAINT refunds_by_bank
  CHECK (dispute_id IS NULL OR (state = 'done' AND by_hand_reference IS NULL)) NOT VALID;
-- What the provider has kept for the dispute, as posted.
ALTER TABLE disputes ADD COLUMN fee_cents integer NOT NULL DEFAULT 0;

ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_kind_check;
ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_kind_check CHECK (kind IN (
  'sale', 'postage', 'stray-payment', 'part-refund', 'refund', 'refund-sent', 'refund-failed', 'refund-by-hand',
  'refund-by-bank', 'refund-owed-again', 'release', 'payout', 'payout-sent', 'payout-refused', 'payout-reversed',
  'payout-returned', 'adjustment', 'dispute-opened', 'dispute-won', 'dispute-lost', 'dispute-fee')) NOT VALID;
