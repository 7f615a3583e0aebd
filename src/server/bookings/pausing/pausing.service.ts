import type { ListingStatus } from '#contract/catalog/catalog.ts';
import type { ShelfPause } from '#contract/catalog/pausing.ts';
import {
  deleteShelfPause,
  endPause,
  endPausesDue,
  findShelfPause,
  isShelfPaused,
  listHidden,
  listReturned,
  mayComeBack,
  notePaused,
  pauseShelf,
  readPause,
  returnShelf,
  statusOf,
} from '#server/catalog/listings/pausing/pausing.service.ts';
import { putBack, withFirstWaitingLocked } from '#server/bookings/holds/hold.service.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireGoodStanding, requireSeller, type Viewer } from '#server/platform/viewer.ts';

export interface PausingOptions {
  /** How long the first in line has a copy that comes back. */
  readonly holdMinutes: number;
  /** In which the day of return begins. */
  readonly timeZone: string;
}

/**
 * Hides an own copy, or puts it back: then the first in line gets it, and without a line it is on the shelf. 404 for
 * another's copy, 409 for one that is held or sold. While the whole shelf is paused it comes back with the others.
 */
export const pauseCopy = async (
  db: Db,
  viewer: Viewer,
  { id, paused }: { id: string; paused: boolean },
  { holdMinutes }: PausingOptions,
): Promise<{ modifiedCount: number; status: ListingStatus }> => {
  const isChanged = await withFirstWaitingLocked(db, id, async (trx, { next }) => {
    const noted = await notePaused(trx, viewer, { id, paused });
    if (noted.comesBack) await putBack(trx, id, { next, minutes: holdMinutes });
    return noted.isChanged;
  });
  return { modifiedCount: isChanged ? 1 : 0, status: await statusOf(db, id) };
};

/** What hid with a shelf that is back: on the shelf, or with the first in line. Goes on where it was broken off. */
const bringBack = async (db: Db, sellerId: string, minutes: number): Promise<void> => {
  if (await isShelfPaused(db, sellerId)) return;
  await returnShelf(db, sellerId);
  for (const id of await listHidden(db, sellerId)) {
    await withFirstWaitingLocked(db, id, async (trx, { next }) => {
      if (await mayComeBack(trx, sellerId)) await putBack(trx, id, { next, minutes });
    });
  }
  await db.transaction().execute(async (trx) => {
    if (await mayComeBack(trx, sellerId)) await deleteShelfPause(trx, sellerId);
  });
};

/** Pauses the viewer's whole shelf, or ends that; answers how it is then. */
export const saveShelf = async (
  db: Db,
  viewer: Viewer,
  { paused, until }: { paused: boolean; until: string | null },
  { holdMinutes, timeZone }: PausingOptions,
): Promise<ShelfPause> => {
  if (!paused) requireGoodStanding(requireSeller(viewer));
  if (paused) await pauseShelf(db, viewer, { until, timeZone });
  else await endPause(db, viewer);
  const sellerId = viewer.kind === 'signed-in' ? viewer.userId : '';
  if (!paused && (await findShelfPause(db, sellerId)) !== undefined) await bringBack(db, sellerId, holdMinutes);
  return readPause(db, viewer);
};

/** How the viewer's shelf is paused. */
export const readShelf = (db: Db, viewer: Viewer): Promise<ShelfPause> => readPause(db, viewer);

/**
 * Brings the shelves back whose day of return has come, and what an interrupted return left hidden. What fails is told
 * to `onError` and taken up again.
 */
export const bringShelvesBack = async (
  db: Db,
  holdMinutes: number,
  onError: (error: unknown, sellerId: string) => void,
): Promise<void> => {
  await endPausesDue(db);
  for (const sellerId of await listReturned(db)) {
    await bringBack(db, sellerId, holdMinutes).catch((error: unknown) => onError(error, sellerId));
  }
};
