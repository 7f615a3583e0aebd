-- What a buyer agreed to by paying, and what of the total is tax. Owner: server/payments.

-- The wording of the terms that was in force; empty for what was begun before it was kept.
ALTER TABLE checkouts ADD COLUMN terms_version text NOT NULL DEFAULT '';
-- The shop reckons no tax: this is its place once an operator's does (docs/law.md).
ALTER TABLE checkouts ADD COLUMN tax_cents integer NOT NULL DEFAULT 0;
ALTER TABLE checkouts ADD CONSTRAINT checkouts_tax CHECK (tax_cents >= 0) NOT VALID;
