import {
  NavLink,
  Outlet,
  useLoaderData,
  useLocation,
  type ClientLoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from 'react-router';
import { buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { MenuIcon } from '#web/ui/icons.tsx';
import { NeedsScripts, SkeletonRows } from '#web/ui/states.tsx';
import { AddressReminder } from './address-reminder.tsx';
import { Bell } from './bell.tsx';
import { ACCOUNT_ENTRY, dashboardEntries, documentOf, MESSAGES_ENTRY } from './dashboard-entries.ts';
import { MessagesLink } from './messages-link.tsx';
import { Drawer } from '#web/shell/layout/drawer.tsx';
import { requireRoles } from '#web/shell/data/guard.ts';

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) => requireRoles(request);

/** Going from page to page asks for no roles again; coming back to the window, or acting on a page, does. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) =>
  currentUrl.href === nextUrl.href;

/** The id the dashboard's menu button points at. */
const DRAWER_ID = 'dashboard-menu';

const linkClass = ({ isActive }: { isActive: boolean }): string =>
  classes(
    'block rounded-field px-3 py-2.5 text-sm font-medium whitespace-nowrap',
    isActive ? 'bg-primary/10 text-primary' : 'hover:bg-base-300/50',
  );

/** The dashboard's menu beside its pages from 1024 px, in a drawer below that; entries follow the person's roles. */
const DashboardLayout = () => {
  const { roles } = useLoaderData<typeof clientLoader>();
  const isPaying = useLocation().pathname.startsWith('/dashboard/payment/');
  return (
    <div className="page grid min-h-dvh content-start gap-6 py-8 print:block lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-10">
      <div className="print:hidden lg:border-r lg:border-base-300 lg:pr-6">
        <button type="button" className={buttonClass('secondary', 'md', 'lg:hidden')} popoverTarget={DRAWER_ID}>
          <MenuIcon className="size-5" />
          Dashboard menu
        </button>
        <Drawer
          id={DRAWER_ID}
          side="left"
          inPlace
          head={<p className="px-3 font-serif text-lg font-semibold">Dashboard menu</p>}
        >
          <nav aria-label="Dashboard">
            <ul className="flex flex-col gap-1">
              <li>
                <NavLink to="/dashboard" end className={linkClass}>
                  Dashboard
                </NavLink>
              </li>
              {[...dashboardEntries(roles), MESSAGES_ENTRY, ACCOUNT_ENTRY].map((entry) => (
                <li key={entry.to}>
                  <NavLink to={entry.to} {...documentOf(entry.to)} className={linkClass}>
                    {entry.label}
                  </NavLink>
                </li>
              ))}
            </ul>
          </nav>
        </Drawer>
      </div>
      <div className="min-w-0">
        {/* Nothing stands between somebody and the card. */}
        {!isPaying && <AddressReminder />}
        <MessagesLink />
        <Bell />
        <Outlet />
      </div>
    </div>
  );
};
export default DashboardLayout;

/** What the server sends: who is asking is only known in the browser. As high as the page, or the footer would jump. */
export const HydrateFallback = () => (
  <div className="page min-h-dvh py-8">
    <NeedsScripts what="Your dashboard" />
    <SkeletonRows rows={5} label="Loading your dashboard" />
  </div>
);
