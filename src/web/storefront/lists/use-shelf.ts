import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useMore } from '#web/shell/data/use-more.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import type { ListedCopy } from './listed-copy.ts';

/** One page of listings as the routes load them. */
export interface ListingPage<Copy extends ListedCopy> {
  readonly rows: readonly Copy[];
  readonly next: string | undefined;
}

/** What somebody just learned of a copy that is on the page already. */
export type Learned = Partial<Pick<ListedCopy, 'status' | 'waiting'>>;

export interface Shelf<Copy extends ListedCopy = ListedCopy> {
  readonly rows: readonly Copy[];
  /** The cursor of the next page; absent when everything is shown. */
  readonly next: string | undefined;
  readonly busy: boolean;
  /** Why the next page could not be had. */
  readonly failure: string | undefined;
  /** How many books the last "Show more" added, for reading out. */
  readonly added: number;
  readonly showMore: () => Promise<void>;
  /** Shows a copy as it turned out to be. */
  readonly mark: (id: string, learned: Learned) => void;
}

/**
 * The listings of a page: the first page as loaded, more as asked for; `what` they are, where one page lists now this
 * and now that. All of it is read again when the person comes back to the page, which keeps their place.
 */
export const useShelf = <Copy extends ListedCopy>(
  first: ListingPage<Copy>,
  loadPage: (cursor: string, before: readonly Copy[]) => Promise<ListingPage<Copy>>,
  what = '',
): Shelf<Copy> => {
  const [params] = useSearchParams();
  const list = useMore(first, loadPage, { keepPlace: true, of: `${what} ${params.get('cursor') ?? ''}` });
  // What was learned is about the row as it was read: one that is read again knows better.
  const [learned, setLearned] = useState<ReadonlyMap<ListedCopy, Learned>>(new Map());
  const newest = useRef(list.rows);
  useEffect(() => {
    newest.current = list.rows;
  });
  useRefreshOnFocus();
  const seen = new Set<string>();
  const rows = list.rows
    // A book listed meanwhile can shift the pages by one; nothing is shown twice.
    .filter((row) => !seen.has(row._id) && seen.add(row._id))
    .map((row) => (learned.has(row) ? { ...row, ...learned.get(row) } : row));
  const mark = (id: string, more: Learned): void => {
    const row = newest.current.find(({ _id }) => _id === id);
    if (row !== undefined) setLearned((before) => new Map(before).set(row, { ...before.get(row), ...more }));
  };
  const { next, busy, failure, added, more: showMore } = list;
  return { rows, next, busy, failure, added, showMore, mark };
};
