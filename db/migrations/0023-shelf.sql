-- How many copies are on the shelf, without counting them all each time: what each change added or took away, summed when it is asked for and
-- folded into one row now and then. Rows are only added, so no sale waits for another. Owner: server/catalog.

CREATE TABLE shelf_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  copies bigint NOT NULL
);

CREATE FUNCTION note_new_on_shelf() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO shelf_changes (copies)
  SELECT count(*) FROM changed WHERE status IN ('available', 'held') HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE FUNCTION note_gone_from_shelf() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO shelf_changes (copies)
  SELECT -count(*) FROM changed WHERE status IN ('available', 'held') HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE FUNCTION note_moved_on_shelf() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO shelf_changes (copies) VALUES (CASE WHEN NEW.status IN ('available', 'held') THEN 1 ELSE -1 END);
  RETURN NULL;
END $$;

CREATE FUNCTION note_empty_shelf() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM shelf_changes;
  RETURN NULL;
END $$;

CREATE TRIGGER listings_shelf_new AFTER INSERT ON listings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_new_on_shelf();
CREATE TRIGGER listings_shelf_gone AFTER DELETE ON listings
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_gone_from_shelf();
-- A booking moves a copy from available to held: that changes nothing here, and costs nothing.
CREATE TRIGGER listings_shelf_moved AFTER UPDATE OF status ON listings
  FOR EACH ROW WHEN ((OLD.status IN ('available', 'held')) <> (NEW.status IN ('available', 'held'))) EXECUTE FUNCTION note_moved_on_shelf();
CREATE TRIGGER listings_shelf_emptied AFTER TRUNCATE ON listings FOR EACH STATEMENT EXECUTE FUNCTION note_empty_shelf();
