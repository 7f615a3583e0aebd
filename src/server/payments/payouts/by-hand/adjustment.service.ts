import type { Adjustment, AdjustmentAccount } from '#contract/money/adjustments.ts';
import { dollarsOf, parseCents } from '#contract/money/money.ts';
import { reasonOf, recordAudit, type Deed } from '#server/audit/audit.service.ts';
import { lockSeller } from '#server/ledger/ledger.service.ts';
import { postAdjustment } from '#server/ledger/payout-postings.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { limitOf, pageOf, positionOf } from '#server/platform/cursor.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { AppError, badFields, notFound } from '#server/platform/errors.ts';
import { retryOnContention } from '#server/platform/postgres/retry.ts';
import { requireAdmin, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import {
  decideAdjustment,
  findAdjustment,
  insertAdjustment,
  isSeller,
  listAdjustmentRows,
  type AdjustmentRow,
} from './adjustment.queries.ts';

const MAX_CENTS = 9_999_999;

const shown = (row: AdjustmentRow, { userId }: SignedIn): Adjustment => ({
  id: row.id,
  sellerId: row.sellerId,
  name: row.name,
  amount: dollarsOf(row.cents),
  account: row.account,
  reason: row.reason,
  askedBy: row.askedBy,
  askedAt: row.askedAt.toISOString(),
  state: row.state,
  decidedBy: row.decidedBy,
  mine: row.askedById === userId || row.sellerId === userId,
});

/** Corrections of what sellers are due, newest first, for admins; 400 for a foreign cursor. */
export const listAdjustments = async (
  db: Db,
  viewer: Viewer,
  input: { limit?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: Adjustment[]; next?: string }> => {
  const admin = requireAdmin(viewer);
  const limit = limitOf(input.limit);
  const page = pageOf(await listAdjustmentRows(db, { limit, after: positionOf(input.cursor) }), limit);
  return { ...page, rows: page.rows.map((row) => shown(row, admin)) };
};

/** Cents of an amount in dollars that may be below zero; 400 where it is none, or nothing. */
const centsOf = (dollars: number | string): number => {
  const text = String(dollars).trim().replace('−', '-');
  const cents = parseCents(text.replace(/^-/, ''));
  if (cents === undefined || cents === 0 || cents > MAX_CENTS)
    throw badFields({ amount: 'Give an amount of dollars, with a minus sign where the seller owes more' });
  return text.startsWith('-') ? -cents : cents;
};

const deedOf = (row: AdjustmentRow, actorId: string, action: Deed['action']): Deed => ({
  actorId,
  action,
  subject: { kind: 'user', id: row.sellerId },
  details: { adjustmentId: row.id, amountCents: row.cents, account: row.account, reason: row.reason },
});

const found = async (db: Db, id: string): Promise<AdjustmentRow> => {
  const row = await findAdjustment(db, id);
  if (row === undefined) throw notFound();
  return row;
};

/** Asks for a correction; nothing is booked before another admin approves it. */
export const askAdjustment = async (
  db: Db,
  viewer: Viewer,
  input: { sellerId: string; amount: number | string; account: AdjustmentAccount; reason: string },
): Promise<Adjustment> => {
  const admin = requireAdmin(viewer);
  const [cents, reason] = [centsOf(input.amount), reasonOf(input.reason)];
  if (!(await isSeller(db, input.sellerId))) throw notFound('There is no such seller');
  const { account, sellerId } = input;
  const id = await db.transaction().execute(async (trx) => {
    const asked = await insertAdjustment(trx, { sellerId, cents, account, reason, askedBy: admin.userId });
    await recordAudit(trx, deedOf(await found(trx, asked), admin.userId, 'adjustment asked for'));
    return asked;
  });
  return shown(await found(db, id), admin);
};

/** Decides about a correction with what its seller is due locked; 409 where it was decided before. */
const decide = async (
  db: Db,
  id: string,
  decision: { state: 'booked' | 'declined'; by: string },
  also: (trx: Trx, row: AdjustmentRow) => Promise<void>,
): Promise<void> => {
  const { sellerId } = await found(db, id);
  await retryOnContention(() =>
    db.transaction().execute(async (trx) => {
      await lockSeller(trx, sellerId);
      const row = await found(trx, id);
      if (!(await decideAdjustment(trx, id, decision)))
        throw new AppError('payout_moved', `This was ${row.state} before, by ${row.decidedBy ?? 'another admin'}`);
      await also(trx, row);
    }),
  );
};

/** Books a correction that another admin asked for; its seller is told why. */
export const approveAdjustment = async (db: Db, viewer: Viewer, id: string): Promise<Adjustment> => {
  const admin = requireAdmin(viewer);
  const asked = await found(db, id);
  if (asked.state === 'asked' && asked.askedById === admin.userId)
    throw new AppError('second_admin_needed', 'You asked for this: another admin has to approve it');
  if (asked.state === 'asked' && asked.sellerId === admin.userId)
    throw new AppError('second_admin_needed', 'This is about what you are due: another admin has to approve it');
  await decide(db, id, { state: 'booked', by: admin.userId }, async (trx, row) => {
    await postAdjustment(trx, row);
    await recordAudit(trx, deedOf(row, admin.userId, 'adjustment approved'));
    if (row.isGone) return;
    await queueMail(trx, {
      kind: 'payout',
      key: `adjusted:${id}`,
      to: row,
      data: { about: 'adjusted', title: '', cents: row.cents, reason: row.reason, days: 0 },
    });
  });
  return shown(await found(db, id), admin);
};

/** Declines a correction; who asked for it may, too. */
export const declineAdjustment = async (db: Db, viewer: Viewer, id: string): Promise<Adjustment> => {
  const admin = requireAdmin(viewer);
  await decide(db, id, { state: 'declined', by: admin.userId }, async (trx, row) => {
    await recordAudit(trx, deedOf(row, admin.userId, 'adjustment declined'));
  });
  return shown(await found(db, id), admin);
};
