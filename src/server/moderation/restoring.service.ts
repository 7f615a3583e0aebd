import type { DeletedListing, DeletedUser } from '#contract/admin/restoring.ts';
import { recordAudit } from '#server/audit/audit.service.ts';
import { listRestorable, restoreCopiesOf, restoreCopy } from '#server/catalog/listings/restoring.service.ts';
import { lockActingAdmin } from '#server/identity/users/acting-admin.service.ts';
import { bringBack, listDeletedUsers as listDeleted } from '#server/identity/users/restoring.service.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { notFound } from '#server/platform/errors.ts';
import { requireAdmin, type Viewer } from '#server/platform/viewer.ts';

interface PageInput {
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}

/** Users deleted by admins within 30 days, for admins. */
export const listDeletedUsers = async (
  db: Db,
  viewer: Viewer,
  input: PageInput,
): Promise<{ rows: DeletedUser[]; next?: string }> => {
  requireAdmin(viewer);
  return listDeleted(db, input);
};

/** Copies deleted within 30 days whose sellers are there, for admins. */
export const listDeletedListings = async (
  db: Db,
  viewer: Viewer,
  input: PageInput,
): Promise<{ rows: DeletedListing[]; next?: string }> => {
  requireAdmin(viewer);
  return listRestorable(db, input);
};

/** As `restoreUser`, in a transaction of the caller's; false where there is nobody to bring back. */
export const putBack = async (trx: Trx, id: string, actorId: string): Promise<boolean> => {
  const since = await bringBack(trx, id);
  if (since === undefined) return false;
  const copies = await restoreCopiesOf(trx, id, since);
  await recordAudit(trx, { actorId, action: 'user restored', subject: { kind: 'user', id }, details: { copies } });
  return true;
};

/**
 * Brings a deleted user back, with their roles and the copies that went with them, and writes it down. Sessions, unpaid
 * bookings and places in lines that ended with them stay ended. 404 where there is nobody to bring back.
 */
export const restoreUser = async (db: Db, viewer: Viewer, userId: string): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const actorId = await lockActingAdmin(trx, viewer);
    const id = userId.toLowerCase();
    if (!(await putBack(trx, id, actorId))) throw notFound('There is no such user to restore');
    return 1;
  });

/** Puts a deleted copy back on the shelf and writes it down; 404 where there is none to restore. */
export const restoreListing = async (db: Db, viewer: Viewer, listingId: string): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const actorId = await lockActingAdmin(trx, viewer);
    const id = listingId.toLowerCase();
    const title = await restoreCopy(trx, id);
    if (title === undefined) throw notFound('There is no such book to restore');
    await recordAudit(trx, {
      actorId,
      action: 'listing restored',
      subject: { kind: 'listing', id },
      details: { title },
    });
    return 1;
  });
