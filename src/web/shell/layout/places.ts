/** The main places of the shop, in the header and in the menu. */
export const PLACES = [
  { to: '/home', label: 'Home' },
  { to: '/categories', label: 'Categories' },
  { to: '/blog', label: 'Blog' },
  { to: '/dashboard', label: 'Dashboard' },
] as const;

/** Everybody's own page, whatever their roles. */
export const ACCOUNT_PATH = '/dashboard/account';

/** Where readers write to the shop; shown at the foot of every page. A placeholder. */
export const CONTACT_EMAIL = 'hello@example.com';
