-- Whether a copy is on the shelf, as a column of its own, for the predicates of the indexes. A booking makes an available copy a held one: where no index
-- asks for `status` or `updated_at`, and the page has room, PostgreSQL writes the new row beside the old one (heap-only) and no index at all. Owner: server/catalog.

ALTER TABLE listings
  ADD COLUMN on_shelf boolean NOT NULL DEFAULT true,
  ADD COLUMN withdrawn_at timestamptz;
-- room for one more row on a page
ALTER TABLE listings SET (fillfactor = 85);

-- The release before does not write them: this does, until 0028. A trigger before updates costs each of them, so the releases from here on say themselves what a state means.
CREATE FUNCTION shelve_copy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.on_shelf := NEW.status IN ('available', 'held');
  NEW.withdrawn_at := CASE NEW.status WHEN 'withdrawn' THEN NEW.updated_at END;
  RETURN NEW;
END $$;
-- By its name after listings_of_deleted_seller, which may change the status.
CREATE TRIGGER listings_on_shelf BEFORE INSERT OR UPDATE OF status ON listings
  FOR EACH ROW WHEN (
    NEW.on_shelf IS DISTINCT FROM (NEW.status IN ('available', 'held'))
    OR (NEW.withdrawn_at IS NOT NULL) IS DISTINCT FROM (NEW.status = 'withdrawn')
  ) EXECUTE FUNCTION shelve_copy();

-- As 0006 has it, but after updates and not before: else PostgreSQL would compute all generated columns (the words a copy is found by) anew with each change of a state.
CREATE OR REPLACE FUNCTION withdraw_copy_of_deleted_seller() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = NEW.seller_id AND deleted_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    NEW.status := 'withdrawn';
    NEW.on_shelf := false;
    NEW.withdrawn_at := now();
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION withdraw_returned_copy_of_deleted_seller() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = NEW.seller_id AND deleted_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    UPDATE listings SET status = 'withdrawn', on_shelf = false, withdrawn_at = now(), updated_at = now()
    WHERE id = NEW.id AND status = 'available';
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER listings_of_deleted_seller ON listings;
CREATE TRIGGER listings_of_deleted_seller BEFORE INSERT ON listings
  FOR EACH ROW WHEN (NEW.status = 'available') EXECUTE FUNCTION withdraw_copy_of_deleted_seller();
CREATE TRIGGER listings_back_of_deleted_seller AFTER UPDATE OF status ON listings
  FOR EACH ROW WHEN (NEW.status = 'available') EXECUTE FUNCTION withdraw_returned_copy_of_deleted_seller();

-- What left the shelf before, a thousand pages a transaction: listings_on_shelf sees to each.
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
