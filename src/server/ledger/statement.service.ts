import type { StatementRow, StatementSummary } from '#contract/money/ledger.ts';
import { dollarsOf } from '#contract/money/money.ts';
import { amountCell, csvFile, textCell } from '#server/platform/files/csv.ts';
import { limitOf, numberCursorOf, numberPositionOf } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import { listStatementRows, listYears, readAccounts, type ShopYear, type StatementFacts } from './statement.queries.ts';
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

/** Where the viewer's money is, and what each year by the calendar of `timeZone` brought. */
export const readStatementSummary = async (db: Db, viewer: Viewer, timeZone: string): Promise<StatementSummary> => {
  const seller = requireSeller(viewer);
  const [accounts, years] = await Promise.all([
    readAccounts(db, seller.userId),
    listYears(db, seller.userId, timeZone),
  ]);
  const paidOutCents = years.reduce((sum, year) => sum + year.paidOutCents, 0) - accounts.onItsWayCents;
  return {
    pending: dollarsOf(accounts.pendingCents),
    due: dollarsOf(accounts.dueCents),
    onItsWay: dollarsOf(accounts.onItsWayCents),
    paidOut: dollarsOf(paidOutCents),
    years: years.map(({ year, sold, ...cents }) => ({
      year,
      sold,
      prices: dollarsOf(cents.priceCents),
      postage: dollarsOf(cents.postageCents),
      fees: dollarsOf(cents.feeCents),
      commission: dollarsOf(cents.commissionCents),
      givenBack: dollarsOf(cents.givenBackCents),
      adjusted: dollarsOf(cents.adjustedCents),
      paidOut: dollarsOf(cents.paidOutCents),
    })),
  };
};

/** The viewer's whole statement, or a year of it, as a CSV file, oldest first, without formulas. */
export const downloadStatement = async (db: Db, viewer: Viewer, year?: ShopYear): Promise<string> => {
  const seller = requireSeller(viewer);
  const rows = await listStatementRows(db, seller.userId, { year });
  return csvFile(HEADERS, rows.toReversed().map(cellsOf));
};
