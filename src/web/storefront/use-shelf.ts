import { useState } from 'react';
import type { Listing, ListingStatus } from '#contract/catalog.ts';
import { messageOf } from '#web/api/api-error.ts';

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

interface Extra {
  readonly first: ListingPage;
  readonly pages: readonly ListingPage[];
  readonly marked: Readonly<Record<string, ListingStatus>>;
}

/** The listings of a page: the first page as loaded, more as asked for. A newly loaded first page starts afresh. */
export const useShelf = (first: ListingPage, loadPage: (cursor: string) => Promise<ListingPage>): Shelf => {
  const fresh: Extra = { first, pages: [], marked: {} };
  const [stored, setExtra] = useState<Extra>(fresh);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const extra = stored.first === first ? stored : fresh;
  const pages = [first, ...extra.pages];
  const next = pages[pages.length - 1]?.next;

  const showMore = async (): Promise<void> => {
    if (next === undefined || busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const page = await loadPage(next);
      setExtra({ ...extra, pages: [...extra.pages, page] });
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };

  const seen = new Set<string>();
  const rows = pages
    .flatMap((page) => page.rows)
    // A book listed meanwhile can shift the pages by one; nothing is shown twice.
    .filter((row) => !seen.has(row._id) && seen.add(row._id))
    .map((row) => ({ ...row, status: extra.marked[row._id] ?? row.status }));
  return {
    rows,
    next,
    busy,
    failure,
    added: extra.pages[extra.pages.length - 1]?.rows.length ?? 0,
    showMore,
    mark: (id, status) => setExtra({ ...extra, marked: { ...extra.marked, [id]: status } }),
  };
};
