-- concurrent
-- Every copy of an edition, sold ones too: what it was sold for, and what copies here say of it.
DROP INDEX CONCURRENTLY IF EXISTS listings_isbn;
CREATE INDEX CONCURRENTLY listings_isbn ON listings (isbn13) WHERE isbn13 <> '';
