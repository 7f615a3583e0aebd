import {
  PROVIDERS,
  SOCIAL_SUCCESSES,
  type Provider,
  type SocialOutcome,
  type SocialPage,
  type SocialSuccess,
} from '#contract/users/social.ts';
import { pathOf } from '#contract/endpoint.ts';
import { startGithub, startGoogle } from '#contract/users/social.ts';
import { isFailure } from './social-words.ts';

/** One for both services: pressing the other button uses the window that is open. */
const WINDOW_NAME = 'dogear-sign-in';
const WIDTH = 500;
const HEIGHT = 720;

/** A window that says what came of it closes a moment later: only one that stays closed was closed by the person. */
const LOOK_EVERY_MS = 400;

const STARTS = { google: startGoogle, github: startGithub } as const;

/** What the page of the return tells the page that waits. */
interface Tidings {
  readonly kind: typeof WINDOW_NAME;
  readonly provider: Provider;
  readonly outcome: SocialOutcome;
}

export const isProvider = (text: unknown): text is Provider => PROVIDERS.some((provider) => provider === text);
export const isSuccess = (text: unknown): text is SocialSuccess => SOCIAL_SUCCESSES.some((success) => success === text);
const isOutcome = (text: unknown): text is SocialOutcome => isSuccess(text) || isFailure(text);

const isTidings = (data: unknown): data is Tidings =>
  typeof data === 'object' &&
  data !== null &&
  'kind' in data &&
  data.kind === WINDOW_NAME &&
  'provider' in data &&
  isProvider(data.provider) &&
  'outcome' in data &&
  isOutcome(data.outcome);

/** The address that leads to a service. */
export const startPath = (
  provider: Provider,
  way: { page: SocialPage; from: string; popup: boolean; again?: boolean },
): string => {
  const query = {
    page: way.page,
    from: way.from === '/' ? undefined : way.from,
    popup: way.popup ? '1' : undefined,
    again: way.again === true ? '1' : undefined,
  };
  return `/api${pathOf(STARTS[provider], { query })}`;
};

/**
 * Opens a window beside the page; null where the browser does not let us. Call it on a click, before anything is waited
 * for.
 */
export const openWindow = (address: string): Window | null => {
  const left = Math.max(0, window.screenX + (window.outerWidth - WIDTH) / 2);
  const top = Math.max(0, window.screenY + (window.outerHeight - HEIGHT) / 2);
  const features = `popup,width=${WIDTH},height=${HEIGHT},left=${Math.round(left)},top=${Math.round(top)}`;
  const opened = window.open(address, WINDOW_NAME, features);
  return opened === null || opened.closed ? null : opened;
};

/**
 * Waits for what the window says; `onOutcome` is told, once. A window that was closed without a word is told as
 * `window-closed`, and heard still: a service may cut the ties between the two windows, which looks the same from here.
 */
export const watchWindow = (
  opened: Window,
  onOutcome: (outcome: SocialOutcome | 'window-closed', provider: Provider | undefined) => void,
): (() => void) => {
  const channel = new BroadcastChannel(WINDOW_NAME);
  let timesClosed = 0;
  const looking = setInterval(() => {
    timesClosed = opened.closed ? timesClosed + 1 : 0;
    if (timesClosed < 2) return;
    clearInterval(looking);
    onOutcome('window-closed', undefined);
  }, LOOK_EVERY_MS);
  const stop = (): void => {
    clearInterval(looking);
    removeEventListener('message', onMessage);
    channel.close();
  };
  const hear = (data: unknown): void => {
    if (!isTidings(data)) return;
    stop();
    onOutcome(data.outcome, data.provider);
  };
  const onMessage = (event: MessageEvent): void => {
    if (event.origin === location.origin && event.source === opened) hear(event.data);
  };
  addEventListener('message', onMessage);
  channel.onmessage = (event) => hear(event.data);
  return stop;
};

/** Whether this page is in a window that `openWindow` opened, where the address does not say it. */
export const isOurWindow = (): boolean => window.opener !== null && window.name === WINDOW_NAME;

/** Tells the page that opened this window what came of it, and nobody else; then closes the window. */
export const tellAndClose = (provider: Provider, outcome: SocialOutcome): void => {
  const tidings: Tidings = { kind: WINDOW_NAME, provider, outcome };
  const opener = window.opener as Window | null;
  if (opener !== null) opener.postMessage(tidings, location.origin);
  else {
    // The service cut the ties: pages of this shop still hear each other.
    const channel = new BroadcastChannel(WINDOW_NAME);
    channel.postMessage(tidings);
    channel.close();
  }
  window.close();
};
