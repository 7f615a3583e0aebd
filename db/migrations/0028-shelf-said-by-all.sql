-- later
-- What was done for releases before 0025, which do not say `on_shelf`. By itself, because it needs the table for a moment.
DROP TRIGGER IF EXISTS listings_on_shelf ON listings;
DROP FUNCTION IF EXISTS shelve_copy();
DROP PROCEDURE IF EXISTS shelve_former_copies();
