import { Type, type Static } from 'typebox';
import { ListingStatus } from '#contract/catalog/catalog.ts';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, Id, IsoTime, SecretToken, Text } from '#contract/scalars.ts';

export const MOST_WISHES = 500;
export const MOST_SEARCHES = 50;

const params = Type.Object({ id: Id });

/** A copy that a reader marked. `status` is `Sold` where it is gone from the shop, too. */
export const Wish = Type.Object({
  listingId: Id,
  title: Type.String(),
  authors: Type.String(),
  image_url: Type.String(),
  price: Dollars,
  status: ListingStatus,
  since: IsoTime,
});
export type Wish = Static<typeof Wish>;

/** At most 500, so never paged. */
export const listWishes = endpoint({
  method: 'GET',
  path: '/wishes',
  summary: 'The copies that the viewer marked, the newest mark first',
  access: 'signed in',
  status: 200,
  answer: Type.Object({ wishes: Type.Array(Wish) }),
  refused: { wishes: [] },
  personal: true,
});

const Wished = Type.Object({ wished: Type.Boolean() });

/** So that a page can show which of its copies are among them. */
export const listMarks = endpoint({
  method: 'GET',
  path: '/wishes/marks',
  summary: 'The ids of the copies that the viewer marked',
  access: 'signed in',
  status: 200,
  answer: Type.Object({ ids: Type.Array(Id) }),
  refused: { ids: [] },
  personal: true,
});

/** 404 for no such copy, 400 for one's own, 429 `too_many` for a 501st. The same answer when repeated. */
export const addWish = endpoint({
  method: 'PUT',
  path: '/wishes/:id',
  summary: 'Marks a copy: its reader is told when it is cheaper, and when it is gone',
  access: 'signed in',
  params,
  status: 200,
  answer: Wished,
  refused: { wished: false },
  personal: true,
});

export const removeWish = endpoint({
  method: 'DELETE',
  path: '/wishes/:id',
  summary: 'Takes the mark off a copy',
  access: 'signed in',
  params,
  status: 200,
  answer: Wished,
  refused: { wished: false },
  personal: true,
});

/** `query` is what stands behind `/search?`; `feed` is the address of its feed, for whoever has it. */
export const SavedSearch = Type.Object({
  id: Id,
  name: Type.String(),
  query: Type.String(),
  since: IsoTime,
  feed: Type.String(),
});
export type SavedSearch = Static<typeof SavedSearch>;

/** At most 50, so never paged. */
export const listSavedSearches = endpoint({
  method: 'GET',
  path: '/saved-searches',
  summary: 'The searches that the viewer saved, the newest first',
  access: 'signed in',
  status: 200,
  answer: Type.Object({ searches: Type.Array(SavedSearch) }),
  refused: { searches: [] },
  personal: true,
});

/**
 * Saves a search under an id that the client makes; one that is saved already is answered as it is. 400 with `fields`
 * for what is no search, 404 where the id is another's, 429 `too_many` for a 51st.
 */
export const saveSearch = endpoint({
  method: 'PUT',
  path: '/saved-searches/:id',
  summary: 'Saves a search: its reader is told once a day of what is new',
  access: 'signed in',
  params,
  body: Type.Object({ query: Text(1_000), name: Type.Optional(Text(200)) }),
  status: 200,
  answer: SavedSearch,
  refused: { id: null },
  personal: true,
});

export const deleteSavedSearch = endpoint({
  method: 'DELETE',
  path: '/saved-searches/:id',
  summary: 'Forgets a saved search, and its feed',
  access: 'whose it is',
  params,
  status: 200,
  answer: Type.Object({ deletedCount: Type.Integer() }),
  refused: { deletedCount: 0 },
  personal: true,
});

/** Whoever had the old address sees nothing there any more. */
export const changeSearchFeed = endpoint({
  method: 'POST',
  path: '/saved-searches/:id/feed',
  summary: 'Gives the feed of a saved search another address',
  access: 'whose it is',
  params,
  status: 200,
  answer: SavedSearch,
  refused: { id: null },
  personal: true,
});

/** The newest 50 copies that a saved search finds (RFC 4287); 404 for an address that is nobody's. */
export const savedSearchFeed = endpoint({
  method: 'GET',
  path: '/feeds/saved/:token',
  summary: 'A saved search as a feed, by its secret address',
  access: 'whoever has its address',
  params: Type.Object({ token: SecretToken }),
  status: 200,
  answer: Type.String(),
  stream: 'application/atom+xml; charset=utf-8',
  personal: true,
});
