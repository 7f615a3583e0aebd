import { dayIn } from '#contract/time.ts';
import type { ListingStatus } from '#contract/catalog/catalog.ts';
import { MAX_PAUSE_DAYS, type ShelfPause } from '#contract/catalog/pausing.ts';
import { readShopClock } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { AppError, badFields, notFound } from '#server/platform/errors.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import { isLocked, mayEdit } from '#server/catalog/listings/listing.policy.ts';
import { moveListing } from '#server/catalog/listings/listing.queries.ts';
import { requireLookedAt } from '#server/catalog/listings/looks.service.ts';
import { allowSeconds, lockListing } from '#server/catalog/listings/managing.queries.ts';
import {
  countHidden,
  countOpenOrdersOf,
  endDuePauses,
  endShelfPause,
  findShelfPause,
  hideShelf,
  insertReturn,
  isShelfHidden,
  lockShelf,
  putShelfBack,
  readStatus,
  setPausedAlone,
  upsertShelfPause,
} from './pausing.queries.ts';

export { deleteShelfPause, findShelfPause, listHidden, listReturned } from './pausing.queries.ts';

const LOCKED_BECAUSE = {
  held: 'A buyer has reserved this book: it cannot be paused until the reservation ends',
  sold: 'This book is sold: it cannot be paused any more',
} as const;

const DAY_MS = 86_400_000;
/** A whole shelf may be a hundred thousand copies. */
const SHELF_SECONDS = 60;

/** A copy as pausing leaves it: what was done, and whether it is to be put back on the shelf now. */
export interface Paused {
  readonly isChanged: boolean;
  readonly comesBack: boolean;
}

/**
 * Notes that an own copy is paused by itself, which takes it off the shelf, or is not any more. 404 for another's copy,
 * 409 for one that is held or sold. Locks the shelf, then the copy; the caller puts it back where that is due.
 */
export const notePaused = async (trx: Trx, viewer: Viewer, input: { id: string; paused: boolean }): Promise<Paused> => {
  const seller = requireSeller(viewer);
  await lockShelf(trx, seller.userId);
  const listing = await lockListing(trx, input.id);
  if (listing === undefined || !mayEdit(seller, listing)) throw notFound('There is no such book');
  if (isLocked(listing.state)) throw new AppError('copy_locked', LOCKED_BECAUSE[listing.state]);
  await requireLookedAt(trx, input.id);
  const isChanged = await setPausedAlone(trx, input.id, input.paused);
  if (input.paused) {
    await moveListing(trx, input.id, 'available', 'paused');
    return { isChanged, comesBack: false };
  }
  const isAway = await isShelfPaused(trx, seller.userId);
  return { isChanged, comesBack: listing.state === 'paused' && !isAway };
};

/** Where a copy stands, as its seller sees it. */
export const statusOf = (db: Db, id: string): Promise<ListingStatus> => readStatus(db, id);

/** Whether a seller's whole shelf is paused now, by them or because they are suspended. */
export const isShelfPaused = (db: Db, sellerId: string): Promise<boolean> => isShelfHidden(db, sellerId);

/** Takes the shelf's lock and answers whether a copy that was hidden with it may be put back. */
export const mayComeBack = async (trx: Trx, sellerId: string): Promise<boolean> => {
  await lockShelf(trx, sellerId);
  return !(await isShelfPaused(trx, sellerId));
};

/** Puts a paused copy on the shelf, or holds it for the first in line; false when it is not paused. */
export const unpauseCopy = (trx: Trx, listingId: string, to: 'available' | 'held'): Promise<boolean> =>
  moveListing(trx, listingId, 'paused', to);

/** How the viewer's shelf is paused. */
export const readPause = async (db: Db, viewer: Viewer): Promise<ShelfPause> => {
  const { userId } = requireSeller(viewer);
  const openOrders = await countOpenOrdersOf(db, userId);
  const pause = await findShelfPause(db, userId);
  if (pause === undefined || pause.hasEnded) {
    return { paused: false, since: null, until: null, hidden: 0, openOrders };
  }
  const hidden = await countHidden(db, userId);
  return { paused: true, since: pause.since.toISOString(), until: pause.until, hidden, openOrders };
};

const requireDayOfReturn = async (db: Db, until: string, timeZone: string): Promise<void> => {
  const at = Date.parse(`${until}T00:00:00Z`);
  // JavaScript makes March 2 of February 30.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== until) {
    throw badFields({ until: 'There is no such day' });
  }
  const today = dayIn((await readShopClock(db)).now, timeZone);
  if (until <= today) throw badFields({ until: 'The day of return has to be after today' });
  if (at > Date.parse(`${today}T00:00:00Z`) + MAX_PAUSE_DAYS * DAY_MS) {
    throw badFields({ until: 'The day of return can be a year ahead at most' });
  }
};

/**
 * Hides what the viewer has on the shelf, and what gets there later, until `until` or until they are back; 400 with
 * `fields` for a day of return that cannot be.
 */
export const pauseShelf = async (
  db: Db,
  viewer: Viewer,
  { until, timeZone }: { until: string | null; timeZone: string },
): Promise<void> => {
  const { userId } = requireSeller(viewer);
  if (until !== null) await requireDayOfReturn(db, until, timeZone);
  await db.transaction().execute(async (trx) => {
    await allowSeconds(trx, SHELF_SECONDS);
    await lockShelf(trx, userId);
    await upsertShelfPause(trx, { sellerId: userId, until, timeZone });
    await hideShelf(trx, userId);
  });
};

/** Hides what a suspended seller has on the shelf; what gets there later the database hides. */
export const hideSuspendedShelf = async (trx: Trx, sellerId: string): Promise<void> => {
  await allowSeconds(trx, SHELF_SECONDS);
  await lockShelf(trx, sellerId);
  await hideShelf(trx, sellerId);
};

/** Notes that what was hidden comes back, but while its seller pauses it themselves. */
export const returnSuspendedShelf = async (trx: Trx, sellerId: string): Promise<void> => {
  await lockShelf(trx, sellerId);
  await insertReturn(trx, sellerId);
};

/** Notes that the viewer is back; `returnShelf` puts the copies back. */
export const endPause = (db: Db, viewer: Viewer): Promise<void> => {
  const { userId } = requireSeller(viewer);
  return db.transaction().execute((trx) => endShelfPause(trx, userId));
};

/** Notes of everybody whose day of return has come that they are back. */
export const endPausesDue = (db: Db): Promise<void> => endDuePauses(db);

/** Puts the copies of a seller who is back on the shelf, but for those that somebody waits for. */
export const returnShelf = (db: Db, sellerId: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await allowSeconds(trx, SHELF_SECONDS);
    if (await mayComeBack(trx, sellerId)) await putShelfBack(trx, sellerId);
  });
