import {
  Link,
  useLoaderData,
  useRouteLoaderData,
  type ClientLoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { readSummary } from '#contract/bookings/dashboard.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { ArrowIcon } from '#web/ui/icons.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { ACCOUNT_ENTRY, dashboardEntries, documentOf } from './dashboard-entries.ts';
import { DashboardNumbers } from './dashboard-numbers.tsx';
import { loadSignedIn, type requireRoles } from '#web/shell/data/guard.ts';
import { NeedsAttention } from './needs-attention.tsx';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';

export const meta: MetaFunction = () => pageMeta('Dashboard');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(request, async (api, user) => ({ user, summary: await api.call(readSummary, {}) }));

const DashboardHome = () => {
  const { user, summary } = useLoaderData<typeof clientLoader>();
  useRefreshOnFocus();
  const menu = useRouteLoaderData<Awaited<ReturnType<typeof requireRoles>>>('dashboard');
  const entries = dashboardEntries(menu?.roles ?? []);
  return (
    <>
      <h1 className="font-serif text-3xl font-semibold">Dashboard</h1>
      <p className="mt-1 mb-6 text-muted">Good to see you, {user.displayName}.</p>
      {summary.admin !== undefined && <NeedsAttention shop={summary.admin} />}
      <DashboardNumbers summary={summary} />
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
      <ul className={classes('grid gap-4 sm:grid-cols-2', entries.length === 0 && 'mt-6')}>
        {[...entries, ACCOUNT_ENTRY].map((entry) => (
          <li key={entry.to}>
            <Link
              to={entry.to}
              {...documentOf(entry.to)}
              className="group flex h-full flex-col gap-1 rounded-box border border-base-300 bg-base-100 p-5 hover:border-primary"
            >
              <span className="flex items-center justify-between font-serif text-xl font-semibold">
                {entry.label}
                <ArrowIcon className="size-5 text-primary" />
              </span>
              <span className="text-muted">{entry.about}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
};
export default DashboardHome;
