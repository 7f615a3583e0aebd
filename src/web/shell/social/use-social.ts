import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Provider, SocialPage, SocialSuccess } from '#contract/users/social.ts';
import { messageOf } from '#web/api/api-error.ts';
import { arrive } from './social-arrival.ts';
import { isProvider, isSuccess, openWindow, startPath, watchWindow } from './social-window.ts';
import { failureSentence, isFailure, type Failure } from './social-words.ts';

/** What the buttons of the services need to know of the way that was begun. */
export interface Social {
  /** The service somebody is on their way to. */
  readonly busy: Provider | undefined;
  /** Whether they are there in a window beside the page. */
  readonly inWindow: boolean;
  /** They came back, and the page is about to lead on by itself. */
  readonly arriving: boolean;
  /** What went wrong and what to do, as one text. */
  readonly failure: string | undefined;
  readonly press: (provider: Provider) => void;
  /** Brings the window back that may be behind this one. */
  readonly show: () => void;
}

/** What the page of the return leaves for the page it leads back to, where there is no window beside it. */
export interface CarriedFailure {
  readonly social: { readonly provider: Provider; readonly failure: Failure };
}

const carriedFailure = (page: SocialPage, state: unknown): string | undefined => {
  const social: unknown = typeof state === 'object' && state !== null && 'social' in state ? state.social : undefined;
  if (typeof social !== 'object' || social === null || !('provider' in social) || !('failure' in social))
    return undefined;
  return isProvider(social.provider) && isFailure(social.failure)
    ? failureSentence(page, social.provider, social.failure)
    : undefined;
};

interface Options {
  readonly page: SocialPage;
  /** Where to go afterwards. */
  readonly from: string;
  /** What to do when it went well; without it the person is signed in and led on. */
  readonly onSuccess?: (provider: Provider, success: SocialSuccess) => Promise<void> | void;
  /** Asks the shop for the service's address, where that takes more than a link. */
  readonly locate?: (provider: Provider, popup: boolean) => Promise<string>;
  /** The person who is signed in proves again who they are. */
  readonly again?: boolean;
}

/**
 * The way to a service and back, in a window beside the page, or in the page itself where the browser opens none. The
 * window is opened on the click itself, so that no blocker takes it for an advertisement.
 */
export const useSocial = (options: Options): Social => {
  const { page, from, onSuccess, locate, again = false } = options;
  const navigate = useNavigate();
  const { state } = useLocation();
  const [busy, setBusy] = useState<Provider>();
  const [inWindow, setInWindow] = useState(false);
  const [arriving, setArriving] = useState(false);
  const [failure, setFailure] = useState(() => carriedFailure(page, state));
  const opened = useRef<Window>(undefined);
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  useEffect(() => {
    // Back from the service by the browser's own button: the page is as it was left.
    const comeBack = (event: PageTransitionEvent): void => {
      if (event.persisted) setBusy(undefined);
    };
    addEventListener('pageshow', comeBack);
    return () => removeEventListener('pageshow', comeBack);
  }, []);

  const fail = (text: string): void => {
    setBusy(undefined);
    setInWindow(false);
    setArriving(false);
    setFailure(text);
  };

  const succeed = async (provider: Provider, success: SocialSuccess): Promise<void> => {
    // Also after the window seemed closed: it was heard after all.
    setBusy(provider);
    setInWindow(false);
    setArriving(true);
    setFailure(undefined);
    if (onSuccess !== undefined) await onSuccess(provider, success);
    else if (success !== 'linked' && !(await arrive({ provider, outcome: success, from }, navigate))) {
      return fail(failureSentence(page, provider, 'lost'));
    }
    setBusy(undefined);
    setArriving(false);
  };

  const wait = (provider: Provider, beside: Window): void => {
    opened.current = beside;
    setInWindow(true);
    stop.current = watchWindow(beside, (outcome, told = provider) => {
      if (!isSuccess(outcome)) return fail(failureSentence(page, told, outcome));
      succeed(told, outcome).catch((error: unknown) => fail(messageOf(error)));
    });
  };

  const goByLink = (provider: Provider): void => {
    const beside = openWindow(startPath(provider, { page, from, again, popup: true }));
    if (beside === null) location.assign(startPath(provider, { page, from, again, popup: false }));
    else wait(provider, beside);
  };

  const goLocated = async (provider: Provider, find: NonNullable<typeof locate>): Promise<void> => {
    const beside = openWindow(await find(provider, true));
    if (beside === null) location.assign(await find(provider, false));
    else wait(provider, beside);
  };

  return {
    busy,
    inWindow,
    arriving,
    failure,
    press: (provider) => {
      stop.current?.();
      setFailure(undefined);
      setInWindow(false);
      setBusy(provider);
      if (locate === undefined) goByLink(provider);
      else goLocated(provider, locate).catch((error: unknown) => fail(messageOf(error)));
    },
    show: () => opened.current?.focus(),
  };
};
