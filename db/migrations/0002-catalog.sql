-- Categories and the copies for sale. Owner: server/catalog.

CREATE TABLE categories (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  created_by uuid REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX categories_name_key ON categories (lower(name));

CREATE TABLE listings (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  seller_id uuid NOT NULL REFERENCES users,
  category_id text NOT NULL REFERENCES categories ON UPDATE CASCADE,
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 300),
  authors text NOT NULL DEFAULT '',
  isbn13 text NOT NULL DEFAULT '' CHECK (isbn13 ~ '^(97[89][0-9]{10})?$'),
  published_year integer,
  publisher text NOT NULL DEFAULT '',
  image_url text NOT NULL DEFAULT '' CHECK (length(image_url) <= 2048),
  original_cents integer NOT NULL CHECK (original_cents BETWEEN 50 AND 999999),
  resale_cents integer NOT NULL CHECK (resale_cents BETWEEN 50 AND 999999),
  years_of_use numeric(4, 1) NOT NULL CHECK (years_of_use >= 0),
  location text NOT NULL,
  phone text NOT NULL,
  details text NOT NULL,
  condition text NOT NULL CHECK (condition IN ('Excellent', 'Good', 'Fair')),
  -- 'held' mirrors a row in holds and changes in the same transaction
  status text NOT NULL DEFAULT 'available' CHECK (status IN ('available', 'held', 'sold', 'withdrawn')),
  -- where an imported copy came from: source row and its occurrence
  import_key text,
  published_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (seller_id, import_key)
);
-- keyset order of every public list: newest first, sold and withdrawn left out
CREATE INDEX listings_newest ON listings (published_at DESC, id DESC) WHERE status IN ('available', 'held');
CREATE INDEX listings_category_newest ON listings (category_id, published_at DESC, id DESC) WHERE status IN ('available', 'held');
CREATE INDEX listings_seller_newest ON listings (seller_id, published_at DESC, id DESC);
-- finds a copy booked without its id
CREATE INDEX listings_title ON listings (title) WHERE status IN ('available', 'held');
