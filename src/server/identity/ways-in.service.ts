import type { Trx } from '#server/platform/db.ts';
import { Refusal, unauthenticated } from '#server/platform/errors.ts';
import { lockWaysIn, type WaysIn } from './ways-in.queries.ts';

/** The person's ways in, their row locked; 401 when they are gone. */
export const waysInOf = async (trx: Trx, userId: string): Promise<WaysIn> => {
  const ways = await lockWaysIn(trx, userId);
  if (ways === undefined) throw unauthenticated();
  return ways;
};

/** How many ways somebody can sign in: password, passkeys, linked accounts. The person's row is locked until the transaction ends. */
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
    throw new Refusal('last_way_in', 'This is your only way to sign in: add another one first');
  }
};
