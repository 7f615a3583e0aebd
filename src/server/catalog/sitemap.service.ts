import { cursorOf, positionOf, type Position } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { listCategoryRows } from './categories/category.queries.ts';
import {
  BEGINNING,
  findSitemapRun,
  listNewAuthors,
  listNewEditions,
  listSellerSlugs,
  listSitemapRows,
} from './sitemap.queries.ts';

/**
 * A part names so many copies, and the editions and authors that no part before it has: below the 50,000 addresses that
 * sitemaps.org allows. It is a few statements, and whole in memory while it is written.
 */
const COPIES_A_PART = 10_000;
/** Two new ones a copy: hardly any copy has as many. */
const AUTHORS_A_PART = 20_000;
/** Copies whose authors one statement looks at: each name is read out of a text, and looked for among older copies. */
const COPIES_READ = 2_000;

/** A page that search engines should know; its `path` is encoded for an address, `changedAt` is ISO 8601. */
export interface FoundPage {
  readonly path: string;
  readonly changedAt?: string;
}

/** Sellers that are named: with the categories below what sitemaps.org allows. */
const MOST_SELLERS = 40_000;

/** The pages that are no copies: those that are always there, the categories, and sellers who have copies. */
export const listStandingPages = async (db: Db): Promise<FoundPage[]> => {
  const categories = await listCategoryRows(db);
  const paths = categories.map(({ category_id: id }) => `/category/${encodeURIComponent(id)}`);
  const sellers = (await listSellerSlugs(db, MOST_SELLERS)).map((slug) => `/seller/${encodeURIComponent(slug)}`);
  return ['/', '/blog', '/grading', ...paths, ...sellers].map((path) => ({ path }));
};

/**
 * The parts in which the copies on the shelf are listed, each by the cursor at which it begins, with its latest change:
 * what is listed later only ever adds to the end. A statement each, so that none takes too long, however many there
 * are.
 */
export const listSitemapParts = async (db: Db): Promise<{ from: string; changedAt: string }[]> => {
  const parts: { from: string; changedAt: string }[] = [];
  let run = await findSitemapRun(db, BEGINNING, COPIES_A_PART);
  while (run !== undefined) {
    parts.push({ from: cursorOf(run.first), changedAt: run.changedAt });
    run = await findSitemapRun(db, run.last, COPIES_A_PART);
  }
  return parts;
};

const listAuthors = async (db: Db, from: Position): Promise<string[]> => {
  const slugs = new Set<string>();
  for (let skipped = 0; skipped < COPIES_A_PART && slugs.size < AUTHORS_A_PART; skipped += COPIES_READ)
    for (const slug of await listNewAuthors(db, { from, length: COPIES_READ, skipped })) slugs.add(slug);
  return [...slugs].slice(0, AUTHORS_A_PART);
};

/** The pages of one part: its copies, and what is new with them; 400 for a cursor that is none. */
export const listSitemapPages = async (db: Db, cursor: string): Promise<FoundPage[]> => {
  const from = positionOf(cursor);
  if (from === undefined) return [];
  const rows = await listSitemapRows(db, from, COPIES_A_PART);
  const editions = await listNewEditions(db, { from, length: COPIES_A_PART });
  const authors = await listAuthors(db, from);
  return [
    ...rows.map(({ id, changedAt }) => ({ path: `/book/${id}`, changedAt })),
    ...editions.map((isbn13) => ({ path: `/isbn/${isbn13}` })),
    ...authors.map((slug) => ({ path: `/author/${encodeURIComponent(slug)}` })),
  ];
};
