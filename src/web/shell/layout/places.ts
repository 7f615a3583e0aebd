/** The main places of the shop, in the header and in the menu. */
export const PLACES = [
  { to: '/home', label: 'Home' },
  { to: '/categories', label: 'Categories' },
  { to: '/blog', label: 'Blog' },
  { to: '/dashboard', label: 'Dashboard' },
] as const;

/** For `aria-current`: whether `pathname` is the page at `place` or one below it. */
export const isWithin = (pathname: string, place: string): 'page' | undefined =>
  pathname === place || pathname.startsWith(`${place}/`) ? 'page' : undefined;

/** Everybody's own page, whatever their roles. */
export const ACCOUNT_PATH = '/dashboard/account';

/** Where readers write to the shop; shown at the foot of every page. A placeholder. */
export const CONTACT_EMAIL = 'hello@example.com';
