import type { Db } from '#server/platform/postgres/db.ts';
import type { AttemptLimit } from './attempts.queries.ts';
import { isDeviceOf } from '#server/identity/sessions/devices.queries.ts';
import { hashOfToken, isToken } from '#server/identity/random-token.ts';

/** From any number of networks, for addresses without an account too, so that the limit tells nothing. */
const OF_STRANGERS: AttemptLimit = {
  kind: 'wrong password',
  attempts: 10,
  windowSeconds: 15 * 60,
  windowFrom: 'last',
};

/** Of a browser that its owner has signed in with: whoever guesses elsewhere cannot use these up. */
const OF_KNOWN_BROWSER: AttemptLimit = { ...OF_STRANGERS, kind: 'wrong password in a known browser' };

/** Which wrong passwords count together: the limit, and whose they are. */
export interface WrongPasswords {
  readonly limit: AttemptLimit;
  readonly subject: string;
}

/** Where wrong passwords for `email` are counted when they come with this device cookie. */
export const wrongPasswordsOf = async (db: Db, email: string, device: string | undefined): Promise<WrongPasswords> => {
  const address = email.toLowerCase();
  const hash = isToken(device) ? hashOfToken(device) : undefined;
  if (hash === undefined || !(await isDeviceOf(db, address, hash))) return { limit: OF_STRANGERS, subject: address };
  return { limit: OF_KNOWN_BROWSER, subject: `${address} ${hash.toString('base64url')}` };
};

/** All that may be counted for `email` from one browser: whoever sets a new password starts anew. */
export const wrongPasswordCounters = (email: string, device: string | undefined): WrongPasswords[] => {
  const address = email.toLowerCase();
  const known = isToken(device)
    ? [{ limit: OF_KNOWN_BROWSER, subject: `${address} ${hashOfToken(device).toString('base64url')}` }]
    : [];
  return [{ limit: OF_STRANGERS, subject: address }, ...known];
};
