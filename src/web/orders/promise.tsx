import { promisedStatements } from '#contract/bookings/promise-words.ts';
import { photoPath } from '#contract/catalog/photo-path.ts';
import { photoAlt } from '#contract/catalog/photo-words.ts';
import type { OrderBook } from '#contract/orders/orders.ts';
import { tintOf } from '#web/shell/data/photo.ts';

/** What stands beside the book already. */
const SHOWN = new Set(['title', 'author', 'condition', 'details', 'picture']);

const Photos = ({ book: { photos, title } }: { book: OrderBook }) => (
  <ul aria-label="Photos as promised" className="mt-3 flex flex-wrap gap-2">
    {photos.map((photo, at) => (
      <li key={photo.name}>
        <a href={photoPath(photo.name, 1_600)}>
          <img
            src={photoPath(photo.name, 320)}
            alt={photoAlt(title, { ...photo, sample: false }, at)}
            width={72}
            height={72}
            loading="lazy"
            className={`size-18 rounded-sm object-cover ${tintOf(photo.colour)}`}
          />
        </a>
      </li>
    ))}
  </ul>
);

/** What was promised of a book when it was booked, and how anybody can tell that it was not changed since. */
export const Promised = ({ book }: { book: OrderBook }) => {
  const { promise, photos } = book;
  const statements = promise === null ? [] : promisedStatements(promise.terms).filter(({ name }) => !SHOWN.has(name));
  if (statements.length === 0 && photos.length === 0 && promise === null) return null;
  return (
    <details className="mt-2 text-sm">
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-link">As it was promised</summary>
      {statements.length > 0 && (
        <dl className="border-b border-base-300">
          {statements.map(({ name, label, words }) => (
            <div key={name} className="flex flex-wrap gap-x-3 border-t border-base-300 py-2">
              <dt className="w-28 max-w-full text-muted">{label}</dt>
              <dd dir="auto" className="min-w-[min(8rem,100%)] flex-1 break-words">
                {words}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {photos.length > 0 && <Photos book={book} />}
      {promise !== null && (
        <p className="mt-3 text-muted">
          Kept unchanged since it was booked. Its fingerprint (SHA-256):{' '}
          <span className="font-mono break-all">{promise.hash}</span>
        </p>
      )}
    </details>
  );
};
