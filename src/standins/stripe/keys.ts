/** The secret key the stand-in accepts when none is configured; it opens nothing outside this machine. */
export const STANDIN_SECRET_KEY = 'sk_test_dogear_standin';

/** The publishable key for the browser and for calls with a client secret. */
export const STANDIN_PUBLISHABLE_KEY = 'pk_test_dogear_standin';

/** The secret that signs the stand-in's webhooks. */
export const STANDIN_WEBHOOK_SECRET = 'whsec_dogear_standin';

/** The secret that signs its webhooks about connected accounts. */
export const STANDIN_CONNECT_WEBHOOK_SECRET = 'whsec_dogear_standin_connect';

/**
 * The version of Stripe's API these objects follow: the one the `stripe` package is pinned to (a test compares them).
 */
export const STRIPE_API_VERSION = '2026-10-28.endive';

/** The port `npm run standins -w lab` listens on unless told otherwise. */
export const STANDIN_PORT = 4242;
