-- Copies that their seller takes off the shelf for a while, one by one or all at once. Owner: server/catalog.

ALTER TABLE listings DROP CONSTRAINT listings_status_check;
ALTER TABLE listings ADD CONSTRAINT listings_status_check
  CHECK (status IN ('available', 'paused', 'held', 'sold', 'withdrawn')) NOT VALID;
-- Its seller paused this copy by itself: it stays paused when the whole shelf comes back, and when it was deleted and is
-- restored.
ALTER TABLE listings ADD COLUMN paused_alone boolean NOT NULL DEFAULT false;

-- Sellers whose whole shelf is paused, until they say otherwise or until the day of return.
CREATE TABLE shelf_pauses (
  seller_id uuid PRIMARY KEY REFERENCES users,
  -- the day of return in the shop's time zone, and when it begins; null where there is none
  until date,
  returns_at timestamptz,
  -- by the shop's clock
  paused_at timestamptz NOT NULL DEFAULT shop_now(),
  -- by the shop's clock; the row goes when all copies are back, some of which are offered to the first in line
  ended_at timestamptz,
  CONSTRAINT shelf_pauses_until_said CHECK ((until IS NULL) = (returns_at IS NULL))
);

-- Whether a copy that is about to be on the shelf is paused instead. The caller has locked its seller's row, as whoever
-- pauses a shelf has: of two that happen at once, the second sees the first.
CREATE FUNCTION is_paused(seller uuid, alone boolean) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT alone OR EXISTS (SELECT FROM shelf_pauses WHERE seller_id = seller AND ended_at IS NULL)
$$;

-- The triggers of 0002-catalog.sql call these for each copy that is made available, whichever way.
CREATE OR REPLACE FUNCTION withdraw_copy_of_deleted_seller() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = NEW.seller_id AND deleted_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    NEW.status := 'withdrawn';
    NEW.on_shelf := false;
    NEW.withdrawn_at := now();
  ELSIF is_paused(NEW.seller_id, NEW.paused_alone) THEN
    NEW.status := 'paused';
    NEW.on_shelf := false;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION withdraw_returned_copy_of_deleted_seller() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = NEW.seller_id AND deleted_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    UPDATE listings SET status = 'withdrawn', on_shelf = false, withdrawn_at = now(), updated_at = now()
    WHERE id = NEW.id AND status = 'available';
  ELSIF is_paused(NEW.seller_id, NEW.paused_alone) THEN
    UPDATE listings SET status = 'paused', on_shelf = false, updated_at = now()
    WHERE id = NEW.id AND status = 'available';
  END IF;
  RETURN NULL;
END $$;

-- What calls tell of where a copy stands. Inlined by the planner.
CREATE FUNCTION listing_status(state text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE state WHEN 'available' THEN 'Available' WHEN 'held' THEN 'Reserved' WHEN 'paused' THEN 'Paused'
    ELSE 'Sold' END
$$;
