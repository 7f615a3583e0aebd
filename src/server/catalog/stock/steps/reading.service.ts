import { createHash } from 'node:crypto';
import type { StockCells } from '#contract/stock/fields.ts';
import { MAX_STOCK_ROWS } from '#contract/stock/stock-files.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import {
  findColumnsOf,
  listParts,
  readPart,
  updateWork,
  type FileRow,
} from '#server/catalog/stock/files/stock-files.queries.ts';
import type { ReadBytes } from '#server/catalog/stock/formats/encoding.ts';
import { createNumberer } from '#server/catalog/stock/formats/numbers.ts';
import { rowKey } from '#server/catalog/stock/formats/prepare.ts';
import {
  createSurveyor,
  fieldsNamed,
  openFile,
  rowsOf,
  type OpenFile,
} from '#server/catalog/stock/formats/read-file.ts';
import { deleteRows, insertRows, type StagedRow } from './rows.queries.ts';

const BATCH_ROWS = 1_000;

const bytesOf = (db: Db, fileId: string, parts: readonly number[]): ReadBytes =>
  async function* () {
    for (const number of parts) {
      const bytes = await readPart(db, fileId, number);
      if (bytes !== undefined) yield bytes;
    }
  };

/** The same content gives the same digest, whatever the order of its columns. */
export const digestOf = (cells: StockCells): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(cells).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .digest()
    .subarray(0, 16);

// oxlint-disable-next-line no-control-regex -- NUL cannot be stored
const NUL = /\0/g;

/** What PostgreSQL cannot store is kept as a sign for it, and refused. */
const storable = (cells: StockCells): { cells: StockCells; hasNul: boolean } => {
  if (!Object.values(cells).some((text) => text.includes('\0'))) return { cells, hasNul: false };
  const mended = Object.entries(cells).map(([name, text]) => [name, text.replaceAll(NUL, '\u2400')]);
  return { cells: Object.fromEntries(mended) as StockCells, hasNul: true };
};

/** A row as it is kept. */
export const stagedRow = (line: number, given: StockCells, problem = ''): StagedRow => {
  const { cells, hasNul } = storable(given);
  return {
    line,
    sku: rowKey(cells).slice(0, 200),
    digest: digestOf(cells),
    cells,
    problem: problem === '' && hasNul ? 'It holds a NUL character (shown as ␀)' : problem,
  };
};

/** With the columns as the seller corrected them the last time that a file had this header. */
const asCorrected = async (db: Db, { sellerId, choices }: FileRow, opened: OpenFile): Promise<OpenFile> => {
  if (choices.columns !== undefined || opened.format !== 'delimited') return opened;
  const before = await findColumnsOf(db, sellerId, opened.header);
  return before?.length === opened.columns.length ? { ...opened, columns: fieldsNamed(before) } : opened;
};

const fail = (db: Db, file: FileRow, problem: string): Promise<boolean> =>
  updateWork(db, file, { state: 'failed', problem });

/**
 * Reads a file into rows, and finds out what has to be decided for all of them. It is done from the beginning where it
 * was ended in the middle.
 */
export const readStockFile = async (db: Db, file: FileRow, signal: AbortSignal): Promise<void> => {
  const read = bytesOf(db, file.id, await listParts(db, file.id));
  const found = await openFile(read, file.choices);
  const opened = 'problem' in found ? found : await asCorrected(db, file, found);
  if ('problem' in opened) {
    await fail(db, file, opened.problem);
    return;
  }
  await deleteRows(db, file.id);
  const surveyor = createSurveyor(opened);
  const numbered = file.choices.makesNumbers === true ? createNumberer() : undefined;
  let batch: StagedRow[] = [];
  let count = 0;
  const write = async (): Promise<boolean> => {
    if (batch.length > 0) await insertRows(db, file.id, batch);
    batch = [];
    return updateWork(db, file, { doneRows: count, allRows: count });
  };
  for await (const row of rowsOf(read, opened)) {
    if (signal.aborted) return;
    count += 1;
    if (count > MAX_STOCK_ROWS) {
      await deleteRows(db, file.id);
      await fail(db, file, 'This file has more than 100,000 rows: cut it in two');
      return;
    }
    surveyor.note(row);
    const cells = row.problem === undefined ? numbered?.(row.cells) : undefined;
    batch.push(stagedRow(row.line, cells ?? row.cells, row.problem));
    // Its seller may have cancelled it meanwhile, or chosen otherwise.
    if (batch.length >= BATCH_ROWS && !(await write())) return;
  }
  if (!(await write())) return;
  if (count === 0) {
    await fail(db, file, 'There is a header in this file and no row below it');
    return;
  }
  const survey = surveyor.survey(file.choices);
  await updateWork(db, file, { state: 'comparing', survey, doneRows: 0, doneLine: 0 });
};
