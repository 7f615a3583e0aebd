import type { AuthorBook } from '#contract/catalog/authors.ts';
import { Cover } from '#web/ui/cover.tsx';
import { editionPath } from '#web/storefront/edition/addresses.ts';
import { copiesText } from '#web/storefront/edition/copies-text.ts';
import { bookPath, smallCover } from '#web/storefront/lists/listing-words.ts';

/** To all copies of the edition; where no ISBN tells which that is, to the cheapest copy, which leads on to others. */
const pathOf = ({ isbn13, _id: id }: AuthorBook): string => (isbn13 === '' ? bookPath(id) : editionPath(isbn13));

/** The books of an author, each with how many copies there are. */
export const AuthorBooks = ({ books }: { books: readonly AuthorBook[] }) => (
  <ul className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
    {books.map((book) => (
      <li key={pathOf(book)} className="grid grid-cols-[5rem_minmax(0,1fr)] gap-4">
        <Cover
          title={book.title}
          authors={book.authors}
          imageUrl={smallCover(book)}
          decorative
          className="w-full self-start"
        />
        <div className="min-w-0">
          <h2 dir="auto" className="font-serif text-lg leading-snug font-semibold break-words">
            <a href={pathOf(book)} className="text-link">
              {book.title}
            </a>
          </h2>
          {book.isbn13 !== '' && <p className="text-sm text-muted">ISBN {book.isbn13}</p>}
          <p className="mt-1">{copiesText(book.copies, book.from)}</p>
        </div>
      </li>
    ))}
  </ul>
);
