import type { DeletedUser } from '#contract/admin/restoring.ts';
import { limitOf, pageOf, positionOf } from '#server/platform/cursor.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { listDeletedRows, undelete } from './restoring.queries.ts';

/** Users who can be restored, the newest deletion first; 400 for a foreign cursor. The caller says who may read it. */
export const listDeletedUsers = async (
  db: Db,
  input: { limit?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: DeletedUser[]; next?: string }> => {
  const limit = limitOf(input.limit);
  const found = await listDeletedRows(db, { limit: limit + 1, after: positionOf(input.cursor) });
  const page = pageOf(found, limit);
  return { ...page, rows: page.rows.map(({ id, at, ...user }) => ({ _id: id, deletedAt: at, ...user })) };
};

/**
 * Brings somebody back into sight, with the roles they had and signed out; answers since when they were gone, undefined
 * where nobody can be.
 */
export const bringBack = (trx: Trx, userId: string): Promise<Date | undefined> => undelete(trx, userId);
