-- concurrent, later
-- What only releases before 0025 ask for.
ALTER TABLE listings VALIDATE CONSTRAINT listings_shelf_said;
DROP INDEX CONCURRENTLY IF EXISTS listings_newest;
DROP INDEX CONCURRENTLY IF EXISTS listings_category_newest;
DROP INDEX CONCURRENTLY IF EXISTS listings_title;
DROP INDEX CONCURRENTLY IF EXISTS listings_words;
DROP INDEX CONCURRENTLY IF EXISTS listings_title_words;
DROP INDEX CONCURRENTLY IF EXISTS listings_title_key;
DROP INDEX CONCURRENTLY IF EXISTS listings_isbn;
DROP INDEX CONCURRENTLY IF EXISTS listings_price;
DROP INDEX CONCURRENTLY IF EXISTS listings_saving;
DROP INDEX CONCURRENTLY IF EXISTS listings_edition_isbn;
DROP INDEX CONCURRENTLY IF EXISTS listings_edition_title;
DROP INDEX CONCURRENTLY IF EXISTS listings_withdrawn;
