import { oneLine } from '#contract/text.ts';
import { LEAST_READERS } from '#contract/wants/want-states.ts';
import type { UnfilledWant } from '#contract/wants/wants.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import { countReaders, findFirstRefusal, listUnfilled, writeFirstRefusal } from './demand.queries.ts';
import { isbnIn } from './isbn-in.ts';

const UNFILLED = 100;

/** How many readers want a book, without their being told who. */
export const readDemand = async (
  db: Db,
  viewer: Viewer,
  query: { isbn13?: string | undefined; title?: string | undefined },
): Promise<{ readers: number | null; most: number | null }> => {
  const { userId } = requireSeller(viewer);
  const isbn13 = isbnIn(query.isbn13 ?? '') ?? '';
  const found = await countReaders(db, { isbn13, title: oneLine(query.title ?? ''), but: userId });
  return found.readers < LEAST_READERS ? { readers: null, most: null } : found;
};

/** Books that readers want and nobody sells. */
export const listUnfilledWants = async (db: Db, viewer: Viewer): Promise<{ books: UnfilledWant[] }> => {
  requireSeller(viewer);
  return { books: await listUnfilled(db, { least: LEAST_READERS, limit: UNFILLED }) };
};

export const readFirstRefusal = async (db: Db, viewer: Viewer): Promise<{ on: boolean }> => ({
  on: await findFirstRefusal(db, requireSeller(viewer).userId),
});

export const setFirstRefusal = async (db: Db, viewer: Viewer, on: boolean): Promise<{ on: boolean }> => {
  await writeFirstRefusal(db, requireSeller(viewer).userId, on);
  return { on };
};
