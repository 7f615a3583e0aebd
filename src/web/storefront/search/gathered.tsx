import type { GatheredCopies, SearchAnswer } from '#contract/catalog/search.ts';
import { formatDollars } from '#contract/money/money.ts';
import { editionPath } from '#web/storefront/edition/addresses.ts';
import { copiesText } from '#web/storefront/edition/copies-text.ts';
import { listedCopy, type ListedCopy } from '#web/storefront/lists/listed-copy.ts';
import { searchPath, type SearchState } from './search-state.ts';

/** A copy that stands for all of its book, where there are more. */
export interface GatheredCopy extends ListedCopy {
  readonly isbn13: string;
  readonly gathered?: Pick<GatheredCopies, 'copies' | 'from'>;
  /** What it cost before it was reduced, US dollars. */
  readonly was?: number;
}

/** The copies of an answer as the page shows them, each with what it stands for. */
export const gatheredOf = ({
  listings,
  gathered = [],
  reduced = [],
}: Pick<SearchAnswer, 'listings' | 'gathered' | 'reduced'>): GatheredCopy[] => {
  const books = new Map(gathered.map(({ isbn13, copies, from }) => [isbn13, { copies, from }]));
  const before = new Map(reduced.map(({ _id, was }) => [_id, was]));
  return listings.map((listing) => {
    const [book, was] = [books.get(listing.isbn13), before.get(listing._id)];
    return {
      ...listedCopy(listing),
      isbn13: listing.isbn13,
      ...(book !== undefined && { gathered: book }),
      ...(was !== undefined && { was }),
    };
  });
};

const MOST_BESIDES = 100;

/** What the next page must not gather again: the books that are shown with all their copies, the latest of them. */
export const besidesOf = (shown: readonly GatheredCopy[]): string | undefined => {
  const isbns = new Set(shown.flatMap(({ isbn13, gathered }) => (gathered === undefined ? [] : [isbn13])));
  return isbns.size === 0 ? undefined : [...isbns].slice(-MOST_BESIDES).join(',');
};

/** Side by side on the page of the edition; where something was chosen of copies, those that fit it. */
const allPath = (isbn13: string, state: SearchState): string => {
  const { q: _words, literal: _literal, sort: _sort, category: _category, ...choices } = state;
  return Object.keys(choices).length === 0
    ? editionPath(isbn13)
    : searchPath({ ...choices, q: isbn13, sort: 'price-up' });
};

/** "Reduced from $6.00", and "6 copies from $3.50", the way to all of them. */
export const CopyMore = ({ copy, state }: { copy: GatheredCopy; state: SearchState }) => (
  <>
    {copy.was !== undefined && <p>Reduced from {formatDollars(copy.was)}</p>}
    {copy.gathered !== undefined && (
      <p className="copy-more">
        <a href={allPath(copy.isbn13, state)}>
          {copiesText(copy.gathered.copies, copy.gathered.from)}
          <span className="sr-only"> of {copy.title}</span>
        </a>
      </p>
    )}
  </>
);
