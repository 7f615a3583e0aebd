-- Copies that readers marked, and searches that they saved, of which they are told once a day. Owner: server/wants.

CREATE TABLE wishes (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  listing_id uuid NOT NULL REFERENCES listings ON DELETE CASCADE,
  since timestamptz NOT NULL DEFAULT shop_now(),
  -- what its reader knows of it
  told_cents integer NOT NULL,
  told_gone boolean NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, listing_id)
);
CREATE INDEX wishes_listing ON wishes (listing_id);

CREATE TABLE saved_searches (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  -- the parameters of the page's address, in the order of their names
  query text NOT NULL CHECK (length(query) BETWEEN 1 AND 1000),
  since timestamptz NOT NULL DEFAULT shop_now(),
  -- by the real clock, as when copies are listed: what came until then is not news any more
  told_at timestamptz NOT NULL DEFAULT now(),
  -- stands in the address of its feed, and shows nothing but that
  feed_token text NOT NULL UNIQUE DEFAULT replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  UNIQUE (user_id, query)
);
CREATE INDEX saved_searches_told ON saved_searches (told_at);

-- One digest a day at most.
CREATE TABLE digests (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  sent_at timestamptz NOT NULL DEFAULT now()
);
