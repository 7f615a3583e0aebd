import { Cover } from '#web/ui/cover.tsx';

/** Six samples of what passes through the shop; a display window, not listings, each with the way to its copies. */
const SAMPLES = [
  { title: 'Pride and Prejudice', authors: 'Jane Austen', about: 'First impressions, second thoughts.' },
  { title: 'The Great Gatsby', authors: 'F. Scott Fitzgerald', about: 'A green light across the water.' },
  { title: 'To Kill a Mockingbird', authors: 'Harper Lee', about: 'A summer that asks for courage.' },
  { title: 'One Hundred Years of Solitude', authors: 'Gabriel García Márquez', about: 'A family, a village, an age.' },
  { title: 'The Hobbit', authors: 'J.R.R. Tolkien', about: 'There and back again.' },
  { title: 'Beloved', authors: 'Toni Morrison', about: 'What the past will not let go.' },
] as const;

/** The Popular Books section: six static cards. */
export const PopularBooks = () => (
  <section className="page py-6 sm:py-10" aria-labelledby="popular">
    <h2 id="popular" className="mb-4 font-serif text-xl font-semibold sm:text-2xl">
      Popular Books
    </h2>
    <ul className="cover-row popular">
      {SAMPLES.map((book) => (
        <li key={book.title} className="flex flex-col gap-2">
          <a
            href={`/search?${new URLSearchParams({ q: book.title }).toString()}`}
            className="group flex flex-col gap-2 hover:text-primary"
          >
            <Cover title={book.title} authors={book.authors} imageUrl="" decorative />
            <h3 className="font-serif text-sm leading-snug font-semibold underline-offset-4 group-hover:underline">
              {book.title}
            </h3>
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
