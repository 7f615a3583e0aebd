-- Whether a transfer is taken from the charge that paid its order. It is not where more was sent in all, and taken back,
-- than the charge was.
ALTER TABLE payouts ADD COLUMN from_charge boolean NOT NULL DEFAULT true;
