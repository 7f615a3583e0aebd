import { isListingForm } from '#contract/routes.ts';
import type { Role } from '#contract/users/identity.ts';
import { ACCOUNT_PATH } from '#web/shell/layout/places.ts';

export interface DashboardEntry {
  readonly role: Role;
  readonly to: string;
  readonly label: string;
  /** What one does there, for the dashboard's own page. */
  readonly about: string;
}

/** Has a link load its page as a document where that is needed; neither the router nor the frame follows it then. */
export const documentOf = (to: string): { reloadDocument?: true; rel?: 'external' } =>
  isListingForm(to) ? { reloadDocument: true, rel: 'external' } : {};

const ENTRIES: readonly DashboardEntry[] = [
  {
    role: 'admin',
    to: '/dashboard/all_users',
    label: 'All Users',
    about: 'Find anybody with an account, make them an admin, or delete them.',
  },
  {
    role: 'admin',
    to: '/dashboard/all_sellers',
    label: 'All Sellers',
    about: 'Verify the sellers you vouch for.',
  },
  {
    role: 'admin',
    to: '/dashboard/reported_items',
    label: 'Reported Items',
    about: 'How readers report a book, and what you can do about it.',
  },
  {
    role: 'admin',
    to: '/dashboard/categories',
    label: 'Categories',
    about: 'Rename and merge categories, and delete empty ones.',
  },
  {
    role: 'admin',
    to: '/dashboard/money',
    label: 'Money',
    about: 'Payments, refunds and disputes.',
  },
  {
    role: 'admin',
    to: '/dashboard/audit',
    label: 'Audit',
    about: 'See who did what, and when.',
  },
  {
    role: 'admin',
    to: '/dashboard/deleted',
    label: 'Deleted',
    about: 'Bring back people and books deleted in the last 30 days.',
  },
  {
    role: 'seller',
    to: '/dashboard/add_product',
    label: 'Add A Product',
    about: 'List a book for sale. It takes about a minute.',
  },
  {
    role: 'seller',
    to: '/dashboard/my_products',
    label: 'My Products',
    about: 'See what you have listed and how it stands.',
  },
  {
    role: 'seller',
    to: '/dashboard/my_buyers',
    label: 'My Buyers',
    about: 'See who booked your books, and reach those who paid.',
  },
  {
    role: 'seller',
    to: '/dashboard/statement',
    label: 'Statement',
    about: 'Your earnings, sale by sale.',
  },
  {
    role: 'seller',
    to: '/dashboard/payouts',
    label: 'Payouts',
    about: 'Say where you are paid, and see what is on its way.',
  },
  {
    role: 'seller',
    to: '/dashboard/delivery',
    label: 'Delivery',
    about: 'Say how your books come to their buyers, and what posting costs.',
  },
  {
    role: 'seller',
    to: '/dashboard/stock',
    label: 'Stock',
    about: 'Bring many books in from a file, edit many at once, and sell over the counter.',
  },
  {
    role: 'seller',
    to: '/dashboard/wanted',
    label: 'Wanted by Readers',
    about: 'See which books readers look for and nobody sells.',
  },
  {
    role: 'buyer',
    to: '/dashboard/my_orders',
    label: 'My Orders',
    about: 'Pay for the books you have booked, and look back at those you bought.',
  },
  {
    role: 'buyer',
    to: '/dashboard/wants',
    label: 'Wanted Books',
    about: 'Name books you look for: you may have them before anybody else.',
  },
  {
    role: 'buyer',
    to: '/dashboard/watched',
    label: 'Remembered',
    about: 'The books you marked and the searches you saved.',
  },
];

/** Everybody's, whatever their roles. */
export const MESSAGES_ENTRY: Omit<DashboardEntry, 'role'> = {
  to: '/dashboard/messages',
  label: 'Messages',
  about: 'What you and others write to each other about books.',
};

/** Everybody's, too. */
export const ACCOUNT_ENTRY: Omit<DashboardEntry, 'role'> = {
  to: ACCOUNT_PATH,
  label: 'Account',
  about: 'Your name and picture, how you sign in, and your data.',
};

/** The dashboard's entries for someone with `roles`; the sections of several roles show together. */
export const dashboardEntries = (roles: readonly Role[]): readonly DashboardEntry[] =>
  ENTRIES.filter((entry) => roles.includes(entry.role));
