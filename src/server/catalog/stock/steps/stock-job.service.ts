import { withAdvisoryLock } from '#server/platform/postgres/advisory-lock.ts';
import {
  findWork,
  updateWork,
  type FileChange,
  type FileRow,
} from '#server/catalog/stock/files/stock-files.queries.ts';
import type { StockFileState } from '#contract/stock/stock-files.ts';
import { commitStockEdit } from '#server/catalog/stock/copies/writing-edit.service.ts';
import { commitStockFile, type CommitDeps } from './committing.service.ts';
import { compareStockFile } from './comparing.service.ts';
import { readStockFile } from './reading.service.ts';
import { undoStockFile } from './undoing.service.ts';

const PROBLEM = 'Something went wrong on our side. Nothing is lost: please try it again, or write to us';
/** Where its seller can try again: what was written already is unchanged then, and can be undone with the rest. */
const AFTER_FAILURE: Partial<Record<StockFileState, StockFileState>> = { committing: 'ready', undoing: 'done' };

/** What an edit did before it failed can be undone, and the rest be tried anew. */
const afterFailure = ({ state, edit }: FileRow): FileChange =>
  edit !== null && state === 'committing'
    ? { state: 'done', isCommitted: true, problem: PROBLEM }
    : { state: AFTER_FAILURE[state] ?? 'failed', problem: PROBLEM };

const workOn = async (deps: CommitDeps, file: FileRow, signal: AbortSignal): Promise<void> => {
  if (file.state === 'reading') return readStockFile(deps.db, file, signal);
  if (file.state === 'comparing') return compareStockFile(deps.db, file, signal, deps.learnIsbn);
  if (file.state === 'committing' && file.edit !== null)
    return commitStockEdit(deps, { ...file, edit: file.edit }, signal);
  if (file.state === 'committing') return commitStockFile(deps, file, signal);
  return undoStockFile(deps.db, file, signal);
};

/**
 * Works on files, or on edits, until there is nothing to be done: one of each at a time in the whole shop, so that no
 * edit of a few copies waits for a file of a hundred thousand. What is ended in the middle is gone on with by the next
 * who looks. A file on which it fails is not tried for ever: its seller is told, and tries again.
 */
export const workOnStock = async (
  deps: CommitDeps,
  signal: AbortSignal,
  what: 'files' | 'edits' = 'files',
): Promise<void> => {
  await withAdvisoryLock(deps.db, `stock ${what}`, async () => {
    for (;;) {
      const file = signal.aborted ? undefined : await findWork(deps.db, what);
      if (file === undefined) return;
      try {
        await workOn(deps, file, signal);
      } catch (error) {
        await updateWork(deps.db, file, afterFailure(file));
        throw error;
      }
    }
  });
};
