import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, type Member, type Person } from './sign-in.ts';
import { aVisitor, type Visitor } from './visitor.ts';

let shop: RunningShop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** Each would set `pwned` if anything took it for markup. */
const attack = (field: string): string =>
  `${field} "><img src=x onerror="window.pwned='${field}'"></script><script>window.pwned='${field}'</script><svg onload=pwned=1>`;

/** Where the covers are said to be; nobody answers there. */
const ELSEWHERE = 'https://images.invalid';

/** What went wrong, but for the cover that is not there. */
const problemsOf = ({ problems }: Visitor): string[] =>
  problems.filter((problem) => !problem.includes(ELSEWHERE) && !/ERR_(NAME_NOT_RESOLVED|FAILED)/.test(problem));

const look = async (page: Page, url: string, shows: string | undefined): Promise<void> => {
  await page.goto(url);
  // The text itself, as it was typed.
  if (shows !== undefined) await page.getByText(`${shows} "><img src=x`).filter({ visible: true }).first().waitFor();
  else await page.getByRole('main').waitFor();
  expect(await page.evaluate(() => 'pwned' in window), url).toBe(false);
};

const PAGES: Readonly<Record<Person, readonly (readonly [string, string | undefined])[]>> = {
  Buyer: [
    ['/dashboard', undefined],
    ['/dashboard/my_orders', 'title'],
    ['/dashboard/account', undefined],
  ],
  Seller: [
    ['/dashboard/my_products', 'title'],
    ['/dashboard/my_buyers', 'title'],
    ['/dashboard/add_product', undefined],
    ['/dashboard/statement', undefined],
    ['/dashboard/payouts', undefined],
  ],
  Admin: [
    ['/dashboard/all_users', 'name'],
    ['/dashboard/all_sellers', undefined],
    ['/dashboard/categories', 'category'],
    ['/dashboard/money', undefined],
    ['/dashboard/money/by-hand', undefined],
  ],
};

test('markup in every field is shown as text, on every page and to everybody', async () => {
  const members = Object.fromEntries(
    await Promise.all(
      (['Buyer', 'Seller', 'Admin'] as const).map(async (who) => [who, await aMember(browser, shop.url, who)] as const),
    ),
  ) as Record<Person, Member>;
  const { Buyer, Seller } = members;
  const seller = await Seller.call<{ name: string }>('GET', '/account');
  await Buyer.call('PATCH', '/account', { name: attack('name') });
  await Seller.call('POST', '/categoryName', {
    category_id: 'attacked',
    category_name: attack('category').slice(0, 60),
  });
  const made = await Seller.call<{ insertedId: string }>('POST', '/categories', {
    email: 'seller@example.com',
    Seller: seller.name,
    category_id: 'attacked',
    image_url: `${ELSEWHERE}/"><script>pwned=1</script>.jpg`.replace(/["<> ]/g, encodeURIComponent),
    title: attack('title'),
    original_price: '18.00',
    resale_price: '7.50',
    phone: attack('phone').slice(0, 40),
    location: attack('location').slice(0, 190),
    years_of_use: 3,
    details: attack('details'),
    condition: 'Good',
    authors: attack('authors').slice(0, 190),
    isbn13: '9780441478125',
    publisher: attack('publisher').slice(0, 190),
  });
  const { insertedId: id } = made;
  // Links are not taken of what sellers say of themselves; markup without one is.
  await Seller.call('PUT', '/seller-page', { about: attack('about').slice(0, 990), place: '' });
  const { terms } = await Seller.call<{ terms: string }>('GET', '/declaration');
  await Seller.call('PUT', '/declaration', {
    kind: 'trader',
    business: attack('business').slice(0, 190),
    address: attack('address'),
    country: 'GB',
    email: 'desk@ink.example',
    register: attack('register').slice(0, 190),
    adult: true,
    terms,
  });
  const { threadId } = await Buyer.call<{ threadId: string }>('POST', `/listings/${id}/messages`, {
    text: attack('asked'),
  });
  await Buyer.call('POST', '/reports', { kind: 'copy', id, reason: 'other', words: attack('reported').slice(0, 990) });
  const visitor = await aVisitor(browser, shop.url);
  const publicPages = [
    ['/', undefined],
    ['/category/attacked', 'title'],
    [`/book/${id}`, 'details'],
    ['/isbn/9780441478125', 'title'],
    ['/seller/marlow-books', 'about'],
    ['/seller/marlow-books', 'business'],
    [`/search?q=${encodeURIComponent('"><img src=x onerror=pwned=1> title')}`, undefined],
    [`/login?from=${encodeURIComponent('/"><img src=x onerror=pwned=1>')}`, undefined],
  ] as const;
  for (const [url, shows] of publicPages) await look(visitor.page, url, shows);
  await Buyer.call('POST', '/bookings', {
    listingId: id,
    title: attack('title'),
    buyer: '',
    email: 'buyer@example.com',
    image_url: '',
    phone: attack('phone').slice(0, 190),
    price: 7.5,
    location: attack('location').slice(0, 190),
  });
  for (const who of ['Buyer', 'Seller', 'Admin'] as const) {
    // Signed in by cookie: the first private page fetches the token by itself.
    for (const [url, shows] of PAGES[who]) await look(members[who].page, url, shows);
    for (const [url, shows] of publicPages.slice(0, 6)) await look(members[who].page, url, shows);
  }
  await look(members.Seller.page, `/dashboard/messages/${threadId}`, 'asked');
  await look(members.Admin.page, '/dashboard/reported_items', 'reported');
  for (const one of [visitor, ...Object.values(members)]) {
    expect(problemsOf(one)).toEqual([]);
    await one.context.close();
  }
});

test.each(['/blog', '/login', '/dashboard/payment/x'])(
  'on %s nothing makes markup from text, nor a script from another address',
  async (url) => {
    const { page, leave } = await aVisitor(browser, shop.url);
    await page.goto(url);
    const policy = await page.evaluate(() => {
      interface Policy {
        name: string;
        createHTML(text: string): unknown;
        createScriptURL(address: string): unknown;
      }
      const { defaultPolicy } = (window as unknown as { trustedTypes: { defaultPolicy: Policy } }).trustedTypes;
      const made = (make: () => unknown): string => {
        try {
          return String(make());
        } catch {
          return 'refused';
        }
      };
      return [
        defaultPolicy.name,
        made(() => defaultPolicy.createHTML('<b>x</b>')),
        made(() => defaultPolicy.createScriptURL('https://evil.example/x.js')),
        made(() => defaultPolicy.createScriptURL('data:text/javascript,1')),
        made(() => defaultPolicy.createScriptURL('/assets/x.js')),
      ];
    });
    expect(policy).toEqual(['default', 'refused', '', '', '/assets/x.js']);
    await leave();
  },
);
