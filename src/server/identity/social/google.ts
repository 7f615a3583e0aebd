import * as oidc from 'openid-client';
import type { GoogleConfig } from '#server/platform/config.ts';
import { told } from './provider-failure.ts';
import { profileOf } from './profile.ts';
import {
  fetchFrom,
  seenThrough,
  SocialRefusal,
  TIMEOUT_SECONDS,
  type Ask,
  type Registration,
  type SocialProvider,
} from './provider.ts';

/** What was discovered is asked for again after this time: keys are kept fresh by the library, addresses by us. */
const DISCOVERY_MAX_AGE_MS = 3_600_000;

const discover = (
  { config, timeoutSeconds }: Registration<GoogleConfig>,
  fetch: ReturnType<typeof fetchFrom>,
): Promise<oidc.Configuration> => {
  const issuer = new URL(config.issuer);
  return oidc.discovery(
    issuer,
    config.clientId,
    // The one algorithm taken, whatever the service says it could do: never `none`.
    { client_secret: config.clientSecret, id_token_signed_response_alg: 'RS256' },
    oidc.ClientSecretPost(config.clientSecret),
    {
      timeout: timeoutSeconds ?? TIMEOUT_SECONDS,
      // The signature is checked too, though the token comes straight from the service.
      execute: [
        oidc.enableNonRepudiationChecks,
        // Configuration admits http on this very machine only.
        ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
      ],
      [oidc.customFetch]: fetch,
    },
  );
};

/** Google, or whoever speaks OpenID Connect at `config.issuer`: users are known by `sub` within the issuer. */
export const createGoogle = (registration: Registration<GoogleConfig>): SocialProvider => {
  const fetch = fetchFrom('google', registration.reach);
  let known: { at: number; discovered: Promise<oidc.Configuration> } | undefined;

  const configuration = (): Promise<oidc.Configuration> => {
    if (known !== undefined && performance.now() - known.at < DISCOVERY_MAX_AGE_MS) return known.discovered;
    const discovered = discover(registration, fetch);
    known = { at: performance.now(), discovered };
    // A failure is told to whoever asked and not remembered.
    discovered.catch(() => (known = undefined));
    return discovered;
  };

  return {
    authorizationUrl: async (ask) => {
      const url = oidc.buildAuthorizationUrl(await told(configuration()), {
        redirect_uri: ask.redirectUri,
        scope: 'openid email profile',
        state: ask.state,
        nonce: ask.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(ask.codeVerifier),
        code_challenge_method: 'S256',
        // On a shared machine the last user's account must not be taken without asking.
        prompt: 'select_account',
      });
      return seenThrough(registration.reach, url);
    },
    identify: async (ask: Ask, answer) => {
      const callback = new URL(ask.redirectUri);
      callback.search = answer.toString();
      const tokens = await told(
        oidc.authorizationCodeGrant(await told(configuration()), callback, {
          pkceCodeVerifier: ask.codeVerifier,
          expectedState: ask.state,
          expectedNonce: ask.nonce,
          idTokenExpected: true,
        }),
      );
      const claims = tokens.claims();
      if (claims === undefined) throw new SocialRefusal('unusable', 'there is no ID token');
      return profileOf({
        issuer: claims.iss,
        subject: claims.sub,
        email: claims['email'],
        isVerified: claims['email_verified'] === true,
        names: [claims['name']],
        photo: claims['picture'],
      });
    },
  };
};
