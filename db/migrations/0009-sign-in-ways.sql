-- Accounts at other services that people sign in with, and sign-ins under way there. Owner: server/identity/social.

CREATE TABLE sign_in_identities (
  -- who vouches, and by which name they know the person there; addresses change hands, this does not
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

CREATE TABLE sign_in_flows (
  -- SHA-256 of what travels: the state in addresses, the secret in the browser's cookie. PKCE verifier and nonce are derived
  -- from both, so that nothing in here lets anybody finish a flow
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
