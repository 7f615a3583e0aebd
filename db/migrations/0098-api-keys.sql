-- Keys of sellers' programs. Owner: server/identity.

CREATE TABLE api_keys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  -- the first letters, by which its owner knows it
  begins text NOT NULL,
  -- SHA-256; the key itself was shown once
  key_hash bytea NOT NULL UNIQUE,
  scopes text[] NOT NULL CHECK (scopes <@ ARRAY['stock:read', 'stock:write', 'orders:read'] AND scopes <> '{}'),
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX api_keys_user ON api_keys (user_id, created_at DESC);
