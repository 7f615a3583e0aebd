import type { AttemptLimit } from './attempts.queries.ts';

/** From any number of networks, for addresses without an account too, so that the limit tells nothing. */
export const WRONG_PASSWORDS: AttemptLimit = {
  kind: 'wrong password',
  attempts: 10,
  windowSeconds: 15 * 60,
  windowFrom: 'last',
};
