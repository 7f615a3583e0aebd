const KEY = 'accessToken';

/** A token with less than this left is renewed before it is used, so that no call is refused half way. */
const RENEW_BELOW_SECONDS = 30;

/** The stored access token; undefined when there is none, or no storage (private modes, the server). */
export const storedToken = (): string | undefined => {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
};

/** Stores the token, or removes it. */
export const storeToken = (token: string | undefined): void => {
  try {
    if (token === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, token);
  } catch {
    // A browser without storage: the session cookie still says who is signed in, and every call renews.
  }
};

/** Whether a `storage` event of another tab is about the token. */
export const isTokenEvent = (event: StorageEvent): boolean => event.key === KEY || event.key === null;

const expiryOf = (token: string): number | undefined => {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const claims: unknown = JSON.parse(atob(payload));
    if (typeof claims !== 'object' || claims === null || !('exp' in claims)) return undefined;
    return typeof claims.exp === 'number' ? claims.exp : undefined;
  } catch {
    return undefined;
  }
};

/** Whether the token has run out or is about to, by this machine's clock. */
export const isStale = (token: string): boolean => {
  const expiry = expiryOf(token);
  return expiry !== undefined && expiry - Date.now() / 1_000 < RENEW_BELOW_SECONDS;
};
