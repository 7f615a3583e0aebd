import type { Role } from '#contract/users/identity.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { unauthenticated } from '#server/platform/errors.ts';
import {
  awaitsSecondFactor,
  isAddressOf,
  requireOwnAddress,
  requireSignedIn,
  type Viewer,
} from '#server/platform/viewer.ts';
import { carries, roleRefusal } from './role.policy.ts';
import { addRole, lockRoles } from './roles.queries.ts';
import { selectUserByEmail } from './users.queries.ts';

/** Whether the user of `email` carries the role, told to that user and to admins; false to everybody else. */
export const hasRole = async (db: Db, viewer: Viewer, email: string, role: Role): Promise<boolean> => {
  if (viewer.kind === 'anonymous') return false;
  // Also an admin who has yet to show their second factor is told that they are one.
  if (isAddressOf(email, viewer)) return carries(viewer, role) || (role === 'admin' && awaitsSecondFactor(viewer));
  if (!viewer.isAdmin) return false;
  const user = await selectUserByEmail(db, email);
  return user !== undefined && carries(user, role);
};

/** Gives the viewer, whose address `email` must be, a role; answers how many users changed: 0 when they had it. */
export const becomeRole = async (
  db: Db,
  config: Config,
  viewer: Viewer,
  input: { email: string; role: 'buyer' | 'seller' },
): Promise<number> => {
  const user = requireSignedIn(viewer);
  requireOwnAddress(input.email, user);
  return db.transaction().execute(async (trx) => {
    const now = await lockRoles(trx, user.userId);
    if (now === undefined) throw unauthenticated();
    if (carries(now, input.role)) return 0;
    const { hasFreshSignIn: isFresh, emailProvenAt } = user;
    const refusal = roleRefusal(input.role, { ...now, isFresh, emailProvenAt }, config.mode);
    if (refusal !== undefined) throw refusal;
    await addRole(trx, user.userId, input.role);
    return 1;
  });
};
