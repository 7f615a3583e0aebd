import type { StatementRow } from '#contract/ledger.ts';
import { dollarsOf } from '#contract/money.ts';
import { limitOf } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/db.ts';
import { badFields } from '#server/platform/errors.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import { listStatementRows, type StatementFacts } from './statement.queries.ts';
import { amountCell, textCell, wordsOf } from './statement-words.policy.ts';

const shown = (row: StatementFacts): StatementRow => ({
  _id: row.id,
  at: row.at.toISOString(),
  kind: row.kind,
  bookingId: row.bookingId,
  title: row.title,
  says: wordsOf(row),
  amount: dollarsOf(row.amountCents),
  balance: dollarsOf(row.balanceCents),
});

const cursorOf = (id: string): string => Buffer.from(id).toString('base64url');

const positionOf = (cursor: string | undefined): string | undefined => {
  if (cursor === undefined) return undefined;
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  if (!/^\d{1,18}$/.test(id)) throw badFields({ cursor: 'This is not a cursor of this list' });
  return id;
};

/** What became of the money of the viewer's sales, newest first; the first row's balance is what they are owed now. */
export const readStatement = async (
  db: Db,
  viewer: Viewer,
  input: { limit?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: StatementRow[]; next?: string }> => {
  const seller = requireSeller(viewer);
  const limit = limitOf(input.limit);
  const rows = await listStatementRows(db, seller.userId, { before: positionOf(input.cursor), limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page.map(shown), ...(rows.length > limit && last !== undefined && { next: cursorOf(last.id) }) };
};

const HEADERS = ['Date (UTC)', 'Row', 'Booking', 'Title', 'Kind', 'Explanation', 'Amount (USD)', 'Balance (USD)'];

const lineOf = (row: StatementFacts): string =>
  [
    textCell(row.at.toISOString()),
    row.id,
    textCell(row.bookingId),
    textCell(row.title),
    textCell(row.kind),
    textCell(wordsOf(row)),
    amountCell(row.amountCents),
    amountCell(row.balanceCents),
  ].join(',');

/** The viewer's whole statement as a CSV file (RFC 4180), oldest first, for spreadsheets: marked as UTF-8, without formulas. */
export const downloadStatement = async (db: Db, viewer: Viewer): Promise<string> => {
  const seller = requireSeller(viewer);
  const rows = await listStatementRows(db, seller.userId, { before: undefined, limit: undefined });
  const lines = [HEADERS.map(textCell).join(','), ...rows.toReversed().map(lineOf)];
  return `\uFEFF${lines.map((line) => `${line}\r\n`).join('')}`;
};
