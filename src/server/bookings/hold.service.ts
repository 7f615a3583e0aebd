import { MAX_UNPAID_HOLDS } from '#contract/bookings.ts';
import { holdCopy, releaseCopy } from '#server/catalog/listing.service.ts';
import type { Trx } from '#server/platform/db.ts';
import { Refusal } from '#server/platform/errors.ts';
import { countHolds, deleteHold, insertHold, isOfferedPrice, lockHoldOfListing, renewHold } from './holds.queries.ts';

/** Why a claim on a copy could not be had. */
export type HoldRefusal = 'taken' | 'releasing';

export interface Claim {
  readonly listingId: string;
  readonly bookingId: string;
  readonly buyerId: string;
  readonly minutes: number;
}

/** The claim cannot be had: the refusal a buyer is told. */
export const holdRefused = (why: HoldRefusal): Refusal =>
  why === 'taken'
    ? new Refusal('hold_lost', 'Someone else has this book now')
    : new Refusal('hold_lost', 'This booking is just being released; please try again in a moment', {
        retryAfterSeconds: 2,
      });

/**
 * Takes or renews the exclusive claim of a booking on its copy. The caller has the buyer's turn (`lockBuyerHolds`) and then
 * the booking's row lock, in this order. Answers when the claim ends, or why it could not be had; 409 when the copy's price is
 * not the booking's any more; a buyer with five other claims gets 429, told after that.
 */
export const takeOrRenewHold = async (trx: Trx, claim: Claim): Promise<Date | HoldRefusal> => {
  const current = await lockHoldOfListing(trx, claim.listingId);
  if (current?.bookingId === claim.bookingId) {
    return current.releasing ? 'releasing' : renewHold(trx, claim.bookingId, claim.minutes);
  }
  if (current !== undefined || !(await holdCopy(trx, claim.listingId))) return 'taken';
  // From here on nobody edits the copy; before, its seller may have, since the buyer looked or their last hold ended.
  if (!(await isOfferedPrice(trx, claim.bookingId))) {
    throw new Refusal('price_changed', 'The price has changed', { fields: { price: 'The price has changed' } });
  }
  if ((await countHolds(trx, claim.buyerId, claim.bookingId)) >= MAX_UNPAID_HOLDS) {
    throw new Refusal('too_many', `You have ${MAX_UNPAID_HOLDS} unpaid books already; pay for or cancel one first`, {
      retryAfterSeconds: claim.minutes * 60,
    });
  }
  return insertHold(trx, claim);
};

/** Gives up a booking's claim and puts the copy back on the shelf; harmless when there is none. */
export const releaseHold = async (trx: Trx, booking: { id: string; listingId: string }): Promise<void> => {
  if (await deleteHold(trx, booking.id)) await releaseCopy(trx, booking.listingId);
};
