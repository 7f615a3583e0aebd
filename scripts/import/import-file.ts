import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { listCategories } from '#server/catalog/categories/category.service.ts';
import { completeRows } from '#server/catalog/stock/files/completing.service.ts';
import {
  announceStockFile,
  cancelStock,
  chooseStock,
  commitStock,
  readStockFile,
  uploadStockPart,
  writeRefused,
} from '#server/catalog/stock/files/stock-files.service.ts';
import type { CommitDeps } from '#server/catalog/stock/steps/committing.service.ts';
import { workOnStock } from '#server/catalog/stock/steps/stock-job.service.ts';
import type { StockCells } from '#contract/stock/fields.ts';
import {
  MAX_STOCK_FILE_BYTES,
  STOCK_PART_BYTES,
  type StockChoices,
  type StockCounts,
  type StockFile,
  type StockFileState,
} from '#contract/stock/stock-files.ts';
import { AppError } from '#server/platform/errors.ts';
import { placeAndPhoneOf } from '#server/sellers/seller-page.service.ts';
import type { SignedIn } from '#server/platform/viewer.ts';
import { CannotImport } from './refusal.ts';
import { sellerOf } from './seller.ts';

/** What to import for whom. */
export interface ImportOrder {
  readonly file: string;
  readonly sellerEmail: string;
  readonly mode: 'demo' | 'production';
  /** What is said of all rows that do not say it. */
  readonly choices: Pick<StockChoices, 'category' | 'price' | 'condition' | 'location'>;
  /** Where refused rows are put, if any are. */
  readonly refusedFile: string;
  /** Makes up what a row does not say: for demo shops alone. */
  readonly complete?: (cells: StockCells) => StockCells;
  /** Aborted: the batch under way is finished, no other begun. */
  readonly signal: AbortSignal;
  readonly onProgress: (what: 'reading' | 'comparing' | 'writing', rows: number, of: number) => void;
}

export interface ImportReport {
  readonly sellerName: string;
  readonly rows: number;
  /** What the rows came to; null where it was interrupted before that. */
  readonly counts: StockCounts | null;
  /** Copies that were listed or changed; rows that were written where it was interrupted. */
  readonly written: number;
  readonly refusedFile: string | undefined;
  readonly interrupted: boolean;
}

const AT_WORK: readonly StockFileState[] = ['reading', 'comparing', 'committing'];
const CALLED = { reading: 'reading', comparing: 'comparing', committing: 'writing' } as const;
const LOOK_PAUSE_MS = 200;

const bytesOf = async (file: string): Promise<Buffer> => {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) throw new CannotImport(`There is no file ${file}.`);
  if (!found.isFile()) throw new CannotImport(`${file} is not a file.`);
  if (found.size > MAX_STOCK_FILE_BYTES) throw new CannotImport(`${file} has more than 50 MB: cut it in two.`);
  return readFile(file).catch(() => {
    throw new CannotImport(`${file} may not be read by this user.`);
  });
};

const send = async ({ db }: CommitDeps, seller: SignedIn, id: string, order: ImportOrder): Promise<void> => {
  const bytes = await bytesOf(order.file);
  await announceStockFile({ db, mode: order.mode, placeAndPhoneOf }, seller, {
    id,
    name: path.basename(order.file),
    size: bytes.length,
  });
  for (let part = 0; part * STOCK_PART_BYTES < bytes.length; part += 1) {
    const piece = bytes.subarray(part * STOCK_PART_BYTES, (part + 1) * STOCK_PART_BYTES);
    const contentDigest = `sha-256=:${createHash('sha256').update(piece).digest('base64')}:`;
    await uploadStockPart(db, seller, { id, part, bytes: piece, contentDigest });
  }
};

/** Does the work on the file, or watches a running shop do it, until nothing is to be done. */
const workedOn = async (deps: CommitDeps, seller: SignedIn, id: string, order: ImportOrder): Promise<StockFile> => {
  const look = async (): Promise<StockFile> => {
    const file = await readStockFile(deps.db, seller, id);
    const { state, doneRows, allRows } = file;
    if (state === 'reading' || state === 'comparing' || state === 'committing')
      order.onProgress(CALLED[state], doneRows, allRows);
    return file;
  };
  for (;;) {
    const work = workOnStock(deps, order.signal);
    let isOver = false;
    const over = work.finally(() => (isOver = true));
    while (!isOver) {
      await Promise.race([over, wait(LOOK_PAUSE_MS)]);
      await look();
    }
    await over;
    const file = await look();
    if (!AT_WORK.includes(file.state) || order.signal.aborted) return file;
    await wait(LOOK_PAUSE_MS);
  }
};

const refusedTo = async ({ db }: CommitDeps, seller: SignedIn, id: string, file: string): Promise<void> =>
  pipeline(await writeRefused(db, seller, id), createWriteStream(file)).catch((error: unknown) => {
    throw new CannotImport(`The refused rows cannot be written to ${file}: ${String(error)}`);
  });

/** What can be said of all rows, each by a flag of its name. */
const FOR_ALL = ['category', 'condition', 'price', 'location'] as const;

const nothingToWrite = ({ name, counts, survey }: StockFile, { choices }: ImportOrder): string => {
  const asked = new Set(counts?.asks ?? []);
  const open = FOR_ALL.filter((field) => choices[field] === undefined);
  const flags = open.filter((field) => asked.has(field) || survey?.columns.includes(field) === false);
  return asked.size === 0
    ? `No row of ${name} can be listed.`
    : `No row of ${name} can be listed as it is: add what they lack to the file, or say ${flags.map((field) => `--${field}`).join(', ')} for all.`;
};

const run = async (deps: CommitDeps, order: ImportOrder): Promise<ImportReport> => {
  const { db } = deps;
  const seller = await sellerOf(db, order.sellerEmail);
  const { category } = order.choices;
  if (category !== undefined && !(await listCategories(db)).some(({ category_id }) => category_id === category))
    throw new CannotImport(`There is no category with the id ${category}: add it in the shop first.`);
  const id = randomUUID();
  await send(deps, seller, id, order);
  const asked = await readStockFile(db, seller, id);
  const said = Object.fromEntries(Object.entries(order.choices).filter(([, value]) => value !== undefined));
  // What the seller's own page proposes is for somebody who looks at it.
  const { statuses } = asked.choices;
  await chooseStock(db, seller, {
    id,
    choices: { ...(statuses !== undefined && { statuses }), ...said, makesNumbers: true },
  });
  let file = await workedOn(deps, seller, id, order);
  if (file.state === 'ready' && order.complete !== undefined) {
    await completeRows(db, seller, id, order.complete);
    file = await workedOn(deps, seller, id, order);
  }
  const { counts } = file;
  const report = { sellerName: seller.name, rows: file.allRows, counts, written: 0, refusedFile: undefined };
  if (order.signal.aborted && file.state !== 'ready') {
    await cancelStock(db, seller, id);
    return { ...report, interrupted: true };
  }
  if (counts === null) {
    await cancelStock(db, seller, id);
    throw new CannotImport(`${order.file}: ${file.problem}.`);
  }
  await rm(order.refusedFile, { force: true });
  const hasRefused = counts.rows.refused > 0;
  if (hasRefused) await refusedTo(deps, seller, id, order.refusedFile);
  if (counts.rows.refused === file.allRows) {
    await cancelStock(db, seller, id);
    throw new CannotImport(`${nothingToWrite(file, order)} The reasons are in ${order.refusedFile}.`);
  }
  await commitStock(db, seller, { id, missing: undefined }, order.mode);
  const written = await workedOn(deps, seller, id, order);
  const interrupted = written.state === 'committing';
  if (interrupted) await cancelStock(db, seller, id);
  else if (written.state !== 'done') throw new CannotImport(`${order.file}: ${written.problem}`);
  return {
    ...report,
    written: interrupted ? written.doneRows : counts.added + counts.changed + counts.withdrawn,
    refusedFile: hasRefused ? order.refusedFile : undefined,
    interrupted,
  };
};

/**
 * Imports a file as its seller's page does, with numbers for rows that have none. Throws `CannotImport`, with nothing
 * written, where it cannot be.
 */
export const importFile = async (deps: CommitDeps, order: ImportOrder): Promise<ImportReport> =>
  run(deps, order).catch((error: unknown) => {
    if (error instanceof AppError) throw new CannotImport(`${error.message}.`);
    throw error;
  });
