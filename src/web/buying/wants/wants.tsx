import { useState } from 'react';
import {
  Link,
  useLoaderData,
  useRevalidator,
  useSearchParams,
  type ClientLoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { changeWantFeed, deleteWant, listWants, setWantState, type Want } from '#contract/wants/wants.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { Time } from '#web/shell/data/time.tsx';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { Confirmed } from '#web/shell/forms/confirmed.tsx';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { EmptyState, Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { OfferCard } from './offer-card.tsx';
import { WantForm, type TypedWant } from './want-form.tsx';
import { asksOf, bookOf } from './want-words.ts';

export const meta: MetaFunction = () => pageMeta('Wanted Books');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(request, (api) => api.call(listWants, {}), 'buyer');

const Standing = ({ want }: { want: Want }) => {
  switch (want.state) {
    case 'active':
      return (
        <>
          Looking since <Time at={want.since} as="date" />, until <Time at={want.endsAt} as="date" />
        </>
      );
    case 'offered':
      return <>A copy is here</>;
    case 'bought':
      return <>You bought one</>;
    case 'paused':
      return <>Paused: nothing is offered to you</>;
    case 'expired':
      return (
        <>
          Ended on <Time at={want.endsAt} as="date" />
        </>
      );
    default:
      return want.state satisfies never;
  }
};

/** Where copies of the book that are for sale now would be. */
const shelfOf = ({ isbn13, title, author }: Want): string =>
  isbn13 === '' ? `/search?q=${encodeURIComponent(`${title} ${author}`.trim().slice(0, 200))}` : `/isbn/${isbn13}`;

interface RowProps {
  want: Want;
  onEdit: () => void;
  onEnd: () => void;
  onChanged: () => Promise<void>;
}

const Row = ({ want, onEdit, onEnd, onChanged }: RowProps) => {
  const [busy, setBusy] = useState(false);
  const book = bookOf(want);
  const isLooking = want.state === 'active';
  const change = async (state: 'active' | 'paused'): Promise<void> => {
    setBusy(true);
    try {
      await call(setWantState, { params: { id: want.id }, body: { state } });
      await onChanged();
    } catch (error) {
      toast('That did not work', { text: messageOf(error), tone: 'error' });
    } finally {
      setBusy(false);
    }
  };
  const renewFeed = async (): Promise<void> => {
    try {
      await call(changeWantFeed, { params: { id: want.id } });
      await onChanged();
    } catch (error) {
      toast('That did not work', { text: messageOf(error), tone: 'error' });
    }
  };
  return (
    <li className="p-4 sm:p-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-serif text-lg font-semibold wrap-anywhere">{book}</h2>
          {want.author !== '' && <p className="text-muted">{want.author}</p>}
          <p className="text-sm">{asksOf(want)}</p>
          <p className="text-sm text-muted">
            <Standing want={want} />
            {' · '}
            <Link to={shelfOf(want)} className="text-link">
              What is on the shelf<span className="sr-only"> of {book}</span>
            </Link>
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {want.state !== 'offered' && (
            <Button look="secondary" size="sm" busy={busy} onClick={() => void change(isLooking ? 'paused' : 'active')}>
              {isLooking ? 'Pause' : 'Keep looking'}
              <span className="sr-only"> {isLooking ? book : `for ${book}`}</span>
            </Button>
          )}
          <Button look="secondary" size="sm" onClick={onEdit}>
            Change<span className="sr-only"> {book}</span>
          </Button>
          <Button look="quiet-danger" size="sm" onClick={onEnd}>
            End<span className="sr-only"> {book}</span>
          </Button>
        </div>
      </div>
      <details className="mt-1 text-sm">
        <summary className="min-h-11 cursor-pointer content-center text-muted">
          Feed<span className="sr-only"> of {book}</span>
        </summary>
        <p className="text-muted">
          What is on the shelf, for a feed reader (Atom). Whoever has this address sees that, and nothing of you.
        </p>
        <a href={want.feed} className="text-link wrap-anywhere">
          {want.feed}
        </a>
        <div className="mt-2">
          <Button look="secondary" size="sm" onClick={() => void renewFeed()}>
            Change the address<span className="sr-only"> of {book}</span>
          </Button>
        </div>
      </details>
      {want.offer !== null && <OfferCard offer={want.offer} onChanged={onChanged} />}
    </li>
  );
};

const TYPED = ['isbn', 'title', 'author', 'max', 'near'] as const;

/** What came along in the address, from a search or from the page of a book. */
const typedIn = (params: URLSearchParams): TypedWant | undefined =>
  params.has('new')
    ? Object.fromEntries(TYPED.flatMap((name) => (params.has(name) ? [[name, params.get(name) ?? '']] : [])))
    : undefined;

/** What waits for an answer stands above what does not. */
const offeredFirst = (wants: readonly Want[]): Want[] =>
  wants.toSorted((a, b) => Number(b.offer !== null) - Number(a.offer !== null));

/** The books a reader looks for: each is offered to them before anybody else when there is one. */
const Wants = () => {
  const { wants } = useLoaderData<typeof clientLoader>();
  const { revalidate } = useRevalidator();
  useRefreshOnFocus();
  const [params, setParams] = useSearchParams();
  const typed = typedIn(params);
  const [editing, setEditing] = useState<Want>();
  const [ending, setEnding] = useState<Want>();
  const close = (): void => {
    setEditing(undefined);
    if (typed !== undefined) setParams({}, { replace: true, preventScrollReset: true });
  };
  const saved = async (want: Want): Promise<void> => {
    toast(editing === undefined ? 'We will tell you when there is one' : 'Changed', {
      text: bookOf(want),
      tone: 'success',
    });
    close();
    await revalidate();
  };
  const named = params.get('take') ?? params.get('pass');
  const isOver = named !== null && !wants.some(({ offer }) => offer?.id === named);
  return (
    <>
      <PageHeading title="Wanted Books">
        Say which books you look for. When one comes, it is reserved for whoever has waited longest.
      </PageHeading>
      {isOver && (
        <div className="mb-5">
          <Notice tone="info" title="This offer is over">
            You took it, passed it on, or its time ended and the book went to the next reader.
          </Notice>
        </div>
      )}
      {wants.length === 0 ? (
        <EmptyState
          title="You look for no book yet"
          action={
            <Link to="/dashboard/wants?new=1" className={buttonClass('primary')}>
              Look for a book
            </Link>
          }
        >
          Name one that is not here: you are told at once when somebody lists it, and you may have it first.
        </EmptyState>
      ) : (
        <>
          <div className="mb-4">
            <Link to="/dashboard/wants?new=1" className={buttonClass('primary')}>
              Look for a book
            </Link>
          </div>
          <ul className="divide-y divide-base-300 rounded-box border border-base-300 bg-base-100">
            {offeredFirst(wants).map((want) => (
              <Row
                key={want.id}
                want={want}
                onEdit={() => setEditing(want)}
                onEnd={() => setEnding(want)}
                onChanged={revalidate}
              />
            ))}
          </ul>
        </>
      )}
      <Modal
        open={editing !== undefined || typed !== undefined}
        title={editing === undefined ? 'Tell me when there is one' : 'What you look for'}
        onClose={close}
      >
        <WantForm want={editing} typed={typed ?? {}} onSaved={saved} onClose={close} />
      </Modal>
      <Confirmed
        of={ending}
        title="Look for it no longer?"
        confirmLabel="End it"
        act={async ({ id }) => {
          await call(deleteWant, { params: { id } });
          await revalidate();
        }}
        onClose={() => setEnding(undefined)}
      >
        <p>
          <em className="wrap-anywhere">{ending === undefined ? '' : bookOf(ending)}</em>: you are not told of it any
          more, and lose your place among those who wait.
        </p>
      </Confirmed>
    </>
  );
};
export default Wants;
