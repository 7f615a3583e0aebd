-- Finding a book by its words. Owner: server/catalog.
-- Everything is written as what is searched for is: without accents, case, apostrophes and punctuation, initials joined.

CREATE EXTENSION IF NOT EXISTS unaccent SCHEMA public;
CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch SCHEMA public;

-- "J.R.R. Tolkien’s Café" -> "jrr tolkiens cafe". Immutable as long as nobody edits the unaccent rules of the server.
CREATE FUNCTION search_text(source text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(regexp_replace(regexp_replace(
    lower(public.unaccent('public.unaccent'::regdictionary, source)),
    '[''’‘ʼ`´]', '', 'g'),
    '\m([[:alpha:]])\.\s?(?=[[:alpha:]]\M)', '\1', 'g'),
    '[^[:alnum:]]+', ' ', 'g'))
$$;

ALTER TABLE listings
  ADD COLUMN title_key text GENERATED ALWAYS AS (public.search_text(title)) STORED,
  ADD COLUMN title_words tsvector GENERATED ALWAYS AS (to_tsvector('simple', public.search_text(title))) STORED,
  ADD COLUMN words tsvector GENERATED ALWAYS AS (
    to_tsvector('simple', public.search_text(title || ' ' || authors || ' ' || publisher || ' ' || details))) STORED;

-- A rare word is found here; for a common one the planner walks listings_newest instead and stops at a full page.
CREATE INDEX listings_words ON listings USING gin (words) WITH (fastupdate = off) WHERE status IN ('available', 'held');
CREATE INDEX listings_title_words ON listings USING gin (title_words) WITH (fastupdate = off) WHERE status IN ('available', 'held');
CREATE INDEX listings_title_key ON listings (title_key text_pattern_ops, published_at DESC, id DESC) WHERE status IN ('available', 'held');
CREATE INDEX listings_isbn ON listings (isbn13, published_at DESC, id DESC) WHERE status IN ('available', 'held') AND isbn13 <> '';
-- the other orders of a result
CREATE INDEX listings_price ON listings (resale_cents, id) WHERE status IN ('available', 'held');
CREATE INDEX listings_saving ON listings ((original_cents - resale_cents) DESC, id DESC) WHERE status IN ('available', 'held');

-- Every word of titles, authors and publishers, for what is misspelt. Words of copies long gone may stay: they find nothing.
CREATE TABLE search_words (
  word text PRIMARY KEY CHECK (length(word) BETWEEN 2 AND 60)
);
CREATE INDEX search_words_trigrams ON search_words USING gin (word gin_trgm_ops);

-- In the order of the alphabet, so that two transactions with the same new words wait for each other in one direction only.
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

SELECT remember_words(array_agg(DISTINCT title || ' ' || authors || ' ' || publisher)) FROM listings;
