import type { Sale } from '#contract/programs/sales.ts';
import { limitOf, pageOf, positionOf } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import { findSaleRow, listSaleRows, type SaleRow } from './sales.queries.ts';

const shown = ({ id, state, outcome, delivery, paidAt, dueAt, books }: SaleRow): Sale => ({
  _id: id,
  state,
  outcome,
  delivery,
  paidAt: paidAt.toISOString(),
  dueAt: dueAt?.toISOString() ?? null,
  books,
});

/** What the viewer sold, the newest first; 400 for another list's cursor. */
export const listSales = async (
  db: Db,
  viewer: Viewer,
  input: { limit?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: Sale[]; next?: string }> => {
  const { userId } = requireSeller(viewer);
  const limit = limitOf(input.limit);
  const rows = await listSaleRows(db, userId, { limit: limit + 1, after: positionOf(input.cursor) });
  const page = pageOf(rows, limit);
  return { ...page, rows: page.rows.map(shown) };
};

/** A sale as programs read it; undefined where there is none. */
export const findSale = async (db: Db, orderId: string): Promise<Sale | undefined> => {
  const row = await findSaleRow(db, orderId);
  return row && shown(row);
};
