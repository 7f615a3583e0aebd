import type { SearchSort } from '#contract/catalog/search.ts';
import type { ShownContacts } from '#server/catalog/listings/listing-json.queries.ts';
import type { Narrowing } from '#server/catalog/search/narrowing.queries.ts';
import type { Wording } from '#server/catalog/search/wording.ts';
import type { Ways } from './search-ways.ts';

/** Where a result goes on: the sort key of the last row (its tier, price or saving) with its time and id. */
export interface SearchPosition {
  readonly key: number;
  readonly at: string;
  readonly id: string;
}

export interface SearchPage {
  readonly limit: number;
  readonly after: SearchPosition | undefined;
  readonly contacts: ShownContacts;
  readonly sort: SearchSort;
  /** No copies of the books with these ISBNs. */
  readonly besides: readonly string[];
}

/** What is searched for. */
export interface Search {
  readonly wording: Wording;
  readonly narrowing: Narrowing;
  /** In any order but that of tiers: so few copies have the words that all of them are read. */
  readonly isRare: boolean;
  /** How the tiers are found, where they are the order. */
  readonly ways: Ways | undefined;
}
