import { isPrivatePage } from '#contract/routes.ts';

/**
 * Which public answers a change of the catalogue makes untrue: an address has tags, a change invalidates those it
 * touches.
 * `lists`: everything that may show any copy. `category:<id>`, `listing:<id>`: what shows copies of that category, or
 * that one. `beside`: what shows of any copy what is kept beside its listing, such as its
 * passport.
 */

const NOT_CACHED =
  /^\/(api\/(?!categor(y|ies|yName)(\/|$)|(search|isbn|author)(\/|$))|standins\/|assets\/|api\/categories\/my_products)/;
const CATEGORY = /^\/(?:api\/)?category\/([A-Za-z0-9_-]{1,64})$/;
const LISTING = /^\/(api\/categories|book)\/([0-9a-f-]{36})$/;
/** What is kept beside copies changes these, too: what is said of them, and of who sells them. */
const BESIDE = /^\/(?:(?:api\/)?isbn|seller)\//;
const FILE = /\.\w+$/;

/**
 * What an address shows; undefined where nothing is cached: what is private, and files, which are in memory already.
 */
export const tagsOf = (path: string): readonly string[] | undefined => {
  if (NOT_CACHED.test(path) || isPrivatePage(path) || FILE.test(path)) return undefined;
  const category = CATEGORY.exec(path)?.[1];
  if (category !== undefined) return [`category:${category}`];
  if (BESIDE.test(path)) return ['lists', 'beside'];
  const [, where, listing] = LISTING.exec(path) ?? [];
  if (listing === undefined) return ['lists'];
  // The page of a copy shows others of its edition too.
  return where === 'book' ? [`listing:${listing}`, 'lists'] : [`listing:${listing}`];
};

/**
 * The tags that a payload of the channel `catalogue` (db/migrations: 0002-catalog.sql, 0011-delivery.sql) touches;
 * undefined for everything.
 */
export const tagsChangedBy = (payload: string): ReadonlySet<string> | undefined => {
  if (payload.startsWith('copies ')) {
    const copies = payload.split(' ').slice(1);
    return new Set(['beside', ...copies.map((id) => `listing:${id}`)]);
  }
  const [kind, listing, category] = payload.split(' ');
  if (kind !== 'listing' || listing === undefined || category === undefined) return undefined;
  return new Set(['lists', `listing:${listing}`, `category:${category}`]);
};
