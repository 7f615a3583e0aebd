-- A refund that the provider refused is asked for anew with the next number: its idempotency key is refund:{payment intent} for
-- the first and refund:{payment intent}:{n} for the n-th. While an answer is open the number, and so the key, stays.
ALTER TABLE refunds ADD COLUMN n integer NOT NULL DEFAULT 1 CHECK (n > 0);
