-- concurrent
-- The indexes of what is on the shelf, by the column of 0025. Those they follow go with 0029, when no process of the release before asks for them.
CALL shelve_former_copies();

-- keyset order of every public list: newest first, sold and withdrawn left out
DROP INDEX CONCURRENTLY IF EXISTS shelf_newest;
CREATE INDEX CONCURRENTLY shelf_newest ON listings (published_at DESC, id DESC) WHERE on_shelf;
DROP INDEX CONCURRENTLY IF EXISTS shelf_category_newest;
CREATE INDEX CONCURRENTLY shelf_category_newest ON listings (category_id, published_at DESC, id DESC) WHERE on_shelf;
-- finds a copy booked without its id
DROP INDEX CONCURRENTLY IF EXISTS shelf_title;
CREATE INDEX CONCURRENTLY shelf_title ON listings (title) WHERE on_shelf;

-- A rare word is found here; for a common one the planner walks shelf_newest instead and stops at a full page.
DROP INDEX CONCURRENTLY IF EXISTS shelf_words;
CREATE INDEX CONCURRENTLY shelf_words ON listings USING gin (words) WITH (fastupdate = off) WHERE on_shelf;
DROP INDEX CONCURRENTLY IF EXISTS shelf_title_words;
CREATE INDEX CONCURRENTLY shelf_title_words ON listings USING gin (title_words) WITH (fastupdate = off) WHERE on_shelf;
DROP INDEX CONCURRENTLY IF EXISTS shelf_title_key;
CREATE INDEX CONCURRENTLY shelf_title_key ON listings (title_key text_pattern_ops, published_at DESC, id DESC) WHERE on_shelf;
DROP INDEX CONCURRENTLY IF EXISTS shelf_isbn;
CREATE INDEX CONCURRENTLY shelf_isbn ON listings (isbn13, published_at DESC, id DESC) WHERE on_shelf AND isbn13 <> '';
-- the other orders of a result
DROP INDEX CONCURRENTLY IF EXISTS shelf_price;
CREATE INDEX CONCURRENTLY shelf_price ON listings (resale_cents, id) WHERE on_shelf;
DROP INDEX CONCURRENTLY IF EXISTS shelf_saving;
CREATE INDEX CONCURRENTLY shelf_saving ON listings ((original_cents - resale_cents) DESC, id DESC) WHERE on_shelf;

-- the other copies of a book, the cheapest first
DROP INDEX CONCURRENTLY IF EXISTS shelf_edition_isbn;
CREATE INDEX CONCURRENTLY shelf_edition_isbn ON listings (isbn13, resale_cents, id) WHERE on_shelf AND isbn13 <> '';
DROP INDEX CONCURRENTLY IF EXISTS shelf_edition_title;
CREATE INDEX CONCURRENTLY shelf_edition_title ON listings (title_key, search_text(authors), resale_cents, id)
  WHERE on_shelf AND isbn13 = '';

-- what was withdrawn lately is looked through by time
DROP INDEX CONCURRENTLY IF EXISTS listings_withdrawn_at;
CREATE INDEX CONCURRENTLY listings_withdrawn_at ON listings (withdrawn_at DESC, id DESC) WHERE withdrawn_at IS NOT NULL;
ANALYZE listings;
