import type { Db } from '#server/platform/postgres/db.ts';
import { updateWork, type FileRow } from '#server/catalog/stock/files/stock-files.queries.ts';
import { listUnknownIsbns, NOTHING, planRows, readRows, rulesOf, type FileToCompare } from './planning.service.ts';
import { listRepeated, listUncompared, setBack, writeOutcomes, type Outcome } from './rows.queries.ts';

const BATCH_ROWS = 1_000;

/** So many lines of a SKU are named. */
const MOST_LINES = 10;

/**
 * Begins anew: refuses rows whose SKU stands in several lines with different content; of lines that say the same the
 * first is taken.
 */
const beginComparing = async (db: Db, fileId: string, skus?: readonly string[]): Promise<void> => {
  await setBack(db, fileId, skus);
  const outcomes = (await listRepeated(db, fileId, skus)).flatMap(({ isSame, lines }): Outcome[] => {
    const named = `${lines.slice(0, MOST_LINES).join(', ')}${lines.length > MOST_LINES ? ' …' : ''}`;
    const reason = `Its SKU stands in the lines ${named}, which say different things`;
    return isSame
      ? lines.slice(1).map((line) => ({ ...NOTHING, line, action: 'again' }))
      : lines.map((line) => ({ ...NOTHING, line, action: 'refused', reason }));
  });
  for (let at = 0; at < outcomes.length; at += BATCH_ROWS)
    await writeOutcomes(db, fileId, outcomes.slice(at, at + BATCH_ROWS));
};

/** Learns what book an ISBN is; `jobs.ts` hands it in. */
export type LearnIsbn = (isbn13: string) => Promise<void>;

/** ISBNs of a file that are asked about: each takes a third of a second, and the files of others wait. */
const MOST_LEARNED = 300;

/**
 * Compares the rows of a file with the seller's stock: nothing is written but what each comes to. Rows that say no more
 * than an ISBN are asked about first, where nobody here knows it.
 */
export const compareStockFile = async (
  db: Db,
  file: FileRow,
  signal: AbortSignal,
  learn?: LearnIsbn,
): Promise<void> => {
  await beginComparing(db, file.id);
  const rules = await rulesOf(db, file);
  let learned = 0;
  let after = 0;
  let done = 0;
  for (;;) {
    if (signal.aborted) return;
    const rows = await listUncompared(db, file.id, { after, limit: BATCH_ROWS });
    const last = rows.at(-1);
    if (last === undefined) break;
    for (const isbn13 of learn === undefined ? [] : await listUnknownIsbns(db, rules, rows)) {
      if (signal.aborted || learned === MOST_LEARNED) break;
      await learn?.(isbn13);
      learned += 1;
      if (!(await updateWork(db, file, { doneRows: done + learned }))) return;
    }
    const { outcomes } = await planRows(db, file, rules, await readRows(rows, rules), false);
    await writeOutcomes(db, file.id, outcomes);
    after = last.line;
    done += rows.length;
    // Its seller may have chosen otherwise, or cancelled it.
    if (!(await updateWork(db, file, { doneRows: done }))) return;
  }
  await updateWork(db, file, { state: 'ready', doneRows: file.allRows });
};

/** Compares the rows with these SKUs alone, as after one of them was mended. */
export const compareSkus = async (
  db: Db,
  file: FileToCompare & { readonly id: string },
  skus: readonly string[],
): Promise<void> => {
  await beginComparing(db, file.id, skus);
  const rows = await listUncompared(db, file.id, { after: 0, limit: BATCH_ROWS, skus });
  const rules = await rulesOf(db, file);
  const { outcomes } = await planRows(db, file, rules, await readRows(rows, rules), false);
  await writeOutcomes(db, file.id, outcomes);
};
