-- What buyer and seller of a closed order say of each other. Owner: server/orders.

CREATE TABLE reviews (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id uuid NOT NULL REFERENCES orders,
  by text NOT NULL CHECK (by IN ('buyer', 'seller')),
  author_id uuid NOT NULL REFERENCES users,
  subject_id uuid NOT NULL REFERENCES users CHECK (subject_id <> author_id),
  stars integer NOT NULL CHECK (stars BETWEEN 1 AND 5),
  -- null: not said
  as_described boolean,
  well_packed boolean,
  in_time boolean,
  words text NOT NULL CHECK (length(words) <= 2000),
  -- held: it names a link or a contact, and waits for an admin
  state text NOT NULL CHECK (state IN ('open', 'held', 'removed')),
  written_at timestamptz NOT NULL DEFAULT shop_now(),
  -- null: not yet, so that neither side writes by what the other wrote
  shown_at timestamptz,
  reply text NOT NULL DEFAULT '' CHECK (length(reply) <= 1000),
  replied_at timestamptz,
  is_reply_held boolean NOT NULL DEFAULT false,
  UNIQUE (order_id, by)
);
CREATE INDEX reviews_subject ON reviews (subject_id, shown_at DESC, id DESC)
  WHERE state = 'open' AND shown_at IS NOT NULL;
CREATE INDEX reviews_author ON reviews (author_id, written_at DESC, id DESC);
CREATE INDEX reviews_unshown ON reviews (written_at) WHERE state = 'open' AND shown_at IS NULL;
CREATE INDEX reviews_held ON reviews (written_at, id) WHERE state = 'held' OR is_reply_held;
