import type { StatementRow } from '#contract/money/ledger.ts';
import { dollarsOf } from '#contract/money/money.ts';
import { amountCell, csvFile, textCell } from '#server/platform/csv.ts';
import { limitOf, numberCursorOf, numberPositionOf } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import { listStatementRows, type StatementFacts } from './statement.queries.ts';
import { wordsOf } from './statement-words.policy.ts';

const shown = (row: StatementFacts): StatementRow => ({
  _id: row.id,
  at: row.at.toISOString(),
  kind: row.kind,
  bookingId: row.bookingId,
  title: row.title,
  says: wordsOf(row),
  amount: dollarsOf(row.amountCents),
  balance: dollarsOf(row.balanceCents),
  pending: dollarsOf(row.pendingCents),
});

/** What became of the money of the viewer's sales, newest first; the first row's balance is what they are owed
 * now or, of it pending, once its orders are closed. */
export const readStatement = async (
  db: Db,
  viewer: Viewer,
  input: { limit?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: StatementRow[]; next?: string }> => {
  const seller = requireSeller(viewer);
  const limit = limitOf(input.limit);
  const rows = await listStatementRows(db, seller.userId, { before: numberPositionOf(input.cursor), limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page.map(shown), ...(rows.length > limit && last !== undefined && { next: numberCursorOf(last.id) }) };
};

const HEADERS = [
  'Date (UTC)',
  'Row',
  'Booking',
  'Title',
  'Kind',
  'Explanation',
  'Amount (USD)',
  'Balance (USD)',
  'Of it pending (USD)',
];

const cellsOf = (row: StatementFacts): string[] => [
  textCell(row.at.toISOString()),
  row.id,
  textCell(row.bookingId ?? ''),
  textCell(row.title),
  textCell(row.kind),
  textCell(wordsOf(row)),
  amountCell(row.amountCents),
  amountCell(row.balanceCents),
  amountCell(row.pendingCents),
];

/** The viewer's whole statement as a CSV file, oldest first, without formulas. */
export const downloadStatement = async (db: Db, viewer: Viewer): Promise<string> => {
  const seller = requireSeller(viewer);
  const rows = await listStatementRows(db, seller.userId, { before: undefined, limit: undefined });
  return csvFile(HEADERS, rows.toReversed().map(cellsOf));
};
