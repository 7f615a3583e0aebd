-- Files in the photo store that no row knows: after a restore, for one. Owner: server/catalog/photos.

-- Which part of the store is looked at next: names begin with one of 32 letters, and each gets its turn once a day.
CREATE TABLE photo_store_turn (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  turn integer NOT NULL DEFAULT 0 CHECK (turn BETWEEN 0 AND 31),
  next_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO photo_store_turn DEFAULT VALUES;
