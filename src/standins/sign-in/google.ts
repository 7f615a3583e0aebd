import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { subjectOf, type Account } from './accounts.ts';
import { authorize, decide, type AuthorizationDeps } from './authorization.ts';
import { exchange, type ExchangeDeps } from './exchange.ts';
import { GOOGLE_STANDIN, STANDIN_CLIENT_ID } from './keys.ts';
import { json, type Reply } from './reply.ts';
import type { Asking } from './asking.ts';

const ALGORITHM = 'RS256';
const KEY_ID = 'standin';
const TOKEN_SECONDS = 3_600;

const SERVICE = { name: 'Google', issuer: GOOGLE_STANDIN } as const;

const DISCOVERY = {
  issuer: GOOGLE_STANDIN,
  authorization_endpoint: `${GOOGLE_STANDIN}/authorize`,
  token_endpoint: `${GOOGLE_STANDIN}/token`,
  userinfo_endpoint: `${GOOGLE_STANDIN}/userinfo`,
  jwks_uri: `${GOOGLE_STANDIN}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [ALGORITHM],
  scopes_supported: ['openid', 'email', 'profile'],
  token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
  claims_supported: ['aud', 'email', 'email_verified', 'exp', 'iat', 'iss', 'name', 'picture', 'sub'],
  code_challenge_methods_supported: ['S256'],
  grant_types_supported: ['authorization_code'],
  authorization_response_iss_parameter_supported: true,
};

function claimsOf(account: Account): Record<string, unknown> {
  const { name, email, verified, picture } = account;
  return {
    sub: subjectOf(account),
    email,
    email_verified: verified,
    ...(name !== '' && { name }),
    ...(picture !== '' && { picture }),
  };
}

/** The left half of the access token's hash (OpenID Connect Core, 3.1.3.6). */
function halfHash(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');
}

/** Plays Google: OpenID Connect with discovery, keys, and a page instead of a sign-in. */
export function createGoogle(deps: AuthorizationDeps & ExchangeDeps) {
  // Made when first needed: most shops that could ask never do.
  let keys: ReturnType<typeof generateKeyPair> | undefined;
  const keyPair = () => (keys ??= generateKeyPair(ALGORITHM));

  async function idToken(account: Account, nonce: string, accessToken: string): Promise<string> {
    const { privateKey } = await keyPair();
    const more = { azp: STANDIN_CLIENT_ID, at_hash: halfHash(accessToken), ...(nonce !== '' && { nonce }) };
    const now = Math.floor(Date.now() / 1_000);
    return new SignJWT({ ...claimsOf(account), ...more })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: KEY_ID })
      .setIssuer(GOOGLE_STANDIN)
      .setAudience(STANDIN_CLIENT_ID)
      .setIssuedAt(now)
      .setExpirationTime(now + TOKEN_SECONDS)
      .sign(privateKey);
  }

  async function token(asking: Asking): Promise<Reply> {
    if (asking.form.get('grant_type') !== 'authorization_code') return json(400, { error: 'unsupported_grant_type' });
    const exchanged = await exchange(asking.form, asking.authorization, deps);
    if ('failing' in exchanged) return exchanged.failing;
    if ('error' in exchanged) return json(exchanged.error === 'invalid_client' ? 401 : 400, { error: exchanged.error });
    const { account, asked } = exchanged.grant;
    const accessToken = deps.grants.issueToken(account);
    return json(200, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: TOKEN_SECONDS,
      scope: 'openid email profile',
      id_token: await idToken(account, asked.nonce, accessToken),
    });
  }

  return async (asking: Asking): Promise<Reply | undefined> => {
    switch (`${asking.method} ${asking.path}`) {
      case 'GET /.well-known/openid-configuration':
        return json(200, DISCOVERY);
      case 'GET /jwks': {
        const { publicKey } = await keyPair();
        return json(200, { keys: [{ ...(await exportJWK(publicKey)), kid: KEY_ID, use: 'sig', alg: ALGORITHM }] });
      }
      case 'GET /authorize':
        return authorize(SERVICE, deps, asking.query);
      case 'POST /decide':
        return decide(SERVICE, deps, asking.form);
      case 'POST /token':
        return token(asking);
      case 'GET /userinfo': {
        const account = deps.grants.bearer(asking.authorization);
        return account === undefined ? json(401, { error: 'invalid_token' }) : json(200, claimsOf(account));
      }
      default:
        return undefined;
    }
  };
}
