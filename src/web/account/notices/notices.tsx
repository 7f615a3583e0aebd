import { useEffect } from 'react';
import { Link, useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listNotices, readNotices, type Notice as NoticeRow } from '#contract/notices/notices.ts';
import { TOPICS } from '#contract/notices/topics.ts';
import { call, callPage } from '#web/api/call.ts';
import { refreshUnread } from '#web/shell/dashboard/unread-notices.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { Time } from '#web/shell/data/time.tsx';
import { useMore } from '#web/shell/data/use-more.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { classes } from '#web/ui/classes.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { EmptyState } from '#web/ui/states.tsx';

export const meta: MetaFunction = () => pageMeta('Notices');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(request, (api) => api.callPage(listNotices, { query: {} }));

const labelOf = (topic: string): string => TOPICS.find(({ id }) => id === topic)?.label ?? '';

const Row = ({ topic, title, path, at, isRead }: NoticeRow) => (
  <li className={classes('relative flex gap-3 p-4', path !== '' && 'hover:bg-base-200')}>
    <span aria-hidden className={classes('mt-2 size-2 shrink-0 rounded-full', isRead ? '' : 'bg-primary')} />
    <div className="min-w-0 flex-1">
      <p className={classes('wrap-anywhere', isRead ? '' : 'font-semibold')}>
        {!isRead && <span className="sr-only">New: </span>}
        {path === '' ? (
          title
        ) : (
          <Link to={path} className="after:absolute after:inset-0">
            {title}
          </Link>
        )}
      </p>
      <p className="text-sm text-muted">
        {labelOf(topic)} · <Time at={at} as="moment" />
      </p>
    </div>
  </li>
);

/** What happened, the newest first. What is shown is read; it stays marked as new until the page is left. */
const Notices = () => {
  const first = useLoaderData<typeof clientLoader>();
  const list = useMore(first, (cursor) => callPage(listNotices, { query: { cursor } }), { keepPlace: true });
  const newest = first.rows.find(({ isRead }) => !isRead)?._id;
  useEffect(() => {
    if (newest === undefined) return;
    // Failing it stays new, which is no harm.
    call(readNotices, { body: { upTo: newest } })
      .then(refreshUnread)
      .catch(() => undefined);
  }, [newest]);
  return (
    <>
      <PageHeading title="Notices">
        What happened in the last 90 days.{' '}
        <Link to="/dashboard/account#mail" className="text-link">
          Choose what is mailed
        </Link>
      </PageHeading>
      {list.rows.length === 0 ? (
        <EmptyState title="Nothing yet">
          When a book is reserved for you or sold, an order moves on or somebody writes to you, it stands here.
        </EmptyState>
      ) : (
        <>
          <ul
            aria-label="Notices, the newest first"
            className="divide-y divide-base-300 overflow-hidden rounded-box border border-base-300 bg-base-100"
          >
            {list.rows.map((notice) => (
              <Row key={notice._id} {...notice} />
            ))}
          </ul>
          <ListEnd list={list} />
        </>
      )}
    </>
  );
};
export default Notices;
