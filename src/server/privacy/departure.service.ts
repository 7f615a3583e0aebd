import { DELETION_WORD } from '#contract/users/account.ts';
import { forgetBuyer } from '#server/bookings/buyers/leaving-buyer.service.ts';
import { forgetSeller } from '#server/catalog/listings/leaving-seller.service.ts';
import {
  finishDeparture,
  forgetUser,
  listUnfinishedDepartures,
  lockToLeave,
  requireFreshSignIn,
} from '#server/identity/users/departure.service.ts';
import { takeOut } from '#server/moderation/moderation.service.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { releaseHoldsOfBuyer } from '#server/payments/settlement/release.service.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { badFields } from '#server/platform/errors.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/** Leaving asks the payment provider to cancel what somebody had begun to pay. */
export type PrivacyDeps = PaymentDeps;

/** Users looked after in one go of the sweep. */
const SWEEP_BATCH = 20;

/**
 * Makes nameless what can be by now; what is promised to somebody or on its way to the provider waits for the next
 * time.
 */
const forget = async (db: Db, userId: string): Promise<void> => {
  const [buyer, seller] = [await forgetBuyer(db, userId), await forgetSeller(db, userId)];
  if (buyer && seller) await finishDeparture(db, userId);
};

/**
 * Deletes the viewer's own account for good. In one transaction they are out of sight, signed out and off the shelves,
 * their profile forgotten and their address free; then what they had on hold is given back, an intent that had
 * succeeded settling instead, and what stays of bookings and copies loses their name. What cannot be done now is told
 * to `onError` and left to the sweeps. An account that an admin deleted is not forgotten: it may be restored.
 */
export const deleteOwnAccount = async (
  deps: PrivacyDeps,
  viewer: Viewer,
  confirm: string,
  onError: (error: unknown) => void,
): Promise<void> => {
  const { userId } = requireFreshSignIn(viewer);
  if (confirm.trim().toUpperCase() !== DELETION_WORD) throw badFields({ confirm: `Type ${DELETION_WORD}` });
  await deps.db.transaction().execute(async (trx) => {
    await lockToLeave(trx, userId);
    await takeOut(trx, { userId: userId, actorId: userId, action: 'own account deleted' });
    await forgetUser(trx, userId);
  });
  await releaseHoldsOfBuyer(deps, userId, onError);
  await forget(deps.db, userId).catch(onError);
};

/** Goes on forgetting users who left while something of theirs was still needed; to be run now and then. */
export const finishDepartures = async (db: Db, onError: (error: unknown) => void): Promise<void> => {
  for (const { userId } of await listUnfinishedDepartures(db, SWEEP_BATCH)) await forget(db, userId).catch(onError);
};
