import { cursorOf, positionOf } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { listCategoryRows } from './categories/category.queries.ts';
import { BEGINNING, findSitemapRun, listSitemapRows } from './sitemap.queries.ts';

/** Below the 50,000 that sitemaps.org allows: a part is one statement, and whole in memory while it is written. */
const URLS_A_PART = 10_000;

/** A page that search engines should know; its `path` is encoded for an address, `changedAt` is ISO 8601. */
export interface FoundPage {
  readonly path: string;
  readonly changedAt?: string;
}

/** The pages that are no copies: those that are always there, and the categories. */
export const listStandingPages = async (db: Db): Promise<FoundPage[]> => {
  const categories = await listCategoryRows(db);
  const paths = categories.map(({ category_id: id }) => `/category/${encodeURIComponent(id)}`);
  return ['/', '/blog', '/grading', ...paths].map((path) => ({ path }));
};

/**
 * The parts in which the copies on the shelf are listed, each by the cursor at which it begins, with its latest change:
 * what is listed later only ever adds to the end. A statement each, so that none takes too long, however many there
 * are.
 */
export const listSitemapParts = async (db: Db): Promise<{ from: string; changedAt: string }[]> => {
  const parts: { from: string; changedAt: string }[] = [];
  let run = await findSitemapRun(db, BEGINNING, URLS_A_PART);
  while (run !== undefined) {
    parts.push({ from: cursorOf(run.first), changedAt: run.changedAt });
    run = await findSitemapRun(db, run.last, URLS_A_PART);
  }
  return parts;
};

/** The pages of one part; 400 for a cursor that is none. */
export const listSitemapPages = async (db: Db, cursor: string): Promise<FoundPage[]> => {
  const from = positionOf(cursor);
  if (from === undefined) return [];
  const rows = await listSitemapRows(db, from, URLS_A_PART);
  return rows.map(({ id, changedAt }) => ({ path: `/book/${id}`, changedAt }));
};
