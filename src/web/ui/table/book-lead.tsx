import type { ReactNode } from 'react';
import { Cover } from '#web/ui/cover.tsx';
import { classes } from '#web/ui/classes.ts';

interface Props {
  book: { title: string; authors: string; image_url: string };
  /** The title, as a link where it leads somewhere. */
  title: ReactNode;
  /** Who wrote it, behind the title; on a phone once the row is open. */
  by?: string;
  /** The quiet line under the title. */
  line?: ReactNode;
  /** The line says what to do and until when: on a phone it may have two lines, and the title one. */
  isTold?: boolean;
  children?: ReactNode;
}

/** A book at the head of its row: its small cover, its title, and a line under it. */
export const BookLead = ({ book, title, by = '', line, isTold = false, children }: Props) => (
  <div className={classes('row-lead', isTold && 'row-told')}>
    <Cover
      title={book.title}
      authors={book.authors}
      imageUrl={book.image_url}
      decorative
      className="w-9 shrink-0 sm:w-8"
    />
    <div className="min-w-0">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <p dir="auto" className="row-title">
          {title}
        </p>
        {by !== '' && (
          <p dir="auto" className="row-line when-open">
            {by}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-x-3">
        {line !== undefined && line !== false && line !== '' && (
          <p dir="auto" className="row-line">
            {line}
          </p>
        )}
        {children}
      </div>
    </div>
  </div>
);
