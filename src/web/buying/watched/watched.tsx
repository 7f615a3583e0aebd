import { useState } from 'react';
import { Link, useLoaderData, useRevalidator, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { formatDollars } from '#contract/money/money.ts';
import { listFollowed } from '#contract/sellers/sellers.ts';
import {
  changeSearchFeed,
  deleteSavedSearch,
  listSavedSearches,
  listWishes,
  removeWish,
  type SavedSearch,
  type Wish,
} from '#contract/wants/watching.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { BookLead } from '#web/ui/table/book-lead.tsx';
import { Table, type Column } from '#web/ui/table/table.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { FollowedSellers } from './followed.tsx';

export const meta: MetaFunction = () => pageMeta('Remembered');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(request, async (api) => {
    const [{ wishes }, { searches }, followed] = await Promise.all([
      api.call(listWishes, {}),
      api.call(listSavedSearches, {}),
      api.callPage(listFollowed, { query: {} }),
    ]);
    return { wishes, searches, followed };
  });

/** What a search asks for beside its words, as its address has it. */
const filtersOf = (query: string): string =>
  [...new URLSearchParams(query)].flatMap(([name, value]) => (name === 'q' ? [] : [`${name}: ${value}`])).join(', ');

const STANDS: Record<Wish['status'], string> = {
  Available: 'It can be booked.',
  Reserved: 'Another reader has reserved it.',
  Paused: 'Its seller has put it aside.',
  Sold: 'It is gone.',
};

const columnsOf = (onRemove: (wish: Wish) => void): readonly Column<Wish>[] => [
  {
    header: 'Title',
    lead: true,
    cell: (wish) => (
      <BookLead
        book={wish}
        isTold
        by={wish.authors}
        title={
          wish.status === 'Sold' ? (
            wish.title
          ) : (
            <Link to={`/book/${wish.listingId}`} className="hover:underline">
              {wish.title}
            </Link>
          )
        }
        line={STANDS[wish.status]}
      />
    ),
  },
  {
    header: 'Price',
    end: true,
    brief: true,
    cell: ({ price }) => <span className="font-semibold tabular-nums">{formatDollars(price)}</span>,
  },
  {
    header: 'Mark',
    end: true,
    quiet: true,
    brief: true,
    cell: (wish) => (
      <Button look="quiet" size="sm" onClick={() => onRemove(wish)}>
        Forget<span className="sr-only"> {wish.title}</span>
      </Button>
    ),
  },
];

const Searches = ({
  searches,
  act,
}: {
  searches: readonly SavedSearch[];
  act: (work: () => Promise<unknown>) => void;
}) => {
  const [shown, setShown] = useState<string>();
  return (
    <ul className="divide-y divide-base-300 rounded-box border border-base-300 bg-base-100">
      {searches.map(({ id, name, query, feed }) => (
        <li key={id} className="p-4">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <div className="min-w-0">
              <Link to={`/search?${query}`} className="font-semibold wrap-anywhere hover:underline">
                {name}
              </Link>
              <p className="text-sm text-muted empty:hidden">{filtersOf(query)}</p>
            </div>
            <div className="flex flex-wrap gap-2">
              <Button look="secondary" size="sm" onClick={() => setShown(shown === id ? undefined : id)}>
                Feed<span className="sr-only"> of {name}</span>
              </Button>
              <Button
                look="quiet-danger"
                size="sm"
                onClick={() => act(() => call(deleteSavedSearch, { params: { id } }))}
              >
                Forget<span className="sr-only"> the search {name}</span>
              </Button>
            </div>
          </div>
          {shown === id && (
            <div className="mt-3 flex flex-col gap-2 text-sm">
              <p className="text-muted">
                For a feed reader (Atom). Whoever has this address sees what the search finds, and nothing of you.
              </p>
              <a href={feed} className="text-link wrap-anywhere">
                {feed}
              </a>
              <div>
                <Button
                  look="secondary"
                  size="sm"
                  onClick={() => act(() => call(changeSearchFeed, { params: { id } }))}
                >
                  Change the address<span className="sr-only"> of {name}</span>
                </Button>
              </div>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
};

/** The copies a reader marked, the searches they saved, and the sellers they follow. */
const Watched = () => {
  const { wishes, searches, followed } = useLoaderData<typeof clientLoader>();
  const { revalidate } = useRevalidator();
  useRefreshOnFocus();
  const act = (work: () => Promise<unknown>): void => {
    work()
      .then(() => revalidate())
      .catch((error: unknown) => toast('This was not done', { tone: 'error', text: messageOf(error) }));
  };
  return (
    <>
      <PageHeading title="Remembered">
        You are told once a day what is cheaper, what is gone, and what is new of your searches and sellers.
      </PageHeading>
      {wishes.length === 0 ? (
        <EmptyState
          title="No book is remembered yet"
          action={
            <Link to="/" className={buttonClass('secondary')}>
              Look at books
            </Link>
          }
        >
          Press the heart of a book to find it here again.
        </EmptyState>
      ) : (
        <Table
          caption="The books you marked, the newest mark first"
          columns={columnsOf((wish) => act(() => call(removeWish, { params: { id: wish.listingId } })))}
          rows={wishes}
          rowKey={({ listingId }) => listingId}
          nameOf={({ title }) => title}
        />
      )}
      <h2 className="mt-10 mb-3 font-serif text-xl font-semibold">Saved searches</h2>
      {searches.length === 0 ? (
        <p className="text-muted">Search for something and press “Save this search” below what was found.</p>
      ) : (
        <Searches searches={searches} act={act} />
      )}
      <h2 className="mt-10 mb-3 font-serif text-xl font-semibold">Sellers you follow</h2>
      <FollowedSellers first={followed} act={act} />
    </>
  );
};
export default Watched;
