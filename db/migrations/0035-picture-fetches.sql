-- Pictures that copies show from elsewhere, until the shop has fetched them. Owner: server/catalog/photos.
CREATE TABLE picture_fetches (
  -- of the copy; without a reference, which would hold up all who sell while the rows below are written
  listing_id uuid PRIMARY KEY,
  host text NOT NULL,
  tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  next_try_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX picture_fetches_due ON picture_fetches (next_try_at);
CREATE INDEX picture_fetches_host ON picture_fetches (host, next_try_at);

CREATE FUNCTION host_of(address text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(lower(substring(address from '^https://(?:[^/?#@]*@)?([^/?#:]+)')), '')
$$;

INSERT INTO picture_fetches (listing_id, host)
SELECT id, host_of(image_url) FROM listings WHERE image_url LIKE 'https://%' AND status <> 'withdrawn';

-- Imported, or not to be had when it was typed.
CREATE FUNCTION note_picture_to_fetch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO picture_fetches (listing_id, host) VALUES (NEW.id, host_of(NEW.image_url))
  ON CONFLICT (listing_id) DO UPDATE SET host = EXCLUDED.host, tries = 0, next_try_at = EXCLUDED.next_try_at;
  RETURN NULL;
END $$;
CREATE TRIGGER listings_picture_to_fetch AFTER INSERT OR UPDATE OF image_url ON listings
  FOR EACH ROW WHEN (NEW.image_url LIKE 'https://%') EXECUTE FUNCTION note_picture_to_fetch();
