// Section 7 of the specification: each call fails once in every way, and nobody is left alone with it.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import { connect } from '#server/platform/postgres/db.ts';
import { fillAccount, openAccountDialog, phoneField } from './account-dialog.ts';
import { launchBrowser } from './browser.ts';
import {
  alert,
  at,
  busy,
  documentOf,
  holds,
  pageOf,
  press,
  toast,
  tryAgain,
  walk,
  type FailingCall,
} from './failing.ts';
import { openShop, type RunningShop } from './shop.ts';
import { fillSignIn } from './sign-in.ts';
import { aVisitor, type Visitor } from './visitor.ts';

const PASSWORD = 'Marked#Page1';
/** Everybody of this journey: those without roles choose one, the last is made an admin, verified and deleted. */
const PEOPLE = { newbuyer: [], newseller: [], target: ['seller'] } as const;

let shop: RunningShop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  const { db, close } = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 });
  for (const [name, roles] of Object.entries(PEOPLE)) {
    await registerUser(db, { email: `${name}@example.com`, name, password: PASSWORD, roles: [...roles] });
  }
  await close();
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** One window for the tests of a group: of somebody who is signed in or, without an address, of a visitor. */
const inWindowOf = (email?: string, password = PASSWORD): (() => Page) => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await aVisitor(browser, shop.url);
    if (email === undefined) return;
    const { request } = visitor.context;
    const answer = await request.post('/api/auth/sign-in', {
      data: { email, password },
      headers: { origin: shop.url },
    });
    expect(answer.status()).toBe(200);
  });
  afterAll(async () => {
    await visitor.context.close();
    // What did not load is the journey's own doing; a script that stumbled over it is not.
    expect(visitor.problems.filter((problem) => !/Failed to load resource|^request to/.test(problem))).toEqual([]);
  });
  return () => visitor.page;
};

const fillProduct = async (window: Page): Promise<void> => {
  const fields = {
    Title: 'Orlando',
    'Image URL': 'https://images.example/orlando.jpg',
    'Original price': '20',
    'Resale price': '8',
    'Years of use': '3',
    Location: 'Knole',
    Phone: '+44 20 5550 100',
    Details: 'A little foxed.',
  };
  for (const [label, value] of Object.entries(fields)) await window.getByLabel(label).fill(value);
  await window.getByLabel('Category', { exact: true }).selectOption({ index: 1 });
  await window.getByLabel('Condition').selectOption('Good');
};

const SELLER: readonly FailingCall[] = [
  pageOf('GET /users/seller/{email}', /\/api\/users\/seller\//, '/', 'Dashboard', 'Dashboard'),
  documentOf('GET /categoryName', /\/api\/categoryName$/, '/dashboard/add_product', 'Add A Product'),
  pageOf('GET /categories/my_products', /\/my_products\?/, '/dashboard', 'My Products', 'My Products'),
  {
    call: 'POST /categoryName',
    path: /\/api\/categoryName$/,
    begin: async (window) => {
      await at('/dashboard/add_product')(window);
      await window.getByLabel('Category ID').fill('letters');
      await window.getByLabel('Category name').fill('Letters');
    },
    act: press(/^Add(ing the)? category/),
    working: busy,
    told: alert,
    typed: holds('Category name', 'Letters'),
    done: toast('Category created successfully!'),
  },
  {
    call: 'POST /categories',
    path: /\/api\/categories$/,
    begin: async (window) => {
      await at('/dashboard/add_product')(window);
      await fillProduct(window);
    },
    act: press(/^Add(ing the)? product/),
    working: busy,
    told: alert,
    typed: holds('Details', 'A little foxed.'),
    done: toast('Product Added Successful'),
  },
  {
    call: 'PATCH /categories/{id}',
    path: /\/api\/categories\/[0-9a-f-]{36}$/,
    begin: async (window) => {
      await at('/dashboard/my_products')(window);
      await window.getByRole('link', { name: 'Edit Orlando' }).click();
      await window.getByLabel('Location').fill('Monk’s House');
    },
    act: press(/^Sav(e|ing the) changes/),
    working: busy,
    told: alert,
    typed: holds('Location', 'Monk’s House'),
    done: toast('Product Updated Successful'),
  },
  {
    call: 'DELETE /categories/{id}',
    path: /\/api\/categories\/[0-9a-f-]{36}$/,
    begin: async (window) => {
      await at('/dashboard/my_products')(window);
      await press('Delete Orlando')(window);
    },
    act: (window) => window.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click(),
    working: busy,
    told: (window) => window.getByRole('dialog').getByRole('alert'),
    done: toast('Product Orlando deleted successfully'),
  },
];

const openBook = async (window: Page): Promise<void> => {
  await at('/')(window);
  await press(/^Book Now/)(window);
  await window.getByRole('dialog').getByLabel('Phone').fill('+1 555 0142');
};

const BUYER: readonly FailingCall[] = [
  pageOf('GET /users/buyer/{email}', /\/api\/users\/buyer\//, '/', 'Dashboard', 'Dashboard'),
  pageOf('GET /categories', /\/api\/categories\?*$/, '/blog', 'Categories', 'All books'),
  pageOf('GET /category/{id}', /\/api\/category\/fantasy/, '/', 'Fantasy', 'Fantasy'),
  {
    ...pageOf('GET /categories/{id}', /\/api\/categories\/[0-9a-f-]{36}$/, '/', '', ''),
    act: (window) => window.getByRole('article').getByRole('heading').getByRole('link').first().click(),
    done: (window) => window.getByRole('article').getByRole('heading', { level: 1 }),
  },
  {
    call: 'POST /bookings',
    path: /\/api\/bookings$/,
    begin: openBook,
    act: press(/^Book for/),
    working: busy,
    told: (window) => window.getByRole('dialog').getByRole('alert'),
    typed: holds('Phone', '+1 555 0142'),
    done: toast('Booking successful'),
  },
  pageOf('GET /bookings', /\/api\/bookings\?/, '/dashboard', 'My Orders', 'My Orders'),
  pageOf('GET /bookings/{id}', /\/api\/bookings\/[0-9a-f-]{36}$/, '/dashboard/my_orders', /^Pay for/, 'Payment'),
  {
    call: 'POST /create-payment-intent',
    path: /\/api\/create-payment-intent$/,
    begin: at('/dashboard/my_orders'),
    act: (window) => window.getByRole('link', { name: /^Pay for/ }).click(),
    again: tryAgain,
    working: (window) => window.getByRole('button', { name: /^Pay \$/, disabled: true }),
    told: (window) => window.getByRole('alert').filter({ hasText: 'The payment could not be prepared' }),
    done: (window) => window.getByRole('button', { name: /^Pay \$/, disabled: false }),
  },
  {
    call: 'DELETE /bookings/{id}',
    path: /\/api\/bookings\/[0-9a-f-]{36}$/,
    begin: async (window) => {
      await at('/dashboard/my_orders')(window);
      await press(/^Cancel the booking/)(window);
    },
    act: (window) => window.getByRole('dialog').getByRole('button', { name: 'Cancel the booking' }).click(),
    working: busy,
    told: (window) => window.getByRole('dialog').getByRole('alert'),
    done: toast('Booking cancelled'),
  },
];

const rowOf = (window: Page) => window.getByRole('row').filter({ hasText: 'target@example.com' });
/** A button in the row of somebody opens a dialog, which does it. */
const inDialog = (
  { call, path, list }: { call: string; path: RegExp; list: string },
  [button, confirm, done]: readonly [button: string, confirm: string, done: string],
  fill: (window: Page) => Promise<void> = () => Promise.resolve(),
): FailingCall => ({
  call,
  path,
  begin: async (window) => {
    await at(`/dashboard/${list}?q=target`)(window);
    await rowOf(window).getByRole('button', { name: button }).click();
    await fill(window);
  },
  act: (window) => window.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click(),
  working: busy,
  told: (window) => window.getByRole('dialog').getByRole('alert'),
  done: toast(done),
});

const ADMIN: readonly FailingCall[] = [
  pageOf('GET /users/admin/{email}', /\/api\/users\/admin\//, '/', 'Dashboard', 'Dashboard'),
  pageOf('GET /users', /\/api\/users(\?|$)/, '/dashboard', 'All Users', 'All Users'),
  pageOf('GET /users/all_sellers', /\/all_sellers/, '/dashboard', 'All Sellers', 'All Sellers'),
  inDialog(
    { call: 'PUT /users/verified/{id}', path: /\/api\/users\/verified\//, list: 'all_sellers' },
    ['Verified', 'Verify', 'Verified Successful'],
    (window) => window.getByRole('dialog').getByLabel('Reason').fill('Shop visited'),
  ),
  inDialog({ call: 'PUT /users/admin/{id}', path: /\/api\/users\/admin\//, list: 'all_users' }, [
    'Make Admin',
    'Make Admin',
    'Make Admin Successful',
  ]),
  {
    call: 'DELETE /users/{id}',
    path: /\/api\/users\/[0-9a-f-]{36}$/,
    begin: async (window) => {
      await at('/dashboard/all_users?q=target')(window);
      await rowOf(window).getByRole('button', { name: 'Delete' }).click();
    },
    act: press('Delete the user'),
    working: busy,
    told: (window) => window.getByRole('dialog').getByRole('alert'),
    done: toast('User deleted successfully'),
  },
];

const choice = (type: 'Buyer' | 'Seller', done: string): FailingCall => ({
  call: `PUT /users/${type.toLowerCase()}`,
  path: new RegExp(`/api/users/${type.toLowerCase()}\\?`),
  begin: at('/user_type'),
  act: press(new RegExp(`^${type}`)),
  working: busy,
  told: alert,
  done: toast(done),
});

const signInFails = (call: string, path: RegExp): FailingCall => ({
  call,
  path,
  begin: async (window) => {
    await at('/login')(window);
    await window.getByLabel('Email').fill('buyer@example.com');
  },
  act: (window) => fillSignIn(window, 'Buyer'),
  again: press(/^Sign(ing)? In/),
  working: busy,
  told: alert,
  typed: holds('Email', 'buyer@example.com'),
  done: toast('Sign In!'),
});

const register = (email: string) => async (window: Page) => {
  await at('/register')(window);
  await window.getByLabel('Name').fill('Ann Onymous');
  await window.getByLabel('Email').fill(email);
  await window.getByLabel('Password', { exact: true }).fill(PASSWORD);
};
/** In the dialog of a copy. */
const registerToBook = (email: string) => async (window: Page) => {
  await openAccountDialog(window);
  await fillAccount(window, email);
};
const registering = {
  act: press(/^Creat(e|ing your) account/i),
  working: busy,
  told: alert,
  typed: holds('Name', 'Ann Onymous'),
};

describe.each([
  ['the seller', 'seller@example.com', 'Seller#2026', SELLER],
  ['the buyer', 'buyer@example.com', 'Buyer#2026', BUYER],
  ['the admin', 'admin@example.com', 'Admin#2026', ADMIN],
  ['a new buyer', 'newbuyer@example.com', PASSWORD, [choice('Buyer', 'Make buyer Successful')]],
  ['a new seller', 'newseller@example.com', PASSWORD, [choice('Seller', 'Make Seller Successful')]],
] as const)('%s is told, keeps what they typed and can try again when', (_who, email, password, calls) => {
  const window = inWindowOf(email, password);
  test.each(calls)('$call is slow, lost, refused or broken', (step) => walk(window(), step));
});

describe.each([
  signInFails('POST /auth/sign-in', /\/api\/auth\/sign-in$/),
  signInFails('GET /jwt', /\/api\/jwt\?/),
  {
    ...registering,
    call: 'POST /auth/sign-up',
    path: /\/api\/auth\/sign-up$/,
    begin: register('ann@example.com'),
    done: toast('Registered successfully!'),
  },
  {
    ...registering,
    call: 'GET /jwt',
    path: /\/api\/jwt\?/,
    begin: register('ben@example.com'),
    // The account is made, and not found to be taken.
    done: toast('How will you use Dogear?'),
  },
  {
    ...registering,
    call: 'POST /auth/sign-up, to book,',
    path: /\/api\/auth\/sign-up$/,
    begin: registerToBook('dora@example.com'),
    typed: holds('Name', 'Mary Shelley'),
    done: toast('Registered successfully!'),
  },
  {
    ...registering,
    call: 'GET /jwt, to book,',
    path: /\/api\/jwt\?/,
    begin: registerToBook('emil@example.com'),
    typed: holds('Name', 'Mary Shelley'),
    done: phoneField,
  },
] satisfies FailingCall[])('a visitor is told, keeps what they typed and can try again when', (step) => {
  const window = inWindowOf();
  test(`${step.call} is slow, lost, refused or broken`, () => walk(window(), step));
});

describe('somebody whose name could not be saved', () => {
  const window = inWindowOf();
  test('is told, and goes on', async () => {
    await window().route(/\/api\/users$/, (route) => route.abort());
    await register('cleo@example.com')(window());
    await registering.act(window());
    await window().getByText('Your profile was not saved').waitFor();
    await window().getByRole('heading', { level: 1, name: 'How will you use Dogear?' }).waitFor();
  });
});

describe('somebody who comes to a private page', () => {
  const window = inWindowOf('buyer@example.com', 'Buyer#2026');
  test('sees it load, is told when GET /auth/session fails, and comes in on trying again', () =>
    walk(window(), documentOf('GET /auth/session', /\/api\/auth\/session$/, '/dashboard/my_orders', 'My Orders')));
});

describe('somebody whose card was accepted', () => {
  const window = inWindowOf('buyer@example.com', 'Buyer#2026');

  const pay = async (page: Page): Promise<void> => {
    await at('/')(page);
    await press(/^Book Now/)(page);
    await press(/^Book for/)(page);
    await page.getByText('Booking successful').waitFor();
    await at('/dashboard/my_orders')(page);
    await page
      .getByRole('link', { name: /^Pay for/ })
      .first()
      .click();
    await page.getByLabel('Phone').fill('+1 555 0142');
    await page.getByLabel('Card number').fill('4242424242424242');
    await page.getByLabel(/Expiration/).fill('1232');
    await page.getByLabel(/CVC/).fill('123');
    await press(/^Pay \$/)(page);
  };

  test('sees the shop try again by itself while POST /payments is lost or broken', async () => {
    const page = window();
    let calls = 0;
    await page.route(/\/api\/payments$/, (route) => {
      calls += 1;
      if (calls === 1) return route.abort();
      return calls === 2 ? route.fulfill({ status: 503, body: '' }) : route.fallback();
    });
    await pay(page);
    await page.getByRole('status').filter({ hasText: 'Your payment is safe' }).waitFor();
    await page.getByText('Congrats! Your payment completed').waitFor();
    expect(calls).toBe(3);
    await page.unrouteAll();
  });

  test('is told what to do when POST /payments is refused', async () => {
    const page = window();
    const body = JSON.stringify({
      error: { code: 'not_paid', message: 'This payment does not pay for this booking', requestId: '' },
    });
    await page.route(/\/api\/payments$/, (route) =>
      route.fulfill({ status: 409, contentType: 'application/json', body }),
    );
    await pay(page);
    const alert = page.getByRole('alert').filter({ hasText: 'The shop could not take note of your payment' });
    await alert.getByText('keep the transaction ID').waitFor();
    await alert.getByRole('link', { name: 'My Orders' }).waitFor();
    await page.unrouteAll();
  });
});
