-- One digest a day tells of marked copies, saved searches, sellers and wants that ended; what nobody took of what they
-- were offered is none of their orders. Owners: server/wants, server/bookings.

-- For its reader, who asked for the book before it came: 'open' until they say that they take it.
ALTER TABLE bookings ADD COLUMN offered text CHECK (offered IN ('open', 'taken'));

-- Whether its reader was told that it ended.
ALTER TABLE wants ADD COLUMN told_ended boolean NOT NULL DEFAULT true;

-- What was chosen for mails of sellers' new books holds for the digest that tells of them.
UPDATE mail_choices SET not_mailed = array_remove(not_mailed, 'follows') || CASE
  WHEN 'watched' = ANY (not_mailed) THEN '{}'::text[] ELSE '{watched}'::text[] END
  WHERE 'follows' = ANY (not_mailed);
UPDATE notices SET topic = 'watched' WHERE topic = 'follows';
