-- What was on the shelf before 0023 noted changes. One statement sees one moment: what is noted by then is in the count as well, what comes later is in
-- neither, so nobody need wait. An empty shop has nothing to note, and a backup is put into tables that are empty. Owner: server/catalog.

INSERT INTO shelf_changes (copies)
SELECT former.copies
FROM (
  SELECT (SELECT count(*) FROM listings WHERE status IN ('available', 'held')) - coalesce(sum(copies), 0) AS copies
  FROM shelf_changes
) AS former
WHERE former.copies <> 0;
