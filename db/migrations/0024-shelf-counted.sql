-- What was on the shelf before 0023 noted changes. One statement sees one moment: what is noted by then is in the count as well, what comes later is in
-- neither, so nobody need wait. Owner: server/catalog.

INSERT INTO shelf_changes (copies)
SELECT (SELECT count(*) FROM listings WHERE status IN ('available', 'held')) - coalesce(sum(copies), 0) FROM shelf_changes;
