-- concurrent
-- The other copies of a book, the cheapest first. Owner: server/catalog.
-- An edition is known by its ISBN; without one by title and authors, as search writes them (0014-search.sql).

DROP INDEX CONCURRENTLY IF EXISTS listings_edition_isbn;
CREATE INDEX CONCURRENTLY listings_edition_isbn ON listings (isbn13, resale_cents, id)
  WHERE status = 'available' AND isbn13 <> '';
DROP INDEX CONCURRENTLY IF EXISTS listings_edition_title;
CREATE INDEX CONCURRENTLY listings_edition_title ON listings (title_key, search_text(authors), resale_cents, id)
  WHERE status = 'available' AND isbn13 = '';
