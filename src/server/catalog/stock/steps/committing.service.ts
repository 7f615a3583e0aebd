import { randomUUID } from 'node:crypto';
import { piecesOf } from '#server/platform/in-pieces.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { keepCategory } from '#server/catalog/categories/category.queries.ts';
import { waitForLook, type HoldForLook } from '#server/catalog/listings/looks.service.ts';
import type { CloseLines } from '#server/catalog/listings/managing.service.ts';
import { notePriceChanges } from '#server/catalog/listings/price-changes.queries.ts';
import { tellOfCopies, writeTold } from '#server/catalog/passports/passport.service.ts';
import {
  dropBytes,
  lockFile,
  noteChanges,
  updateFile,
  type FileRow,
} from '#server/catalog/stock/files/stock-files.queries.ts';
import { ownOf } from './comparing.ts';
import type { LearnIsbn } from './comparing.service.ts';
import {
  insertCopies,
  listMissing,
  pauseFree,
  resumePaused,
  updateCopies,
  updateOwn,
  withdrawFree,
  type NewCopy,
} from './copies.queries.ts';
import { lookAtLowered } from './lowered.service.ts';
import { categoriesOf, planRows, readRows, rulesOf, type PlannedRow, type Rules } from './planning.service.ts';
import { listToWrite, writeOutcomes } from './rows.queries.ts';

/** Large enough that round trips cost little, small enough that buyers never wait for the copies of one. */
const BATCH_ROWS = 500;
const BATCH_COPIES = 1_000;
/** Put into words for the database at once: about half a millisecond. */
const PIECE = 50;

/** What a file does once it is written. */
export interface CommitDeps {
  readonly db: Db;
  /** Whether an admin looks at a copy before it is on the shelf; absent: at none. */
  readonly holdForLook?: HoldForLook | undefined;
  /** Tells the seller that a file was written; in the transaction that says so. */
  readonly tellDone: (trx: Trx, file: FileRow) => Promise<void>;
  /** Learns what book an ISBN is; absent: nobody is asked. */
  readonly learnIsbn?: LearnIsbn;
  readonly closeLines?: CloseLines;
}

type Change = Parameters<typeof noteChanges>[2][number];

const newCopiesOf = (planned: readonly PlannedRow[]): (NewCopy & { readonly of: PlannedRow })[] =>
  planned.flatMap((of) => {
    const { add } = of.plan;
    if (add === undefined) return [];
    return Array.from({ length: add.count }, (_, place) => ({
      ...add.facts,
      id: randomUUID(),
      sku: of.row.sku,
      number: add.from + place,
      own: ownOf(of.row),
      of,
    }));
  });

const listNew = async (
  trx: Trx,
  { holdForLook }: CommitDeps,
  sellerId: string,
  planned: readonly PlannedRow[],
): Promise<Change[]> => {
  const copies = newCopiesOf(planned);
  if (holdForLook === undefined) for (const piece of piecesOf(copies, PIECE)) await insertCopies(trx, sellerId, piece);
  else
    // One after the other, as the first of a new seller are counted.
    for (const copy of copies) {
      await insertCopies(trx, sellerId, [copy]);
      const { id: listingId, isbn13, resale_cents: resaleCents } = copy;
      if (await holdForLook(trx, { listingId, sellerId, isbn13, resaleCents, isNew: true, isOfMany: true }))
        await waitForLook(trx, listingId);
    }
  await writeTold(
    trx,
    await tellOfCopies(
      trx,
      copies.map(({ id, isbn13, of }) => ({ id, isbn13, said: of.row.said })),
    ),
  );
  const paused = copies.filter(({ of }) => of.row.isPaused === true);
  await pauseFree(
    trx,
    paused.map(({ id }) => id),
  );
  return copies.map(({ id }) => ({ listingId: id, deed: 'added' }));
};

const changeThere = async (
  trx: Trx,
  { holdForLook }: CommitDeps,
  sellerId: string,
  planned: readonly PlannedRow[],
): Promise<Change[]> => {
  const changes = planned.flatMap(({ plan }) => plan.change);
  const done = new Set(
    await updateCopies(
      trx,
      changes.map(({ id, after }) => ({ id, facts: after })),
    ),
  );
  const changed = changes.filter(({ id }) => done.has(id));
  const priced = changed.flatMap(({ id, before, after }) =>
    before.resale_cents === after.resale_cents
      ? []
      : [{ listingId: id, isbn13: after.isbn13, fromCents: before.resale_cents, toCents: after.resale_cents }],
  );
  await notePriceChanges(trx, priced);
  await updateOwn(
    trx,
    sellerId,
    planned.flatMap(({ plan }) => plan.own),
  );
  await writeTold(
    trx,
    await tellOfCopies(
      trx,
      planned.flatMap(({ learns }) => learns),
    ),
  );
  await lookAtLowered(trx, holdForLook, sellerId, priced);
  return changed.map(({ id, before }) => ({ listingId: id, deed: 'changed', before }));
};

const move = async (
  trx: Trx,
  { closeLines }: CommitDeps,
  sellerId: string,
  planned: readonly PlannedRow[],
): Promise<Change[]> => {
  const gone = await withdrawFree(
    trx,
    planned.flatMap(({ plan }) => plan.withdraw),
  );
  await closeLines?.(trx, gone);
  const paused = await pauseFree(
    trx,
    planned.flatMap(({ plan }) => plan.pause),
  );
  const resumed = await resumePaused(
    trx,
    sellerId,
    planned.flatMap(({ plan }) => plan.resume),
  );
  return [
    ...gone.map((listingId) => ({ listingId, deed: 'withdrawn' })),
    ...paused.map((listingId) => ({ listingId, deed: 'paused' })),
    ...resumed.map((listingId) => ({ listingId, deed: 'resumed' })),
  ];
};

/** As many rows as make one batch, also where each is of hundreds of copies. */
const upToCopies = <R extends { readonly added: number }>(rows: readonly R[]): readonly R[] => {
  let copies = 0;
  const end = rows.findIndex(({ added }, place) => {
    copies += added;
    return place > 0 && copies > BATCH_COPIES;
  });
  return end === -1 ? rows : rows.slice(0, end);
};

/** Writes the next rows of a file; false where there are none, or it is not to be written any more. */
const writeBatch = (deps: CommitDeps, id: string, rules: Rules): Promise<boolean> =>
  deps.db.transaction().execute(async (trx) => {
    const file = await lockFile(trx, id);
    if (file?.state !== 'committing') return false;
    const next = await listToWrite(trx, id, file.doneLine, BATCH_ROWS);
    const rows = upToCopies(next);
    const last = rows.at(-1);
    if (last === undefined) return false;
    // Looked at anew, as copies may have been sold or changed since the dry run; categories are locked before copies.
    const read = await readRows(rows, rules);
    for (const category of await categoriesOf(trx, file, rules, read)) await keepCategory(trx, category);
    const { planned, outcomes } = await planRows(trx, file, rules, read, true);
    const changes = [
      ...(await listNew(trx, deps, file.sellerId, planned)),
      ...(await changeThere(trx, deps, file.sellerId, planned)),
      ...(await move(trx, deps, file.sellerId, planned)),
    ];
    await noteChanges(trx, id, changes);
    await writeOutcomes(trx, id, outcomes);
    await updateFile(trx, id, ['committing'], { doneLine: last.line, doneRows: file.doneRows + rows.length });
    return true;
  });

/** Takes away the next copies that a whole stock does not name; false where there are none. */
const takeMissing = (deps: CommitDeps, id: string): Promise<boolean> =>
  deps.db.transaction().execute(async (trx) => {
    const file = await lockFile(trx, id);
    if (file?.state !== 'committing' || file.choices.isWholeStock !== true) return false;
    const gone = await withdrawFree(trx, await listMissing(trx, id, BATCH_ROWS));
    await deps.closeLines?.(trx, gone);
    await noteChanges(
      trx,
      id,
      gone.map((listingId) => ({ listingId, deed: 'withdrawn' })),
    );
    return gone.length > 0;
  });

/**
 * Writes a file into the shop, in batches of which each is written whole or not at all; it goes on where it was ended
 * in the middle. At last the seller is told.
 */
export const commitStockFile = async (deps: CommitDeps, file: FileRow, signal: AbortSignal): Promise<void> => {
  const rules = await rulesOf(deps.db, file);
  while (!signal.aborted && (await writeBatch(deps, file.id, rules)));
  while (!signal.aborted && (await takeMissing(deps, file.id)));
  if (signal.aborted) return;
  await deps.db.transaction().execute(async (trx) => {
    const isDone = await updateFile(trx, file.id, ['committing'], { state: 'done', isCommitted: true });
    if (!isDone) return;
    await dropBytes(trx, file.id);
    await deps.tellDone(trx, file);
  });
};
