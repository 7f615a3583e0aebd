-- What two people write to each other. Owner: server/messages. So far a thread is about an order; what else one may be
-- about is a column more.

CREATE TABLE message_threads (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id uuid UNIQUE REFERENCES orders,
  buyer_id uuid NOT NULL REFERENCES users,
  seller_id uuid NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT shop_now()
);

CREATE TABLE messages (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- in which order they were written
  n bigint GENERATED ALWAYS AS IDENTITY,
  thread_id uuid NOT NULL REFERENCES message_threads,
  sender_id uuid NOT NULL REFERENCES users,
  -- empty once it was forgotten with whoever wrote it
  body text NOT NULL CHECK (length(body) <= 2000),
  at timestamptz NOT NULL DEFAULT shop_now(),
  forgotten_at timestamptz,
  CHECK ((body = '') = (forgotten_at IS NOT NULL))
);
CREATE INDEX messages_thread ON messages (thread_id, n DESC);
CREATE INDEX messages_sender ON messages (sender_id, at DESC, id DESC);
