-- concurrent
-- The copies of an author. Like every index of the copies it asks for nothing that a booking changes.
DROP INDEX CONCURRENTLY IF EXISTS shelf_author_slugs;
CREATE INDEX CONCURRENTLY shelf_author_slugs ON listings USING gin (author_slugs(authors)) WITH (fastupdate = off)
  WHERE on_shelf;
