import type { StockChange } from '#contract/stock/stock-edits.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { keepCategory } from '#server/catalog/categories/category.queries.ts';
import { notePriceChanges } from '#server/catalog/listings/price-changes.queries.ts';
import { lockFile, noteChanges, updateFile, type FileRow } from '#server/catalog/stock/files/stock-files.queries.ts';
import type { CommitDeps } from '#server/catalog/stock/steps/committing.service.ts';
import { pauseFree, resumePaused, withdrawFree } from '#server/catalog/stock/steps/copies.queries.ts';
import { lookAtLowered } from '#server/catalog/stock/steps/lowered.service.ts';
import { editOf, type CopyEdit, type EditableCopy } from './editing.ts';
import { takeSelected, updateEdited, upsertWays } from './stock-copies.queries.ts';

const BATCH_COPIES = 500;

interface Edited {
  readonly copy: EditableCopy & { readonly isbn13: string };
  readonly edit: CopyEdit;
}

const idsTo = (edited: readonly Edited[], move: CopyEdit['move']): string[] =>
  edited.flatMap(({ copy, edit }) => (edit.move === move ? [copy.id] : []));

const changeFacts = async (trx: Trx, deps: CommitDeps, sellerId: string, edited: readonly Edited[]) => {
  const changed = edited.filter(({ edit }) => edit.isChanged);
  await updateEdited(
    trx,
    changed.map(({ copy, edit }) => ({ id: copy.id, facts: edit.facts })),
  );
  const priced = changed.flatMap(({ copy, edit }) =>
    copy.resale_cents === edit.facts.resale_cents
      ? []
      : [
          {
            listingId: copy.id,
            isbn13: copy.isbn13,
            fromCents: copy.resale_cents,
            toCents: edit.facts.resale_cents,
          },
        ],
  );
  await notePriceChanges(trx, priced);
  await lookAtLowered(trx, deps.holdForLook, sellerId, priced);
  return changed.map(({ copy: { id, category_id, condition, resale_cents, original_cents } }) => ({
    listingId: id,
    deed: 'changed',
    before: { category_id, condition, resale_cents, original_cents },
  }));
};

const writeBatch = (deps: CommitDeps, id: string, change: StockChange): Promise<boolean> =>
  deps.db.transaction().execute(async (trx) => {
    const file = await lockFile(trx, id);
    if (file?.state !== 'committing') return false;
    // Categories are locked before copies, everywhere.
    if (change.category !== undefined) await keepCategory(trx, change.category);
    const { taken, copies } = await takeSelected(trx, id, BATCH_COPIES);
    if (taken === 0) return false;
    const edited = copies.flatMap((copy) => {
      const edit = editOf(copy, change);
      return 'because' in edit ? [] : [{ copy, edit }];
    });
    const changes = await changeFacts(trx, deps, file.sellerId, edited);
    const delivered = edited.flatMap(({ copy, edit }) => (edit.ways === undefined ? [] : [{ copy, ways: edit.ways }]));
    await upsertWays(
      trx,
      delivered.map(({ copy, ways }) => ({ id: copy.id, ...ways })),
    );
    const gone = await withdrawFree(trx, idsTo(edited, 'withdraw'));
    await deps.closeLines?.(trx, gone);
    const paused = await pauseFree(trx, idsTo(edited, 'pause'));
    const resumed = await resumePaused(trx, file.sellerId, idsTo(edited, 'resume'));
    await noteChanges(trx, id, [
      ...changes,
      ...delivered.map(({ copy: { id: listingId, pickup, post } }) => ({
        listingId,
        deed: 'delivered',
        before: { pickup, post },
      })),
      ...gone.map((listingId) => ({ listingId, deed: 'withdrawn' })),
      ...paused.map((listingId) => ({ listingId, deed: 'paused' })),
      ...resumed.map((listingId) => ({ listingId, deed: 'resumed' })),
    ]);
    await updateFile(trx, id, ['committing'], { doneRows: file.doneRows + taken });
    return true;
  });

/** The category may have been merged or deleted since it was chosen. */
const isPossible = async (db: Db, { category }: StockChange): Promise<boolean> =>
  category === undefined || (await db.transaction().execute((trx) => keepCategory(trx, category))) !== undefined;

/** Writes an edit, in batches of which each is written whole or not at all; it goes on where it was ended. */
export const commitStockEdit = async (
  deps: CommitDeps,
  file: FileRow & { readonly edit: StockChange },
  signal: AbortSignal,
): Promise<void> => {
  const { id, edit } = file;
  const problem = (await isPossible(deps.db, edit)) ? '' : 'The category is not there any more';
  while (problem === '' && !signal.aborted && (await writeBatch(deps, id, edit)));
  if (!signal.aborted) await updateFile(deps.db, id, ['committing'], { state: 'done', isCommitted: true, problem });
};
