-- The zone a user's browser last told, '' until it did: mails write their times in it.
-- Owner: server/identity.
ALTER TABLE users ADD COLUMN time_zone text NOT NULL DEFAULT '';
