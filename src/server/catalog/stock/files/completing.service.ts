import type { StockCells } from '#contract/stock/fields.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { stagedRow } from '#server/catalog/stock/steps/reading.service.ts';
import { listReadable, rewriteRows } from '#server/catalog/stock/steps/rows.queries.ts';
import { updateFile } from './stock-files.queries.ts';
import { readStockFile } from './stock-files.service.ts';

const BATCH_ROWS = 1_000;

/**
 * Has the rows of a file say more than they do; they are looked at again then. Rows that could not be read stay as they
 * are. 409 `stock_state` unless the file is ready.
 */
export const completeRows = async (
  db: Db,
  viewer: Viewer,
  id: string,
  complete: (cells: StockCells) => StockCells,
): Promise<void> => {
  if ((await readStockFile(db, viewer, id)).state !== 'ready')
    throw new AppError('stock_state', 'This file is being worked on: its rows are completed once it was looked at');
  let after = 0;
  for (;;) {
    const rows = await listReadable(db, id, { after, limit: BATCH_ROWS });
    const last = rows.at(-1);
    if (last === undefined) break;
    await rewriteRows(
      db,
      id,
      rows.map(({ line, cells }) => stagedRow(line, complete(cells))),
    );
    after = last.line;
  }
  await updateFile(db, id, ['ready'], { state: 'comparing', doneRows: 0 });
};
