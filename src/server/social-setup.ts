import type { Registration } from './identity/social/provider.ts';
import type { SocialSetup } from './identity/social/providers.ts';
import type { Config, GithubConfig, GoogleConfig } from './platform/config.ts';

export interface SocialParts {
  readonly social: SocialSetup;
  /** Where the sign-in stand-in listens; absent when no service is played by it. */
  readonly signIn: URL | undefined;
  stop(): Promise<void>;
}

/** Times to be played with in tests. */
export interface SocialTimes {
  readonly timeoutSeconds?: number;
  readonly slowMs?: number;
}

export const SIGN_IN_PREFIX = '/standins/sign-in';

/** Starts the shop's own stand-in on a free loopback port, or uses the one that several apps share. */
const openStandin = async (
  config: Config,
  log: (line: string) => void,
  times: SocialTimes,
  at: URL | undefined,
): Promise<{ url: URL; stop: () => Promise<void> }> => {
  if (at !== undefined) return { url: at, stop: async () => {} };
  if (config.standinsUrl !== undefined) {
    return { url: new URL('/sign-in', config.standinsUrl), stop: async () => {} };
  }
  const { createSignInStandin } = await import('#standins/sign-in/standin.ts');
  const slow = times.slowMs === undefined ? {} : { slowMs: times.slowMs };
  const standin = createSignInStandin({ origins: [config.publicUrl], log, ...slow });
  const port = await standin.listen(0);
  return { url: new URL(`http://127.0.0.1:${port}`), stop: () => standin.close() };
};

/** The services as configured; in a demo the stand-in (the one `at` an address, or its own) plays those that are not, in production they stay closed. */
export const openSocial = async (
  config: Config,
  log: (line: string) => void,
  times: SocialTimes = {},
  at?: URL,
): Promise<SocialParts> => {
  const { timeoutSeconds } = times;
  const real = <C>(registered: C | undefined): Registration<C> | undefined =>
    registered && { config: registered, timeoutSeconds };
  const google = real(config.social.google);
  const github = real(config.social.github);
  if (config.mode === 'production' || (google !== undefined && github !== undefined)) {
    return { social: { google, github }, signIn: undefined, stop: async () => {} };
  }
  const { url, stop } = await openStandin(config, log, times, at);
  const keys = await import('#standins/sign-in/keys.ts');
  const registered = { clientId: keys.STANDIN_CLIENT_ID, clientSecret: keys.STANDIN_CLIENT_SECRET };
  const played = <C>(name: string, registration: C): Registration<C> => ({
    config: registration,
    reach: {
      server: new URL(`${url.href.replace(/\/$/, '')}/${name}`),
      browser: `${config.publicUrl}${SIGN_IN_PREFIX}/${name}`,
    },
    timeoutSeconds,
  });
  return {
    social: {
      google: google ?? played<GoogleConfig>('google', { ...registered, issuer: keys.GOOGLE_STANDIN }),
      github:
        github ??
        played<GithubConfig>('github', { ...registered, url: keys.GITHUB_STANDIN, apiUrl: keys.GITHUB_STANDIN_API }),
    },
    signIn: url,
    stop,
  };
};
