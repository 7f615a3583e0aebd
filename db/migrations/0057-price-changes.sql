-- What a copy was asked for before. Owner: server/catalog/listings.

-- One row a change of the price by its seller. was_cents: the lowest price of the thirty days before, where the new one
-- is lower than that; a price that was raised to be cut is no reduction.
CREATE TABLE price_changes (
  listing_id uuid NOT NULL REFERENCES listings ON DELETE CASCADE,
  changed_at timestamptz NOT NULL DEFAULT now(),
  from_cents integer NOT NULL,
  to_cents integer NOT NULL CHECK (to_cents <> from_cents),
  was_cents integer CHECK (was_cents > to_cents),
  PRIMARY KEY (listing_id, changed_at)
);
CREATE INDEX price_changes_reduced ON price_changes (changed_at DESC, listing_id) WHERE was_cents IS NOT NULL;
