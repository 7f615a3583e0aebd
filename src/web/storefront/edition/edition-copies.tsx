import { useState } from 'react';
import { Link } from 'react-router';
import type { ShelvedCopy } from '#contract/catalog/edition-page.ts';
import { defectInWords, JACKET_WORDS, SIGNED_WORDS } from '#contract/catalog/passport/passport-words.ts';
import { formatDollars } from '#contract/money/money.ts';
import { VerifiedIcon } from '#web/ui/icons.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { BookNow } from '#web/storefront/booking/book-now.tsx';
import { bookPath } from '#web/storefront/lists/listing-words.ts';
import type { Learned } from '#web/storefront/lists/use-shelf.ts';

const Price = ({ copy }: { copy: ShelvedCopy }) => (
  <span className="flex flex-wrap items-baseline gap-x-3 sm:block">
    <Link to={bookPath(copy._id)} className="text-link font-serif text-xl font-bold sm:text-lg">
      {formatDollars(copy.resale_price)}
      <span className="sr-only">{` for ${copy.title}`}</span>
    </Link>
    {copy.status !== 'Available' && (
      <span className="block text-sm text-muted">
        {copy.status}
        {copy.waiting > 0 && ` · ${copy.waiting} waiting`}
      </span>
    )}
  </span>
);

/** The trade's grade where the copy has one, with what is said of jacket and signature. */
const Condition = ({ copy: { condition, passport } }: { copy: ShelvedCopy }) => {
  const { grade = null, jacket = null, jacketGrade = null, signed = null } = passport ?? {};
  const more = [
    ...(jacket === null ? [] : [jacketGrade === null ? JACKET_WORDS[jacket] : `Jacket: ${jacketGrade}`]),
    ...(signed === null || signed === 'no' ? [] : [SIGNED_WORDS[signed]]),
  ];
  return (
    <span className="min-w-0 text-end sm:text-start">
      <span className="font-medium">{grade ?? condition}</span>
      {more.map((line) => (
        <span key={line} className="block text-sm text-muted">
          {line}
        </span>
      ))}
    </span>
  );
};

/** What is wrong with a copy, in words; and whether anybody looked. */
const Defects = ({ copy: { passport } }: { copy: ShelvedCopy }) => {
  const { defects = [], noDefects = false } = passport ?? {};
  if (defects.length === 0)
    return <span className="text-sm text-muted">{noDefects ? 'None found' : 'Not itemised'}</span>;
  return (
    <ul className="min-w-0 text-end text-sm sm:text-start">
      {defects.map((one) => (
        <li key={one.defect}>{defectInWords(one)}</li>
      ))}
    </ul>
  );
};

const Seller = ({ copy }: { copy: ShelvedCopy }) => (
  <span className="min-w-0 text-end text-sm sm:text-start">
    <span className="inline-flex max-w-full items-center gap-1">
      <span dir="auto" className="min-w-0 wrap-anywhere">
        {copy.Seller}
      </span>
      {copy.seller_verified && (
        <span title="Verified seller" className="shrink-0 text-primary">
          <VerifiedIcon className="size-4" />
          <span className="sr-only">Verified seller</span>
        </span>
      )}
    </span>
    <span dir="auto" className="block wrap-anywhere text-muted">
      {copy.location}
    </span>
  </span>
);

const COLUMNS: readonly Column<ShelvedCopy>[] = [
  { header: 'Price', lead: true, cell: (copy) => <Price copy={copy} /> },
  { header: 'Condition', cell: (copy) => <Condition copy={copy} /> },
  { header: 'Defects', cell: (copy) => <Defects copy={copy} /> },
  { header: 'Seller', cell: (copy) => <Seller copy={copy} /> },
  {
    header: 'Booking',
    quiet: true,
    cell: (copy) => (
      <div className="w-full sm:w-36 lg:w-44">
        <BookNow listing={copy} look="soft" />
      </div>
    ),
  },
];

/** The copies of an edition side by side. */
export const EditionCopies = ({ title, copies }: { title: string; copies: readonly ShelvedCopy[] }) => (
  <Table caption={`Copies of ${title}`} columns={COLUMNS} rows={copies} rowKey={({ _id: id }) => id} />
);

/** Copies as they turned out to be since the page was read; what is read again knows better. */
export const useLearned = (rows: readonly ShelvedCopy[]) => {
  const [learned, setLearned] = useState<ReadonlyMap<ShelvedCopy, Learned>>(new Map());
  const seen = new Set<string>();
  return {
    // A copy whose price changed meanwhile may come on two pages; nothing is shown twice.
    copies: rows
      .filter(({ _id: id }) => !seen.has(id) && seen.add(id))
      .map((copy) => (learned.has(copy) ? { ...copy, ...learned.get(copy) } : copy)),
    onLearned: (id: string, more: Learned): void => {
      const copy = rows.find(({ _id }) => _id === id);
      if (copy !== undefined) setLearned((before) => new Map(before).set(copy, { ...before.get(copy), ...more }));
    },
  };
};
