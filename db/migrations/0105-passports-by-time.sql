-- What is said of a copy is read in the order of the shelf, the newest first: whoever looks for signed copies of a
-- common word would look at all copies otherwise. It is the time of the listing. Owner: server/catalog/passports.

ALTER TABLE copy_passports ADD COLUMN published_at timestamptz;

CREATE FUNCTION date_passport() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.published_at := (SELECT l.published_at FROM listings AS l WHERE l.id = NEW.listing_id);
  RETURN NEW;
END $$;
CREATE TRIGGER copy_passports_date BEFORE INSERT ON copy_passports
  FOR EACH ROW EXECUTE FUNCTION date_passport();

CREATE FUNCTION redate_passport() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE copy_passports SET published_at = NEW.published_at WHERE listing_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER listings_redate_passport AFTER UPDATE OF published_at ON listings
  FOR EACH ROW WHEN (OLD.published_at IS DISTINCT FROM NEW.published_at) EXECUTE FUNCTION redate_passport();

-- Pages do not change with the time that stands here.
DROP TRIGGER copy_passports_tell ON copy_passports;
CREATE TRIGGER copy_passports_tell AFTER INSERT OR DELETE ON copy_passports
  FOR EACH ROW EXECUTE FUNCTION tell_copy_of_exception();
CREATE TRIGGER copy_passports_tell_changed AFTER UPDATE ON copy_passports
  FOR EACH ROW WHEN (OLD.published_at IS NOT DISTINCT FROM NEW.published_at)
  EXECUTE FUNCTION tell_copy_of_exception();
