-- What a marketplace's law asks for: as what somebody sells, which terms they accepted, who they are once they sell
-- much. Owner: server/law.

CREATE TABLE seller_declarations (
  user_id uuid PRIMARY KEY REFERENCES users,
  kind text NOT NULL CHECK (kind IN ('private', 'trader')),
  -- what the law has traders show; empty for private sellers
  business text NOT NULL DEFAULT '' CHECK (length(business) <= 200),
  address text NOT NULL DEFAULT '' CHECK (length(address) <= 500),
  country text NOT NULL DEFAULT '' CHECK (length(country) <= 2),
  email text NOT NULL DEFAULT '' CHECK (length(email) <= 254),
  phone text NOT NULL DEFAULT '' CHECK (length(phone) <= 50),
  register text NOT NULL DEFAULT '' CHECK (length(register) <= 200),
  tax_number text NOT NULL DEFAULT '' CHECK (length(tax_number) <= 50),
  declared_at timestamptz NOT NULL DEFAULT shop_now(),
  CHECK (kind = 'private' OR (business <> '' AND address <> '' AND country <> '' AND email <> ''))
);

-- Cached pages that show as what a seller sells are made anew; of a large shelf all are.
CREATE FUNCTION notify_declaration() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  copies text[];
BEGIN
  SELECT array_agg(s.id) INTO copies
    FROM (SELECT l.id::text FROM listings AS l WHERE l.seller_id = coalesce(NEW.user_id, OLD.user_id)
      AND l.status <> 'withdrawn' LIMIT 101) AS s (id);
  PERFORM pg_notify('catalogue', CASE WHEN cardinality(copies) > 100 THEN 'all'
    ELSE 'copies ' || coalesce(array_to_string(copies, ' '), '') END);
  RETURN NULL;
END $$;
CREATE TRIGGER seller_declarations_notify AFTER INSERT OR UPDATE OR DELETE ON seller_declarations
  FOR EACH ROW EXECUTE FUNCTION notify_declaration();

-- Each wording of the terms that was in force, the last one now.
CREATE TABLE terms_versions (
  version text PRIMARY KEY CHECK (length(version) BETWEEN 1 AND 40),
  words text NOT NULL,
  -- by the real clock, as the shop is started
  in_force_at timestamptz NOT NULL DEFAULT now()
);

-- The version of the terms that is in force; null in a shop that was never started.
CREATE FUNCTION terms_in_force() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT version FROM terms_versions ORDER BY in_force_at DESC LIMIT 1
$$;

-- Which wording somebody accepted, as what, and when: kept as long as their orders are.
CREATE TABLE terms_acceptances (
  user_id uuid NOT NULL REFERENCES users,
  role text NOT NULL CHECK (role IN ('buyer', 'seller')),
  version text NOT NULL CHECK (length(version) BETWEEN 1 AND 40),
  accepted_at timestamptz NOT NULL DEFAULT shop_now(),
  PRIMARY KEY (user_id, role, version)
);

-- Sellers who sell so much that the shop must know who they are. Owner: server/moderation.
CREATE TABLE seller_identities (
  user_id uuid PRIMARY KEY REFERENCES users,
  -- when they had sold so much; null where an admin confirmed it before
  asked_at timestamptz,
  confirmed_at timestamptz,
  confirmed_by uuid REFERENCES users,
  -- what was looked at, in words
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 500),
  -- null until that was told
  paused_at timestamptz,
  CHECK (asked_at IS NOT NULL OR confirmed_at IS NOT NULL)
);
CREATE INDEX seller_identities_open ON seller_identities (asked_at) WHERE confirmed_at IS NULL;

-- Whose payouts wait until the shop knows who they are.
CREATE FUNCTION is_unidentified(person uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM seller_identities WHERE user_id = person AND confirmed_at IS NULL
    AND paused_at IS NOT NULL)
$$;

-- The buyer of a trader's book may withdraw, where the law of their country says so; as it was when it was paid.
-- Owner: server/orders.
ALTER TABLE orders ADD COLUMN may_withdraw boolean NOT NULL DEFAULT false;
ALTER TABLE order_problems
  DROP CONSTRAINT order_problems_kind_check,
  ADD CONSTRAINT order_problems_kind CHECK (kind IN ('missing', 'not-as-described', 'damaged', 'withdrawal')) NOT VALID,
  DROP CONSTRAINT order_problems_words_check,
  ADD CONSTRAINT order_problems_words CHECK (length(words) <= 2000 AND (words <> '' OR kind = 'withdrawal')) NOT VALID;

-- What tells one card from another, as the provider says; of one card on many accounts an admin reads.
-- Owner: server/payments.
CREATE TABLE payment_cards (
  fingerprint text NOT NULL CHECK (length(fingerprint) BETWEEN 1 AND 100),
  user_id uuid NOT NULL REFERENCES users,
  last4 text NOT NULL DEFAULT '' CHECK (length(last4) <= 4),
  first_at timestamptz NOT NULL DEFAULT shop_now(),
  PRIMARY KEY (user_id, fingerprint)
);
CREATE INDEX payment_cards_fingerprint ON payment_cards (fingerprint);

-- An admin looks at it before it is on the shelf, where the operator wants that. Owner: server/catalog.
ALTER TABLE listings ADD COLUMN waits_for_look boolean NOT NULL DEFAULT false;
