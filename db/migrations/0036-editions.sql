-- What is known of an ISBN, whether or not a copy of it was ever for sale here. Owner: server/catalog/editions.

CREATE TABLE editions (
  isbn13 text PRIMARY KEY CHECK (isbn13 ~ '^97[89][0-9]{10}$'),
  title text NOT NULL CHECK (title <> ''),
  authors text NOT NULL DEFAULT '',
  publisher text NOT NULL DEFAULT '',
  year integer,
  -- As the source says it: three letters of ISO 639-2/B.
  language text NOT NULL DEFAULT '',
  binding text NOT NULL DEFAULT '',
  pages integer CHECK (pages > 0),
  -- dump: of a file the operator filled the table with; open-library: asked for by somebody who was listing a copy.
  source text NOT NULL CHECK (source IN ('dump', 'open-library')),
  -- When the source said so.
  fetched_at timestamptz NOT NULL DEFAULT now()
);

-- ISBNs that Open Library was asked for and does not know, so that it is not asked again at once.
CREATE TABLE edition_misses (
  isbn13 text PRIMARY KEY,
  asked_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX edition_misses_asked ON edition_misses (asked_at);

-- How many rows the files of each filling had: one that has far fewer than the last was cut short.
CREATE TABLE edition_fillings (
  filled_at timestamptz PRIMARY KEY DEFAULT now(),
  editions bigint NOT NULL,
  works bigint NOT NULL,
  authors bigint NOT NULL
);

-- When all processes of the shop together may ask Open Library next.
CREATE TABLE open_library_pace (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  next_at timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO open_library_pace DEFAULT VALUES;
