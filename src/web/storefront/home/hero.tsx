import { Link } from 'react-router';
import { formatCount } from '#contract/count.ts';
import { fromQuery, SELLING_PATH } from '#web/shell/data/return-path.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { Cover } from '#web/ui/cover.tsx';

const FAN = [
  { title: 'Jane Eyre', authors: 'Charlotte Brontë', className: '-rotate-6 translate-x-2 sm:translate-x-3' },
  { title: 'Treasure Island', authors: 'Robert Louis Stevenson', className: 'z-10 -translate-y-3' },
  { title: 'Little Women', authors: 'Louisa May Alcott', className: 'rotate-6 -translate-x-2 sm:-translate-x-3' },
] as const;

/** What the shop is, how many books stand in it, and the two ways in. */
export const Hero = ({ count }: { count: number | undefined }) => (
  <section className="border-b border-base-300 bg-base-100">
    <div className="page grid items-center gap-10 py-6 sm:py-12 lg:grid-cols-[1.15fr_1fr] lg:py-16">
      <div>
        <h1 className="font-serif text-3xl leading-tight font-bold tracking-tight sm:text-5xl lg:text-6xl">
          Good books deserve another reader
        </h1>
        <p className="mt-3 max-w-[52ch] text-muted sm:mt-5 sm:text-lg">
          Dogear is a second-hand book store where readers pass books on. Every copy is one real book, sold once.
        </p>
        <div className="mt-4 flex flex-wrap items-center gap-3 sm:mt-8">
          <Link to="#books" className={buttonClass('primary', 'md', 'h-auto max-w-full whitespace-normal')}>
            Browse the books
          </Link>
          <Link
            to={`/register${fromQuery(SELLING_PATH)}`}
            className={buttonClass('secondary', 'md', 'h-auto max-w-full whitespace-normal')}
          >
            Sell yours
          </Link>
        </div>
        {count !== undefined && count > 0 && (
          <p className="mt-3 text-sm text-muted sm:mt-6">
            <strong className="font-semibold text-base-content">{formatCount(count)}</strong>{' '}
            {count === 1 ? 'book is' : 'books are'} on the shelves today.
          </p>
        )}
      </div>
      <div className="flex justify-center overflow-x-clip py-4 max-sm:hidden" aria-hidden="true">
        {FAN.map((book) => (
          <Cover
            key={book.title}
            title={book.title}
            authors={book.authors}
            imageUrl=""
            decorative
            className={classes('w-[30%] max-w-40', book.className)}
          />
        ))}
      </div>
    </div>
  </section>
);
