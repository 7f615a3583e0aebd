import { useCallback } from 'react';
import { Link, useLoaderData, useRevalidator, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listThreads, type Thread } from '#contract/messages/threads.ts';
import { callPage } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { Time } from '#web/shell/data/time.tsx';
import type { Missing } from '#web/shell/data/load.ts';
import { useMore, type Page } from '#web/shell/data/use-more.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { useMessageNews } from '#web/shell/messages/news.ts';
import { classes } from '#web/ui/classes.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Ask, loadAsking } from './ask.tsx';
import { otherSide } from './thread-words.ts';

export const meta: MetaFunction = () => pageMeta('Messages');

const MISSING: Missing = {
  message: 'There is no such book any more.',
  next: { to: '/dashboard/messages', label: 'Messages' },
};

/** With `?about=` and the id of a copy: a first message to its seller. */
export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api, { uid }) => {
      const about = new URL(request.url).searchParams.get('about');
      return about === null
        ? { first: await api.callPage(listThreads, { query: {} }) }
        : { asking: await loadAsking(api, about, uid) };
    },
    undefined,
    MISSING,
  );

const pathOf = ({ _id, orderId }: Thread): string =>
  orderId === null ? `/dashboard/messages/${_id}` : `/dashboard/orders/${orderId}#notes`;

const Row = ({ thread }: { thread: Thread }) => {
  const { title, at, isUnread, isMuted, isBlocked, orderId, lastBy, lastText, side } = thread;
  const standing = [orderId !== null && 'Order', isMuted && 'Muted', isBlocked && 'Blocked'].filter((one) => one);
  return (
    <li className="relative flex gap-3 p-4 hover:bg-base-200">
      <span aria-hidden className={classes('mt-2 size-2 shrink-0 rounded-full', isUnread ? 'bg-primary' : '')} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap justify-between gap-x-3">
          <Link
            to={pathOf(thread)}
            dir="auto"
            className={classes('min-w-0 wrap-anywhere after:absolute after:inset-0', isUnread && 'font-semibold')}
          >
            {isUnread && <span className="sr-only">New: </span>}
            {otherSide(thread)}
          </Link>
          <span className="text-sm text-muted">
            <Time at={at} as="moment" />
          </span>
        </p>
        <p dir="auto" className="wrap-anywhere text-muted">
          {title}
        </p>
        <p dir="auto" className={classes('line-clamp-1 wrap-anywhere', isUnread ? 'font-semibold' : 'text-muted')}>
          {lastBy === side && 'You: '}
          {lastText === '' ? 'Photos' : lastText}
        </p>
        {standing.length > 0 && <p className="text-sm text-muted">{standing.join(' · ')}</p>}
      </div>
    </li>
  );
};

/** Whom one writes with, the last written in first. */
const Inbox = ({ first }: { first: Page<Thread> }) => {
  const { revalidate } = useRevalidator();
  useRefreshOnFocus();
  useMessageNews(
    undefined,
    useCallback(() => void revalidate(), [revalidate]),
  );
  const list = useMore(first, (cursor) => callPage(listThreads, { query: { cursor } }), { keepPlace: true });
  return (
    <>
      <PageHeading title="Messages">
        What you and others write to each other about books. Your address and phone number stay yours.
      </PageHeading>
      {list.rows.length === 0 ? (
        <EmptyState
          title="No messages yet"
          action={
            <a href="/search" className={buttonClass('primary')}>
              Look for a book
            </a>
          }
        >
          Ask a seller about a book on its page: what is written stands here.
        </EmptyState>
      ) : (
        <>
          <ul
            aria-label="Messages, the newest first"
            className="divide-y divide-base-300 overflow-hidden rounded-box border border-base-300 bg-base-100"
          >
            {list.rows.map((thread) => (
              <Row key={thread._id} thread={thread} />
            ))}
          </ul>
          <ListEnd list={list} />
        </>
      )}
    </>
  );
};

const Messages = () => {
  const { first, asking } = useLoaderData<typeof clientLoader>();
  return asking === undefined ? <Inbox first={first} /> : <Ask asking={asking} />;
};
export default Messages;
