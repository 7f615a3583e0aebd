-- People whom the shop suspended: their copies are out of sight, they neither book nor list nor write to strangers, and
-- what they are due waits. Running orders go on. Owner: server/moderation.

CREATE TABLE suspensions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users,
  -- what they are told
  reason text NOT NULL CHECK (length(reason) <= 500),
  -- by the shop's clock; null until somebody lifts it
  until timestamptz,
  begun_at timestamptz NOT NULL DEFAULT shop_now(),
  ended_at timestamptz
);
CREATE UNIQUE INDEX suspensions_open ON suspensions (user_id) WHERE ended_at IS NULL;
CREATE INDEX suspensions_due ON suspensions (until) WHERE ended_at IS NULL;

CREATE FUNCTION is_suspended(person uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM suspensions WHERE user_id = person AND ended_at IS NULL)
$$;

-- What of a suspended seller is about to be on the shelf is paused instead, as while they pause it themselves.
CREATE OR REPLACE FUNCTION is_paused(seller uuid, alone boolean) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT alone OR EXISTS (SELECT FROM shelf_pauses WHERE seller_id = seller AND ended_at IS NULL)
    OR EXISTS (SELECT FROM suspensions WHERE user_id = seller AND ended_at IS NULL)
$$;
