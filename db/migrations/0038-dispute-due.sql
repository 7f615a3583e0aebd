-- Until when the shop may answer a dispute, as the provider says; null where it does not say, and for disputes noted by an earlier release until
-- the provider is next asked. Owner: server/payments.
ALTER TABLE disputes ADD COLUMN due_by timestamptz;
