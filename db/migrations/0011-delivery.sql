-- How a seller's books come to their buyers, once for all of them and otherwise for single copies. Owner:
-- server/catalog.

-- No row: pickup where the copy is, and no post. Countries are the two letters of ISO 3166-1.
CREATE TABLE delivery_terms (
  seller_id uuid PRIMARY KEY REFERENCES users,
  pickup boolean NOT NULL,
  -- empty: where the copy's listing says
  pickup_place text NOT NULL CHECK (length(pickup_place) <= 200),
  post boolean NOT NULL,
  first_cents integer NOT NULL CHECK (first_cents BETWEEN 0 AND 99999),
  further_cents integer NOT NULL CHECK (further_cents BETWEEN 0 AND 99999),
  -- null: never
  free_from_cents integer CHECK (free_from_cents BETWEEN 50 AND 9999999),
  countries text[] NOT NULL CHECK (cardinality(countries) <= 300),
  -- working days
  days_to_post integer NOT NULL CHECK (days_to_post BETWEEN 1 AND 10),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT delivery_terms_whole CHECK ((pickup OR post) AND (NOT post OR cardinality(countries) > 0))
);

-- What is null is as for all of the seller's copies; of `free_from_cents` that is said by `free_from_own`, as null has
-- its own meaning there.
CREATE TABLE delivery_exceptions (
  listing_id uuid PRIMARY KEY REFERENCES listings ON DELETE CASCADE,
  pickup boolean,
  pickup_place text CHECK (length(pickup_place) <= 200),
  post boolean,
  first_cents integer CHECK (first_cents BETWEEN 0 AND 99999),
  further_cents integer CHECK (further_cents BETWEEN 0 AND 99999),
  free_from_own boolean NOT NULL DEFAULT false,
  free_from_cents integer CHECK (free_from_cents BETWEEN 50 AND 9999999),
  countries text[] CHECK (cardinality(countries) <= 300),
  days_to_post integer CHECK (days_to_post BETWEEN 1 AND 10),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT delivery_exceptions_free CHECK (free_from_own OR free_from_cents IS NULL)
);

-- Says whose pages changed, on the channel `catalogue`: `copies <id> <id> …`. Lists show nothing of it. A payload has
-- room for two hundred ids; beyond that one word is cheaper.
CREATE FUNCTION tell_copies_of_seller() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  seller uuid := CASE TG_OP WHEN 'DELETE' THEN OLD.seller_id ELSE NEW.seller_id END;
  ids uuid[];
BEGIN
  SELECT array_agg(id) INTO ids
  FROM (SELECT id FROM listings WHERE seller_id = seller AND status <> 'withdrawn' LIMIT 201) AS shown;
  IF cardinality(ids) > 200 THEN
    PERFORM pg_notify('catalogue', 'all');
  ELSIF ids IS NOT NULL THEN
    PERFORM pg_notify('catalogue', 'copies ' || array_to_string(ids, ' '));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER delivery_terms_tell AFTER INSERT OR UPDATE OR DELETE ON delivery_terms
  FOR EACH ROW EXECUTE FUNCTION tell_copies_of_seller();

CREATE FUNCTION tell_copy_of_exception() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalogue',
    'copies ' || CASE TG_OP WHEN 'DELETE' THEN OLD.listing_id ELSE NEW.listing_id END);
  RETURN NULL;
END $$;
CREATE TRIGGER delivery_exceptions_tell AFTER INSERT OR UPDATE OR DELETE ON delivery_exceptions
  FOR EACH ROW EXECUTE FUNCTION tell_copy_of_exception();
