import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { SEARCH_TEXT_MAX, SearchFilters } from '#contract/catalog/search.ts';
import { Text } from '#contract/scalars.ts';
import { oneLine } from '#contract/text.ts';
import { MOST_SEARCHES, MOST_WISHES, type SavedSearch, type Wish } from '#contract/wants/watching.ts';
import { writeSearchFeed } from '#server/catalog/feeds/feeds.service.ts';
import { findCopyToBook } from '#server/catalog/listings/listing.service.ts';
import { searchListings } from '#server/catalog/search/search.service.ts';
import { AppError, badFields, notFound } from '#server/platform/errors.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { ANONYMOUS, requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import {
  countSearches,
  countWishes,
  deleteSearch,
  deleteWatchesOf,
  deleteWish,
  findSearch,
  findSearchByToken,
  findSearchLike,
  hasWish,
  insertSearch,
  insertWish,
  listSearchRows,
  listWishIds,
  listWishRows,
  lockWatchesOf,
  renewToken,
  type SearchRow,
} from './watching.queries.ts';

/** What a saved search may say. */
const Search = Type.Object({ q: Type.Optional(Text(SEARCH_TEXT_MAX)), ...SearchFilters });
const NAMES = new Set(['q', ...Object.keys(SearchFilters)]);
const MOST_LETTERS = 200;

/** The copies that the viewer marked. */
export const listWishes = async (db: Db, viewer: Viewer): Promise<{ wishes: Wish[] }> => {
  const rows = await listWishRows(db, requireSignedIn(viewer).userId);
  return { wishes: rows.map((row) => ({ ...row, since: row.since.toISOString() })) };
};

/** Their ids alone. */
export const listMarks = async (db: Db, viewer: Viewer): Promise<{ ids: string[] }> => ({
  ids: await listWishIds(db, requireSignedIn(viewer).userId),
});

/** Marks a copy for the viewer. */
export const addWish = async (db: Db, viewer: Viewer, id: string): Promise<{ wished: boolean }> => {
  const { userId } = requireSignedIn(viewer);
  const copy = await findCopyToBook(db, { listingId: id });
  if (typeof copy === 'string' || copy.status === 'withdrawn' || copy.status === 'paused')
    throw notFound('There is no such book');
  if (copy.sellerId === userId) throw badFields({ id: 'This is your own book' });
  return db.transaction().execute(async (trx) => {
    await lockWatchesOf(trx, userId);
    if ((await countWishes(trx, userId)) >= MOST_WISHES && !(await hasWish(trx, userId, id)))
      throw new AppError('too_many', `You marked ${MOST_WISHES} books already: take the mark off one first`);
    await insertWish(trx, userId, id);
    return { wished: true };
  });
};

export const removeWish = async (db: Db, viewer: Viewer, id: string): Promise<{ wished: boolean }> => {
  await deleteWish(db, requireSignedIn(viewer).userId, id);
  return { wished: false };
};

/** What of an address is a search, in one order of its names. */
const searchIn = (text: string): Record<string, string> => {
  const kept = [...new URLSearchParams(text.replace(/^\?/, ''))].filter(
    ([name, value]) => NAMES.has(name) && value.trim() !== '',
  );
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

/** The parameters of a search as they are kept; 400 with `fields` for what is none, or cannot be searched for. */
const checkedQuery = async (db: Db, text: string): Promise<string> => {
  const search = searchIn(text);
  if (Object.keys(search).length === 0) throw badFields({ query: 'Search for something first' });
  if (!Value.Check(Search, search)) throw badFields({ query: 'This is no search that we know' });
  // Prices that are upside down are seen by searching alone.
  await searchListings(db, ANONYMOUS, { ...search, limit: '1' }, (_key, count) => count());
  return new URLSearchParams(search).toString();
};

const nameOf = (name: string, query: string): string => {
  const typed = oneLine(name);
  return (typed === '' ? (new URLSearchParams(query).get('q') ?? 'Books') : typed).slice(0, MOST_LETTERS);
};

const shown = ({ id, name, query, since, token }: SearchRow, publicUrl: string): SavedSearch => ({
  id,
  name,
  query,
  since: since.toISOString(),
  feed: `${publicUrl}/api/feeds/saved/${token}`,
});

/** The searches that the viewer saved. */
export const listSavedSearches = async (
  db: Db,
  viewer: Viewer,
  publicUrl: string,
): Promise<{ searches: SavedSearch[] }> => {
  const rows = await listSearchRows(db, requireSignedIn(viewer).userId);
  return { searches: rows.map((row) => shown(row, publicUrl)) };
};

const noSuchSearch = (): AppError => notFound('There is no such search');

/** Saves a search; the one that the viewer has already is answered as it is. */
export const saveSearch = async (
  db: Db,
  viewer: Viewer,
  input: { id: string; query: string; name: string; publicUrl: string },
): Promise<SavedSearch> => {
  const { userId } = requireSignedIn(viewer);
  const { id, publicUrl } = input;
  const query = await checkedQuery(db, input.query);
  return db.transaction().execute(async (trx) => {
    await lockWatchesOf(trx, userId);
    const known = (await findSearch(trx, id)) ?? (await findSearchLike(trx, userId, query));
    if (known !== undefined) {
      if (known.userId !== userId) throw noSuchSearch();
      return shown(known, publicUrl);
    }
    if ((await countSearches(trx, userId)) >= MOST_SEARCHES)
      throw new AppError('too_many', `You saved ${MOST_SEARCHES} searches already: forget one first`);
    await insertSearch(trx, { id, userId, query, name: nameOf(input.name, query) });
    const made = await findSearch(trx, id);
    if (made === undefined) throw noSuchSearch();
    return shown(made, publicUrl);
  });
};

const ownSearch = async (db: Db, viewer: Viewer, id: string): Promise<SearchRow> => {
  const { userId } = requireSignedIn(viewer);
  const found = await findSearch(db, id);
  if (found?.userId !== userId) throw noSuchSearch();
  return found;
};

/** Forgets a saved search; 0 where there is none any more. */
export const deleteSavedSearch = async (db: Db, viewer: Viewer, id: string): Promise<{ deletedCount: number }> => {
  const { userId } = requireSignedIn(viewer);
  const found = await findSearch(db, id);
  if (found === undefined) return { deletedCount: 0 };
  if (found.userId !== userId) throw noSuchSearch();
  await deleteSearch(db, id);
  return { deletedCount: 1 };
};

/** Gives the feed of a search another address. */
export const changeSearchFeed = async (
  db: Db,
  viewer: Viewer,
  { id, publicUrl }: { id: string; publicUrl: string },
): Promise<SavedSearch> => {
  await ownSearch(db, viewer, id);
  await renewToken(db, id);
  return shown(await ownSearch(db, viewer, id), publicUrl);
};

/** A saved search as a feed, for whoever has its address. */
export const writeSavedFeed = async (db: Db, publicUrl: string, token: string) => {
  const found = await findSearchByToken(db, token);
  if (found === undefined) throw notFound('This address is no longer good');
  return writeSearchFeed(db, publicUrl, Object.fromEntries(new URLSearchParams(found.query)));
};

/** What somebody marked and saved, for the export. */
export const watchesToExport = async (db: Db, userId: string) => ({
  wishes: await listWishRows(db, userId),
  searches: (await listSearchRows(db, userId)).map(({ name, query, since }) => ({ name, query, since })),
});

/** Somebody who leaves watches nothing any more. */
export const forgetWatches = (trx: Trx, userId: string): Promise<void> => deleteWatchesOf(trx, userId);
