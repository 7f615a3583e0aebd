-- Users' own pictures are photos of the shop: users.photo_url holds the name of a photo of theirs, or the address of a
-- picture that the shop has not fetched yet, which nobody is told.

-- Pictures of users that are elsewhere, until the shop has fetched them. Owner: server/catalog/photos.
CREATE TABLE portrait_fetches (
  -- without a reference, which would hold up all who sign in while the rows below are written
  user_id uuid PRIMARY KEY,
  host text NOT NULL,
  tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  next_try_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX portrait_fetches_due ON portrait_fetches (next_try_at);
CREATE INDEX portrait_fetches_host ON portrait_fetches (host, next_try_at);

INSERT INTO portrait_fetches (user_id, host)
SELECT id, host_of(photo_url) FROM users WHERE photo_url LIKE 'https://%' AND deleted_at IS NULL;

-- Told by a service they signed in with, typed and not to be had then, or of somebody who is in the shop again.
CREATE FUNCTION note_portrait_to_fetch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO portrait_fetches (user_id, host) VALUES (NEW.id, host_of(NEW.photo_url))
  ON CONFLICT (user_id) DO UPDATE SET host = EXCLUDED.host, tries = 0, next_try_at = EXCLUDED.next_try_at;
  RETURN NULL;
END $$;
CREATE TRIGGER users_portrait_to_fetch AFTER INSERT OR UPDATE OF photo_url, deleted_at ON users
  FOR EACH ROW WHEN (NEW.photo_url LIKE 'https://%' AND NEW.deleted_at IS NULL)
  EXECUTE FUNCTION note_portrait_to_fetch();

-- What a user shows no more is looked at; what they uploaded themselves is theirs to delete.
CREATE FUNCTION look_at_former_portrait() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE photos SET keep_until = least(keep_until, now())
  WHERE owner_id = OLD.id AND name = OLD.photo_url AND fetched_from IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER users_former_portrait AFTER UPDATE OF photo_url ON users
  FOR EACH ROW WHEN (length(OLD.photo_url) = 22 AND NEW.photo_url <> OLD.photo_url)
  EXECUTE FUNCTION look_at_former_portrait();

-- What calls tell of a user's picture: the address of the photo, small, and nothing until there is one.
CREATE FUNCTION portrait_address(picture text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN picture ~ '^[a-z2-7]{22}$'
    THEN coalesce(current_setting('dogear.public_url', true), '') || '/photos/' || picture || '/320.webp'
    ELSE '' END
$$;
