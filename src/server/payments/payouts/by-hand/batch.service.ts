import type { Batch, DueByHand, readByHand, readBatch } from '#contract/money/by-hand.ts';
import type { Answer } from '#contract/endpoint.ts';
import { dollarsOf } from '#contract/money/money.ts';
import { recordAudit } from '#server/audit/audit.service.ts';
import { lockSeller } from '#server/ledger/ledger.service.ts';
import { postPayout } from '#server/ledger/payout-postings.service.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { retryOnContention } from '#server/platform/postgres/retry.ts';
import { requireAdmin, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { shownPayout } from './hand-payout.service.ts';
import {
  approve,
  findBatch,
  insertBatch,
  listBatches,
  listHandPayouts,
  lockBatch,
  type BatchRow,
} from './batch.queries.ts';
import type { ByHandDeps } from './by-hand.deps.ts';
import { listDue, readSums, type DueRow } from './due.queries.ts';
import { insertHandPayout } from './hand-payout.queries.ts';
import { secondAdminFor, secondAdminForBatch } from './second-admin.policy.ts';

const MOST_DUE = 500;
const BATCHES_SHOWN = 100;

const needsApproval = ({ secondReason, approvedById }: BatchRow): boolean =>
  secondReason !== null && approvedById === null;

const formatsOf = ({ payouts }: Pick<ByHandDeps, 'payouts'>, row: BatchRow): Batch['formats'] => {
  if (needsApproval(row) || row.inFile === 0) return [];
  const originator = row.filed === null ? payouts.nacha : row.filed.originator;
  return originator == null || row.americans === 0 ? ['csv'] : ['csv', 'nacha'];
};

const shownBatch = (deps: Pick<ByHandDeps, 'payouts'>, row: BatchRow, viewer: SignedIn): Batch => ({
  id: row.id,
  madeAt: row.madeAt.toISOString(),
  madeBy: row.madeBy,
  amount: dollarsOf(row.cents),
  count: row.count,
  open: row.open,
  approvedBy: row.approvedBy,
  needsApproval: needsApproval(row),
  mine: row.madeById === viewer.userId || row.paysViewer,
  formats: formatsOf(deps, row),
});

const shownDue = (row: DueRow, twoAdminsCents: number): DueByHand => ({
  sellerId: row.sellerId,
  name: row.name,
  email: row.email,
  amount: dollarsOf(row.cents),
  shown: row.shown,
  country: row.country,
  kind: row.kind,
  state: row.state,
  pausedUntil: row.pausedUntil?.toISOString() ?? null,
  sameAccountAs: [...row.sameAccountAs],
  secondAdmin: secondAdminFor(row, twoAdminsCents),
});

/** What is to be paid by hand and what is under way, for admins. */
export const readWork = async (deps: ByHandDeps, viewer: Viewer): Promise<Answer<typeof readByHand>> => {
  const admin = requireAdmin(viewer);
  const { db, payouts } = deps;
  const { minCents, twoAdminsCents, way } = payouts;
  const isByHand = way === 'manual';
  const [due, sums, batches] = await Promise.all([
    isByHand ? listDue(db, { minCents, limit: MOST_DUE }) : [],
    readSums(db, minCents),
    listBatches(db, admin.userId, BATCHES_SHOWN),
  ]);
  return {
    way: way === 'off' ? 'none' : way,
    due: due.map((row) => shownDue(row, twoAdminsCents)),
    batches: batches.map((row) => shownBatch(deps, row, admin)),
    formats: payouts.nacha === undefined ? ['csv'] : ['csv', 'nacha'],
    minimum: dollarsOf(minCents),
    sums: {
      ready: isByHand ? dollarsOf(sums.readyCents) : 0,
      waiting: dollarsOf(isByHand ? sums.waitingCents : sums.waitingCents + sums.readyCents),
      onItsWay: dollarsOf(sums.onItsWayCents),
    },
  };
};

/** A seller's money that can go to their bank. */
type Payable = DueRow & {
  kind: 'us' | 'iban';
  country: string;
  shown: string;
  version: number;
  keyId: string;
  sealed: Buffer;
};

const isPayable = (row: DueRow): row is Payable => row.state === 'ready' && row.sealed !== null;

const writeBatch = async (
  trx: Trx,
  deps: ByHandDeps,
  admin: SignedIn,
  payable: readonly Payable[],
): Promise<string> => {
  const { twoAdminsCents } = deps.payouts;
  const batch = await insertBatch(trx, {
    madeBy: admin.userId,
    secondReason: secondAdminForBatch(payable, twoAdminsCents),
  });
  for (const row of payable) {
    const { sellerId, cents } = row;
    const id = await insertHandPayout(trx, {
      ...row,
      batchId: batch.id,
      secondReason: secondAdminFor(row, twoAdminsCents),
    });
    await postPayout(trx, { id, orderId: null, bookingId: null, sellerId, cents });
  }
  await recordAudit(trx, {
    actorId: admin.userId,
    action: 'payout batch made',
    subject: { kind: 'payout batch', id: batch.id },
    details: {
      name: `batch ${batch.n}`,
      count: payable.length,
      amountCents: payable.reduce((sum, { cents }) => sum + cents, 0),
    },
  });
  return batch.id;
};

/**
 * Asks for the payouts of what sellers are due now, all of it, where details allow it: from then on it is not due any
 * more, so that nothing is paid twice. In one transaction, the sellers locked in the order of their ids.
 */
export const makeBatch = async (deps: ByHandDeps, viewer: Viewer, sellerIds: readonly string[]): Promise<Batch> => {
  const admin = requireAdmin(viewer);
  const { db, payouts } = deps;
  if (payouts.way !== 'manual')
    throw new AppError('payouts_refused', 'This shop does not pay out by hand: PAYOUTS is not "manual"');
  const wanted = [...new Set(sellerIds.map((id) => id.toLowerCase()))].toSorted();
  const id = await retryOnContention(() =>
    db.transaction().execute(async (trx) => {
      for (const sellerId of wanted) await lockSeller(trx, sellerId);
      const rows = await listDue(trx, { minCents: payouts.minCents, sellerIds: wanted, limit: wanted.length });
      const payable = rows.filter(isPayable);
      if (payable.length === 0)
        throw new AppError('payouts_refused', 'None of these sellers can be paid now: look at the list again');
      return writeBatch(trx, deps, admin, payable);
    }),
  );
  return batchOf(deps, admin, id);
};

const batchOf = async (deps: ByHandDeps, admin: SignedIn, id: string): Promise<Batch> => {
  const row = await findBatch(deps.db, id, admin.userId);
  if (row === undefined) throw notFound();
  return shownBatch(deps, row, admin);
};

/** A batch with its payouts, for admins. */
export const readOneBatch = async (deps: ByHandDeps, viewer: Viewer, id: string): Promise<Answer<typeof readBatch>> => {
  const admin = requireAdmin(viewer);
  const batch = await batchOf(deps, admin, id);
  const rows = await listHandPayouts(deps.db, id);
  return { ...batch, payouts: rows.map((row) => shownPayout(deps.payouts, row)) };
};

/** Approves a batch as its second admin: who made it, or entered details that it pays to, is not one. */
export const approveBatch = async (deps: ByHandDeps, viewer: Viewer, id: string): Promise<Batch> => {
  const admin = requireAdmin(viewer);
  await deps.db.transaction().execute(async (trx) => {
    if (!(await lockBatch(trx, id))) throw notFound();
    const batch = await findBatch(trx, id, admin.userId);
    if (batch === undefined) throw notFound();
    if (batch.secondReason === null) throw new AppError('payout_moved', 'This batch needs no second admin');
    if (batch.approvedById === admin.userId) return;
    if (batch.approvedById !== null) throw new AppError('payout_moved', `${batch.approvedBy} has approved it`);
    if (batch.madeById === admin.userId)
      throw new AppError('second_admin_needed', 'You made this batch: another admin has to approve it');
    if (batch.paysViewer)
      throw new AppError(
        'second_admin_needed',
        'This batch pays to your own bank details: another admin has to approve it',
      );
    await approve(trx, id, admin.userId);
    await recordAudit(trx, {
      actorId: admin.userId,
      action: 'payout batch approved',
      subject: { kind: 'payout batch', id },
      details: { name: `batch ${batch.n}`, amountCents: batch.cents },
    });
  });
  return batchOf(deps, admin, id);
};
