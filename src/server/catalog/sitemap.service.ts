import { cursorOf, positionOf, type Position } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { listCategoryRows } from './categories/category.queries.ts';
import { listSitemapRows, listSitemapRuns } from './sitemap.queries.ts';

/** A sitemap holds at most this many addresses (sitemaps.org). */
export const URLS_A_PART = 50_000;
/** Rows fetched at once while a part is written: a part is never whole in memory. */
const ROWS_A_BATCH = 1_000;

/** A page that search engines should know. `changedAt` is ISO 8601. */
export interface FoundPage {
  readonly path: string;
  readonly changedAt?: string;
}

/** Pages that are always there. */
const STANDING: readonly FoundPage[] = [{ path: '/' }, { path: '/blog' }];

/** The pages that are no copies: standing ones and the categories. */
export const listStandingPages = async (db: Db): Promise<FoundPage[]> => {
  const categories = await listCategoryRows(db);
  return [...STANDING, ...categories.map(({ category_id: id }) => ({ path: `/category/${encodeURIComponent(id)}` }))];
};

interface SitemapPart {
  readonly from: string;
  readonly changedAt: string;
}

/** Of millions of copies that takes seconds: whoever asks meanwhile has the same answer. */
const underWay = new WeakMap<Db, Promise<SitemapPart[]>>();

/**
 * The parts in which the copies on the shelf are listed, each by the cursor at which it begins, with its latest change.
 */
export const listSitemapParts = (db: Db): Promise<SitemapPart[]> => {
  const present = underWay.get(db);
  if (present !== undefined) return present;
  const reading = listSitemapRuns(db, URLS_A_PART)
    .then((runs) => runs.map(({ at, id, changedAt }) => ({ from: cursorOf({ at, id }), changedAt })))
    .finally(() => underWay.delete(db));
  underWay.set(db, reading);
  return reading;
};

/** The pages of one part, in batches; 400 for a cursor that is none. */
export async function* listSitemapPages(db: Db, from: string): AsyncGenerator<FoundPage[]> {
  const first = positionOf(from);
  if (first === undefined) return;
  let start: { from: Position } | { after: Position } = { from: first };
  let left = URLS_A_PART;
  while (left > 0) {
    const limit = Math.min(left, ROWS_A_BATCH);
    const rows = await listSitemapRows(db, start, limit);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ id, changedAt }) => ({ path: `/book/${id}`, changedAt }));
    if (rows.length < limit) return;
    left -= rows.length;
    start = { after: last };
  }
}
