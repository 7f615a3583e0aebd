/**
 * Notes that somebody signed out and the shop could not be told yet: the session's own cookie cannot be taken away from
 * here. A cookie, because every tab and every later visit must know, and local storage holds the access token, the
 * theme and an address that somebody wants kept alone.
 */
const NAME = 'dogear-leaving';
const MOST_SECONDS = 30 * 24 * 60 * 60;

export const isLeaving = (): boolean => `; ${document.cookie}`.includes(`; ${NAME}=1`);

export const noteLeaving = (leaving: boolean): void => {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${NAME}=${leaving ? 1 : ''}; Path=/; Max-Age=${leaving ? MOST_SECONDS : 0}; SameSite=Lax${secure}`;
};
