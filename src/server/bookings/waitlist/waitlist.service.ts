import { MAX_WAITLIST_ENTRIES, type WaitlistEntry } from '#contract/bookings/waitlist.ts';
import { findCopyToBook, lockCopy } from '#server/catalog/listings/listing.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { notFound, AppError } from '#server/platform/errors.ts';
import { requireGoodStanding, requireBuyer, requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { mayBook } from '#server/bookings/booking.policy.ts';
import { findHolder, findHoldOf, lockBuyerHolds } from '#server/bookings/holds/holds.queries.ts';
import {
  countWaitlistEntriesOf,
  listWaitedFor,
  deleteWaitlist,
  deleteWaitlistEntry,
  deleteWaitlistEntriesOf,
  insertWaitlistEntry,
  listWaitlistRows,
  readPlace,
} from './waitlist.queries.ts';

/**
 * Takes the last place in the line behind a held copy; the same place when repeated. Under the copy's row lock: the
 * copy cannot become free meanwhile, and the order of places is the order in which users came.
 */
export const joinWaitlist = (
  db: Db,
  viewer: Viewer,
  listingId: string,
): Promise<{ place: number; waiting: number }> => {
  const buyer = requireBuyer(viewer);
  return db.transaction().execute(async (trx) => {
    await lockBuyerHolds(trx, buyer.userId);
    const copy = await lockCopy(trx, listingId);
    if (copy === undefined || copy.status === 'withdrawn') throw notFound('There is no such book');
    if (!mayBook(buyer, copy)) throw new AppError('own_copy', 'This is your own book');
    requireGoodStanding(buyer);
    const before = await readPlace(trx, listingId, buyer.userId);
    if (before.place !== null) return { place: before.place, waiting: before.waiting };
    if (copy.status === 'paused') throw notFound('There is no such book');
    if (copy.status === 'sold') throw new AppError('copy_taken', 'Sorry, this book is sold');
    if (copy.status === 'available') throw new AppError('copy_free', 'This book is free: you can book it now');
    // Not locked: whoever ends a hold locks it before the copy, and looks at the line after.
    if ((await findHolder(trx, listingId)) === buyer.userId)
      throw new AppError('own_hold', 'This book is held for you already');
    if ((await countWaitlistEntriesOf(trx, buyer.userId)) >= MAX_WAITLIST_ENTRIES) {
      throw new AppError('too_many', `You wait for ${MAX_WAITLIST_ENTRIES} books already; leave a line first`);
    }
    await insertWaitlistEntry(trx, listingId, buyer.userId);
    return { place: before.waiting + 1, waiting: before.waiting + 1 };
  });
};

/** Gives the viewer's place up; 0 when there was none. */
export const leaveWaitlist = async (db: Db, viewer: Viewer, listingId: string): Promise<{ deletedCount: number }> => {
  const buyer = requireBuyer(viewer);
  return { deletedCount: (await deleteWaitlistEntry(db, listingId, buyer.userId)) ? 1 : 0 };
};

/** How the viewer stands to a copy; 404 when there is none. */
export const readWaitlist = async (
  db: Db,
  viewer: Viewer,
  listingId: string,
): Promise<{ waiting: number; place: number | null; bookingId: string | null }> => {
  const user = requireSignedIn(viewer);
  const copy = await findCopyToBook(db, { listingId });
  if (typeof copy === 'string' || copy.status === 'withdrawn') throw notFound('There is no such book');
  const [line, hold] = await Promise.all([
    readPlace(db, listingId, user.userId),
    findHoldOf(db, listingId, user.userId),
  ]);
  if (copy.status === 'paused' && line.place === null && copy.sellerId !== user.userId) {
    throw notFound('There is no such book');
  }
  return { ...line, bookingId: hold?.bookingId ?? null };
};

/** The lines the viewer waits in, the longest wait first. */
export const listMyWaitlist = async (db: Db, viewer: Viewer): Promise<{ rows: WaitlistEntry[] }> => {
  const buyer = requireBuyer(viewer);
  const rows = await listWaitlistRows(db, buyer.userId);
  return { rows: rows.map((row) => ({ ...row, joinedAt: row.joinedAt.toISOString() })) };
};

/** A user who leaves the shop leaves its lines. */
export const leaveAllWaitlists = (trx: Trx, userId: string): Promise<void> => deleteWaitlistEntriesOf(trx, userId);

/** Ends the line behind a copy that is not to be had any more, and tells those who waited. */
export const closeWaitlist = async (
  trx: Trx,
  copy: { listingId: string; title: string; isSold: boolean },
): Promise<void> => {
  for (const { id, email, name } of await deleteWaitlist(trx, copy.listingId)) {
    await queueMail(trx, {
      kind: 'line-over',
      key: `line-over:${id}`,
      to: { email, name },
      data: { title: copy.title, isSold: copy.isSold },
    });
  }
};

/** Ends the lines behind copies that their seller took out, and tells those who waited. */
export const closeLinesOf = async (trx: Trx, listingIds: readonly string[]): Promise<void> => {
  for (const copy of await listWaitedFor(trx, listingIds)) await closeWaitlist(trx, { ...copy, isSold: false });
};
