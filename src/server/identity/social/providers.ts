import { PROVIDERS, type Provider, type SignInWay } from '#contract/users/social.ts';
import type { GithubConfig, GoogleConfig } from '#server/platform/config.ts';
import { SocialRefusal, type Registration, type SocialProvider } from './provider.ts';

/** The services this shop is registered with. */
export interface SocialSetup {
  readonly google: Registration<GoogleConfig> | undefined;
  readonly github: Registration<GithubConfig> | undefined;
}

export interface SocialProviders {
  /** Which ways are open, for the pages. */
  ways(): SignInWay[];
  /** The service; a `closed` refusal where the shop is not registered. */
  of(provider: Provider): Promise<SocialProvider>;
}

/** The services over their protocols; the library behind them is loaded when somebody first needs it. */
export const createSocialProviders = (setup: SocialSetup): SocialProviders => {
  const opened = new Map<Provider, Promise<SocialProvider>>();
  const open = async (provider: Provider): Promise<SocialProvider> => {
    if (provider === 'google' && setup.google !== undefined) {
      return (await import('./google.ts')).createGoogle(setup.google);
    }
    if (provider === 'github' && setup.github !== undefined) {
      return (await import('./github.ts')).createGithub(setup.github);
    }
    throw new SocialRefusal('closed', `this shop is not registered with ${provider}`);
  };
  return {
    ways: () =>
      PROVIDERS.map((provider) => ({
        provider,
        open: setup[provider] !== undefined,
        standin: setup[provider]?.reach !== undefined,
      })),
    of: (provider) => {
      const known = opened.get(provider) ?? open(provider);
      opened.set(provider, known);
      return known;
    },
  };
};
