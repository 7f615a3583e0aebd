import { forgetMailTo } from '#server/mail/outbox.service.ts';
import { deleteNoticesOf } from '#server/notices/notices.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { AppError, unauthenticated } from '#server/platform/errors.ts';
import { deleteWaysInOf, eraseProfile, insertDeparture, selectAddress } from './departure.queries.ts';
import { lockLeaving } from './user-lists.queries.ts';

export { finishDeparture, listUnfinishedDepartures } from './departure.queries.ts';
export { requireFreshSignIn } from '#server/identity/sessions/fresh-sign-in.policy.ts';

/**
 * Locks somebody who wants to leave until the transaction ends; 401 when they are gone. An admin is locked with all
 * others, so that of the last two who leave at once one stays: 409 `last_admin`.
 */
export const lockToLeave = async (trx: Trx, userId: string): Promise<void> => {
  const locked = await lockLeaving(trx, userId);
  const user = locked.find(({ id }) => id === userId);
  if (user === undefined) throw unauthenticated();
  if (user.isAdmin && !locked.some(({ id, isAdmin }) => isAdmin && id !== userId)) {
    throw new AppError('last_admin', 'You are the only admin: make somebody else one first');
  }
};

/**
 * Forgets who somebody was: name, address, picture, ways in, devices, mail and notices. Their row and what hangs on it
 * stay, nameless.
 */
export const forgetUser = async (trx: Trx, userId: string): Promise<void> => {
  await forgetMailTo(trx, await selectAddress(trx, userId));
  await deleteNoticesOf(trx, userId);
  await eraseProfile(trx, userId);
  await deleteWaysInOf(trx, userId);
  await insertDeparture(trx, userId);
};
