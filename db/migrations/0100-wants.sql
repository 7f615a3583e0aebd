-- What readers want, and which copies they are offered before anybody else. Owner: server/wants.

-- The ways in which a title is found: whole, and without what stands behind a colon or in brackets; no article in front.
CREATE FUNCTION title_keys(title text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_remove(ARRAY[
    regexp_replace(public.search_text(title), '^(the|a|an) ', ''),
    regexp_replace(public.search_text(regexp_replace(title, '\s*[:(\[].*$', '')), '^(the|a|an) ', '')], '')
$$;

CREATE TABLE wants (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  isbn13 text NOT NULL DEFAULT '' CHECK (isbn13 ~ '^(\d{13})?$'),
  title text NOT NULL DEFAULT '' CHECK (length(title) <= 750),
  author text NOT NULL DEFAULT '' CHECK (length(author) <= 500),
  -- null where the ISBN says which book it is
  title_key text GENERATED ALWAYS AS (CASE WHEN isbn13 = '' THEN (title_keys(title))[1] END) STORED,
  max_cents integer CHECK (max_cents BETWEEN 50 AND 9999999),
  condition text CHECK (condition IN ('Excellent', 'Good', 'Fair')),
  near text NOT NULL DEFAULT '' CHECK (length(near) <= 100),
  km integer NOT NULL DEFAULT 25 CHECK (km IN (10, 25, 100)),
  -- defects that a copy must not have, by their ids
  without text[] NOT NULL DEFAULT '{}',
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'offered', 'bought', 'paused', 'expired')),
  -- offers that were passed on in a row
  passes integer NOT NULL DEFAULT 0,
  -- by the shop's clock: who waits longest is offered first
  since timestamptz NOT NULL DEFAULT shop_now(),
  ends_at timestamptz NOT NULL,
  -- stands in the address of its feed, and shows nothing but that
  feed_token text NOT NULL UNIQUE DEFAULT replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  CONSTRAINT wants_say_which CHECK (isbn13 <> '' OR coalesce(title_key, '') <> '')
);
CREATE INDEX wants_isbn ON wants (isbn13, since, id) WHERE state = 'active' AND isbn13 <> '';
CREATE INDEX wants_title ON wants (title_key, since, id) WHERE state = 'active' AND title_key IS NOT NULL;
CREATE INDEX wants_user ON wants (user_id, since DESC, id);
CREATE INDEX wants_ending ON wants (ends_at) WHERE state IN ('active', 'paused');

-- A copy that somebody is offered: a booking holds it for them.
CREATE TABLE want_offers (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  want_id uuid NOT NULL REFERENCES wants ON DELETE CASCADE,
  listing_id uuid NOT NULL REFERENCES listings,
  booking_id uuid NOT NULL REFERENCES bookings,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'taken', 'bought', 'passed', 'lapsed')),
  offered_at timestamptz NOT NULL DEFAULT shop_now(),
  until timestamptz NOT NULL,
  -- the same copy once
  UNIQUE (want_id, listing_id)
);
CREATE INDEX want_offers_booking ON want_offers (booking_id);
CREATE INDEX want_offers_listing ON want_offers (listing_id);

-- Copies that may fit a want: off the shelf until they were offered, which a job does, or found to fit none.
CREATE TABLE copies_aside (
  listing_id uuid PRIMARY KEY REFERENCES listings ON DELETE CASCADE,
  -- to how many readers it was offered since it came
  offers integer NOT NULL DEFAULT 0,
  -- false while one of them has it
  is_due boolean NOT NULL DEFAULT true
);
CREATE INDEX copies_aside_due ON copies_aside (listing_id) WHERE is_due;

-- Sellers who put their books on the shelf at once.
ALTER TABLE users ADD COLUMN first_refusal boolean NOT NULL DEFAULT true;

-- Whether somebody may want a copy, by its book and its price alone: what else they asked for is looked at when it is
-- offered.
CREATE FUNCTION is_wanted(copy listings) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF (copy.isbn13 <> '' AND EXISTS (
      SELECT FROM wants AS w WHERE w.state = 'active' AND w.isbn13 = copy.isbn13 AND w.isbn13 <> ''
        AND w.user_id <> copy.seller_id AND coalesce(w.max_cents >= copy.resale_cents, true)))
    OR EXISTS (
      SELECT FROM wants AS w WHERE w.state = 'active' AND w.title_key IS NOT NULL
        AND w.title_key = ANY (title_keys(copy.title))
        AND w.user_id <> copy.seller_id AND coalesce(w.max_cents >= copy.resale_cents, true))
  THEN
    RETURN (SELECT first_refusal FROM users WHERE id = copy.seller_id);
  END IF;
  RETURN false;
END $$;

CREATE FUNCTION set_new_copies_aside() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH wanted AS (
    SELECT l.id FROM changed AS c JOIN listings AS l ON l.id = c.id
    WHERE c.status = 'available' AND l.status = 'available' AND is_wanted(l)
  ), aside AS (
    INSERT INTO copies_aside (listing_id) SELECT id FROM wanted
  )
  UPDATE listings SET status = 'paused', on_shelf = false, updated_at = now() WHERE id IN (SELECT id FROM wanted);
  RETURN NULL;
END $$;
CREATE TRIGGER listings_wanted_new AFTER INSERT ON listings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION set_new_copies_aside();

-- Whoever puts a copy on the shelf that nobody wants any more says so in dogear.to_shelf. Three readers are offered it.
CREATE FUNCTION set_returned_copy_aside() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  copy listings;
BEGIN
  SELECT * INTO copy FROM listings WHERE id = NEW.id;
  IF copy.status <> 'available' THEN
    RETURN NULL;
  END IF;
  IF coalesce(current_setting('dogear.to_shelf', true), '') <> NEW.id::text
    AND coalesce((SELECT offers FROM copies_aside WHERE listing_id = NEW.id), 0) < 3 AND is_wanted(copy)
  THEN
    INSERT INTO copies_aside (listing_id) VALUES (NEW.id) ON CONFLICT (listing_id) DO UPDATE SET is_due = true;
    UPDATE listings SET status = 'paused', on_shelf = false, updated_at = now() WHERE id = NEW.id;
  ELSE
    DELETE FROM copies_aside WHERE listing_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER listings_wanted_returned AFTER UPDATE OF status ON listings
  FOR EACH ROW WHEN (NEW.status = 'available' AND OLD.status <> 'available') EXECUTE FUNCTION set_returned_copy_aside();

-- An offer ends with its hold, whoever ends that: passed on, until it turns out paid.
CREATE FUNCTION end_offer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH ended AS (
    UPDATE want_offers SET state = 'lapsed' WHERE booking_id = OLD.booking_id AND state IN ('open', 'taken')
    RETURNING want_id
  )
  UPDATE wants SET passes = passes + 1, state = CASE WHEN passes + 1 < 5 THEN 'active' ELSE 'paused' END
  WHERE id IN (SELECT want_id FROM ended) AND state = 'offered';
  RETURN NULL;
END $$;
CREATE TRIGGER holds_offer_ended AFTER DELETE ON holds FOR EACH ROW EXECUTE FUNCTION end_offer();

CREATE FUNCTION fulfil_want() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH bought AS (
    UPDATE want_offers SET state = 'bought' WHERE booking_id = NEW.id RETURNING want_id, listing_id
  ), gone AS (
    DELETE FROM copies_aside WHERE listing_id IN (SELECT listing_id FROM bought)
  )
  UPDATE wants SET passes = 0, state = 'bought' WHERE id IN (SELECT want_id FROM bought);
  RETURN NULL;
END $$;
CREATE TRIGGER bookings_want_fulfilled AFTER UPDATE OF paid_at ON bookings
  FOR EACH ROW WHEN (OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL) EXECUTE FUNCTION fulfil_want();
