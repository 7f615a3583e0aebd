import { IDENTITY_FROM, type Identity } from '#contract/law/identity.ts';
import { reasonOf, recordAudit } from '#server/audit/audit.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { onUser } from '#server/moderation/moderation.service.ts';
import { verificationRefusal } from '#server/moderation/moderation.policy.ts';
import { findMailedUser } from '#server/moderation/suspending/suspending.service.ts';
import { lookAgainAt } from '#server/payments/payouts/payout-account.service.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import {
  confirmByAdmin,
  confirmKnown,
  findIdentity,
  insertDueIdentities,
  pauseUnknown,
  type Asked,
  type IdentityRow,
} from './identities.queries.ts';

export { readSoldInAYear } from './identities.queries.ts';

const BATCH = 100;
const DAY_MS = 86_400_000;

const byOf = ({ askedAt }: Pick<IdentityRow, 'askedAt'>): Date | null =>
  askedAt === null ? null : new Date(askedAt.getTime() + IDENTITY_FROM.days * DAY_MS);

/** Whether the shop must know who somebody is, and does; the caller says who may read it. */
export const findIdentityOf = async (db: Db, userId: string): Promise<Identity> => {
  const row = await findIdentity(db, userId);
  if (row === undefined) return { state: 'none', by: null, confirmedAt: null, reason: '' };
  const { confirmedAt, pausedAt, reason } = row;
  return {
    state: confirmedAt !== null ? 'confirmed' : pausedAt === null ? 'asked' : 'paused',
    by: byOf(row)?.toISOString() ?? null,
    confirmedAt: confirmedAt?.toISOString() ?? null,
    reason,
  };
};

export const readOwnIdentity = async (db: Db, viewer: Viewer): Promise<Identity> => {
  const identity = await findIdentityOf(db, requireSeller(viewer).userId);
  // What an admin looked at is written for admins.
  return { ...identity, reason: '' };
};

const tell = async (trx: Trx, people: readonly Asked[], state: 'asked' | 'paused' | 'confirmed'): Promise<void> => {
  for (const { userId, email, name } of people) {
    const row = await findIdentity(trx, userId);
    await queueMail(trx, {
      kind: 'identity',
      key: `identity:${userId}:${state}`,
      to: { email, name },
      data: { state, by: (row && byOf(row))?.toISOString() ?? null },
    });
    if (state === 'confirmed') await lookAgainAt(trx, userId);
  }
};

/**
 * Asks who has sold 200 books and $5,000 within a year to show who they are, has payouts wait of whom it does not know
 * ten days later, and pays again whom the payment provider knows; to be run now and then. Answers how many were told.
 */
export const checkIdentities = async (
  db: Db,
  from: { sales: number; dollars: number; days: number } = IDENTITY_FROM,
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { sales, dollars, days } = from;
    const due = await insertDueIdentities(trx, { sales, cents: dollars * 100, limit: BATCH });
    const asked = due.filter(({ isKnown }) => !isKnown);
    const known = await confirmKnown(trx);
    const paused = await pauseUnknown(trx, days);
    await tell(trx, asked, 'asked');
    await tell(trx, known, 'confirmed');
    await tell(trx, paused, 'paused');
    return asked.length + known.length + paused.length;
  });

/** An admin has looked at who a seller is; answers how many changed: 0 where the shop knew. */
export const confirmIdentity = (
  db: Db,
  viewer: Viewer,
  { id, reason: text }: { id: string; reason: string },
): Promise<{ modifiedCount: number }> =>
  onUser(db, viewer, id, async (trx, user, actorId) => {
    const reason = reasonOf(text);
    const refusal = verificationRefusal(user);
    if (refusal !== undefined) throw refusal;
    const before = await findIdentity(trx, user.id);
    if (!(await confirmByAdmin(trx, { userId: user.id, actorId, reason }))) return { modifiedCount: 0 };
    const subject = { kind: 'user', id: user.id };
    await recordAudit(trx, { actorId, action: 'identity confirmed', subject, details: { reason } });
    // Who was never asked need not hear of it.
    if (before !== undefined) {
      await tell(trx, [{ userId: user.id, isKnown: false, ...(await findMailedUser(trx, user.id)) }], 'confirmed');
    }
    return { modifiedCount: 1 };
  });
