/** The registration the stand-in knows; it opens nothing outside this machine. */
export const STANDIN_CLIENT_ID = 'dogear-standin';
export const STANDIN_CLIENT_SECRET = 'dogear-standin-secret';

/**
 * What the stand-ins call themselves. Names that never lead anywhere (RFC 2606) and do not change with the port of the
 * shop: people are known by them. Whoever uses the stand-ins reaches them at their real address instead.
 */
export const GOOGLE_STANDIN = 'https://google.standin.invalid';
export const GITHUB_STANDIN = 'https://github.standin.invalid';
/** Where the API of the stand-in for Github begins. */
export const GITHUB_STANDIN_API = `${GITHUB_STANDIN}/api`;
