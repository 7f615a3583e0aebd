-- concurrent
-- The newest copies of which something is said, with what is chosen by: what a choice leaves out is passed by without
-- being read.

DROP INDEX CONCURRENTLY IF EXISTS copy_passports_newest_said;
CREATE INDEX CONCURRENTLY copy_passports_newest_said ON copy_passports (published_at DESC, listing_id DESC)
  INCLUDE (binding, language, signed, printing, jacket, ex_library, book_club, annotated);
DROP INDEX CONCURRENTLY IF EXISTS copy_passports_newest;
