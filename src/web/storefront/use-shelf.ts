import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Listing, ListingStatus } from '#contract/catalog.ts';
import { useMore } from '#web/shell/use-more.ts';
import { useRefreshOnFocus } from '#web/shell/use-refresh-on-focus.ts';

/** One page of listings as the routes load them. */
export interface ListingPage {
  readonly rows: readonly Listing[];
  readonly next: string | undefined;
}

export interface Shelf {
  readonly rows: readonly Listing[];
  /** The cursor of the next page; absent when everything is shown. */
  readonly next: string | undefined;
  readonly busy: boolean;
  /** Why the next page could not be had. */
  readonly failure: string | undefined;
  /** How many books the last "Show more" added, for reading out. */
  readonly added: number;
  readonly showMore: () => Promise<void>;
  /** Shows a copy as having another status, because somebody just learned it. */
  readonly mark: (id: string, status: ListingStatus) => void;
}

/**
 * The listings of a page: the first page as loaded, more as asked for. All of it is read again when the person comes back to
 * the page, which keeps their place.
 */
export const useShelf = (first: ListingPage, loadPage: (cursor: string) => Promise<ListingPage>): Shelf => {
  const [params] = useSearchParams();
  const list = useMore(first, loadPage, { keepPlace: true, of: params.get('cursor') ?? '' });
  // What was learned is about the row as it was read: one that is read again knows better.
  const [learned, setLearned] = useState<ReadonlyMap<Listing, ListingStatus>>(new Map());
  const newest = useRef(list.rows);
  useEffect(() => {
    newest.current = list.rows;
  });
  useRefreshOnFocus();
  const seen = new Set<string>();
  const rows = list.rows
    // A book listed meanwhile can shift the pages by one; nothing is shown twice.
    .filter((row) => !seen.has(row._id) && seen.add(row._id))
    .map((row) => ({ ...row, status: learned.get(row) ?? row.status }));
  const mark = (id: string, status: ListingStatus): void => {
    const row = newest.current.find(({ _id }) => _id === id);
    if (row !== undefined) setLearned((before) => new Map(before).set(row, status));
  };
  const { next, busy, failure, added, more: showMore } = list;
  return { rows, next, busy, failure, added, showMore, mark };
};
