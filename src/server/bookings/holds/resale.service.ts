import { recordAudit, type Deed } from '#server/audit/audit.service.ts';
import {
  lockCopy,
  relistSoldCopy,
  withdrawSoldCopy,
  type CopyToBook,
} from '#server/catalog/listings/listing.service.ts';
import { lockActingAdmin } from '#server/identity/users/acting-admin.service.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { notFound, AppError } from '#server/platform/errors.ts';
import { requireAdmin, type Viewer } from '#server/platform/viewer.ts';
import { hasStandingSale } from '#server/bookings/booking.queries.ts';

interface Decision {
  /** What it is written down as. */
  readonly action: Deed['action'];
  /** The states in which there is nothing left to decide. */
  readonly done: readonly CopyToBook['status'][];
  readonly move: (trx: Trx, listingId: string) => Promise<boolean>;
}

const RELIST: Decision = { action: 'refunded copy relisted', done: ['available', 'paused'], move: relistSoldCopy };
const WITHDRAW: Decision = { action: 'refunded copy withdrawn', done: ['withdrawn'], move: withdrawSoldCopy };

const decide = async (
  db: Db,
  viewer: Viewer,
  listingId: string,
  decision: Decision,
): Promise<{ modifiedCount: number }> => {
  requireAdmin(viewer);
  return db.transaction().execute(async (trx) => {
    const actorId = await lockActingAdmin(trx, viewer);
    const copy = await lockCopy(trx, listingId);
    if (copy === undefined) throw notFound('There is no such book');
    if (decision.done.includes(copy.status)) return { modifiedCount: 0 };
    if (copy.status !== 'sold' || (await hasStandingSale(trx, listingId))) {
      throw new AppError('copy_locked', 'Only a sold copy whose sale was refunded can be decided about');
    }
    await decision.move(trx, listingId);
    const subject = { kind: 'listing', id: listingId };
    await recordAudit(trx, { actorId, action: decision.action, subject, details: { title: copy.title } });
    return { modifiedCount: 1 };
  });
};

/**
 * Puts a copy whose sale was refunded back on the shelf, for an admin; 0 when it is there. 409 while a sale stands. The
 * copy of a seller who left the shop is withdrawn instead, by the database.
 */
export const relistCopy = (db: Db, viewer: Viewer, listingId: string): Promise<{ modifiedCount: number }> =>
  decide(db, viewer, listingId, RELIST);

/** Takes a copy whose sale was refunded out of the shop, for an admin; 0 when it is. 409 while a sale stands. */
export const withdrawCopy = (db: Db, viewer: Viewer, listingId: string): Promise<{ modifiedCount: number }> =>
  decide(db, viewer, listingId, WITHDRAW);
