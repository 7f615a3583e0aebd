-- From here on the column of 0025 and the status say the same. What is there is looked through in 0029, which keeps nobody waiting.
ALTER TABLE listings ADD CONSTRAINT listings_shelf_said
  CHECK (on_shelf = (status IN ('available', 'held')) AND (withdrawn_at IS NOT NULL) = (status = 'withdrawn')) NOT VALID;

-- As 0023 has it, by the column.
DROP TRIGGER listings_shelf_moved ON listings;
CREATE TRIGGER listings_shelf_moved AFTER UPDATE OF status ON listings
  FOR EACH ROW WHEN (OLD.on_shelf <> NEW.on_shelf) EXECUTE FUNCTION note_moved_on_shelf();
