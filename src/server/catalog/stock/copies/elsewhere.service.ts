import type { StockCopy } from '#contract/stock/stock-copies.ts';
import { UNDO_HOURS } from '#contract/stock/stock-files.ts';
import { formatSoon } from '#contract/time.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import type { CloseLines } from '#server/catalog/listings/managing.service.ts';
import { lockListing, type LockedListing } from '#server/catalog/listings/managing.queries.ts';
import { putBack, withdrawFree } from '#server/catalog/stock/steps/copies.queries.ts';
import { clearSoldElsewhere, findSoldElsewhere, insertSoldElsewhere } from './elsewhere.queries.ts';
import { readStockCopy } from './stock-copies.service.ts';

/** What the counter needs of bookings; `app.ts` hands it in. */
export interface CounterDeps {
  readonly db: Db;
  readonly closeLines: CloseLines;
  /** Until when a buyer holds a copy; undefined where nobody does. */
  readonly holdEndOf: (trx: Trx, listingId: string) => Promise<Date | undefined>;
  readonly timeZone: string;
}

const noSuchCopy = (): AppError => notFound('There is no such book among yours');

const requireFree = async (trx: Trx, id: string, copy: LockedListing, deps: CounterDeps): Promise<void> => {
  if (copy.state === 'sold')
    throw new AppError('copy_locked', 'This book was sold here already: its buyer waits for it');
  if (copy.state !== 'held') return;
  const end = await deps.holdEndOf(trx, id);
  const until = end === undefined ? '' : ` until ${formatSoon(end, deps.timeZone)}`;
  throw new AppError(
    'copy_locked',
    `A buyer holds this book${until}: please keep it for them. If they do not pay, it is free again then`,
  );
};

/** Takes a free copy of the viewer's out at once that was sold elsewhere; the same again is the same answer. */
export const sellElsewhere = async (deps: CounterDeps, viewer: Viewer, id: string): Promise<StockCopy> => {
  const { userId } = requireSeller(viewer);
  await deps.db.transaction().execute(async (trx) => {
    const copy = await lockListing(trx, id);
    if (copy?.sellerId !== userId) throw noSuchCopy();
    if (copy.state === 'withdrawn') {
      if ((await findSoldElsewhere(trx, id, UNDO_HOURS)) === undefined) throw noSuchCopy();
      return;
    }
    await requireFree(trx, id, copy, deps);
    await withdrawFree(trx, [id]);
    await insertSoldElsewhere(trx, userId, id);
    await deps.closeLines(trx, [id]);
  });
  return readStockCopy(deps.db, viewer, id);
};

/** Puts a copy of the viewer's back that was not sold elsewhere after all; with a paused shelf it is paused. */
export const undoSoldElsewhere = async (deps: CounterDeps, viewer: Viewer, id: string): Promise<StockCopy> => {
  const { userId } = requireSeller(viewer);
  await deps.db.transaction().execute(async (trx) => {
    const copy = await lockListing(trx, id);
    if (copy?.sellerId !== userId) throw noSuchCopy();
    if (copy.state !== 'withdrawn') return;
    const sold = await findSoldElsewhere(trx, id, UNDO_HOURS);
    if (sold === undefined) throw noSuchCopy();
    if (!sold.isRecent)
      throw new AppError('stock_state', `A book can be put back for ${UNDO_HOURS} hours: list it again instead`);
    await putBack(trx, [id]);
    await clearSoldElsewhere(trx, id);
  });
  return readStockCopy(deps.db, viewer, id);
};
