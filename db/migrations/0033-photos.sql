-- Photos: of copies, of what bookings were promised, of problems of orders. Owner: server/catalog/photos.

-- What was made of a picture and lies in the store, named by its content: the same picture lies there once.
CREATE TABLE photo_files (
  name text PRIMARY KEY CHECK (name ~ '^[a-z2-7]{22}$'),
  -- of the largest size, in pixels
  width integer NOT NULL CHECK (width > 0),
  height integer NOT NULL CHECK (height > 0),
  colour text NOT NULL CHECK (colour ~ '^[0-9a-f]{6}$'),
  -- of all sizes together
  bytes integer NOT NULL CHECK (bytes > 0),
  -- null until all sizes are in the store
  stored_at timestamptz,
  -- when it is looked at whether anything has it still; while somebody's photo is made of it: never
  keep_until timestamptz NOT NULL DEFAULT now() + interval '1 day',
  -- set while it is taken out of the store; nobody may come to have it any more
  going_at timestamptz
);
CREATE INDEX photo_files_keep ON photo_files (keep_until);

-- A user's photo, by the id that their client made for it.
CREATE TABLE photos (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL REFERENCES users,
  -- null once it was deleted; the row stays a day, because a day's photos are counted
  name text REFERENCES photo_files,
  -- sha-256 of what was uploaded: a client that tries again is told from one that means another picture
  digest bytea NOT NULL CHECK (length(digest) = 32),
  -- the address that the shop fetched it from; null where its owner uploaded it
  fetched_from text CHECK (length(fetched_from) <= 2048),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- when it is looked at whether anything has it still; while a copy or an order has it: never
  keep_until timestamptz NOT NULL DEFAULT now() + interval '1 day',
  deleted_at timestamptz,
  CONSTRAINT photos_deleted_have_no_file CHECK ((deleted_at IS NULL) = (name IS NOT NULL))
);
CREATE INDEX photos_owner ON photos (owner_id, created_at DESC, id DESC);
CREATE INDEX photos_name ON photos (name);
CREATE INDEX photos_keep ON photos (keep_until);

-- The photos of a copy; position 0 is the cover, which listings.image_url names.
CREATE TABLE listing_photos (
  listing_id uuid NOT NULL REFERENCES listings,
  position integer NOT NULL CHECK (position BETWEEN 0 AND 7),
  photo_id uuid NOT NULL REFERENCES photos,
  caption text CHECK (caption IN ('front', 'back', 'spine', 'inside', 'damage')),
  PRIMARY KEY (listing_id, position),
  UNIQUE (listing_id, photo_id)
);
CREATE INDEX listing_photos_photo ON listing_photos (photo_id);

-- The photos that a copy had when it was booked; they outlive what becomes of the copy. Owner: server/bookings.
CREATE TABLE promised_photos (
  booking_id uuid NOT NULL REFERENCES bookings,
  position integer NOT NULL CHECK (position BETWEEN 0 AND 7),
  name text NOT NULL REFERENCES photo_files,
  caption text CHECK (caption IN ('front', 'back', 'spine', 'inside', 'damage')),
  PRIMARY KEY (booking_id, position)
);
CREATE INDEX promised_photos_name ON promised_photos (name);

-- What a buyer shows of a problem with an order; private.
CREATE TABLE order_photos (
  order_id uuid NOT NULL REFERENCES orders,
  position integer NOT NULL CHECK (position BETWEEN 0 AND 7),
  photo_id uuid NOT NULL REFERENCES photos,
  PRIMARY KEY (order_id, position),
  UNIQUE (order_id, photo_id)
);
CREATE INDEX order_photos_photo ON order_photos (photo_id);

-- listings.image_url and bookings.image_url hold the name of a photo, or the address of a picture that the shop has not
-- fetched yet; this is the address that the shop fetched the photo from.
ALTER TABLE listings ADD COLUMN image_source text NOT NULL DEFAULT '';

-- A file that was promised, and is not any more, is looked at.
CREATE FUNCTION look_at_promised_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE photo_files SET keep_until = now() WHERE name IN (SELECT name FROM former);
  RETURN NULL;
END $$;
CREATE TRIGGER promised_photos_gone AFTER DELETE ON promised_photos
  REFERENCING OLD TABLE AS former FOR EACH STATEMENT EXECUTE FUNCTION look_at_promised_files();

-- What was withdrawn is sold to nobody: what open bookings of it were promised need not be kept.
CREATE FUNCTION break_open_promises() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM promised_photos WHERE booking_id IN (
    SELECT id FROM bookings WHERE listing_id = NEW.id AND paid_at IS NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER listings_break_promises AFTER UPDATE ON listings
  FOR EACH ROW WHEN (NEW.status = 'withdrawn' AND OLD.status <> 'withdrawn' AND length(NEW.image_url) = 22)
  EXECUTE FUNCTION break_open_promises();

-- What calls tell of a picture: the address of a photo of the shop, or the address as it is. Inlined by the planner; each
-- connection says where the shop is (src/server/platform/postgres/db.ts).
CREATE FUNCTION picture_address(picture text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN picture ~ '^[a-z2-7]{22}$'
    THEN coalesce(current_setting('dogear.public_url', true), '') || '/photos/' || picture || '/720.webp'
    ELSE picture END
$$;
