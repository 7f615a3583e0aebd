import { NavLink, Outlet, useLoaderData, type ClientLoaderFunctionArgs } from 'react-router';
import { classes } from '#web/ui/classes.ts';
import { SkeletonRows } from '#web/ui/states.tsx';
import { dashboardEntries } from './dashboard-entries.ts';
import { requireUser } from './guard.ts';

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) => requireUser(request);

const linkClass = ({ isActive }: { isActive: boolean }): string =>
  classes(
    'block rounded-field px-3 py-2.5 text-sm font-medium whitespace-nowrap',
    isActive ? 'bg-primary/10 text-primary' : 'hover:bg-base-300/50',
  );

/** The dashboard's menu beside its pages from 1024 px, above them below that; entries follow the person's roles. */
const DashboardLayout = () => {
  const { roles } = useLoaderData<typeof clientLoader>();
  return (
    <div className="page grid gap-6 py-8 lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-10">
      <nav aria-label="Dashboard" className="lg:border-r lg:border-base-300 lg:pr-6">
        <ul className="flex flex-wrap gap-1 lg:flex-col">
          <li>
            <NavLink to="/dashboard" end className={linkClass}>
              Dashboard
            </NavLink>
          </li>
          {dashboardEntries(roles).map((entry) => (
            <li key={entry.to}>
              <NavLink to={entry.to} className={linkClass}>
                {entry.label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0">
        <Outlet />
      </div>
    </div>
  );
};
export default DashboardLayout;

/** What the server sends: who is asking is only known in the browser. */
export const HydrateFallback = () => (
  <div className="page py-8">
    <SkeletonRows rows={5} label="Loading your dashboard" />
  </div>
);
