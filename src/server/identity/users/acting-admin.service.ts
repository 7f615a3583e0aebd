import type { Trx } from '#server/platform/postgres/db.ts';
import { forbidden, unauthenticated } from '#server/platform/errors.ts';
import { requireAdmin, type Viewer } from '#server/platform/viewer.ts';
import { lockUsers } from './user-lists.queries.ts';

/**
 * The id of an admin who does something, their row locked: one who was deleted or lost the role a moment ago does
 * nothing more. 401 or 403 else. Locked before bookings and copies.
 */
export const lockActingAdmin = async (trx: Trx, viewer: Viewer): Promise<string> => {
  const { userId } = requireAdmin(viewer);
  const [actor] = await lockUsers(trx, [userId]);
  if (actor === undefined) throw unauthenticated();
  if (!actor.isAdmin) throw forbidden('This is for admins');
  return userId;
};
