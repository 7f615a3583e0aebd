-- Users, their sessions and what guards an account, and the counters that limit abuse. Owner: server/identity.

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
  -- the zone the user's browser last told, '' until it did: mails write their times in it
  time_zone text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
-- one account an address, whatever its case
CREATE UNIQUE INDEX users_email_key ON users (lower(email));
-- keyset order of the lists of users
CREATE INDEX users_newest ON users (created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX users_sellers_newest ON users (created_at DESC, id DESC) WHERE deleted_at IS NULL AND is_seller;
CREATE INDEX users_deleted ON users (deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;

CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- SHA-256 of the cookie's token; the token itself is never stored
  token_hash bytea NOT NULL UNIQUE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  user_agent text NOT NULL DEFAULT '',
  -- how the session began: 'password', 'google', 'github', 'passkey' and its id, 'link' of a mail, 'new' account.
  -- Whoever takes a way in away ends the sessions elsewhere that began by it
  way_in text,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  -- when the user last proved who they are; the session's length is counted from created_at
  signed_in_at timestamptz NOT NULL DEFAULT now(),
  -- when a passkey or a recovery code was shown in this session; admins in production need one
  second_factor_at timestamptz
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

-- Links in mails that prove something of their holder.
CREATE TABLE account_links (
  -- SHA-256 of the token; the token itself is in the mail only
  token_hash bytea PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('reset', 'confirm')),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- where it was sent: it proves this address and no later one
  email text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX account_links_user ON account_links (user_id, purpose);
CREATE INDEX account_links_expiry ON account_links (expires_at);

-- Who asked for a new password, until a moment later somebody looks whether there is such an account: to whoever asks,
-- both answers look and take the same.
CREATE TABLE reset_requests (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL CHECK (length(email) <= 254),
  requested_at timestamptz NOT NULL DEFAULT now()
);

-- Accounts at other services that users sign in with.
CREATE TABLE sign_in_identities (
  -- who vouches, and by which name they know the user there; addresses change hands, this does not
  issuer text NOT NULL CHECK (length(issuer) BETWEEN 1 AND 500),
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
  provider text NOT NULL CHECK (provider IN ('google', 'github')),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- the address the service knew when it was linked, to be shown; never what decides
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  linked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject),
  CONSTRAINT sign_in_identities_one_a_provider UNIQUE (user_id, provider)
);

-- Sign-ins under way there.
CREATE TABLE sign_in_flows (
  -- SHA-256 of what travels: the state in addresses, the secret in the browser's cookie. PKCE verifier and nonce are
  -- derived from both, so that nothing in here lets anybody finish a flow
  state_hash bytea PRIMARY KEY,
  browser_hash bytea NOT NULL,
  provider text NOT NULL CHECK (provider IN ('google', 'github')),
  purpose text NOT NULL CHECK (purpose IN ('sign-in', 'again', 'link')),
  -- whose account it is about; nobody's yet for a sign-in
  user_id uuid REFERENCES users ON DELETE CASCADE,
  page text NOT NULL CHECK (page IN ('login', 'register', 'account')),
  in_popup boolean NOT NULL,
  return_path text NOT NULL CHECK (length(return_path) <= 2000),
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((purpose = 'sign-in') = (user_id IS NULL))
);
CREATE INDEX sign_in_flows_created ON sign_in_flows (created_at);
CREATE INDEX sign_in_flows_browser ON sign_in_flows (browser_hash);

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
  -- SHA-256 of the user's id and the code, which has 80 random bits; the code itself is shown once
  code_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz
);
CREATE INDEX recovery_codes_user ON recovery_codes (user_id);

-- Browsers somebody signed in with, so that a new one is told to them.
CREATE TABLE devices (
  -- SHA-256 of the token in the browser's long-lived cookie; one browser may be several users'
  token_hash bytea NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, token_hash)
);

-- Users who deleted their own account, until nothing of theirs is left to be made nameless.
CREATE TABLE departures (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  left_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
CREATE INDEX departures_unfinished ON departures (left_at) WHERE finished_at IS NULL;
