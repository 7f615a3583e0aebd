import type { Input } from '#contract/endpoint.ts';
import type { listStockCopies as listing, StockCopy, StockStanding } from '#contract/stock/stock-copies.ts';
import { dollarsOf } from '#contract/money/money.ts';
import { limitOf } from '#server/platform/cursor.ts';
import { notFound } from '#server/platform/errors.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { sortedPageOf, sortedPositionOf } from '#server/platform/sorted-cursor.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import {
  countStockCopies,
  findStockCopyRow,
  listStockCopyRows,
  STOCK_ORDERS,
  type StockCopyRow,
} from './stock-copies.queries.ts';

const STANDING: Readonly<Record<StockCopyRow['status'], StockStanding>> = {
  available: 'available',
  held: 'held',
  paused: 'paused',
  sold: 'sold',
  withdrawn: 'elsewhere',
};

const shown = (row: StockCopyRow): StockCopy => {
  const { id, sku, number, isOneOfMany, title, authors, isbn13, image_url, condition, isPaused } = row;
  // A copy that was listed by hand goes by its id.
  const isNumbered = sku !== null && sku !== id;
  return {
    _id: id,
    sku: isNumbered ? (isOneOfMany ? `${sku}#${number}` : sku) : '',
    title,
    authors,
    isbn13,
    image_url,
    price: dollarsOf(row.cents),
    condition,
    category_id: row.category_id,
    category_name: row.category_name,
    standing: STANDING[row.status],
    isPaused,
    shelf: row.shelf ?? '',
    cost: row.costCents === null ? null : dollarsOf(row.costCents),
    note: row.note ?? '',
    listedAt: row.listedAt.toISOString(),
  };
};

/** A page of the viewer's copies, on the first with how many there are; 400 for another list's cursor. */
export const listStockCopies = async (
  db: Db,
  viewer: Viewer,
  { limit, cursor, sort = 'newest', ids: list, ...filter }: Input<typeof listing>['query'],
): Promise<{ rows: StockCopy[]; next?: string; total?: number }> => {
  const { userId } = requireSeller(viewer);
  const after = sortedPositionOf(cursor, sort, STOCK_ORDERS[sort].kind);
  const count = limitOf(limit);
  const ids = list?.split(',');
  const found = await listStockCopyRows(db, userId, { filter, ids, sort, after, limit: count + 1 });
  const { rows, next } = sortedPageOf(found, count, sort);
  return {
    rows: rows.map(shown),
    ...(next !== undefined && { next }),
    ...(after === undefined && ids === undefined && { total: await countStockCopies(db, userId, filter) }),
  };
};

/** One of the viewer's copies; 404 for another's. */
export const readStockCopy = async (db: Db, viewer: Viewer, id: string): Promise<StockCopy> => {
  const row = await findStockCopyRow(db, requireSeller(viewer).userId, id);
  if (row === undefined) throw notFound('There is no such book among yours');
  return shown(row);
};
