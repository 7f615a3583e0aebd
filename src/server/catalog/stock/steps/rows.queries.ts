import { sql } from 'kysely';
import type { StockCells } from '#contract/stock/fields.ts';
import type { StockAction, StockCounts } from '#contract/stock/stock-files.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import type { Lack } from '#server/catalog/stock/stock.table.ts';

export interface StagedRow {
  readonly line: number;
  readonly sku: string;
  readonly digest: Buffer;
  readonly cells: StockCells;
  readonly problem: string;
}

const column = <R, K extends keyof R>(rows: readonly R[], name: K): R[K][] => rows.map((row) => row[name]);

export const insertRows = async (db: Db, fileId: string, rows: readonly StagedRow[]): Promise<void> => {
  await sql`
    INSERT INTO stock_rows (file_id, line, sku, digest, cells, problem)
    SELECT ${fileId}::uuid, new.* FROM unnest(${column(rows, 'line')}::integer[], ${column(rows, 'sku')}::text[],
      ${column(rows, 'digest')}::bytea[], ${rows.map(({ cells }) => JSON.stringify(cells))}::jsonb[],
      ${column(rows, 'problem')}::text[]) AS new`.execute(db);
};

/** So many are deleted by one statement. */
const DELETED_ROWS = 20_000;

export const deleteRows = async (db: Db, fileId: string): Promise<void> => {
  for (;;) {
    const { numDeletedRows } = await sql`
      DELETE FROM stock_rows WHERE file_id = ${fileId}::uuid AND line IN (
        SELECT line FROM stock_rows WHERE file_id = ${fileId}::uuid ORDER BY line LIMIT ${DELETED_ROWS})`
      .execute(db)
      .then(({ numAffectedRows = 0n }) => ({ numDeletedRows: numAffectedRows }));
    if (numDeletedRows < DELETED_ROWS) return;
  }
};

/** What is to be compared: its row, and what it was known by before. */
export interface RowToCompare {
  readonly line: number;
  readonly sku: string;
  readonly cells: StockCells;
}

/** Rows that are set back by one statement, which has two seconds. */
const SET_BACK_ROWS = 5_000;

/** Forgets what rows came to, all of a file or those with these SKUs; what cannot be read is refused. */
export const setBack = async (db: Db, fileId: string, skus?: readonly string[]): Promise<void> => {
  let after = 0;
  for (;;) {
    const lines = await db
      .selectFrom('stock_rows')
      .select('line')
      .where('file_id', '=', fileId)
      .where('line', '>', after)
      .$if(skus !== undefined, (query) => query.where('sku', 'in', [...(skus ?? [])]))
      .orderBy('line')
      .limit(SET_BACK_ROWS)
      .execute();
    const last = lines.at(-1);
    if (last === undefined) return;
    await sql`
      UPDATE stock_rows SET added = 0, changed = 0, withdrawn = 0, sold_here = 0, kept = 0, lacks = NULL,
        action = CASE WHEN problem <> '' THEN 'refused' END, reason = problem
      WHERE file_id = ${fileId}::uuid AND line = ANY (${lines.map(({ line }) => line)}::integer[])
        AND (action IS NOT NULL OR problem <> '')`.execute(db);
    after = last.line;
  }
};

/** SKUs that stand in several lines, all of a file or of these: whether they say the same there. */
export const listRepeated = async (
  db: Db,
  fileId: string,
  skus?: readonly string[],
): Promise<{ isSame: boolean; lines: number[] }[]> => {
  const these = skus === undefined ? sql`` : sql`AND sku = ANY (${[...skus]}::text[])`;
  const { rows } = await sql<{ isSame: boolean; lines: number[] }>`
    SELECT count(DISTINCT digest) = 1 AS "isSame", array_agg(line ORDER BY line) AS lines
    FROM stock_rows WHERE file_id = ${fileId}::uuid AND sku <> '' AND problem = '' ${these}
    GROUP BY sku HAVING count(*) > 1`.execute(db);
  return rows;
};

/** The next rows that nothing was said of yet. */
export const listUncompared = (
  db: Db,
  fileId: string,
  { after, limit, skus }: { after: number; limit: number; skus?: readonly string[] },
): Promise<RowToCompare[]> =>
  db
    .selectFrom('stock_rows')
    .select(['line', 'sku', 'cells'])
    .where('file_id', '=', fileId)
    .where('line', '>', after)
    .where('action', 'is', null)
    .$if(skus !== undefined, (query) => query.where('sku', 'in', [...(skus ?? [])]))
    .orderBy('line')
    .limit(limit)
    .execute();

/** The next rows that are to be written, with how many copies each adds. */
export const listToWrite = (
  trx: Trx,
  fileId: string,
  after: number,
  limit: number,
): Promise<(RowToCompare & { added: number })[]> =>
  trx
    .selectFrom('stock_rows')
    .select(['line', 'sku', 'cells', 'added'])
    .where('file_id', '=', fileId)
    .where('line', '>', after)
    .where('action', 'in', ['new', 'changed', 'gone'])
    .orderBy('line')
    .limit(limit)
    .execute();

/** What a row came to. */
export interface Outcome {
  readonly line: number;
  readonly action: StockAction;
  readonly reason: string;
  readonly lacks: Lack | null;
  readonly added: number;
  readonly changed: number;
  readonly withdrawn: number;
  readonly soldHere: number;
  readonly kept: number;
}

export const writeOutcomes = async (db: Db, fileId: string, outcomes: readonly Outcome[]): Promise<void> => {
  if (outcomes.length === 0) return;
  await sql`
    UPDATE stock_rows AS r SET action = new.action, reason = new.reason, lacks = new.lacks, added = new.added,
      changed = new.changed, withdrawn = new.withdrawn, sold_here = new.sold_here, kept = new.kept
    FROM unnest(${column(outcomes, 'line')}::integer[], ${column(outcomes, 'action')}::text[],
      ${column(outcomes, 'reason')}::text[], ${column(outcomes, 'lacks')}::text[],
      ${column(outcomes, 'added')}::integer[], ${column(outcomes, 'changed')}::integer[],
      ${column(outcomes, 'withdrawn')}::integer[], ${column(outcomes, 'soldHere')}::integer[],
      ${column(outcomes, 'kept')}::integer[])
      AS new (line, action, reason, lacks, added, changed, withdrawn, sold_here, kept)
    WHERE r.file_id = ${fileId}::uuid AND r.line = new.line`.execute(db);
};

/** What the rows of a file come to together; null where they were not compared. */
export const countRows = async (db: Db, fileId: string): Promise<Omit<StockCounts, 'missing'> | null> => {
  const { rows } = await sql<Record<string, number> & { asks: string[]; rows: StockCounts['rows'] | null }>`
    SELECT coalesce(sum(added), 0)::integer AS added, coalesce(sum(changed), 0)::integer AS changed,
      coalesce(sum(withdrawn), 0)::integer AS withdrawn, coalesce(sum(sold_here), 0)::integer AS "soldHere",
      coalesce(sum(kept), 0)::integer AS kept,
      coalesce(array_agg(DISTINCT lacks) FILTER (WHERE lacks IS NOT NULL), '{}') AS asks,
      json_build_object('new', count(*) FILTER (WHERE action = 'new'),
        'changed', count(*) FILTER (WHERE action = 'changed'), 'gone', count(*) FILTER (WHERE action = 'gone'),
        'unchanged', count(*) FILTER (WHERE action = 'unchanged'),
        'again', count(*) FILTER (WHERE action = 'again'),
        'refused', count(*) FILTER (WHERE action = 'refused')) AS rows
    FROM stock_rows WHERE file_id = ${fileId}::uuid`.execute(db);
  const [row] = rows;
  if (row?.rows == null) return null;
  const { added = 0, changed = 0, withdrawn = 0, soldHere = 0, kept = 0 } = row;
  return { rows: row.rows, added, changed, withdrawn, soldHere, kept, asks: row.asks };
};

export interface ShownRow {
  readonly line: number;
  readonly sku: string;
  readonly action: StockAction | null;
  readonly reason: string;
  readonly cells: StockCells;
}

const shown = (db: Db, fileId: string) =>
  db.selectFrom('stock_rows').select(['line', 'sku', 'action', 'reason', 'cells']).where('file_id', '=', fileId);

export const listRowsOf = (
  db: Db,
  fileId: string,
  { action, after, limit }: { action: StockAction; after: number; limit: number },
): Promise<ShownRow[]> =>
  shown(db, fileId).where('action', '=', action).where('line', '>', after).orderBy('line').limit(limit).execute();

export const findRow = (db: Db, fileId: string, line: number): Promise<ShownRow | undefined> =>
  shown(db, fileId).where('line', '=', line).executeTakeFirst();

/** The next rows that could be read, whatever they came to. */
export const listReadable = (
  db: Db,
  fileId: string,
  { after, limit }: { after: number; limit: number },
): Promise<ShownRow[]> =>
  shown(db, fileId).where('problem', '=', '').where('line', '>', after).orderBy('line').limit(limit).execute();

/** Replaces what rows say, and forgets what they came to. */
export const rewriteRows = async (db: Db, fileId: string, rows: readonly StagedRow[]): Promise<void> => {
  await sql`
    UPDATE stock_rows AS r SET sku = new.sku, digest = new.digest, cells = new.cells, problem = new.problem, action = NULL
    FROM unnest(${column(rows, 'line')}::integer[], ${column(rows, 'sku')}::text[],
      ${column(rows, 'digest')}::bytea[], ${rows.map(({ cells }) => JSON.stringify(cells))}::jsonb[],
      ${column(rows, 'problem')}::text[]) AS new (line, sku, digest, cells, problem)
    WHERE r.file_id = ${fileId}::uuid AND r.line = new.line`.execute(db);
};
