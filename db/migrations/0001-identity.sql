-- People, their sessions, the keys that sign access tokens, and counters that limit abuse. Owner: server/identity.

CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  photo_url text NOT NULL DEFAULT '',
  -- PHC string of argon2id; null for people who only come through a provider
  password_hash text,
  is_admin boolean NOT NULL DEFAULT false,
  is_seller boolean NOT NULL DEFAULT false,
  is_buyer boolean NOT NULL DEFAULT false,
  verified boolean NOT NULL DEFAULT false,
  email_proven_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
-- one account an address, whatever its case
CREATE UNIQUE INDEX users_email_key ON users (lower(email));

CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- SHA-256 of the cookie's token; the token itself is never stored
  token_hash bytea NOT NULL UNIQUE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  user_agent text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);

CREATE TABLE signing_keys (
  kid text PRIMARY KEY,
  private_jwk jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Attempts within a window, counted where every process sees them.
CREATE TABLE attempt_counters (
  kind text NOT NULL,
  subject text NOT NULL,
  window_started_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, subject)
);
