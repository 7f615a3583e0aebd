import type { Suspension } from '#contract/admin/suspending.ts';
import { reasonOf, recordAudit } from '#server/audit/audit.service.ts';
import { hideSuspendedShelf, returnSuspendedShelf } from '#server/catalog/listings/pausing/pausing.service.ts';
import { lockUsers } from '#server/identity/users/user-lists.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { lookAgainAt } from '#server/payments/payouts/payout-account.service.ts';
import { forbidden } from '#server/platform/errors.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { onUser } from '#server/moderation/moderation.service.ts';
import {
  endSuspension,
  findMailedUser,
  findSuspension,
  listDueSuspensions,
  writeSuspension,
} from './suspensions.queries.ts';

export { findMailedUser } from './suspensions.queries.ts';

const BATCH = 100;

/** Suspends somebody in a transaction that has locked them; they are told unless the caller does. */
export const suspendLocked = async (
  trx: Trx,
  { userId, actorId, reason, days }: { userId: string; actorId: string; reason: string; days: number | undefined },
  isTold = true,
): Promise<void> => {
  const { id, until, since } = await writeSuspension(trx, { userId, reason, days });
  await hideSuspendedShelf(trx, userId);
  if (isTold)
    await queueMail(trx, {
      kind: 'suspended',
      key: `suspended:${id}:${since.getTime()}:${until?.getTime() ?? 'open'}:${reason}`,
      to: await findMailedUser(trx, userId),
      data: { reason, until: until?.toISOString() ?? null },
    });
  await recordAudit(trx, {
    actorId,
    action: 'user suspended',
    subject: { kind: 'user', id: userId },
    details: { reason, ...(days !== undefined && { days }) },
  });
};

/** Gives back what a suspension took; false where there was none. The caller has locked the user. */
export const liftLocked = async (trx: Trx, userId: string, actorId: string | null): Promise<boolean> => {
  const was = await findSuspension(trx, userId);
  if (was === undefined || !(await endSuspension(trx, userId))) return false;
  await returnSuspendedShelf(trx, userId);
  await lookAgainAt(trx, userId);
  await queueMail(trx, {
    kind: 'suspension-lifted',
    key: `suspension-lifted:${was.id}`,
    to: await findMailedUser(trx, userId),
    data: {},
  });
  await recordAudit(trx, { actorId, action: 'suspension lifted', subject: { kind: 'user', id: userId } });
  return true;
};

/** Suspends somebody, for some days or until it is lifted. */
export const suspendUser = (
  db: Db,
  viewer: Viewer,
  { id, reason: text, days }: { id: string; reason: string; days?: number | undefined },
): Promise<{ modifiedCount: number }> =>
  onUser(db, viewer, id, async (trx, user, actorId) => {
    const reason = reasonOf(text);
    if (user.id === actorId) throw forbidden('You cannot suspend your own account');
    if (user.isAdmin) throw forbidden('This is an admin: remove the role first');
    await suspendLocked(trx, { userId: user.id, actorId, reason, days });
    return { modifiedCount: 1 };
  });

/** Lifts the suspension of somebody; 0 where there is none. */
export const liftSuspension = (db: Db, viewer: Viewer, id: string): Promise<{ modifiedCount: number }> =>
  onUser(db, viewer, id, async (trx, user, actorId) => ({
    modifiedCount: (await liftLocked(trx, user.id, actorId)) ? 1 : 0,
  }));

/** Lifts the suspensions whose time is over; answers how many. To be run now and then. */
export const liftDueSuspensions = async (db: Db): Promise<number> => {
  let lifted = 0;
  for (const userId of await listDueSuspensions(db, BATCH)) {
    const isLifted = await db.transaction().execute(async (trx) => {
      await lockUsers(trx, [userId]);
      return liftLocked(trx, userId, null);
    });
    if (isLifted) lifted += 1;
  }
  return lifted;
};

/** How the viewer is suspended. */
export const readOwnSuspension = (db: Db, viewer: Viewer): Promise<{ suspension: Suspension | null }> =>
  findSuspensionOf(db, requireSignedIn(viewer).userId);

/** How somebody is suspended; the caller says who may read it. */
export const findSuspensionOf = async (db: Db, userId: string): Promise<{ suspension: Suspension | null }> => {
  const row = await findSuspension(db, userId);
  if (row === undefined) return { suspension: null };
  const { reason, since, until } = row;
  return { suspension: { reason, since: since.toISOString(), until: until?.toISOString() ?? null } };
};
