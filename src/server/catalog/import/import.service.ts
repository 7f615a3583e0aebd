import { listCategoryRows } from '#server/catalog/categories/category.queries.ts';
import { insertListings, readClock, refreshStatistics } from '#server/catalog/listings/bulk-listing.queries.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { copyPreparer, type CopyDefaults, type Prepared } from './prepared-row.ts';
import { findImportingSeller } from './import.queries.ts';
import { CannotImport } from './refusal.ts';
import { refusedRows } from './refused-rows.ts';
import type { ImportReport, Note } from './report.ts';
import { readRows, type SourceFile } from './source-file.ts';

/** Large enough that round trips cost nothing, small enough that an interruption loses little. */
const BATCH_ROWS = 500;

/** What to import for whom. What the rows leave out is taken from it. */
export interface ImportOrder extends CopyDefaults {
  readonly sellerEmail: string;
  readonly mode: 'demo' | 'production';
  /** Where refused rows are put, if any are. */
  readonly refusedFile: string;
  /** Aborted: the batch under way is finished, no other begun. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (rows: number, of: number) => void;
}

/**
 * Lists a catalogue for a seller, a batch a transaction. A copy is known by its seller, what its row says and how often
 * the file said so before: a second run adds nothing, and two copies of one ISBN are two listings. A row that does not
 * say what a copy needs, where the order does not either, is refused: nothing is made up unless `makeUp` does it.
 * Throws `CannotImport`, with nothing written, when the seller, the category or the columns will not do.
 */
export const importCatalogue = async (db: Db, source: SourceFile, order: ImportOrder): Promise<ImportReport> => {
  const seller = await sellerOf(db, order);
  const categories = await listCategoryRows(db);
  const startedAt = await readClock(db);
  const prepare = copyPreparer({ seller, categories, source, order, startedAt });
  const refused = await refusedRows(order.refusedFile, source);
  const tally = {
    read: 0,
    added: 0,
    present: 0,
    refused: 0,
    categoryNames: new Set<string>(),
    notes: new Map<Note, number>(),
  };
  const list = async (batch: readonly Prepared[]): Promise<void> => {
    const added = new Set(await insertListings(db, batch));
    tally.added += added.size;
    tally.present += batch.length - added.size;
    for (const { importKey, categoryName, notes } of batch) {
      if (!added.has(importKey)) continue;
      tally.categoryNames.add(categoryName);
      for (const note of notes) tally.notes.set(note, (tally.notes.get(note) ?? 0) + 1);
    }
  };
  let batch: Prepared[] = [];
  try {
    for await (const row of readRows(source)) {
      if (order.signal?.aborted) break;
      tally.read += 1;
      const prepared = prepare(row);
      if ('listing' in prepared) batch.push(prepared.listing);
      else {
        tally.refused += 1;
        await refused.add(row.line, prepared.reason, prepared.copy, row.raw);
      }
      if (batch.length < BATCH_ROWS) continue;
      await list(batch);
      batch = [];
      order.onProgress?.(tally.read, source.rows);
    }
    if (!order.signal?.aborted) {
      if (batch.length > 0) await list(batch);
      order.onProgress?.(tally.read, source.rows);
    }
  } finally {
    await refused.close();
  }
  if (tally.added > 0) await refreshStatistics(db);
  return {
    rows: tally.read,
    added: tally.added,
    present: tally.present,
    refused: tally.refused,
    refusedFile: tally.refused > 0 ? order.refusedFile : undefined,
    notes: tally.notes,
    sellerName: seller.name,
    categoryNames: [...tally.categoryNames],
    ignored: source.columns.ignored,
    interrupted: order.signal?.aborted === true,
  };
};

const sellerOf = async (db: Db, order: ImportOrder): Promise<{ id: string; name: string }> => {
  const seller = await findImportingSeller(db, order.sellerEmail);
  if (seller === undefined)
    throw new CannotImport(`Nobody has the address ${order.sellerEmail}: sign up in the shop and choose Seller first.`);
  if (!seller.isSeller) throw new CannotImport(`${order.sellerEmail} is no seller's: choose Seller in the shop first.`);
  if (order.mode === 'production' && seller.emailProvenAt === null) {
    throw new CannotImport(`${order.sellerEmail} has not confirmed the address yet, and cannot sell before.`);
  }
  return seller;
};
