import type { Db } from '#server/platform/postgres/db.ts';
import {
  lockFile,
  nameCopies,
  takeChanges,
  updateFile,
  type FileRow,
} from '#server/catalog/stock/files/stock-files.queries.ts';
import { notePriceChanges } from '#server/catalog/listings/price-changes.queries.ts';
import { updateEdited, upsertWays, type OwnWays } from '#server/catalog/stock/copies/stock-copies.queries.ts';
import type { CopyFacts } from './comparing.ts';
import { findPrices, putBack, pauseFree, resumePaused, updateCopies, withdrawFree } from './copies.queries.ts';

const BATCH_CHANGES = 500;
/** So many copies that had to be left are named. */
const MOST_NAMED = 100;

type Taken = Awaited<ReturnType<typeof takeChanges>>;

const idsOf = (taken: Taken, deed: string): string[] =>
  taken.flatMap((one) => (one.deed === deed ? [one.listingId] : []));

/** Undoes the next of what a file did; false where all is undone. */
const undoBatch = (db: Db, id: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const file = await lockFile(trx, id);
    if (file?.state !== 'undoing') return false;
    const taken = await takeChanges(trx, id, BATCH_CHANGES);
    if (taken.length === 0) return false;
    const before = taken.flatMap(({ deed, listingId, before: facts }) =>
      deed === 'changed' && facts !== null ? [{ id: listingId, facts: facts as unknown as CopyFacts }] : [],
    );
    const now = await findPrices(
      trx,
      before.map((one) => one.id),
    );
    const restored = new Set(await (file.edit === null ? updateCopies(trx, before) : updateEdited(trx, before)));
    await notePriceChanges(
      trx,
      before.flatMap(({ id: listingId, facts }) => {
        const fromCents = now.get(listingId);
        const isOther = fromCents !== undefined && fromCents !== facts.resale_cents && restored.has(listingId);
        return isOther ? [{ listingId, fromCents, toCents: facts.resale_cents }] : [];
      }),
    );
    const gone = new Set(await withdrawFree(trx, idsOf(taken, 'added')));
    const back = new Set(await putBack(trx, idsOf(taken, 'withdrawn')));
    await upsertWays(
      trx,
      taken.flatMap(({ deed, listingId, before: ways }) =>
        deed === 'delivered' && ways !== null ? [{ id: listingId, ...(ways as unknown as OwnWays) }] : [],
      ),
    );
    await resumePaused(trx, file.sellerId, idsOf(taken, 'paused'));
    await pauseFree(trx, idsOf(taken, 'resumed'));
    const left = [
      ...idsOf(taken, 'added').filter((one) => !gone.has(one)),
      ...idsOf(taken, 'withdrawn').filter((one) => !back.has(one)),
      ...before.flatMap((one) => (restored.has(one.id) ? [] : [one.id])),
    ];
    const named = [...file.left, ...(await nameCopies(trx, [...new Set(left)]))].slice(0, MOST_NAMED);
    await updateFile(trx, id, ['undoing'], { left: named, doneRows: file.doneRows + taken.length });
    return true;
  });

/** Takes back what a file did; copies that were held or sold since stay and are named. */
export const undoStockFile = async (db: Db, file: FileRow, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted && (await undoBatch(db, file.id)));
  if (!signal.aborted) await updateFile(db, file.id, ['undoing'], { state: 'undone' });
};
