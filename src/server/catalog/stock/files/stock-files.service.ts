import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { StockCells } from '#contract/stock/fields.ts';
import {
  MAX_STOCK_FILE_BYTES,
  STOCK_PART_BYTES,
  UNDO_HOURS,
  type StockAction,
  type StockChoices,
  type StockFile,
  type StockFileState,
  type StockRow,
} from '#contract/stock/stock-files.ts';
import { STOCK_FIELD_NAMES } from '#contract/stock/fields.ts';
import { limitOf } from '#server/platform/cursor.ts';
import { contentDigestOf } from '#server/platform/files/content-digest.ts';
import { textCell } from '#server/platform/files/csv.ts';
import { AppError, badFields, forbidden, notFound } from '#server/platform/errors.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { requireGoodStanding, requireSeller, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import { maySell } from '#server/catalog/listings/listing.policy.ts';
import { compareSkus } from '#server/catalog/stock/steps/comparing.service.ts';
import { countMissing, findHabits } from '#server/catalog/stock/steps/copies.queries.ts';
import { stagedRow } from '#server/catalog/stock/steps/reading.service.ts';
import {
  countRows,
  findRow,
  listRowsOf,
  rewriteRows,
  type ShownRow,
} from '#server/catalog/stock/steps/rows.queries.ts';
import {
  cancelOldest,
  dropBytes,
  findFile,
  findLastChoices,
  insertFile,
  isBusy,
  keepPart,
  listFiles,
  listParts,
  lockFile,
  updateFile,
  type FileRow,
} from './stock-files.queries.ts';

const SHOWN_FILES = 20;
/** Files of a seller that wait for them with their bytes: an older one is cancelled when another comes. */
const MOST_WAITING = 3;
const HOUR_MS = 3_600_000;
/** States in which its seller still chooses how it is read. */
const OPEN: readonly StockFileState[] = ['reading', 'comparing', 'ready', 'failed'];

const noSuchFile = (): AppError => notFound('There is no such file');
const wrongState = (message: string): AppError => new AppError('stock_state', message);

/** Until when a file can be undone; null where it cannot be. */
export const undoUntil = ({ state, committedAt }: FileRow): string | null => {
  if (state !== 'done' || committedAt === null) return null;
  const until = committedAt.getTime() + UNDO_HOURS * HOUR_MS;
  return until > Date.now() ? new Date(until).toISOString() : null;
};

const shown = async (db: Db, file: FileRow): Promise<StockFile> => {
  const isCounted = ['ready', 'committing', 'done', 'undoing', 'undone'].includes(file.state);
  const counts = isCounted ? await countRows(db, file.id) : null;
  const missing = file.state === 'ready' && counts !== null ? await countMissing(db, file.id) : 0;
  return {
    id: file.id,
    name: file.name,
    size: file.size,
    state: file.state,
    problem: file.problem,
    parts: file.state === 'uploading' ? await listParts(db, file.id) : [],
    doneRows: file.doneRows,
    allRows: file.allRows,
    survey: file.survey,
    choices: file.choices,
    counts: counts && { ...counts, missing },
    left: [...file.left],
    asOf: file.asOf.toISOString(),
    createdAt: file.createdAt.toISOString(),
    undoUntil: undoUntil(file),
  };
};

/** The file, where it is the viewer's; for everybody else it does not exist. */
const ownFile = async (db: Db, viewer: Viewer, id: string): Promise<FileRow> => {
  const { userId } = requireSeller(viewer);
  const file = await findFile(db, id);
  if (file?.sellerId !== userId || file.edit !== null) throw noSuchFile();
  return file;
};

const lockOwn = async (trx: Trx, { userId }: SignedIn, id: string): Promise<FileRow> => {
  const file = await lockFile(trx, id);
  if (file?.sellerId !== userId || file.edit !== null) throw noSuchFile();
  return file;
};

/** The viewer's last files, the newest first. */
export const listStockFiles = async (db: Db, viewer: Viewer): Promise<{ files: StockFile[] }> => {
  const { userId } = requireSeller(viewer);
  const files: StockFile[] = [];
  for (const file of await listFiles(db, userId, SHOWN_FILES)) files.push(await shown(db, file));
  return { files };
};

export const readStockFile = async (db: Db, viewer: Viewer, id: string): Promise<StockFile> =>
  shown(db, await ownFile(db, viewer, id));

export interface AnnounceDeps {
  readonly db: Db;
  readonly mode: 'demo' | 'production';
  /** Where a seller's shop is and its phone, as far as they have said so of their shop; `""` where they have not. */
  readonly placeAndPhoneOf: (db: Db, sellerId: string) => Promise<{ location: string; phone: string }>;
}

/**
 * Announces a file; the same again is the same answer. What its rows may not say is proposed from the seller's last
 * file or listings, else from their shop's settings. 409 while another file of theirs is worked on, 403 for who may not
 * sell.
 */
export const announceStockFile = async (
  { db, mode, placeAndPhoneOf }: AnnounceDeps,
  viewer: Viewer,
  input: { id: string; name: string; size: number },
): Promise<StockFile> => {
  const seller = requireSeller(viewer);
  requireGoodStanding(seller);
  if (!maySell(seller, mode)) throw forbidden('Please confirm your email address before you sell');
  if (input.size === 0) throw badFields({ size: 'There is nothing in this file' });
  if (input.size > MAX_STOCK_FILE_BYTES)
    throw new AppError('too_large', 'A stock file may have 50 MB at most: cut it in two');
  return db.transaction().execute(async (trx) => {
    if (await isBusy(trx, seller.userId, input.id))
      throw new AppError('stock_busy', 'Another file of yours is being worked on: wait until it is done, or cancel it');
    const settings = await placeAndPhoneOf(trx, seller.userId);
    const choices = {
      ...saidOf(settings),
      ...(await proposed(trx, seller.userId)),
      ...(isPurge(input.name) && { isWholeStock: true }),
    };
    await insertFile(trx, { ...input, sellerId: seller.userId, choices });
    const file = await lockOwn(trx, seller, input.id);
    if (file.name !== input.name || file.size !== input.size)
      throw new AppError('stock_differs', 'Another file was announced under this id');
    await cancelOldest(trx, seller.userId, MOST_WAITING);
    return shown(trx, file);
  });
};

/** Stock programs name so what is a whole stock; it is ticked then, and how many books go is still to be typed. */
const isPurge = (name: string): boolean => /purge/i.test(name.replace(/\.[^.]*$/, ''));

/** What somebody has said of it. */
const saidOf = <A extends object>(all: A): Partial<A> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== '')) as Partial<A>;

/** What is proposed for all rows: what was chosen the last time, else what the seller's last listings say. */
const proposed = async (trx: Trx, sellerId: string): Promise<StockChoices> => {
  const { statuses, category, condition, location, phone } = (await findLastChoices(trx, sellerId)) ?? {};
  const last = saidOf({ statuses, category, condition, location, phone });
  return { ...saidOf((await findHabits(trx, sellerId)) ?? {}), ...last };
};

const partsOf = (size: number): number => Math.ceil(size / STOCK_PART_BYTES);

/** How many bytes a part has. */
const lengthOf = (size: number, part: number): number => Math.min(STOCK_PART_BYTES, size - part * STOCK_PART_BYTES);

/** Takes up a part; the last one that is missing has the file read. */
export const uploadStockPart = async (
  db: Db,
  viewer: Viewer,
  input: { id: string; part: number; bytes: Buffer; contentDigest: string | string[] | undefined },
): Promise<StockFile> => {
  const seller = requireSeller(viewer);
  const { id, part, bytes } = input;
  const sha256 = createHash('sha256').update(bytes).digest();
  if (!contentDigestOf(input.contentDigest).equals(sha256))
    throw new AppError('bad_request', 'The part did not arrive as it was sent: please try again');
  return db.transaction().execute(async (trx) => {
    const file = await lockOwn(trx, seller, id);
    // What arrives late of a file that is read already changes nothing.
    if (file.state !== 'uploading') return shown(trx, file);
    if (part >= partsOf(file.size) || bytes.length !== lengthOf(file.size, part))
      throw new AppError('bad_request', 'A part of this length does not belong here');
    if (!(await keepPart(trx, { fileId: id, number: part, sha256, bytes })).equals(sha256))
      throw new AppError('stock_differs', 'Another part was sent under this number: begin anew');
    if ((await listParts(trx, id)).length === partsOf(file.size))
      await updateFile(trx, id, ['uploading'], { state: 'reading' });
    return shown(trx, await lockOwn(trx, seller, id));
  });
};

/** What of the choices changes how the file is cut into cells, and not only what these mean. */
const cuts = ({ encoding, format, delimiter, columns, makesNumbers }: StockChoices): string =>
  JSON.stringify([encoding, format, delimiter, columns, makesNumbers === true]);

const asOfIn = (choices: StockChoices, file: FileRow): Date => {
  if (choices.asOf === undefined) return file.asOf;
  const at = new Date(choices.asOf);
  if (Number.isNaN(at.getTime())) throw badFields({ asOf: 'This is no time' });
  return at;
};

/** Says how a file is read; its rows are looked at again. */
export const chooseStock = async (
  db: Db,
  viewer: Viewer,
  { id, choices }: { id: string; choices: StockChoices },
): Promise<StockFile> => {
  const seller = requireSeller(viewer);
  return db.transaction().execute(async (trx) => {
    const file = await lockOwn(trx, seller, id);
    if (!OPEN.includes(file.state)) throw wrongState('This file is being written, or was: nothing is chosen any more');
    const isRead = file.state !== 'reading' && file.state !== 'failed' && cuts(choices) === cuts(file.choices);
    await updateFile(trx, id, OPEN, {
      state: isRead ? 'comparing' : 'reading',
      problem: '',
      choices,
      asOf: asOfIn(choices, file),
      doneRows: 0,
    });
    return shown(trx, await lockOwn(trx, seller, id));
  });
};

const rowOf = ({ line, sku, action, reason, cells }: ShownRow): StockRow => ({
  line,
  sku,
  action: action ?? 'refused',
  reason,
  cells: cells as Record<string, string>,
});

/** Rows that come to the same, in the order of the file; the cursor is the last line. */
export const listStockRows = async (
  db: Db,
  viewer: Viewer,
  input: { id: string; action: StockAction; limit?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: StockRow[]; next?: string }> => {
  const file = await ownFile(db, viewer, input.id);
  const after = input.cursor === undefined ? 0 : Number(/^\d{1,9}$/.exec(input.cursor)?.[0]);
  if (Number.isNaN(after)) throw badFields({ cursor: 'This is not a cursor of this list' });
  const limit = limitOf(input.limit);
  const rows = await listRowsOf(db, file.id, { action: input.action, after, limit: limit + 1 });
  const page = rows.slice(0, limit).map(rowOf);
  const last = page.at(-1);
  return { rows: page, ...(rows.length > limit && last !== undefined && { next: String(last.line) }) };
};

/** Replaces what a row says, and looks at it again, and at those with the same SKU. */
export const mendStockRow = async (
  db: Db,
  viewer: Viewer,
  { id, line, cells }: { id: string; line: number; cells: StockCells },
): Promise<StockRow> => {
  const seller = requireSeller(viewer);
  return db.transaction().execute(async (trx) => {
    const file = await lockOwn(trx, seller, id);
    if (file.state !== 'ready') throw wrongState('This file is being worked on: rows are mended once it was looked at');
    const before = await findRow(trx, id, line);
    if (before === undefined) throw notFound('There is no such row');
    const said = Object.entries(cells).filter(([, text]) => text.trim() !== '');
    const row = stagedRow(line, Object.fromEntries(said) as StockCells);
    await rewriteRows(trx, id, [row]);
    await compareSkus(trx, file, [before.sku, row.sku]);
    const after = await findRow(trx, id, line);
    if (after === undefined) throw notFound('There is no such row');
    return rowOf(after);
  });
};

const REFUSED_ROWS = 1_000;

async function* refusedLines(db: Db, fileId: string): AsyncGenerator<string> {
  yield `\uFEFF${['line', 'reason', ...STOCK_FIELD_NAMES].map(textCell).join(',')}\r\n`;
  let after = 0;
  for (;;) {
    const rows = await listRowsOf(db, fileId, { action: 'refused', after, limit: REFUSED_ROWS });
    const last = rows.at(-1);
    if (last === undefined) return;
    const lines = rows.map(({ line, reason, cells }) =>
      [String(line), textCell(reason), ...STOCK_FIELD_NAMES.map((name) => textCell(cells[name] ?? ''))].join(','),
    );
    yield `${lines.join('\r\n')}\r\n`;
    after = last.line;
  }
}

/** The refused rows as a CSV file that can be dropped again once it is mended. */
export const writeRefused = async (db: Db, viewer: Viewer, id: string): Promise<Readable> =>
  Readable.from(refusedLines(db, (await ownFile(db, viewer, id)).id));

/** Has a file written that is ready; `missing` confirms how many copies a whole stock takes away. */
export const commitStock = async (
  db: Db,
  viewer: Viewer,
  { id, missing }: { id: string; missing: number | undefined },
  mode: 'demo' | 'production',
): Promise<StockFile> => {
  const seller = requireSeller(viewer);
  requireGoodStanding(seller);
  if (!maySell(seller, mode)) throw forbidden('Please confirm your email address before you sell');
  return db.transaction().execute(async (trx) => {
    const file = await lockOwn(trx, seller, id);
    if (file.state === 'committing' || file.state === 'done') return shown(trx, file);
    if (file.state !== 'ready') throw wrongState('This file is not ready to be written');
    if (await isBusy(trx, seller.userId, id))
      throw new AppError('stock_busy', 'Another file of yours is being worked on: wait until it is done');
    if (file.choices.isWholeStock === true) {
      const gone = await countMissing(trx, id);
      if (gone !== (missing ?? 0)) {
        const fields = { missing: `Type ${gone}: so many copies are not in this file and would go` };
        throw new AppError('stock_missing', fields.missing, { fields });
      }
    }
    await updateFile(trx, id, ['ready'], { state: 'committing', problem: '', doneRows: 0, doneLine: 0 });
    return shown(trx, await lockOwn(trx, seller, id));
  });
};

/** Begins to take back what a file or an edit of the seller's did; `called` says what it is, as in "A file". */
export const beginUndo = async (trx: Trx, file: FileRow, called: string): Promise<void> => {
  if (file.state === 'undoing' || file.state === 'undone') return;
  if (undoUntil(file) === null)
    throw wrongState(`${called} that was written can be undone for ${UNDO_HOURS} hours, and this one cannot any more`);
  if (await isBusy(trx, file.sellerId, file.id))
    throw new AppError('stock_busy', 'Something else of your stock is being written: wait until it is done');
  await updateFile(trx, file.id, ['done'], { state: 'undoing', problem: '', doneRows: 0 });
};

/** Takes back what a file did. */
export const undoStock = async (db: Db, viewer: Viewer, id: string): Promise<StockFile> => {
  const seller = requireSeller(viewer);
  return db.transaction().execute(async (trx) => {
    await beginUndo(trx, await lockOwn(trx, seller, id), 'A file');
    return shown(trx, await lockOwn(trx, seller, id));
  });
};

/** Drops a file, also while it is being read or written; what was written stays. */
export const cancelStock = async (db: Db, viewer: Viewer, id: string): Promise<StockFile> => {
  const seller = requireSeller(viewer);
  return db.transaction().execute(async (trx) => {
    const file = await lockOwn(trx, seller, id);
    if (file.state === 'committing') {
      // What is written can be undone like all of it.
      await updateFile(trx, id, ['committing'], { state: 'done', isCommitted: true });
    } else {
      const open: StockFileState[] = ['uploading', 'reading', 'comparing', 'ready', 'failed'];
      if (!open.includes(file.state) && file.state !== 'cancelled') throw wrongState('This file was written already');
      await updateFile(trx, id, open, { state: 'cancelled' });
    }
    await dropBytes(trx, id);
    return shown(trx, await lockOwn(trx, seller, id));
  });
};
