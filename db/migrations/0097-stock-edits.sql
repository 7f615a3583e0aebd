-- Edits of many copies at once: written and undone as a stock file is. Owner: server/catalog/stock.

-- What an edit does to its copies (src/contract/stock/stock-edits.ts); null for a file. `size` is its copies then.
ALTER TABLE stock_files ADD COLUMN edit jsonb;

-- The copies of an edit that are still to be written.
CREATE TABLE stock_edit_copies (
  file_id uuid NOT NULL REFERENCES stock_files ON DELETE CASCADE,
  listing_id uuid NOT NULL,
  PRIMARY KEY (file_id, listing_id)
);

ALTER TABLE stock_changes DROP CONSTRAINT stock_changes_deed_check;
ALTER TABLE stock_changes ADD CONSTRAINT stock_changes_deed_check
  CHECK (deed IN ('added', 'changed', 'withdrawn', 'paused', 'resumed', 'delivered')) NOT VALID;
