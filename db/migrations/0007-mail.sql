-- Mail on its way. Owner: server/mail.

CREATE TABLE outbox (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- names the event and its recipient: one mail for both, however often it is asked for
  key text NOT NULL UNIQUE CHECK (length(key) BETWEEN 1 AND 200),
  kind text NOT NULL,
  -- emptied some time after the mail was sent; the key stays
  to_email text NOT NULL CHECK (length(to_email) <= 254 AND to_email !~ '[[:cntrl:]]'),
  to_name text NOT NULL CHECK (length(to_name) <= 200 AND to_name !~ '[[:cntrl:]]'),
  -- what the template says; emptied when the mail was sent, as it may hold a link that opens an account
  data jsonb NOT NULL,
  -- given at the first try and kept, so that a mail that is sent twice can be told as one
  message_id text UNIQUE,
  queued_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL DEFAULT now(),
  leased_until timestamptz,
  sent_at timestamptz,
  dead_at timestamptz,
  last_error text NOT NULL DEFAULT '',
  CHECK (sent_at IS NULL OR dead_at IS NULL)
);
CREATE INDEX outbox_due ON outbox (next_try_at) WHERE sent_at IS NULL AND dead_at IS NULL;
-- who leaves is forgotten here too
CREATE INDEX outbox_recipient ON outbox (lower(to_email)) WHERE to_email <> '';
CREATE INDEX outbox_sent ON outbox (sent_at) WHERE sent_at IS NOT NULL AND to_email <> '';
