-- When renewing a hold ends, and since when it was kept past its time because its buyer was with their bank. Null where an earlier release took the
-- hold: then it is not renewed. Owner: server/bookings.
ALTER TABLE holds ADD COLUMN renewable_until timestamptz;
ALTER TABLE holds ADD COLUMN confirming_since timestamptz;
