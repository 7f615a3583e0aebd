import { POPULAR_BOOKS } from '#contract/catalog/editions/popular-books.ts';
import type { TitleStock } from '#contract/catalog/editions/popular.ts';
import { formatDollars } from '#contract/money/money.ts';
import { Cover } from '#web/ui/cover.tsx';

const stockWords = ({ copies, from }: TitleStock): string | undefined => {
  if (from === null) return undefined;
  return copies === 1 ? `1 copy, ${formatDollars(from)}` : `${copies} copies from ${formatDollars(from)}`;
};

const Stock = ({ of: stock }: { of: TitleStock | undefined }) => {
  const words = stock && stockWords(stock);
  return words === undefined ? null : <span className="-mt-1.5 text-sm font-semibold">{words}</span>;
};

/** The Popular Books section: six cards that are always the same, each with the way to its copies and their price. */
export const PopularBooks = ({ stock }: { stock: readonly TitleStock[] }) => (
  <section className="page py-6 sm:py-10" aria-labelledby="popular">
    <h2 id="popular" className="mb-4 font-serif text-xl font-semibold sm:text-2xl">
      Popular Books
    </h2>
    <ul className="cover-row popular">
      {POPULAR_BOOKS.map((book, place) => (
        <li key={book.title} className="flex flex-col gap-2">
          <a
            href={`/search?${new URLSearchParams({ q: book.title }).toString()}`}
            className="group flex flex-col gap-2 hover:text-primary"
          >
            <Cover title={book.title} authors={book.authors} imageUrl="" decorative />
            <h3 className="font-serif text-sm leading-snug font-semibold underline-offset-4 group-hover:underline">
              {book.title}
            </h3>
            <Stock of={stock[place]} />
          </a>
          <div className="-mt-2 max-sm:hidden">
            <p className="text-sm text-muted">{book.authors}</p>
            <p className="mt-1 text-sm">{book.about}</p>
          </div>
        </li>
      ))}
    </ul>
  </section>
);
