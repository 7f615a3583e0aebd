-- Whether a copy is on the shelf, as a column of its own, for the predicates of the indexes. A booking makes an available copy a held one: where no index
-- asks for `status` or `updated_at`, and the page has room, PostgreSQL writes the new row beside the old one (heap-only) and no index at all. Owner: server/catalog.

ALTER TABLE listings
  ADD COLUMN on_shelf boolean NOT NULL DEFAULT true,
  ADD COLUMN withdrawn_at timestamptz;
-- room for one more row on a page
ALTER TABLE listings SET (fillfactor = 85);

CREATE FUNCTION shelve_copy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.on_shelf := NEW.status IN ('available', 'held');
  NEW.withdrawn_at := CASE NEW.status WHEN 'withdrawn' THEN NEW.updated_at END;
  RETURN NEW;
END $$;
-- By its name after listings_of_deleted_seller, which may change the status. A booking changes nothing here, and calls nothing.
CREATE TRIGGER listings_on_shelf BEFORE INSERT OR UPDATE OF status ON listings
  FOR EACH ROW WHEN (
    NEW.on_shelf IS DISTINCT FROM (NEW.status IN ('available', 'held'))
    OR (NEW.withdrawn_at IS NOT NULL) IS DISTINCT FROM (NEW.status = 'withdrawn')
  ) EXECUTE FUNCTION shelve_copy();

-- What left the shelf before, some thousand pages a transaction: the trigger above sees to each.
CREATE PROCEDURE shelve_former_copies() LANGUAGE plpgsql AS $$
DECLARE
  step CONSTANT bigint := 1000;
  pages CONSTANT bigint := pg_relation_size('listings') / current_setting('block_size')::bigint;
BEGIN
  FOR part IN 0 .. pages / step LOOP
    UPDATE listings SET status = status
    WHERE ctid >= format('(%s,0)', part * step)::tid AND ctid < format('(%s,0)', (part + 1) * step)::tid
      AND on_shelf AND status IN ('sold', 'withdrawn');
    COMMIT;
  END LOOP;
  -- what was written elsewhere meanwhile
  UPDATE listings SET status = status WHERE on_shelf AND status IN ('sold', 'withdrawn');
END $$;
