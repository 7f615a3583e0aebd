import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Cover } from '#web/ui/cover.tsx';

interface Props {
  book: { title: string; authors: string; image_url: string };
  /** Where the title leads to. */
  to?: string | undefined;
  /** The line under the title. */
  children?: ReactNode;
}

/** A book at the head of its row: its small cover, its title, and a line under it. */
export const BookCell = ({ book, to, children }: Props) => (
  <div className="flex min-w-0 items-center gap-4">
    <Cover title={book.title} authors={book.authors} imageUrl={book.image_url} decorative className="w-12 shrink-0" />
    <div className="min-w-0">
      <p dir="auto" className="font-serif font-semibold break-words">
        {to === undefined ? (
          book.title
        ) : (
          <Link to={to} className="hover:underline">
            {book.title}
          </Link>
        )}
      </p>
      {children !== undefined && children !== false && (
        <p dir="auto" className="text-sm break-words text-muted">
          {children}
        </p>
      )}
    </div>
  </div>
);
