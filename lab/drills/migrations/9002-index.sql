-- concurrent
DROP INDEX CONCURRENTLY IF EXISTS listings_drill_shelf;
CREATE INDEX CONCURRENTLY listings_drill_shelf ON listings (drill_shelf, id DESC);
ALTER TABLE listings DROP CONSTRAINT IF EXISTS listings_drill_shelf_named;
ALTER TABLE listings ADD CONSTRAINT listings_drill_shelf_named CHECK (drill_shelf <> '') NOT VALID;
ALTER TABLE listings VALIDATE CONSTRAINT listings_drill_shelf_named;
