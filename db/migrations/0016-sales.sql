-- A seller's bookings can be asked for without their copies. Owner: server/bookings.

-- Whose copy it is, as the listing has it: that never changes. The release before this one does not write it, so the database does.
ALTER TABLE bookings ADD COLUMN seller_id uuid;

CREATE FUNCTION bookings_seller() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.seller_id := (SELECT seller_id FROM listings WHERE id = NEW.listing_id);
  RETURN NEW;
END $$;
CREATE TRIGGER bookings_seller BEFORE INSERT ON bookings
  FOR EACH ROW WHEN (NEW.seller_id IS NULL) EXECUTE FUNCTION bookings_seller();

UPDATE bookings AS b SET seller_id = l.seller_id FROM listings AS l WHERE l.id = b.listing_id;
