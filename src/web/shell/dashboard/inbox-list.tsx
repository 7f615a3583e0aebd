import { Link } from 'react-router';
import { OrderLine } from '#web/shell/data/order-line.tsx';
import { Time } from '#web/shell/data/time.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { ArrowIcon } from '#web/ui/arrow-icon.tsx';
import { CheckIcon } from '#web/ui/icons.tsx';
import type { InboxItem } from './inbox.ts';

/** More are on the page behind it. */
const MOST_SHOWN = 5;

interface InboxProps {
  title: string;
  items: readonly InboxItem[];
  side: 'buyer' | 'seller';
  /** Where all of it is. */
  all: { readonly to: string; readonly label: string };
  nothing: string;
}

/** What waits, each with what happens next, by when, and the way there. */
export const Inbox = ({ title, items, side, all, nothing }: InboxProps) => {
  const id = `inbox-${side}`;
  return (
    <section className="mb-8" aria-labelledby={id}>
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 id={id} className="font-serif text-xl font-semibold">
          {title}
        </h2>
        <Link to={all.to} className="text-link text-sm">
          {all.label}
        </Link>
      </div>
      {items.length === 0 ? (
        <p className="flex items-center gap-2 text-muted">
          <CheckIcon className="size-5 shrink-0 text-success" />
          {nothing}
        </p>
      ) : (
        <ul className="overflow-hidden rounded-box border border-base-300 bg-base-100">
          {items.slice(0, MOST_SHOWN).map((item) => (
            <li key={item.id} className="border-b border-base-300 last:border-b-0">
              <Link to={item.to} className="flex min-h-18 items-center gap-4 px-4 py-2 hover:bg-base-200">
                <Cover
                  title={item.title}
                  authors={item.authors}
                  imageUrl={item.imageUrl}
                  decorative
                  className="w-9 shrink-0"
                />
                <span className="min-w-0 flex-1">
                  <span className="flex items-baseline gap-1.5">
                    <span dir="auto" className="line-clamp-1 font-serif font-semibold break-words">
                      {item.title}
                    </span>
                    {item.more > 0 && <span className="shrink-0 text-sm text-muted">and {item.more} more</span>}
                  </span>
                  {item.payBy !== undefined && (
                    <span className="text-sm">
                      Reserved for you: pay by <Time at={item.payBy} as="time" />
                    </span>
                  )}
                  {item.order !== null && <OrderLine order={item.order} side={side} />}
                </span>
                <ArrowIcon className="size-5 shrink-0 text-primary" />
              </Link>
            </li>
          ))}
          {items.length > MOST_SHOWN && (
            <li className="px-4 py-2 text-sm">
              <Link to={all.to} className="text-link">
                {items.length - MOST_SHOWN} more in {all.label}
              </Link>
            </li>
          )}
        </ul>
      )}
    </section>
  );
};
