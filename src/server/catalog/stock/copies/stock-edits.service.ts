import { formatCount } from '#contract/count.ts';
import { dollarsOf } from '#contract/money/money.ts';
import type {
  LeftBecause,
  StockChange,
  StockEdit,
  StockEditPreview,
  StockSelection,
} from '#contract/stock/stock-edits.ts';
import { AppError, badFields, forbidden, notFound } from '#server/platform/errors.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { requireGoodStanding, requireSeller, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import { keepCategory } from '#server/catalog/categories/category.queries.ts';
import { findTerms } from '#server/catalog/delivery/delivery.queries.ts';
import { maySell } from '#server/catalog/listings/listing.policy.ts';
import { allowSeconds } from '#server/catalog/listings/managing.queries.ts';
import { beginUndo, undoUntil } from '#server/catalog/stock/files/stock-files.service.ts';
import {
  countChanged,
  findFile,
  insertEdit,
  isBusy,
  listEdits,
  lockFile,
  type FileRow,
} from '#server/catalog/stock/files/stock-files.queries.ts';
import { changeProblems, changeWords, editOf } from './editing.ts';
import { insertSelected, listAlike } from './stock-copies.queries.ts';

const SHOWN_EDITS = 10;
const EXAMPLES = 5;
/** A selection may be a hundred thousand copies. */
const SELECT_SECONDS = 60;

const noSuchEdit = (): AppError => notFound('There is no such edit');

const shown = async (db: Db, file: FileRow): Promise<StockEdit> => ({
  id: file.id,
  name: file.name,
  state: file.state as StockEdit['state'],
  problem: file.problem,
  doneCopies: file.doneRows,
  allCopies: file.allRows,
  changed: file.state === 'done' ? await countChanged(db, file.id) : 0,
  left: [...file.left],
  createdAt: file.createdAt.toISOString(),
  undoUntil: undoUntil(file),
});

const lockOwn = async (trx: Trx, { userId }: SignedIn, id: string): Promise<FileRow> => {
  const file = await lockFile(trx, id);
  if (file?.sellerId !== userId || file.edit === null) throw noSuchEdit();
  return file;
};

const requirePossible = async (trx: Trx, sellerId: string, change: StockChange): Promise<void> => {
  const problems = changeProblems(change);
  if (change.category !== undefined && (await keepCategory(trx, change.category)) === undefined)
    problems['category'] = 'There is no such category';
  if (change.delivery === 'post' || change.delivery === 'both') {
    const terms = await findTerms(trx, sellerId);
    if (terms === undefined || terms.countries.length === 0)
      problems['delivery'] = 'Say in Delivery first where you post to, and for how much';
  }
  if (Object.keys(problems).length > 0) throw badFields(problems);
};

/** What an edit would do; nothing is written. */
export const previewStockEdit = async (
  db: Db,
  viewer: Viewer,
  { selection, change }: { selection: StockSelection; change: StockChange },
): Promise<StockEditPreview> => {
  const { userId } = requireSeller(viewer);
  return db.transaction().execute(async (trx) => {
    await allowSeconds(trx, SELECT_SECONDS);
    await requirePossible(trx, userId, change);
    const left = new Map<LeftBecause, number>();
    const examples: StockEditPreview['examples'] = [];
    let [copies, changes] = [0, 0];
    for (const alike of await listAlike(trx, userId, selection)) {
      copies += alike.copies;
      const edit = editOf(alike, change);
      if ('because' in edit) {
        left.set(edit.because, (left.get(edit.because) ?? 0) + alike.copies);
        continue;
      }
      changes += alike.copies;
      if (examples.length < EXAMPLES)
        examples.push({
          _id: alike.id,
          title: alike.title,
          before: dollarsOf(alike.resale_cents),
          after: dollarsOf(edit.facts.resale_cents),
        });
    }
    return { copies, changes, left: [...left].map(([because, count]) => ({ because, copies: count })), examples };
  });
};

const nameOf = (copies: number, change: StockChange): string =>
  `${copies === 1 ? 'One copy' : `${formatCount(copies)} copies`}: ${changeWords(change)}`.slice(0, 200);

/** Begins an edit; the same again is the same answer. 409 while a file or another edit of the seller is written. */
export const editStock = async (
  db: Db,
  viewer: Viewer,
  input: { id: string; selection: StockSelection; change: StockChange; copies: number },
  mode: 'demo' | 'production',
): Promise<StockEdit> => {
  const seller = requireSeller(viewer);
  requireGoodStanding(seller);
  if (!maySell(seller, mode)) throw forbidden('Please confirm your email address before you sell');
  const { id, selection, change, copies } = input;
  return db.transaction().execute(async (trx) => {
    await allowSeconds(trx, SELECT_SECONDS);
    if ((await findFile(trx, id)) !== undefined) return shown(trx, await lockOwn(trx, seller, id));
    await requirePossible(trx, seller.userId, change);
    if (await isBusy(trx, seller.userId, id))
      throw new AppError('stock_busy', 'Something else of your stock is being written: wait until it is done');
    if (copies === 0) throw badFields({ selection: 'Choose the copies first' });
    if (!(await insertEdit(trx, { id, sellerId: seller.userId, name: nameOf(copies, change), copies, change })))
      return shown(trx, await lockOwn(trx, seller, id));
    const found = await insertSelected(trx, { fileId: id, sellerId: seller.userId, selection });
    if (found !== copies)
      throw new AppError('stock_differs', `There are ${formatCount(found)} such copies by now: look again`);
    return shown(trx, await lockOwn(trx, seller, id));
  });
};

export const listStockEdits = async (db: Db, viewer: Viewer): Promise<{ edits: StockEdit[] }> => {
  const { userId } = requireSeller(viewer);
  const edits: StockEdit[] = [];
  for (const file of await listEdits(db, userId, SHOWN_EDITS)) edits.push(await shown(db, file));
  return { edits };
};

export const readStockEdit = async (db: Db, viewer: Viewer, id: string): Promise<StockEdit> => {
  const { userId } = requireSeller(viewer);
  const file = await findFile(db, id);
  if (file?.sellerId !== userId || file.edit === null) throw noSuchEdit();
  return shown(db, file);
};

/** Takes back what an edit did. */
export const undoStockEdit = async (db: Db, viewer: Viewer, id: string): Promise<StockEdit> => {
  const seller = requireSeller(viewer);
  return db.transaction().execute(async (trx) => {
    await beginUndo(trx, await lockOwn(trx, seller, id), 'An edit');
    return shown(trx, await lockOwn(trx, seller, id));
  });
};
