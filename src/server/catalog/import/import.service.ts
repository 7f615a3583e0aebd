import type { Condition } from '#contract/catalog.ts';
import { makeUpCopy } from '#server/catalog/believable.ts';
import {
  insertListings,
  readClock,
  refreshStatistics,
  type BulkListing,
} from '#server/catalog/bulk-listing.queries.ts';
import { findCategory, insertCategory } from '#server/catalog/category.queries.ts';
import type { Db } from '#server/platform/db.ts';
import { findImportingSeller } from './import.queries.ts';
import { CannotImport } from './refusal.ts';
import { refusedRows } from './refused-rows.ts';
import type { ImportReport, Note } from './report.ts';
import { readRows, type SourceFile, type SourceRow } from './source-file.ts';
import { bookOf, rowDigest } from './source-row.ts';

/** Where copies go when the seller names no category. */
const DEFAULT_CATEGORY = { id: 'imported', name: 'Imported' };
/** Large enough that round trips cost nothing, small enough that an interruption loses little. */
const BATCH_ROWS = 500;

export interface ImportOrder {
  readonly sellerEmail: string;
  /** An existing one; absent: `imported`, made if need be. */
  readonly categoryId?: string | undefined;
  readonly resaleCents?: number | undefined;
  readonly condition?: Condition | undefined;
  readonly location?: string | undefined;
  readonly mode: 'demo' | 'production';
  /** Where refused rows are put, if any are. */
  readonly refusedFile: string;
  /** Aborted: the batch under way is finished, no other begun. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (rows: number, of: number) => void;
}

interface Owner {
  readonly sellerId: string;
  readonly sellerName: string;
  readonly categoryId: string;
  readonly categoryName: string;
}

/**
 * Lists a catalogue for a seller, a batch a transaction. A copy is known by its seller, what its row says and how often the
 * file said so before: a second run adds nothing, and two copies of one ISBN are two listings.
 * Throws `CannotImport`, with nothing written, when the seller or the category will not do.
 */
export const importCatalogue = async (db: Db, source: SourceFile, order: ImportOrder): Promise<ImportReport> => {
  const owner = await ownerOf(db, order);
  const startedAt = await readClock(db);
  const refused = await refusedRows(order.refusedFile, source.header);
  const tally = { read: 0, added: 0, present: 0, refused: 0, notes: new Map<Note, number>() };
  const list = async (batch: readonly Prepared[]): Promise<void> => {
    const added = new Set(await insertListings(db, batch));
    tally.added += added.size;
    tally.present += batch.length - added.size;
    for (const { importKey, notes } of batch) {
      if (added.has(importKey)) for (const note of notes) tally.notes.set(note, (tally.notes.get(note) ?? 0) + 1);
    }
  };
  const prepare = preparer(order, owner, startedAt);
  let batch: Prepared[] = [];
  try {
    for await (const row of readRows(source.file)) {
      if (order.signal?.aborted) break;
      tally.read += 1;
      const prepared = prepare(row);
      if (typeof prepared !== 'string') batch.push(prepared);
      else {
        tally.refused += 1;
        await refused.add(row.line, prepared, row.raw);
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
    sellerName: owner.sellerName,
    categoryName: owner.categoryName,
    interrupted: order.signal?.aborted === true,
  };
};

const ownerOf = async (db: Db, order: ImportOrder): Promise<Owner> => {
  const seller = await findImportingSeller(db, order.sellerEmail);
  if (seller === undefined)
    throw new CannotImport(`Nobody has the address ${order.sellerEmail}: sign up in the shop and choose Seller first.`);
  if (!seller.isSeller) throw new CannotImport(`${order.sellerEmail} is no seller's: choose Seller in the shop first.`);
  if (order.mode === 'production' && seller.emailProvenAt === null) {
    throw new CannotImport(`${order.sellerEmail} has not confirmed the address yet, and cannot sell before.`);
  }
  const category = await categoryOf(db, order.categoryId, seller.id);
  return { sellerId: seller.id, sellerName: seller.name, categoryId: category.id, categoryName: category.name };
};

const categoryOf = async (db: Db, id: string | undefined, sellerId: string): Promise<{ id: string; name: string }> => {
  const found = await findCategory(db, id ?? DEFAULT_CATEGORY.id);
  if (found !== undefined) return found;
  if (id !== undefined) throw new CannotImport(`There is no category with the id ${id}: add it in the shop first.`);
  await insertCategory(db, { ...DEFAULT_CATEGORY, createdBy: sellerId });
  const made = await findCategory(db, DEFAULT_CATEGORY.id);
  if (made !== undefined) return made;
  throw new CannotImport(
    `Another category is called ${DEFAULT_CATEGORY.name}: say which category the books go to (--category ID).`,
  );
};

interface Prepared extends BulkListing {
  readonly notes: readonly Note[];
}

/** Turns rows, in the order of the file, into listings, or into the reason why they are refused. */
const preparer = (order: ImportOrder, owner: Owner, startedAt: Date): ((row: SourceRow) => Prepared | string) => {
  const occurrences = new Map<string, number>();
  let place = 0;
  return (row) => {
    place += 1;
    if (row.cell === undefined) return `It has ${row.raw.length} columns, not as many as the header`;
    if (row.raw.some((text) => text.includes('\0'))) return 'It holds a NUL character, which no text has';
    const book = bookOf(row.cell);
    if (typeof book === 'string') return book;
    const digest = rowDigest(row.cell);
    const occurrence = (occurrences.get(digest) ?? 0) + 1;
    occurrences.set(digest, occurrence);
    const importKey = `${digest}-${occurrence}`;
    const copy = makeUpCopy(importKey, book, order);
    return {
      ...book,
      ...copy,
      sellerId: owner.sellerId,
      categoryId: owner.categoryId,
      publisher: '',
      phone: '',
      importKey,
      notes: [...book.notes, ...copy.madeUp],
      // A catalogue begins with its best: its first row is the newest.
      publishedAt: new Date(startedAt.getTime() - place),
    };
  };
};
