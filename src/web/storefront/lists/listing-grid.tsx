import type { MouseEvent, ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { BOOK } from '#web/shell/data/return-path.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { EmptyState, Notice } from '#web/ui/states.tsx';
import type { ListedCopy } from './listed-copy.ts';
import { ListingCard } from './listing-card.tsx';
import type { Shelf } from './use-shelf.ts';

export type Columns = 2 | 3;

/** The columns in which cards stand. */
export const gridClass = (columns: Columns): string =>
  classes('copies grid grid-cols-1 gap-2 sm:grid-cols-2 sm:gap-4', columns === 3 && 'lg:grid-cols-3');

/** Covers that are seen without scrolling on a phone. */
const EAGER_COVERS = 3;

const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** The query of another place in the same list. */
const placeQuery = (params: URLSearchParams, cursor: string | undefined): string => {
  const copy = new URLSearchParams(params);
  copy.delete(BOOK);
  if (cursor === undefined) copy.delete('cursor');
  else copy.set('cursor', cursor);
  return copy.size === 0 ? '' : `?${copy.toString()}`;
};

/** A link to the next page that adds it here instead, when it can. Nothing scrolls on by itself. */
export const ShowMore = ({ shelf }: { shelf: Omit<Shelf, 'rows' | 'mark'> }) => {
  const [params] = useSearchParams();
  const at = (cursor: string | undefined): { search: string } => ({ search: placeQuery(params, cursor) });
  return (
    <div className="mt-6 flex flex-col items-center gap-4 sm:mt-10">
      <p role="status" className="sr-only">
        {shelf.added > 0 ? `${shelf.added} more books shown` : ''}
      </p>
      {shelf.failure !== undefined && <Notice tone="error">{shelf.failure}</Notice>}
      {shelf.next !== undefined && (
        <Link
          to={at(shelf.next)}
          className={buttonClass('secondary')}
          aria-busy={shelf.busy || undefined}
          onClick={(event) => {
            if (!isPlainClick(event)) return;
            event.preventDefault();
            void shelf.showMore();
          }}
        >
          {shelf.busy && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
          {shelf.failure === undefined ? 'Show more' : 'Try again'}
        </Link>
      )}
      {params.has('cursor') && (
        <Link to={at(undefined)} className="text-link text-sm">
          Back to the start of the list
        </Link>
      )}
    </div>
  );
};

interface ListingGridProps<Copy extends ListedCopy> {
  shelf: Shelf<Copy>;
  columns: Columns;
  /** The level of each card's heading. */
  heading: 'h2' | 'h3';
  empty: ReactNode;
  /** Whether its first cards are seen without scrolling. */
  onTop?: boolean;
  /** What else a card says of its copy. */
  more?: (copy: Copy) => ReactNode;
}

/** The cards of a shelf in two or three columns, with what leads on; `empty` says what to do when there are none. */
export const ListingGrid = <Copy extends ListedCopy>({
  shelf,
  columns,
  heading,
  empty,
  onTop = true,
  more,
}: ListingGridProps<Copy>) => {
  if (shelf.rows.length === 0) return empty;
  return (
    <>
      <ul className={gridClass(columns)}>
        {shelf.rows.map((listing, place) => (
          <li key={listing._id}>
            <ListingCard
              listing={listing}
              eager={onTop && place < EAGER_COVERS}
              heading={heading}
              more={more?.(listing)}
            />
          </li>
        ))}
      </ul>
      <ShowMore shelf={shelf} />
    </>
  );
};

/** What a shelf without books says. */
export const EmptyShelf = () => (
  <EmptyState
    title="This shelf is empty"
    action={
      <Link to="/" className={buttonClass('secondary')}>
        See all books
      </Link>
    }
  >
    Nobody has listed a book here yet. Another category may have what you are looking for.
  </EmptyState>
);
