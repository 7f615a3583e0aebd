import { SOCIAL_RETURN_PATH, type Provider, type SocialOutcome } from '#contract/users/social.ts';
import { hashOfToken, isToken, newToken } from '#server/identity/random-token.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { askOf } from './flow-secrets.ts';
import { FLOW_SECONDS, hasLiveFlow, insertFlow, takeFlow, type Flow } from './flows.queries.ts';
import { SocialRefusal, type SocialProfile } from './provider.ts';
import type { SocialProviders } from './providers.ts';

export type { Flow } from './flows.queries.ts';

export interface SocialDeps {
  readonly db: Db;
  readonly config: Config;
  readonly providers: SocialProviders;
}

/** What a browser's cookie holds while it is on its way. */
export interface WayCookie {
  readonly token: string;
  readonly maxAgeSeconds: number;
}

const redirectUriOf = (config: Config, provider: Provider): string =>
  `${config.publicUrl}/api/auth/${provider}/callback`;

/**
 * Begins a way to a service; answers where to send the browser, and what its cookie shall hold. A browser that is on
 * its way somewhere already keeps its secret, so that two windows do not lock each other out.
 */
export const beginFlow = async (
  { db, config, providers }: SocialDeps,
  provider: Provider,
  flow: Flow,
  sent: string | undefined,
): Promise<{ location: string; cookie: WayCookie }> => {
  const isOnItsWay = isToken(sent) && (await hasLiveFlow(db, hashOfToken(sent)));
  const browser = isOnItsWay ? sent : newToken();
  const state = newToken();
  const service = await providers.of(provider);
  const url = await service.authorizationUrl(askOf({ browser, state, redirectUri: redirectUriOf(config, provider) }));
  await insertFlow(db, { ...flow, provider, stateHash: hashOfToken(state), browserHash: hashOfToken(browser) });
  return { location: url.href, cookie: { token: browser, maxAgeSeconds: FLOW_SECONDS } };
};

/** What a service sends along when it sends somebody back. */
export interface CallbackAnswer {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly iss?: string | undefined;
  readonly error?: string | undefined;
}

/** The flow that an answer of a service ends: once, in the browser where it began. */
export const endFlow = async (
  db: Db,
  provider: Provider,
  answer: CallbackAnswer,
  browser: string | undefined,
): Promise<{ flow: Flow; browser: string; state: string }> => {
  const { state } = answer;
  if (isToken(state) && isToken(browser)) {
    const flow = await takeFlow(db, { stateHash: hashOfToken(state), browserHash: hashOfToken(browser), provider });
    if (flow !== undefined) return { flow, browser, state };
  }
  throw new SocialRefusal('lost', 'no such flow of this browser');
};

/** Asks the service who came back. */
export const identify = async (
  { config, providers }: SocialDeps,
  provider: Provider,
  answer: CallbackAnswer,
  ended: { browser: string; state: string },
): Promise<SocialProfile> => {
  const given = Object.entries({ code: answer.code, state: answer.state, iss: answer.iss, error: answer.error });
  const query = new URLSearchParams(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const service = await providers.of(provider);
  return service.identify(askOf({ ...ended, redirectUri: redirectUriOf(config, provider) }), query);
};

/** The page that tells what came of it. `from` is carried, not followed: the page checks it. */
export const returnUrl = (
  config: Config,
  provider: Provider,
  outcome: SocialOutcome,
  flow: Pick<Flow, 'page' | 'inPopup' | 'returnPath'> | undefined,
): string => {
  const url = new URL(SOCIAL_RETURN_PATH, config.publicUrl);
  url.searchParams.set('provider', provider);
  url.searchParams.set('outcome', outcome);
  if (flow !== undefined) url.searchParams.set('page', flow.page);
  if (flow?.inPopup === true) url.searchParams.set('popup', '1');
  if (flow !== undefined && flow.returnPath !== '') url.searchParams.set('from', flow.returnPath);
  return url.href;
};
