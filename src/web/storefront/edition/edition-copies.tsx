import { useState, type ReactNode } from 'react';
import type { ShelvedCopy } from '#contract/catalog/editions/edition-page.ts';
import { defectInWords, JACKET_WORDS, SIGNED_WORDS } from '#contract/catalog/passport/passport-words.ts';
import { formatDollars } from '#contract/money/money.ts';
import { BookNow } from '#web/storefront/booking/book-now.tsx';
import { bookPath, sellerPath } from '#web/storefront/lists/listing-words.ts';
import { CardHeart } from '#web/storefront/marks/card-heart.tsx';
import type { Learned } from '#web/storefront/lists/use-shelf.ts';

// Functions and not components: a page has dozens of rows, and none of these parts has a state.

const priceOf = (copy: ShelvedCopy): ReactNode => (
  <>
    <a href={bookPath(copy._id)}>
      {formatDollars(copy.resale_price)}
      <span className="sr-only">{` for ${copy.title}`}</span>
    </a>
    <CardHeart listing={copy} />
    {copy.status !== 'Available' && (
      <i>{copy.waiting > 0 ? `${copy.status} · ${copy.waiting} waiting` : copy.status}</i>
    )}
  </>
);

/** The trade's grade where the copy has one, with what is said of jacket and signature. */
const conditionOf = ({ condition, passport }: ShelvedCopy): ReactNode => {
  const { grade = null, jacket = null, jacketGrade = null, signed = null } = passport ?? {};
  return (
    <div>
      <strong>{grade ?? condition}</strong>
      {jacket !== null && <i>{jacketGrade === null ? JACKET_WORDS[jacket] : `Jacket: ${jacketGrade}`}</i>}
      {signed !== null && signed !== 'no' && <i>{SIGNED_WORDS[signed]}</i>}
    </div>
  );
};

/** What is wrong with a copy, in words; and whether anybody looked. */
const defectsOf = ({ passport }: ShelvedCopy): ReactNode => {
  const { defects = [], noDefects = false } = passport ?? {};
  if (defects.length > 0)
    return (
      <ul>
        {defects.map((one) => (
          <li key={one.defect}>{defectInWords(one)}</li>
        ))}
      </ul>
    );
  return <i>{noDefects ? 'None found' : 'Not itemised'}</i>;
};

const sellerOf = (copy: ShelvedCopy): ReactNode => (
  <div>
    <a dir="auto" href={sellerPath(copy.seller_slug)}>
      {copy.Seller}
    </a>
    {copy.seller_verified && <b title="Verified seller">Verified seller</b>}
    <i dir="auto">{copy.location}</i>
  </div>
);

/**
 * The copies of an edition side by side, as cards on a phone. Roles are named because the cards' look takes them away.
 */
export const EditionCopies = ({ title, copies }: { title: string; copies: readonly ShelvedCopy[] }) => (
  <div className="overflow-hidden rounded-box sm:border sm:border-base-300 sm:bg-base-100">
    <table role="table" className="edition-copies">
      <caption className="sr-only">Copies of {title}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {['Price', 'Condition', 'Defects', 'Seller'].map((header) => (
            <th key={header} role="columnheader" scope="col">
              {header}
            </th>
          ))}
          <th role="columnheader" scope="col">
            <span className="sr-only">Booking</span>
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {copies.map((copy) => (
          <tr key={copy._id} role="row">
            <td role="cell">{priceOf(copy)}</td>
            <td role="cell">{conditionOf(copy)}</td>
            <td role="cell">
              <div>{defectsOf(copy)}</div>
            </td>
            <td role="cell">{sellerOf(copy)}</td>
            <td role="cell">
              <BookNow listing={copy} look="soft" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
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
