import * as oauth from 'openid-client';
import type { GithubConfig } from '#server/platform/config.ts';
import { told } from './provider-failure.ts';
import { profileOf } from './profile.ts';
import {
  fetchFrom,
  seenThrough,
  SocialRefusal,
  TIMEOUT_SECONDS,
  type Registration,
  type SocialProvider,
} from './provider.ts';

const API_VERSION = '2022-11-28';

interface Account {
  readonly id?: unknown;
  readonly login?: unknown;
  readonly name?: unknown;
  readonly avatar_url?: unknown;
}

interface Address {
  readonly email?: unknown;
  readonly primary?: unknown;
  readonly verified?: unknown;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const addressesOf = (value: unknown): Address[] => (Array.isArray(value) ? value.filter(isObject) : []);

/**
 * Github, or a Github Enterprise Server: OAuth 2.0 and its own API. Users are known by their number; logins change
 * hands.
 */
export const createGithub = ({ config, reach, timeoutSeconds }: Registration<GithubConfig>): SocialProvider => {
  // As it names itself in the callback's `iss` (RFC 9207).
  const issuer = `${config.url}/login/oauth`;
  const client = new oauth.Configuration(
    { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/access_token` },
    config.clientId,
    { client_secret: config.clientSecret },
    oauth.ClientSecretPost(config.clientSecret),
  );
  client.timeout = timeoutSeconds ?? TIMEOUT_SECONDS;
  client[oauth.customFetch] = fetchFrom('github', reach);
  // Configuration admits http on this very machine only.
  if (config.url.startsWith('http:')) oauth.allowInsecureRequests(client);

  const read = async (path: string, accessToken: string): Promise<unknown> => {
    const headers = new Headers({ accept: 'application/vnd.github+json', 'x-github-api-version': API_VERSION });
    const url = new URL(`${config.apiUrl}${path}`);
    const answer = await told(oauth.fetchProtectedResource(client, accessToken, url, 'GET', null, headers));
    if (answer.status === 200) return answer.json().catch(() => undefined);
    await answer.body?.cancel();
    const isUnwell = answer.status >= 500 || answer.status === 429;
    throw new SocialRefusal(isUnwell ? 'down' : 'unusable', `${path} answered ${answer.status}`);
  };

  return {
    authorizationUrl: async (ask) => {
      const url = oauth.buildAuthorizationUrl(client, {
        redirect_uri: ask.redirectUri,
        scope: 'read:user user:email',
        state: ask.state,
        code_challenge: await oauth.calculatePKCECodeChallenge(ask.codeVerifier),
        code_challenge_method: 'S256',
      });
      return seenThrough(reach, url);
    },
    identify: async (ask, answer) => {
      const callback = new URL(ask.redirectUri);
      callback.search = answer.toString();
      const checks = { pkceCodeVerifier: ask.codeVerifier, expectedState: ask.state };
      const { access_token: token } = await told(oauth.authorizationCodeGrant(client, callback, checks));
      const [account, addresses] = await Promise.all([read('/user', token), read('/user/emails', token)]);
      const { id, login, name, avatar_url: photo } = isObject(account) ? (account as Account) : {};
      const primary = addressesOf(addresses).find((address) => address.primary === true);
      return profileOf({
        issuer,
        subject: typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? String(id) : undefined,
        email: primary?.email,
        isVerified: primary?.verified === true,
        names: [name, login],
        photo,
      });
    },
  };
};
