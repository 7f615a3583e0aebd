import { forgetApiKeys } from '#server/identity/keys/api-keys.service.ts';
import { randomUUID } from 'node:crypto';
import type { ListedUser, UsersSort } from '#contract/admin/admin.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { limitOf } from '#server/platform/cursor.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { sortedPageOf, sortedPositionOf } from '#server/platform/sorted-cursor.ts';
import {
  deleteSessionsOf,
  findUserRow,
  listUserRows,
  setAdmin,
  setDeleted,
  setVerified,
  unsetAdmin,
  USER_ORDERS,
  type UsersRow,
} from './user-lists.queries.ts';
import { rolesOf } from './role.policy.ts';

// What moderation decides by comes through this door; whether it may is its own affair.
export { listAdmins, lockUsers, type AdminFacts, type UserFacts } from './user-lists.queries.ts';

/** Counting further than this costs more than the page it is sent with; beyond it no count is sent. */
const COUNT_LIMIT = 10_000;

export interface UsersInput {
  readonly q?: string | undefined;
  readonly sort?: UsersSort | undefined;
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}

export interface UsersPage {
  readonly rows: ListedUser[];
  readonly next?: string;
  readonly total?: number;
}

const shown = (row: UsersRow): ListedUser => {
  const roles = rolesOf(row);
  return {
    _id: row.id,
    name: row.name,
    email: row.email,
    role: roles[0] ?? '',
    roles,
    status: row.verified ? 'verified' : 'unverified',
    suspended: row.suspended,
    joined: row.joined,
    ...(row.cancelled !== null && { cancelled: row.cancelled }),
  };
};

/** A user as the lists show them; undefined for whom there is not. The caller says who may read it. */
export const findListedUser = async (db: Db, id: string): Promise<ListedUser | undefined> => {
  const row = await findUserRow(db, id);
  return row && shown(row);
};

/**
 * Users, the newest first where no order is asked for, the deleted left out; 400 for a foreign cursor, one of another
 * order too. The caller says who may read it.
 */
export const listUsersWhere = async (
  db: Db,
  filter: { onlySellers: boolean },
  input: UsersInput,
): Promise<UsersPage> => {
  const limit = limitOf(input.limit);
  const sort = input.sort ?? 'newest';
  const after = sortedPositionOf(input.cursor, sort, USER_ORDERS[sort].kind);
  const search = (input.q ?? '').trim();
  const rows = await listUserRows(db, { ...filter, search }, { limit, sort, after, countAtMost: COUNT_LIMIT + 1 });
  // The count comes with the rows: beyond the last page there is none, and nothing to count on the first.
  const total = rows[0]?.total ?? (after === undefined ? 0 : COUNT_LIMIT + 1);
  const page = sortedPageOf(rows, limit, sort);
  return { ...page, rows: page.rows.map(shown), ...(total <= COUNT_LIMIT && { total }) };
};

/**
 * Makes someone an admin, at once for all their sessions: roles are read from here. The caller holds the user's row
 * lock.
 */
export const giveAdminRole = async (trx: Trx, userId: string): Promise<void> => {
  await setAdmin(trx, userId);
};

/**
 * Takes the admin role away, at once for all their sessions, and tells them why. The caller holds the user's row lock.
 */
export const takeAdminRole = async (trx: Trx, userId: string, reason: string): Promise<void> => {
  const to = await unsetAdmin(trx, userId);
  await queueMail(trx, { kind: 'admin-removed', key: `admin-removed:${userId}:${randomUUID()}`, to, data: { reason } });
};

/** Says that the shop vouches for a seller, and tells them. The caller holds the user's row lock. */
export const verifyUser = async (trx: Trx, userId: string): Promise<void> => {
  const to = await setVerified(trx, userId, true);
  // May happen again after the tick was taken back: each time is an event of its own.
  await queueMail(trx, { kind: 'seller-verified', key: `seller-verified:${userId}:${randomUUID()}`, to, data: {} });
};

/** Says that the shop vouches for somebody no longer, and tells them why. The caller holds the user's row lock. */
export const unverifyUser = async (trx: Trx, userId: string, reason: string): Promise<void> => {
  const to = await setVerified(trx, userId, false);
  const key = `verification-removed:${userId}:${randomUUID()}`;
  await queueMail(trx, { kind: 'verification-removed', key, to, data: { reason } });
};

/**
 * Puts someone out of sight and ends their sessions, tokens included; the row stays. The caller holds the user's row
 * lock.
 */
export const removeUser = async (trx: Trx, userId: string): Promise<void> => {
  await setDeleted(trx, userId);
  await deleteSessionsOf(trx, userId);
  await forgetApiKeys(trx, userId);
};
