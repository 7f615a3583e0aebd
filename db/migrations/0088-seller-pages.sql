-- What sellers say of themselves, and who follows them. Owner: server/sellers.

CREATE TRIGGER users_seller_page BEFORE INSERT OR UPDATE OF is_seller, seller_slug ON users
  FOR EACH ROW EXECUTE FUNCTION name_seller_page();
UPDATE users SET seller_slug = NULL WHERE is_seller AND deleted_at IS NULL;

CREATE TABLE seller_pages (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  about text NOT NULL DEFAULT '' CHECK (length(about) <= 1000),
  place text NOT NULL DEFAULT '' CHECK (length(place) <= 100)
);

CREATE TABLE seller_follows (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  seller_id uuid NOT NULL REFERENCES users ON DELETE CASCADE CHECK (seller_id <> user_id),
  -- by the real clock, as when copies are listed
  since timestamptz NOT NULL DEFAULT now(),
  -- what was listed until then is not news any more
  told_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, seller_id)
);
CREATE INDEX seller_follows_seller ON seller_follows (seller_id);
CREATE INDEX seller_follows_told ON seller_follows (told_at);

-- Cached pages that show what is kept beside copies are made anew.
CREATE FUNCTION notify_seller_pages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalogue', 'copies ');
  RETURN NULL;
END $$;
CREATE TRIGGER seller_pages_notify AFTER INSERT OR UPDATE OR DELETE ON seller_pages
  FOR EACH STATEMENT EXECUTE FUNCTION notify_seller_pages();
CREATE TRIGGER seller_records_notify AFTER INSERT OR UPDATE ON seller_records
  FOR EACH STATEMENT EXECUTE FUNCTION notify_seller_pages();
CREATE TRIGGER reviews_notify AFTER UPDATE OF state, shown_at, reply, is_reply_held ON reviews
  FOR EACH STATEMENT EXECUTE FUNCTION notify_seller_pages();
CREATE TRIGGER users_seller_notify AFTER UPDATE OF name, verified, seller_slug, deleted_at ON users
  FOR EACH STATEMENT EXECUTE FUNCTION notify_seller_pages();
