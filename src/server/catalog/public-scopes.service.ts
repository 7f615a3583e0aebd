import { isPrivatePage } from '#contract/private-pages.ts';

/**
 * Which public answers a change of the catalogue makes untrue. An address belongs to scopes; a change names the scopes it touches.
 * `lists`: everything that may show any copy. `category:<id>`, `listing:<id>`: what shows copies of that category, or that one.
 */

const NOT_KEPT = /^\/(api\/(?!categor(y|ies|yName)(\/|$)|search(\/|$))|standins\/|assets\/)/;
const CATEGORY = /^\/(?:api\/)?category\/([A-Za-z0-9_-]{1,64})$/;
const LISTING = /^\/(api\/categories|book)\/([0-9a-f-]{36})$/;
/** Files are kept already. */
const FILE = /\.\w+$/;
const OWN = /^\/api\/categories\/my_products/;

/** What an address shows; undefined where nothing is kept: what is private, and files, which are kept already. */
export const scopesOf = (path: string): readonly string[] | undefined => {
  if (NOT_KEPT.test(path) || isPrivatePage(path) || OWN.test(path) || FILE.test(path)) return undefined;
  const category = CATEGORY.exec(path)?.[1];
  if (category !== undefined) return [`category:${category}`];
  const [, where, listing] = LISTING.exec(path) ?? [];
  if (listing === undefined) return ['lists'];
  // The page of a copy shows others of its edition too.
  return where === 'book' ? [`listing:${listing}`, 'lists'] : [`listing:${listing}`];
};

/** What the database's news (db/migrations/0002-catalog.sql) touches; undefined for everything. */
export const scopesChangedBy = (news: string): ReadonlySet<string> | undefined => {
  const [kind, listing, category] = news.split(' ');
  if (kind !== 'listing' || listing === undefined || category === undefined) return undefined;
  return new Set(['lists', `listing:${listing}`, `category:${category}`]);
};
