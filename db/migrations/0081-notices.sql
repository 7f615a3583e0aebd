-- What happened to somebody, as their bell shows it, and what of it they want to have mailed. Owner: server/notices.

CREATE TABLE notices (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- names the event, as the key of its mail does: one notice of each
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
  topic text NOT NULL CHECK (length(topic) BETWEEN 1 AND 50),
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 300),
  -- the page it is about, below the shop's address; '' for none
  path text NOT NULL DEFAULT '' CHECK (length(path) <= 300 AND path ~ '^(/[^/].*)?$'),
  at timestamptz NOT NULL DEFAULT shop_now(),
  read_at timestamptz,
  UNIQUE (user_id, key)
);
CREATE INDEX notices_user ON notices (user_id, id DESC);
CREATE INDEX notices_unread ON notices (user_id, id) WHERE read_at IS NULL;
CREATE INDEX notices_age ON notices (at);

-- No row: everything is mailed.
CREATE TABLE mail_choices (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- stands in the links of mails, and changes these choices and nothing else; two random UUIDs
  token text NOT NULL UNIQUE DEFAULT replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  -- topics that are in the bell alone
  not_mailed text[] NOT NULL DEFAULT '{}'
);
