import { index, layout, route, type RouteConfig } from '@react-router/dev/routes';

/** Every address of the site. The inner layout catches errors, so that header and footer stay. */
export default [
  // Mostly in a window of its own, and gone at once: no header, no footer.
  route('login/done', 'account/social/social-return.tsx'),
  layout('shell/layout/site-layout.tsx', { id: 'site' }, [
    layout('shell/layout/page-boundary.tsx', { id: 'page' }, [
      index('storefront/home/home.tsx'),
      route('home', 'storefront/home/home.tsx', { id: 'home' }),
      route('category/:id', 'storefront/lists/category.tsx'),
      route('categories', 'storefront/lists/categories.tsx'),
      route('book/:id', 'storefront/book/book.tsx'),
      route('isbn/:isbn', 'storefront/edition/edition.tsx'),
      route('author/:slug', 'storefront/author/author.tsx'),
      route('search', 'storefront/search/search.tsx'),
      route('blog', 'blog/blog.tsx'),
      route('grading', 'storefront/book/grading.tsx'),
      route('login', 'account/sign-in/login.tsx'),
      route('register', 'account/sign-in/register.tsx'),
      route('forgot-password', 'account/sign-in/forgot.tsx'),
      route('reset-password', 'account/sign-in/reset.tsx'),
      route('confirm', 'account/sign-in/confirm.tsx'),
      route('user_type', 'account/sign-in/user-type.tsx'),
      route('dashboard', 'shell/dashboard/dashboard-layout.tsx', { id: 'dashboard' }, [
        layout('shell/layout/page-boundary.tsx', { id: 'dashboard-page' }, [
          index('shell/dashboard/dashboard-home.tsx'),
          route('account', 'account/profile/account.tsx'),
          route('admin_passkey', 'account/passkeys/admin-passkey.tsx'),
          route('my_orders', 'buying/orders/my-orders.tsx'),
          route('orders/:id', 'orders/order.tsx'),
          route('payment/:id', 'buying/checkout/payment.tsx'),
          route('add_product', 'selling/add-product.tsx'),
          route('my_products', 'selling/my-products.tsx'),
          route('edit_product/:id', 'selling/edit-product.tsx'),
          route('my_buyers', 'selling/my-buyers.tsx'),
          route('statement', 'selling/statement.tsx'),
          route('payouts', 'selling/payouts/payouts.tsx'),
          route('delivery', 'selling/delivery/delivery.tsx'),
          route('categories', 'selling/manage-categories.tsx'),
          route('all_users', 'admin/all-users.tsx'),
          route('all_sellers', 'admin/all-sellers.tsx'),
          route('money', 'admin/money.tsx'),
          route('money/by-hand/:id?', 'admin/by-hand/by-hand.tsx'),
          route('audit', 'admin/audit.tsx'),
          route('deleted', 'admin/deleted.tsx'),
          route('reported_items', 'admin/reported-items.tsx'),
        ]),
      ]),
      route('*', 'shell/layout/not-found.tsx'),
    ]),
  ]),
] satisfies RouteConfig;
