import { moveListing } from '#server/catalog/listings/listing.queries.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { isWaiting, setWaiting } from './looks.queries.ts';
import { isShelfHidden, setPausedAlone } from './pausing/pausing.queries.ts';

/** A copy that is about to be on the shelf. */
export interface CopyToLookAt {
  readonly listingId: string;
  readonly sellerId: string;
  readonly isbn13: string;
  readonly resaleCents: number;
  /** It was not on the shelf before; else its price was changed. */
  readonly isNew: boolean;
  /** It comes with many others, of which its seller is told together. */
  readonly isOfMany?: true;
}

/** Whether an admin is to look at a copy first, and if so has somebody asked; `app.ts` hands it in. */
export type HoldForLook = (trx: Trx, copy: CopyToLookAt) => Promise<boolean>;

/** Keeps a copy off the shelf until an admin has looked at it; its seller cannot put it there. */
export const waitForLook = async (trx: Trx, id: string): Promise<void> => {
  await setWaiting(trx, id, true);
  await setPausedAlone(trx, id, true);
  await moveListing(trx, id, 'available', 'paused');
};

/** 409 for a copy that waits for an admin's look. */
export const requireLookedAt = async (trx: Trx, id: string): Promise<void> => {
  if (await isWaiting(trx, id))
    throw new AppError('copy_locked', 'We look at this book before it goes live: it appears by itself');
};

/** Puts a copy that waited on the shelf, or with the rest of a shelf that is paused; false where it did not wait. */
export const endLook = async (trx: Trx, { id, sellerId }: { id: string; sellerId: string }): Promise<boolean> => {
  if (!(await setWaiting(trx, id, false))) return false;
  await setPausedAlone(trx, id, false);
  if (!(await isShelfHidden(trx, sellerId))) await moveListing(trx, id, 'paused', 'available');
  return true;
};
