import { ApiError } from '#web/api/api-error.ts';

/**
 * A refusal that asking again will not change: it takes the place of the form. Anything else leaves the typed card
 * alone.
 */
export const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.retryAfterSeconds === undefined;
