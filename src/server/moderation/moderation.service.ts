import { reasonOf, recordAudit, type Deed } from '#server/audit/audit.service.ts';
import { leaveAllWaitlists } from '#server/bookings/waitlist/waitlist.service.ts';
import { withdrawCopiesOf } from '#server/catalog/listings/shelf/seller-shelf.service.ts';
import {
  giveAdminRole,
  listUsersWhere,
  lockUsers,
  removeUser,
  takeAdminRole,
  unverifyUser,
  verifyUser,
  type UsersInput,
  type UsersPage,
  type UserFacts,
} from '#server/identity/users/user-lists.service.ts';
import { cancelAbandonedOrders } from '#server/orders/leaving/leaving.service.ts';
import type { OrderRules } from '#server/orders/order-moves.service.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { releaseHoldsOfBuyer } from '#server/payments/settlement/release.service.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { notFound } from '#server/platform/errors.ts';
import { requireAdmin, type Viewer } from '#server/platform/viewer.ts';
import {
  actorRefusal,
  deletionRefusal,
  demotionRefusal,
  promotionRefusal,
  verificationRefusal,
} from './moderation.policy.ts';

/** Deleting somebody asks the payment provider to cancel what they had begun to pay, and cancels what they sold. */
export type ModerationDeps = PaymentDeps & { readonly rules: OrderRules };

/** All users for admins, the newest first. */
export const listUsers = async (db: Db, viewer: Viewer, input: UsersInput): Promise<UsersPage> => {
  requireAdmin(viewer);
  return listUsersWhere(db, { onlySellers: false }, input);
};

/** All sellers for admins, the newest first. */
export const listSellers = async (db: Db, viewer: Viewer, input: UsersInput): Promise<UsersPage> => {
  requireAdmin(viewer);
  return listUsersWhere(db, { onlySellers: true }, input);
};

/**
 * Does `work` on a user in one transaction, both rows locked: an admin who was deleted a moment ago does nothing more,
 * and of two who delete each other one remains. 404 for an unknown or deleted user.
 */
export const onUser = <T>(
  db: Db,
  viewer: Viewer,
  userId: string,
  work: (trx: Trx, user: UserFacts, actorId: string) => Promise<T>,
): Promise<T> => {
  const { userId: actorId } = requireAdmin(viewer);
  // An id may be written in capitals; rows are compared by their own spelling.
  const id = userId.toLowerCase();
  return db.transaction().execute(async (trx) => {
    const users = await lockUsers(trx, [actorId, id]);
    const refusal = actorRefusal(users.find((user) => user.id === actorId));
    if (refusal !== undefined) throw refusal;
    const user = users.find((one) => one.id === id);
    if (user === undefined) throw notFound('There is no such user');
    return work(trx, user, actorId);
  });
};

const subjectOf = ({ id }: UserFacts) => ({ kind: 'user', id });

/** Makes a user an admin; answers how many users changed: 0 when they were one. */
export const makeAdmin = async (db: Db, config: Config, viewer: Viewer, userId: string): Promise<number> =>
  onUser(db, viewer, userId, async (trx, user, actorId) => {
    if (user.isAdmin) return 0;
    const refusal = promotionRefusal(user, config.mode);
    if (refusal !== undefined) throw refusal;
    await giveAdminRole(trx, user.id);
    await recordAudit(trx, { actorId, action: 'user made admin', subject: subjectOf(user) });
    return 1;
  });

interface TakingBack {
  readonly id: string;
  readonly reason: string;
}

/** Takes the admin role from somebody else; answers how many users changed: 0 when they were no admin. */
export const removeAdmin = async (db: Db, viewer: Viewer, { id, reason: text }: TakingBack): Promise<number> =>
  onUser(db, viewer, id, async (trx, user, actorId) => {
    const reason = reasonOf(text);
    const refusal = demotionRefusal(actorId, user.id);
    if (refusal !== undefined) throw refusal;
    if (!user.isAdmin) return 0;
    await takeAdminRole(trx, user.id, reason);
    await recordAudit(trx, { actorId, action: 'admin role removed', subject: subjectOf(user), details: { reason } });
    return 1;
  });

/** Verifies a seller; answers how many users changed: 0 when they were verified. */
export const verifySeller = async (
  db: Db,
  viewer: Viewer,
  { id, reason }: { id: string; reason?: string | undefined },
): Promise<number> =>
  onUser(db, viewer, id, async (trx, user, actorId) => {
    const refusal = verificationRefusal(user);
    if (refusal !== undefined) throw refusal;
    if (user.verified) return 0;
    await verifyUser(trx, user.id);
    await recordAudit(trx, {
      actorId,
      action: 'user verified',
      subject: subjectOf(user),
      details: reason === undefined ? {} : { reason: reasonOf(reason) },
    });
    return 1;
  });

/** Takes the tick from a seller; answers how many users changed: 0 when they had none. */
export const removeVerification = async (db: Db, viewer: Viewer, { id, reason: text }: TakingBack): Promise<number> =>
  onUser(db, viewer, id, async (trx, user, actorId) => {
    const reason = reasonOf(text);
    if (!user.verified) return 0;
    await unverifyUser(trx, user.id, reason);
    await recordAudit(trx, {
      actorId,
      action: 'verification removed',
      subject: subjectOf(user),
      details: { reason },
    });
    return 1;
  });

/**
 * Takes somebody out of the shop: out of sight, signed out and off the shelves, and written down. The caller holds the
 * user's row lock and releases their holds afterwards.
 */
export const takeOut = async (
  trx: Trx,
  deed: { userId: string; actorId: string; action: Deed['action'] },
): Promise<void> => {
  await removeUser(trx, deed.userId);
  await leaveAllWaitlists(trx, deed.userId);
  const withdrawn = await withdrawCopiesOf(trx, deed.userId);
  const subject = { kind: 'user', id: deed.userId };
  await recordAudit(trx, { actorId: deed.actorId, action: deed.action, subject, details: { withdrawn } });
};

/** Cancels what somebody who was deleted sold and did not post, and releases what they hold. */
export const endWhatIsOpen = async (
  deps: ModerationDeps,
  { userId, adminId }: { userId: string; adminId: string },
  onError: (error: unknown, id: string) => void,
): Promise<void> => {
  await cancelAbandonedOrders(deps.db, deps.rules, { sellerId: userId, adminId }, onError);
  await releaseHoldsOfBuyer(deps, userId, onError);
};

/**
 * Deletes a user: out of sight, signed out and off the shelves in one transaction; then what they sold and did not post
 * is cancelled and its money goes back, and their unpaid holds are released, an intent that had succeeded settling
 * instead. What cannot be done now is told to `onError` and left to the sweeps.
 */
export const deleteUser = async (
  deps: ModerationDeps,
  viewer: Viewer,
  userId: string,
  onError: (error: unknown, id: string) => void,
): Promise<number> => {
  const { userId: adminId } = requireAdmin(viewer);
  const deletedId = await onUser(deps.db, viewer, userId, async (trx, user, actorId) => {
    const refusal = deletionRefusal(actorId, user.id);
    if (refusal !== undefined) throw refusal;
    await takeOut(trx, { userId: user.id, actorId, action: 'user deleted' });
    return user.id;
  });
  await endWhatIsOpen(deps, { userId: deletedId, adminId }, onError);
  return 1;
};
