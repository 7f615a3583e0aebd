import { reauthenticate } from '#contract/users/account.ts';
import type { Input } from '#contract/endpoint.ts';
import { issueAccessToken, readSession, signOut, type SessionUser } from '#contract/users/identity.ts';
import { isTokenEvent, storedToken, storeToken } from './access-token.ts';
import { ApiError } from './api-error.ts';
import { anonymousApi } from './client.ts';
import { fetchTransport } from './fetch-transport.ts';
import { forgetAddress } from './kept-address.ts';
import { isLeaving, noteLeaving } from './leaving.ts';

/** Who is signed in, as far as the browser knows: `loading` until the shop was asked once. */
export type SessionState =
  | { readonly status: 'loading' }
  /** `asked`: the person signed out here; else the session ran out, or was ended elsewhere. */
  | { readonly status: 'out'; readonly asked?: true }
  | { readonly status: 'in'; readonly user: SessionUser };

const LOADING: SessionState = { status: 'loading' };
const OUT: SessionState = { status: 'out' };
const SIGNED_OUT: SessionState = { status: 'out', asked: true };

// These calls go by the session cookie alone: they must work while there is no usable token.
const byCookie = anonymousApi(fetchTransport());
const listeners = new Set<() => void>();
let state: SessionState = LOADING;
let asking: Promise<SessionUser | null> | undefined;
let renewing: Promise<string | undefined> | undefined;
let confirming: Promise<unknown> = Promise.resolve();
let leaving: Promise<void> | undefined;
/** Counts sign-ins and sign-outs: what was asked before one of them tells nothing about who is signed in after it. */
let changes = 0;

const isSame = (a: SessionState, b: SessionState): boolean => JSON.stringify(a) === JSON.stringify(b);

const become = (next: SessionState): void => {
  // The header is drawn for both states and chosen by CSS, so that it is right before anything is loaded.
  document.documentElement.dataset['session'] = next.status === 'in' ? 'in' : 'out';
  if (isSame(state, next)) return;
  state = next;
  for (const listener of listeners) listener();
};

const take = (user: SessionUser | null): SessionUser | null => {
  if (user === null) storeToken(undefined);
  become(user === null ? OUT : { status: 'in', user });
  return user;
};

/** The state now; the same object until it changes. */
export const sessionState = (): SessionState => state;

/** The state while rendering on the server and hydrating: nobody is known yet. */
export const unknownSession = (): SessionState => LOADING;

const tellOfLeaving = async (): Promise<void> => {
  await byCookie.call(signOut, {}).catch((error: unknown) => {
    // No session to end: somebody was quicker, in another tab or by time.
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  });
  noteLeaving(false);
};

/** Ends at the shop the session that was left here; answers whether the shop could be told. */
const finishLeaving = (): Promise<boolean> => {
  leaving ??= tellOfLeaving().finally(() => {
    leaving = undefined;
  });
  return leaving.then(
    () => true,
    () => false,
  );
};

const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 60_000;

const finishLeavingLater = (waitMs = FIRST_RETRY_MS): void => {
  setTimeout(() => {
    if (!isLeaving()) return;
    void finishLeaving().then((isTold) => {
      if (!isTold) finishLeavingLater(Math.min(waitMs * 2, LAST_RETRY_MS));
    });
  }, waitMs);
};

const ask = async (): Promise<SessionUser | null> => {
  // Whoever left is not signed in, whatever the cookie of their session still says.
  if (isLeaving() && !(await finishLeaving())) {
    finishLeavingLater();
    return take(null);
  }
  // A cookie that is just being replaced must not be asked about: it would be nobody's.
  await confirming;
  const before = changes;
  const { user } = await byCookie.call(readSession, {});
  if (changes === before) return take(user);
  return state.status === 'in' ? state.user : null;
};

/** Asks the shop who is signed in, now; concurrent askers share one call. */
export const refreshSession = (): Promise<SessionUser | null> => {
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
};

/** Who is signed in, asked at most once. */
export const currentUser = (): Promise<SessionUser | null> => {
  if (state.status === 'loading') return refreshSession();
  return Promise.resolve(state.status === 'in' ? state.user : null);
};

const renew = async (): Promise<string | undefined> => {
  const user = await refreshSession();
  if (user === null) return undefined;
  const before = changes;
  const { accessToken } = await byCookie.call(issueAccessToken, { query: { email: user.email } });
  if (changes !== before) return storedToken();
  storeToken(accessToken);
  return accessToken;
};

/** A fresh access token for the session, undefined when nobody is signed in; concurrent renewals share one. */
export const renewToken = (): Promise<string | undefined> => {
  renewing ??= renew().finally(() => {
    renewing = undefined;
  });
  return renewing;
};

/** After a sign-in: fetches and stores the access token, then tells the page who `user` is. */
export const beginSession = async (user: SessionUser): Promise<void> => {
  const { accessToken } = await byCookie.call(issueAccessToken, { query: { email: user.email } });
  // The sign-in has put another session in the place of one that was left here.
  noteLeaving(false);
  changes += 1;
  storeToken(accessToken);
  become({ status: 'in', user });
};

/**
 * Proves that whoever is signed in is still there; the session goes on under another cookie. Throws when the proof is
 * wrong.
 */
export const confirmSignIn = async (proof: Input<typeof reauthenticate>['body']): Promise<void> => {
  // What goes by the old cookie comes to its end first.
  while (asking !== undefined || renewing !== undefined) await Promise.allSettled([asking, renewing]);
  const call = byCookie.call(reauthenticate, { body: proof });
  confirming = call.catch(() => undefined);
  await call;
};

/**
 * Signs out, whatever the network says: the token is gone and nobody is signed in here, in every tab, before the shop
 * is told. Answers whether it was; where it could not be, it is told as soon as it can be reached, by this page or by
 * any later visit.
 */
export const endSession = async (): Promise<boolean> => {
  noteLeaving(true);
  changes += 1;
  storeToken(undefined);
  forgetAddress();
  become(SIGNED_OUT);
  const isTold = await finishLeaving();
  if (!isTold) finishLeavingLater();
  return isTold;
};

/** After the account itself is gone: forgets who was signed in, in every tab. */
export const forgetSession = (): void => {
  changes += 1;
  forgetAddress();
  take(null);
};

const onStorage = (event: StorageEvent): void => {
  if (!isTokenEvent(event)) return;
  if (storedToken() === undefined) {
    changes += 1;
    become(OUT);
  } else if (state.status !== 'in') void refreshSession().catch(() => undefined);
};

const onOnline = (): void => {
  if (isLeaving()) void finishLeaving();
};

/** Calls `listener` on every change, and watches what other tabs do, until the answered function is called. */
export const subscribeToSession = (listener: () => void): (() => void) => {
  if (listeners.size === 0) {
    addEventListener('storage', onStorage);
    addEventListener('online', onOnline);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    removeEventListener('storage', onStorage);
    removeEventListener('online', onOnline);
  };
};
