-- Words without a copy leave search_words: a sweep doubts them first and drops them a day later at the earliest, so that a copy listed while it looked
-- keeps its words. Owner: server/catalog.

ALTER TABLE search_words ADD COLUMN doubted_at timestamptz;

-- Where the sweep goes on; no row before the first, as a backup is put into tables that are empty.
CREATE TABLE search_words_sweep (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  last_word text NOT NULL
);

-- A copy that comes back to the shelf brings its words along: they may have been dropped meanwhile.
CREATE TRIGGER listings_words_of_returned AFTER UPDATE OF status ON listings
  FOR EACH ROW WHEN (NEW.on_shelf AND NOT OLD.on_shelf) EXECUTE FUNCTION remember_words_of_edited_copy();
