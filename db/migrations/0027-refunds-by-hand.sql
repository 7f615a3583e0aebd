-- What could not be given back by the provider is paid to its buyer in another way; what is on its way may stay there.

-- How the operator paid it; null for what the provider gave back. It comes out of the operator's own bank.
ALTER TABLE refunds ADD COLUMN by_hand_reference text;
ALTER TABLE refunds ADD CONSTRAINT refunds_by_hand
  CHECK (by_hand_reference IS NULL OR (state = 'done' AND length(by_hand_reference) BETWEEN 1 AND 100)) NOT VALID;
-- Since when the provider says of this try that it is on its way.
ALTER TABLE refunds ADD COLUMN pending_at timestamptz;
