// Every screen of the shop, and the states of some, as data.
import type { Page } from 'playwright-core';
import type { Facts } from './shop.ts';
import type { Visitor, Who } from './visitor.ts';

export interface Screen {
  /** The picture is called so, with its theme and width. */
  readonly name: string;
  readonly who: Who;
  /** Where it is; undefined where the shop has nothing to show there. */
  readonly path: (facts: Facts) => string | undefined;
  /** Before it is opened. */
  readonly before?: (visitor: Visitor) => Promise<void>;
  /** Opens what lies over it. */
  readonly open?: (page: Page) => Promise<void>;
  /** Only as wide as this: on wide windows it is part of another screen. */
  readonly only?: 360;
  /** True for what covers the window: the page behind it is not in the picture. */
  readonly over?: true;
  /** Not yet loaded: nothing waits for it. */
  readonly loading?: true;
}

const at = (name: string, who: Who, path: string): Screen => ({ name, who, path: () => path });

/** A screen about something; there is none where `id` finds nothing. */
const about = (name: string, who: Who, before: string, id: keyof Facts, after = ''): Screen => ({
  name,
  who,
  path: (facts) => (facts[id] === '' ? undefined : `${before}${facts[id]}${after}`),
});

const dialog = async (page: Page): Promise<void> => {
  const open = page.locator('dialog[open]');
  await open.waitFor();
  await open.locator('.skeleton').locator('visible=true').first().waitFor({ state: 'detached' });
};

/** Presses the first button for booking that can be pressed. */
const bookNow = async (page: Page): Promise<void> => {
  await page.locator('main button[name="book"]:enabled').first().click();
  await dialog(page);
};

const booking = (name: string, who: Who, id: keyof Facts): Screen => ({
  ...about(name, who, '/book/', id),
  open: bookNow,
  over: true,
});

const press = (name: RegExp) => async (page: Page) => {
  const main = page.getByRole('main');
  // What can be done with a row of a table opens with it on a phone.
  const row = main.locator('tr').filter({ has: page.locator('button').filter({ hasText: name }) });
  const more = row.first().locator('.row-more');
  if (await more.isVisible()) await more.click();
  await main.getByRole('button', { name }).locator('visible=true').first().click();
  await dialog(page);
};

const asking = (screen: Screen, name: RegExp): Screen => ({ ...screen, open: press(name), over: true });

const popover = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name, exact: true }).first().click();
  await page.locator(':popover-open').waitFor();
};

/** The scripts' own calls never get an answer. */
const unanswered = async ({ context }: Visitor): Promise<void> => {
  await context.route('**/api/**', (route) =>
    /\/api\/(auth|jwt|users)/.test(route.request().url()) ? route.continue() : new Promise(() => {}),
  );
};

const PUBLIC: readonly Screen[] = [
  at('home', 'visitor', '/'),
  at('category', 'visitor', '/category/fantasy'),
  at('search', 'visitor', '/search?q=the'),
  {
    ...at('search-filter', 'visitor', '/search?q=the&condition=Good'),
    open: popover('Filter (1)'),
    only: 360,
    over: true,
  },
  at('search-mistyped', 'visitor', '/search?q=duen'),
  at('search-nothing', 'visitor', '/search?q=xyzzyq'),
  at('search-not-here', 'visitor', '/search?q=harry+potter'),
  about('book', 'visitor', '/book/', 'free'),
  about('book-without-photo', 'visitor', '/book/', 'bare'),
  about('book-long-title', 'visitor', '/book/', 'long'),
  about('book-arabic', 'visitor', '/book/', 'arabic'),
  about('book-japanese', 'visitor', '/book/', 'japanese'),
  about('book-reserved', 'visitor', '/book/', 'reserved'),
  at('edition', 'visitor', '/isbn/9780441007318'),
  at('author', 'visitor', '/author/ursula-k-le-guin'),
  at('blog', 'visitor', '/blog'),
  at('grading', 'visitor', '/grading'),
  at('login', 'visitor', '/login'),
  at('register', 'visitor', '/register'),
  at('forgot-password', 'visitor', '/forgot-password'),
  at('reset-password', 'visitor', '/reset-password#token=x'),
  at('confirm', 'visitor', '/confirm#token=x'),
  at('not-found', 'visitor', '/no-such-page'),
  at('no-such-category', 'visitor', '/category/no-such-category'),
  at('private', 'visitor', '/dashboard/my_orders'),
  { ...at('menu', 'visitor', '/blog'), open: popover('Menu'), only: 360, over: true },
  booking('account-dialog', 'visitor', 'free'),
  {
    ...at('offline', 'visitor', '/blog'),
    over: true,
    open: async (page) => {
      await page.context().setOffline(true);
      await page.evaluate(() => window.dispatchEvent(new Event('offline')));
    },
  },
];

const BUYER: readonly Screen[] = [
  at('user-type', 'buyer', '/user_type'),
  at('categories', 'buyer', '/categories'),
  booking('booking-dialog', 'buyer', 'free'),
  booking('booking-dialog-long-title', 'buyer', 'long'),
  booking('waiting-list-dialog', 'buyer', 'reserved'),
  at('buyer-dashboard', 'buyer', '/dashboard'),
  { ...at('buyer-menu', 'buyer', '/dashboard'), open: popover('Dashboard menu'), only: 360, over: true },
  at('account', 'buyer', '/dashboard/account'),
  asking(at('delete-account-dialog', 'buyer', '/dashboard/account'), /^Delete my account/),
  at('my-orders', 'buyer', '/dashboard/my_orders'),
  { ...at('my-orders-loading', 'buyer', '/dashboard/my_orders'), before: unanswered, loading: true },
  asking(at('cancel-dialog', 'buyer', '/dashboard/my_orders'), /^Cancel/),
  about('order', 'buyer', '/dashboard/orders/', 'bought'),
  about('payment', 'buyer', '/dashboard/payment/', 'booking'),
  at('wrong-role', 'buyer', '/dashboard/all_users'),
];

const SELLER: readonly Screen[] = [
  at('seller-dashboard', 'seller', '/dashboard'),
  at('add-product', 'seller', '/dashboard/add_product'),
  at('my-products', 'seller', '/dashboard/my_products'),
  asking(at('delete-product-dialog', 'seller', '/dashboard/my_products'), /^Delete/),
  about('edit-product', 'seller', '/dashboard/edit_product/', 'own'),
  at('my-buyers', 'seller', '/dashboard/my_buyers'),
  about('seller-order', 'seller', '/dashboard/orders/', 'sold'),
  at('statement', 'seller', '/dashboard/statement'),
  at('payouts', 'seller', '/dashboard/payouts'),
  at('delivery', 'seller', '/dashboard/delivery'),
];

const ADMIN: readonly Screen[] = [
  at('admin-dashboard', 'admin', '/dashboard'),
  at('all-users', 'admin', '/dashboard/all_users'),
  at('all-users-nobody', 'admin', '/dashboard/all_users?q=nobody'),
  asking(at('make-admin-dialog', 'admin', '/dashboard/all_users'), /^Make Admin/),
  asking(at('delete-user-dialog', 'admin', '/dashboard/all_users?q=buyer'), /^Delete/),
  at('all-sellers', 'admin', '/dashboard/all_sellers'),
  at('reported-items', 'admin', '/dashboard/reported_items'),
  at('manage-categories', 'admin', '/dashboard/categories'),
  asking(at('rename-category-dialog', 'admin', '/dashboard/categories'), /^Rename/),
  at('money', 'admin', '/dashboard/money'),
  asking(at('refund-dialog', 'admin', '/dashboard/money'), /^Refund/),
  at('by-hand', 'admin', '/dashboard/money/by-hand'),
  at('audit', 'admin', '/dashboard/audit'),
  at('deleted', 'admin', '/dashboard/deleted'),
];

export const SCREENS: readonly Screen[] = [...PUBLIC, ...BUYER, ...SELLER, ...ADMIN];
