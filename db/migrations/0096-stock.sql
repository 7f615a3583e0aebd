-- The stock of sellers who keep it in files: which copies a number of theirs means, and files on their way into the
-- shop. Owner: server/catalog/stock.

-- Beside the listing, whose row bookings rewrite. n copies of a SKU are numbered from 1; a number is never given twice.
CREATE TABLE stock_copies (
  listing_id uuid PRIMARY KEY REFERENCES listings ON DELETE CASCADE,
  seller_id uuid NOT NULL REFERENCES users,
  sku text NOT NULL CHECK (length(sku) BETWEEN 1 AND 40),
  number integer NOT NULL CHECK (number > 0),
  -- the seller's alone to see
  shelf text NOT NULL DEFAULT '' CHECK (length(shelf) <= 200),
  cost_cents integer CHECK (cost_cents > 0),
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 2000),
  -- the words of the trade for book and jacket, as a file had them
  grade_text text NOT NULL DEFAULT '' CHECK (length(grade_text) <= 100),
  -- by the shop's clock: a file that is older does not know of it
  sold_at timestamptz,
  UNIQUE (seller_id, sku, number)
);

CREATE FUNCTION note_stock_sold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stock_copies SET sold_at = CASE WHEN NEW.status = 'sold' THEN shop_now() END WHERE listing_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER listings_stock_sold AFTER UPDATE OF status ON listings
  FOR EACH ROW WHEN (NEW.status <> OLD.status AND (NEW.status = 'sold' OR OLD.status = 'sold'))
  EXECUTE FUNCTION note_stock_sold();

CREATE TABLE stock_files (
  id uuid PRIMARY KEY,
  seller_id uuid NOT NULL REFERENCES users,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  size integer NOT NULL CHECK (size > 0),
  state text NOT NULL DEFAULT 'uploading' CHECK (state IN ('uploading', 'reading', 'comparing', 'ready', 'committing',
    'done', 'undoing', 'undone', 'failed', 'cancelled')),
  -- why it cannot be read, as a sentence
  problem text NOT NULL DEFAULT '',
  -- what its writer knew of: copies that were sold since are not in its quantities
  as_of timestamptz NOT NULL DEFAULT shop_now(),
  -- what reading found, what its seller chose, and what became of the rows (src/server/catalog/stock)
  survey jsonb,
  choices jsonb NOT NULL DEFAULT '{}',
  -- copies that an undo had to leave: [{sku, title, status}]
  left_copies jsonb NOT NULL DEFAULT '[]',
  done_rows integer NOT NULL DEFAULT 0,
  -- the last line that was compared or written
  done_line integer NOT NULL DEFAULT 0,
  all_rows integer NOT NULL DEFAULT 0,
  committed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT shop_now()
);
CREATE INDEX stock_files_seller ON stock_files (seller_id, created_at DESC, id DESC);
CREATE INDEX stock_files_work ON stock_files (created_at)
  WHERE state IN ('reading', 'comparing', 'committing', 'undoing');

CREATE TABLE stock_file_parts (
  file_id uuid NOT NULL REFERENCES stock_files ON DELETE CASCADE,
  number integer NOT NULL CHECK (number >= 0),
  sha256 bytea NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (file_id, number)
);

CREATE TABLE stock_rows (
  file_id uuid NOT NULL REFERENCES stock_files ON DELETE CASCADE,
  line integer NOT NULL CHECK (line > 0),
  -- empty where the row has none
  sku text NOT NULL DEFAULT '',
  -- of what its cells say
  digest bytea NOT NULL,
  cells jsonb NOT NULL,
  -- why it cannot be read, or cannot be taken, as a sentence
  problem text NOT NULL DEFAULT '',
  action text CHECK (action IN ('new', 'changed', 'gone', 'unchanged', 'again', 'refused')),
  reason text NOT NULL DEFAULT '',
  -- what could be said of it for all rows
  lacks text CHECK (lacks IN ('category', 'condition', 'price', 'location')),
  -- copies
  added integer NOT NULL DEFAULT 0,
  changed integer NOT NULL DEFAULT 0,
  withdrawn integer NOT NULL DEFAULT 0,
  sold_here integer NOT NULL DEFAULT 0,
  kept integer NOT NULL DEFAULT 0,
  PRIMARY KEY (file_id, line)
);
CREATE INDEX stock_rows_sku ON stock_rows (file_id, sku);
CREATE INDEX stock_rows_action ON stock_rows (file_id, action, line);

-- What a file did to copies, to undo it.
CREATE TABLE stock_changes (
  file_id uuid NOT NULL REFERENCES stock_files ON DELETE CASCADE,
  listing_id uuid NOT NULL REFERENCES listings,
  deed text NOT NULL CHECK (deed IN ('added', 'changed', 'withdrawn', 'paused', 'resumed')),
  -- what the copy said before; null where it was not changed
  before jsonb,
  PRIMARY KEY (file_id, listing_id, deed)
);
