import type { Provider } from '#contract/users/social.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { AppError, unauthenticated } from '#server/platform/errors.ts';
import type { SignedIn } from '#server/platform/viewer.ts';
import { unknownPasskey } from '#server/identity/passkeys/passkey-proof.ts';
import { notePasskeyUse } from '#server/identity/passkeys/passkeys.queries.ts';
import { isSessionThere } from './sessions.queries.ts';
import { isIdentityOf } from '#server/identity/social/identities.queries.ts';
import { lockWaysIn, shareLock, type WaysIn } from './ways-in.queries.ts';

/** What let somebody in. Those that were checked some time ago are looked at once more when the session begins. */
export type WayIn =
  | { readonly kind: 'password'; readonly passwordHash: string }
  | { readonly kind: 'passkey'; readonly id: string; readonly counter: number }
  | { readonly kind: Provider; readonly issuer: string; readonly subject: string }
  /** Taken in this very transaction: the link of a mail, a recovery code, an account that was just made. */
  | { readonly kind: 'link' | 'recovery code' | 'new' };

/** As a session keeps it, so that sessions end with the way in they began by. */
export const wayInName = (way: Pick<WayIn, 'kind'> & { readonly id?: string }): string =>
  way.id === undefined ? way.kind : `${way.kind}:${way.id}`;

export const wrongCredentials = (): AppError =>
  new AppError('wrong_credentials', 'The email address or the password is wrong.');

/**
 * Makes the check of a way in and what follows from it one decision: the user is locked, and is there, and the way in
 * that was checked is still theirs. Else 401. Whoever takes it away meanwhile waits for this transaction, and then ends
 * the session it began.
 */
export const holdWayIn = async (trx: Trx, userId: string, way: WayIn): Promise<void> => {
  const passwordHash = way.kind === 'password' ? way.passwordHash : undefined;
  const isThere = await shareLock(trx, userId, passwordHash);
  if (!isThere) throw way.kind === 'password' ? wrongCredentials() : unauthenticated();
  // After the lock, by statements of their own: they see what was there when it was given.
  // An equal count was told before: somebody has a copy of this passkey.
  if (way.kind === 'passkey' && !(await notePasskeyUse(trx, way.id, way.counter))) throw unknownPasskey();
  if ('issuer' in way && !(await isIdentityOf(trx, userId, way))) throw unauthenticated();
};

/** The user's ways in, their row locked; 401 when they are gone. */
export const waysInOf = async (trx: Trx, userId: string): Promise<WaysIn> => {
  const ways = await lockWaysIn(trx, userId);
  if (ways === undefined) throw unauthenticated();
  return ways;
};

/**
 * As `waysInOf`, for the viewer who wants to change them: 401 when their session ended after they were let in, such as
 * by a reset that took them for a stranger.
 */
export const ownWaysIn = async (trx: Trx, { userId, sessionId }: SignedIn): Promise<WaysIn> => {
  const ways = await waysInOf(trx, userId);
  if (!(await isSessionThere(trx, sessionId))) throw unauthenticated();
  return ways;
};

/**
 * How many ways somebody can sign in: password, passkeys, linked accounts. The user's row is locked until the
 * transaction ends.
 */
export const countWaysIn = async (trx: Trx, userId: string): Promise<number> => {
  const { hasPassword, passkeys, links } = await waysInOf(trx, userId);
  return (hasPassword ? 1 : 0) + passkeys + links;
};

/**
 * Refuses (409 `last_way_in`) to take away the only way in: called in the transaction that takes it, before or, with
 * `already: 'removed'`, after.
 */
export const requireAnotherWayIn = async (
  trx: Trx,
  userId: string,
  options: { already?: 'removed' } = {},
): Promise<void> => {
  if ((await countWaysIn(trx, userId)) < (options.already === 'removed' ? 1 : 2)) {
    throw new AppError('last_way_in', 'This is your only way to sign in: add another one first');
  }
};
