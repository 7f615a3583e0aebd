import {
  Link,
  useLoaderData,
  useRouteLoaderData,
  type ClientLoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { listMyBookings, listMyBuyers } from '#contract/bookings/bookings.ts';
import { readOwnSuspension } from '#contract/admin/suspending.ts';
import { readSummary } from '#contract/bookings/dashboard.ts';
import { readDashboardCharts } from '#contract/money/charts.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { ArrowIcon } from '#web/ui/arrow-icon.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { ACCOUNT_ENTRY, dashboardEntries, documentOf, MESSAGES_ENTRY } from './dashboard-entries.ts';
import { DashboardNumbers } from './dashboard-numbers.tsx';
import { loadSignedIn, type requireRoles } from '#web/shell/data/guard.ts';
import { comingOf, toDoOf } from './inbox.ts';
import { Inbox } from './inbox-list.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { SuspendedNotice } from './suspended-notice.tsx';
import { WeekCharts } from './week-charts.tsx';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';

export const meta: MetaFunction = () => pageMeta('Dashboard');

/** What a seller is asked for comes first in their list; what is under way of a buyer's is among the newest. */
const LOOKED_THROUGH = '50';

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(request, async (api, user) => {
    const { email, roles } = user;
    // What waits and how it went is a nicety: without it the page still leads to where it stands.
    const [summary, standing, charts, toDo, coming] = await Promise.all([
      api.call(readSummary, {}),
      api.call(readOwnSuspension, {}).catch(() => undefined),
      roles.includes('seller') || roles.includes('admin')
        ? api.call(readDashboardCharts, {}).catch(() => undefined)
        : undefined,
      roles.includes('seller')
        ? api.callPage(listMyBuyers, { query: { email, limit: LOOKED_THROUGH } }).catch(() => undefined)
        : undefined,
      roles.includes('buyer')
        ? api.callPage(listMyBookings, { query: { email, limit: LOOKED_THROUGH } }).catch(() => undefined)
        : undefined,
    ]);
    return {
      user,
      summary,
      suspension: standing?.suspension ?? undefined,
      charts,
      toDo: toDo && toDoOf(toDo.rows),
      coming: coming && comingOf(coming.rows),
    };
  });

const DashboardHome = () => {
  const { user, summary, suspension, charts, toDo, coming } = useLoaderData<typeof clientLoader>();
  useRefreshOnFocus();
  const menu = useRouteLoaderData<Awaited<ReturnType<typeof requireRoles>>>('dashboard');
  const entries = dashboardEntries(menu?.roles ?? []);
  return (
    <>
      <h1 className="font-serif text-3xl font-semibold">Dashboard</h1>
      <p className="mt-1 mb-6 text-muted">Good to see you, {user.displayName}.</p>
      {suspension !== undefined && <SuspendedNotice suspension={suspension} />}
      {summary.admin !== undefined && <NeedsAttention shop={summary.admin} />}
      {toDo !== undefined && (
        <Inbox
          title="To do"
          items={toDo}
          side="seller"
          all={{ to: '/dashboard/my_buyers', label: 'My Buyers' }}
          nothing="Nothing to post, hand over or answer."
        />
      )}
      {coming !== undefined && coming.length > 0 && (
        <Inbox
          title="Under way"
          items={coming}
          side="buyer"
          all={{ to: '/dashboard/my_orders', label: 'My Orders' }}
          nothing=""
        />
      )}
      <DashboardNumbers summary={summary} />
      {charts !== undefined && <WeekCharts charts={charts} />}
      {entries.length === 0 && (
        <EmptyState
          title="Will you buy or sell?"
          action={
            <Link to="/user_type" className={buttonClass()}>
              Choose
            </Link>
          }
        >
          Your account has no type yet. Choose one and its pages appear here.
        </EmptyState>
      )}
      <ul className={classes('grid gap-2.5 sm:grid-cols-2 sm:gap-4', entries.length === 0 && 'mt-6')}>
        {[...entries, MESSAGES_ENTRY, ACCOUNT_ENTRY].map((entry) => (
          <li key={entry.to}>
            <Link
              to={entry.to}
              {...documentOf(entry.to)}
              className="group flex h-full flex-col gap-1 rounded-box border border-base-300 bg-base-100 px-5 py-3 hover:border-primary sm:py-5"
            >
              <span className="flex items-center justify-between font-serif text-xl font-semibold">
                {entry.label}
                <ArrowIcon className="size-5 text-primary" />
              </span>
              <span className="text-muted max-sm:hidden">{entry.about}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
};
export default DashboardHome;
