import { Link } from 'react-router';
import type { Listing } from '#contract/catalog/catalog.ts';
import { EDITION_COUNT_LIMIT, type EditionCopy } from '#contract/catalog/editions/editions.ts';
import { formatDollars } from '#contract/money/money.ts';
import { VerifiedMark } from '#web/ui/verified-mark.tsx';
import { BookNow } from '#web/storefront/booking/book-now.tsx';
import { editionPath } from '#web/storefront/edition/addresses.ts';
import { bookPath, sellerPath, yearsOfUse } from '#web/storefront/lists/listing-words.ts';

/** Other copies of the edition on show, the cheapest first. */
export interface OtherCopiesShown {
  readonly copies: readonly EditionCopy[];
  readonly count: number;
}

/** All copies of the edition side by side; where no ISBN tells which that is, a search for the title. */
const allPath = ({ isbn13, title }: Listing): string =>
  isbn13 === '' ? `/search?q=${encodeURIComponent(title)}&sort=price-up` : editionPath(isbn13);

/** "3 other copies from $4.50". */
const wordsOf = (count: number, cheapest: EditionCopy): string => {
  const from = formatDollars(cheapest.resale_price);
  if (count === 1) return `1 other copy for ${from}`;
  return `${count >= EDITION_COUNT_LIMIT ? `${EDITION_COUNT_LIMIT} or more` : count} other copies from ${from}`;
};

const Copy = ({ copy }: { copy: EditionCopy }) => (
  <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 py-3">
    <div className="min-w-0">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <Link to={bookPath(copy._id)} className="text-link font-serif text-lg font-bold">
          {formatDollars(copy.resale_price)}
          <span className="sr-only"> for {copy.title}</span>
        </Link>
        <span className="font-medium">{copy.condition}</span>
        <span className="text-sm text-muted">{yearsOfUse(copy)}</span>
      </p>
      <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-muted">
        <a
          dir="auto"
          href={sellerPath(copy.seller_slug)}
          className="min-w-0 py-0.5 break-words underline-offset-4 hover:underline"
        >
          {copy.Seller}
        </a>
        {copy.seller_verified && <VerifiedMark />}
        <span className="min-w-0 break-words">in {copy.location}</span>
      </p>
    </div>
    <BookNow listing={copy} look="soft" />
  </li>
);

const SECTION = 'other-copies';

/** The way from the price of this copy down to the others; nothing when there are none. */
export const OtherCopiesLink = ({ copies, count }: OtherCopiesShown) => {
  const [cheapest] = copies;
  if (cheapest === undefined) return null;
  return (
    <p>
      <Link to={`#${SECTION}`} className="text-link">
        {wordsOf(count, cheapest)}
      </Link>
    </p>
  );
};

/**
 * The same edition offered by others, for whoever wants another condition, price or place; nothing when there is none.
 */
export const OtherCopies = ({ of, others }: { of: Listing; others: OtherCopiesShown }) => {
  const { copies, count } = others;
  if (copies.length === 0) return null;
  return (
    <section id={SECTION} aria-labelledby="other-copies-title" className="scroll-mt-6">
      <h2 id="other-copies-title" className="mb-2 font-serif text-xl font-semibold">
        Other copies of this book
      </h2>
      <ul className="divide-y divide-base-300 border-y border-base-300">
        {copies.map((copy) => (
          <Copy key={copy._id} copy={copy} />
        ))}
      </ul>
      {(count > copies.length || of.isbn13 !== '') && (
        <p className="mt-3">
          <Link to={allPath(of)} className="text-link">
            {of.isbn13 === '' ? 'See all copies' : 'Compare all copies of this edition'}
          </Link>
        </p>
      )}
    </section>
  );
};
