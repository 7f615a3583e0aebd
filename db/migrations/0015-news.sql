-- Says what changed of the public catalogue, so that every process drops the answers it kept (src/server/http/response-cache.ts).
-- Channel `catalogue`; payload `listing <id> <category>` or `all`. Sent with the commit, to nobody when it is rolled back.

CREATE FUNCTION tell_all() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalogue', 'all');
  RETURN NULL;
END $$;

-- A few copies are named; beyond that one word is cheaper than a list.
CREATE FUNCTION tell_changed_copies() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM (SELECT FROM changed LIMIT 9) AS few) > 8 THEN
    PERFORM pg_notify('catalogue', 'all');
  ELSE
    PERFORM pg_notify('catalogue', 'listing ' || id || ' ' || category_id) FROM changed;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION tell_edited_copies() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM (SELECT FROM changed LIMIT 9) AS few) > 8 THEN
    PERFORM pg_notify('catalogue', 'all');
  ELSE
    PERFORM pg_notify('catalogue', 'listing ' || id || ' ' || category_id) FROM changed;
    PERFORM pg_notify('catalogue', 'listing ' || former.id || ' ' || former.category_id)
    FROM former JOIN changed ON changed.id = former.id WHERE changed.category_id <> former.category_id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER listings_tell_new AFTER INSERT ON listings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_copies();
CREATE TRIGGER listings_tell_edited AFTER UPDATE ON listings
  REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_edited_copies();
CREATE TRIGGER listings_tell_gone AFTER DELETE ON listings
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_copies();
CREATE TRIGGER listings_tell_emptied AFTER TRUNCATE ON listings FOR EACH STATEMENT EXECUTE FUNCTION tell_all();

CREATE TRIGGER categories_tell AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON categories
  FOR EACH STATEMENT EXECUTE FUNCTION tell_all();

-- Cards show the seller's name and tick.
CREATE TRIGGER users_tell_shown AFTER UPDATE OF name, verified ON users
  FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name OR OLD.verified IS DISTINCT FROM NEW.verified) EXECUTE FUNCTION tell_all();

-- Cards of held copies show how many wait.
CREATE FUNCTION tell_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalogue', 'listing ' || l.id || ' ' || l.category_id)
  FROM listings AS l WHERE l.id IN (SELECT listing_id FROM changed);
  RETURN NULL;
END $$;
CREATE TRIGGER line_places_tell_new AFTER INSERT ON line_places
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_line();
CREATE TRIGGER line_places_tell_gone AFTER DELETE ON line_places
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_line();
