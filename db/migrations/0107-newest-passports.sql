-- concurrent
-- Copies of which something is said, the newest first; those of signed copies and first editions are few.

DROP INDEX CONCURRENTLY IF EXISTS copy_passports_newest;
CREATE INDEX CONCURRENTLY copy_passports_newest ON copy_passports (published_at DESC, listing_id DESC);
DROP INDEX CONCURRENTLY IF EXISTS copy_passports_signed_newest;
CREATE INDEX CONCURRENTLY copy_passports_signed_newest ON copy_passports (published_at DESC, listing_id DESC)
  WHERE signed <> 'no';
DROP INDEX CONCURRENTLY IF EXISTS copy_passports_first_newest;
CREATE INDEX CONCURRENTLY copy_passports_first_newest ON copy_passports (published_at DESC, listing_id DESC)
  WHERE printing IN ('first edition', 'first printing');
DROP INDEX CONCURRENTLY IF EXISTS copy_passports_signed;
DROP INDEX CONCURRENTLY IF EXISTS copy_passports_first;
