-- What guards an account beside its password, on which devices it was used, and who left. Owner: server/identity.

-- When the person last proved who they are in this session; created_at stays what the session's length is counted from.
ALTER TABLE sessions
  ADD COLUMN signed_in_at timestamptz NOT NULL DEFAULT now(),
  -- when a passkey or a recovery code was shown in this session; admins in production need one
  ADD COLUMN second_factor_at timestamptz;
UPDATE sessions SET signed_in_at = created_at;

CREATE TABLE passkeys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- base64url, chosen by the authenticator
  credential_id text NOT NULL UNIQUE CHECK (length(credential_id) BETWEEN 1 AND 1400),
  -- COSE; a public key, the private one never leaves the authenticator
  public_key bytea NOT NULL,
  -- how often it was used, as far as its authenticator counts; 0 for those that do not
  counter bigint NOT NULL CHECK (counter >= 0),
  transports text[] NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id, created_at);

-- What an authenticator must sign, once and soon.
CREATE TABLE passkey_challenges (
  challenge text PRIMARY KEY CHECK (length(challenge) BETWEEN 20 AND 200),
  -- what the answer is good for, and whose session may give it: a sign-in has none yet
  purpose text NOT NULL CHECK (purpose IN ('add', 'again', 'sign-in')),
  session_id uuid REFERENCES sessions ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((purpose = 'sign-in') = (session_id IS NULL))
);
CREATE INDEX passkey_challenges_age ON passkey_challenges (created_at);
CREATE INDEX passkey_challenges_session ON passkey_challenges (session_id);

CREATE TABLE recovery_codes (
  -- SHA-256 of the person's id and the code, which has 80 random bits; the code itself is shown once
  code_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz
);
CREATE INDEX recovery_codes_user ON recovery_codes (user_id);

-- Browsers somebody signed in with, so that a new one is told to them.
CREATE TABLE devices (
  -- SHA-256 of the token in the browser's long-lived cookie; one browser may be several people's
  token_hash bytea NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, token_hash)
);

-- People who deleted their own account, until nothing of theirs is left to be made nameless.
CREATE TABLE departures (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  left_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
CREATE INDEX departures_unfinished ON departures (left_at) WHERE finished_at IS NULL;

-- The first admin is made at the command line, by nobody who has an account.
ALTER TABLE audit_entries ALTER COLUMN actor_id DROP NOT NULL;
