-- Categories, the copies for sale, and how they are found. Owner: server/catalog.

CREATE EXTENSION IF NOT EXISTS unaccent SCHEMA public;
CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch SCHEMA public;

-- Everything is written as what is searched for is: without accents, case, apostrophes and punctuation, initials
-- joined. "J.R.R. Tolkien’s Café" -> "jrr tolkiens cafe". Immutable as long as nobody edits the unaccent rules of the
-- server.
CREATE FUNCTION search_text(source text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(regexp_replace(regexp_replace(
    lower(public.unaccent('public.unaccent'::regdictionary, source)),
    '[''’‘ʼ`´]', '', 'g'),
    '\m([[:alpha:]])\.\s?(?=[[:alpha:]]\M)', '\1', 'g'),
    '[^[:alnum:]]+', ' ', 'g'))
$$;

CREATE TABLE categories (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  created_by uuid REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX categories_name_key ON categories (lower(name));
CREATE INDEX categories_name_words ON categories (search_text(name));

-- No index asks for `status` or `updated_at`, and a page has room for one more row: so the change of a booking
-- (available, held) is written beside the old row (heap-only) and into no index at all.
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
  -- where they are not known the columns hold the resale price (which saves nothing) and 0, and neither is told as a
  -- fact
  original_known boolean NOT NULL DEFAULT true,
  years_known boolean NOT NULL DEFAULT true,
  location text NOT NULL,
  phone text NOT NULL,
  details text NOT NULL,
  condition text NOT NULL CHECK (condition IN ('Excellent', 'Good', 'Fair')),
  -- 'held' mirrors a row in holds and changes in the same transaction
  status text NOT NULL DEFAULT 'available' CHECK (status IN ('available', 'held', 'sold', 'withdrawn')),
  -- what the status means, for the predicates of the indexes; said by whoever changes it: a trigger before updates
  -- would have PostgreSQL compute all generated columns anew each time
  on_shelf boolean NOT NULL DEFAULT true,
  withdrawn_at timestamptz,
  -- where an imported copy came from: source row and its occurrence
  import_key text,
  published_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  title_key text GENERATED ALWAYS AS (public.search_text(title)) STORED,
  title_words tsvector GENERATED ALWAYS AS (to_tsvector('simple', public.search_text(title))) STORED,
  words tsvector GENERATED ALWAYS AS (
    to_tsvector('simple', public.search_text(title || ' ' || authors || ' ' || publisher || ' ' || details))) STORED,
  UNIQUE (seller_id, import_key),
  CONSTRAINT listings_shelf_said
    CHECK (on_shelf = (status IN ('available', 'held')) AND (withdrawn_at IS NOT NULL) = (status = 'withdrawn'))
) WITH (fillfactor = 85);
-- keyset order of every public list: newest first, sold and withdrawn left out
CREATE INDEX shelf_newest ON listings (published_at DESC, id DESC) WHERE on_shelf;
CREATE INDEX shelf_category_newest ON listings (category_id, published_at DESC, id DESC) WHERE on_shelf;
CREATE INDEX shelf_location_newest ON listings (location, published_at DESC, id DESC) WHERE on_shelf;
CREATE INDEX listings_seller_newest ON listings (seller_id, published_at DESC, id DESC);
-- the other orders of a result
CREATE INDEX shelf_price ON listings (resale_cents, id) WHERE on_shelf;
CREATE INDEX shelf_saving ON listings ((original_cents - resale_cents) DESC, id DESC) WHERE on_shelf;
-- A rare word is found here; for a common one the planner walks shelf_newest instead and stops at a full page.
CREATE INDEX shelf_words ON listings USING gin (words) WITH (fastupdate = off) WHERE on_shelf;
CREATE INDEX shelf_title_words ON listings USING gin (title_words) WITH (fastupdate = off) WHERE on_shelf;
CREATE INDEX shelf_title_key ON listings (title_key text_pattern_ops, published_at DESC, id DESC) WHERE on_shelf;
CREATE INDEX shelf_isbn ON listings (isbn13, published_at DESC, id DESC) WHERE on_shelf AND isbn13 <> '';
-- finds a copy booked without its id
CREATE INDEX shelf_title ON listings (title) WHERE on_shelf;
-- the other copies of a book, the cheapest first: known by its ISBN, without one by title and authors
CREATE INDEX shelf_edition_isbn ON listings (isbn13, resale_cents, id) WHERE on_shelf AND isbn13 <> '';
CREATE INDEX shelf_edition_title ON listings (title_key, search_text(authors), resale_cents, id)
  WHERE on_shelf AND isbn13 = '';
-- the places that a name may mean: "portland" is "Portland, OR" and "Portland, ME"
CREATE INDEX shelf_place ON listings (search_text(location) COLLATE "C", location COLLATE "C") WHERE on_shelf;
-- merging and deleting categories, and what was withdrawn lately
CREATE INDEX listings_category ON listings (category_id);
CREATE INDEX listings_withdrawn_at ON listings (withdrawn_at DESC, id DESC) WHERE withdrawn_at IS NOT NULL;

-- A deleted seller's copy never gets (back) on the shelf, whichever way: a listing that was on its way while its seller
-- was being deleted, or a held copy whose hold ends afterwards. FOR SHARE waits for a deletion under way and makes the
-- next wait.
CREATE FUNCTION withdraw_copy_of_deleted_seller() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = NEW.seller_id AND deleted_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    NEW.status := 'withdrawn';
    NEW.on_shelf := false;
    NEW.withdrawn_at := now();
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER listings_of_deleted_seller BEFORE INSERT ON listings
  FOR EACH ROW WHEN (NEW.status = 'available') EXECUTE FUNCTION withdraw_copy_of_deleted_seller();

CREATE FUNCTION withdraw_returned_copy_of_deleted_seller() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = NEW.seller_id AND deleted_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    UPDATE listings SET status = 'withdrawn', on_shelf = false, withdrawn_at = now(), updated_at = now()
    WHERE id = NEW.id AND status = 'available';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER listings_back_of_deleted_seller AFTER UPDATE OF status ON listings
  FOR EACH ROW WHEN (NEW.status = 'available') EXECUTE FUNCTION withdraw_returned_copy_of_deleted_seller();

-- How many copies are on the shelf, without counting them all each time: what each change added or took away, summed
-- when it is asked for and folded into one row now and then. Rows are only added, so no sale waits for another.
CREATE TABLE shelf_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  copies bigint NOT NULL
);

CREATE FUNCTION note_new_on_shelf() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO shelf_changes (copies)
  SELECT count(*) FROM changed WHERE status IN ('available', 'held') HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER listings_shelf_new AFTER INSERT ON listings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_new_on_shelf();

CREATE FUNCTION note_gone_from_shelf() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO shelf_changes (copies)
  SELECT -count(*) FROM changed WHERE status IN ('available', 'held') HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER listings_shelf_gone AFTER DELETE ON listings
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_gone_from_shelf();

CREATE FUNCTION note_moved_on_shelf() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO shelf_changes (copies) VALUES (CASE WHEN NEW.status IN ('available', 'held') THEN 1 ELSE -1 END);
  RETURN NULL;
END $$;
CREATE TRIGGER listings_shelf_moved AFTER UPDATE OF status ON listings
  FOR EACH ROW WHEN (OLD.on_shelf <> NEW.on_shelf) EXECUTE FUNCTION note_moved_on_shelf();

CREATE FUNCTION note_empty_shelf() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM shelf_changes;
  RETURN NULL;
END $$;
CREATE TRIGGER listings_shelf_emptied AFTER TRUNCATE ON listings
  FOR EACH STATEMENT EXECUTE FUNCTION note_empty_shelf();

-- Every word of titles, authors and publishers, for what is misspelt. A sweep doubts the words without a copy and drops
-- them a day later at the earliest, so that a copy listed while it looked keeps its words.
CREATE TABLE search_words (
  word text PRIMARY KEY CHECK (length(word) BETWEEN 2 AND 60),
  doubted_at timestamptz
);
CREATE INDEX search_words_trigrams ON search_words USING gin (word gin_trgm_ops);

-- Where the sweep goes on; no row before the first.
CREATE TABLE search_words_sweep (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  last_word text NOT NULL
);

-- In the order of the alphabet, so that two transactions with the same new words wait for each other in one direction
-- only.
CREATE FUNCTION remember_words(source text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO search_words
  SELECT DISTINCT word FROM unnest(source) AS text, unnest(string_to_array(public.search_text(text), ' ')) AS word
  WHERE length(word) BETWEEN 2 AND 60 AND word !~ '^[0-9]+$'
  ORDER BY word
  ON CONFLICT DO NOTHING
$$;

CREATE FUNCTION remember_words_of_new_copies() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM remember_words(array_agg(DISTINCT title || ' ' || authors || ' ' || publisher)) FROM added;
  RETURN NULL;
END $$;
CREATE TRIGGER listings_words_of_new AFTER INSERT ON listings
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION remember_words_of_new_copies();

CREATE FUNCTION remember_words_of_edited_copy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM remember_words(ARRAY[NEW.title || ' ' || NEW.authors || ' ' || NEW.publisher]);
  RETURN NULL;
END $$;
CREATE TRIGGER listings_words_of_edited AFTER UPDATE OF title, authors, publisher ON listings
  FOR EACH ROW EXECUTE FUNCTION remember_words_of_edited_copy();
-- A copy that comes back to the shelf brings its words along: they may have been dropped meanwhile.
CREATE TRIGGER listings_words_of_returned AFTER UPDATE OF status ON listings
  FOR EACH ROW WHEN (NEW.on_shelf AND NOT OLD.on_shelf) EXECUTE FUNCTION remember_words_of_edited_copy();

-- Says what changed of the public catalogue, so that every process drops the answers it kept (src/server/http). Channel
-- `catalogue`; payload `listing <id> <category>` or `all`. Sent with the commit, to nobody when it is rolled back.
CREATE FUNCTION tell_all() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalogue', 'all');
  RETURN NULL;
END $$;
CREATE TRIGGER categories_tell AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON categories
  FOR EACH STATEMENT EXECUTE FUNCTION tell_all();
-- Cards show the seller's name and tick.
CREATE TRIGGER users_tell_shown AFTER UPDATE OF name, verified ON users
  FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name OR OLD.verified IS DISTINCT FROM NEW.verified)
  EXECUTE FUNCTION tell_all();

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
CREATE TRIGGER listings_tell_new AFTER INSERT ON listings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_copies();
CREATE TRIGGER listings_tell_gone AFTER DELETE ON listings
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_copies();
CREATE TRIGGER listings_tell_emptied AFTER TRUNCATE ON listings FOR EACH STATEMENT EXECUTE FUNCTION tell_all();

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
CREATE TRIGGER listings_tell_edited AFTER UPDATE ON listings
  REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_edited_copies();
