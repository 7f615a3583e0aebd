// Book Now for a stranger: the dialog in which they make an account or sign in, and which goes on to the booking.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  accountDialog,
  anAddress,
  createButton,
  dialogOf,
  fillAccount,
  freeButton,
  NEW_PASSWORD,
  openAccountDialog,
  phoneField,
} from './account-dialog.ts';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { alive } from './failing.ts';
import { hasFocus } from './keyboard.ts';
import { LOOKS } from './looks.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, fillSignIn } from './sign-in.ts';
import { aVisitor, type Visitor } from './visitor.ts';

const PHONE_WIDTH = 390;

let shop: RunningShop;
let browser: Browser;
beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const typedIn = async (page: Page, ...labels: string[]): Promise<string[]> => {
  const values: string[] = [];
  for (const label of labels) values.push(await accountDialog(page).getByLabel(label, { exact: true }).inputValue());
  return values;
};

/** Only what a journey breaks on purpose goes wrong. */
const leaveBroken = async ({ context, problems }: Visitor): Promise<void> => {
  await context.close();
  expect(problems.filter((problem) => !/^request to|Failed to load resource/.test(problem))).toEqual([]);
};

const MORE_STOPS_THAN_IT_HAS = 14;
/** Whether the focus is on something that the dialog lies over; beyond its last stop it is the browser's. */
const isUnderDialog = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement !== document.body && document.activeElement?.closest('dialog') === null);

interface Copy {
  readonly _id: string;
  readonly title: string;
  readonly image_url: string;
  readonly resale_price: number;
  readonly email: string;
  readonly status: string;
}

test('nothing of the dialog is loaded before Book Now, and the copy is free until the booking is sent', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await page.goto('/', { waitUntil: 'networkidle' });
  expect(asked.filter((one) => /stranger-content|POST|PUT/.test(one))).toEqual([]);
  await openAccountDialog(page);
  await fillAccount(page, anAddress());
  await createButton(page).click();
  await phoneField(page).waitFor();
  expect(asked.filter((one) => /^(POST|PUT)/.test(one))).toEqual([
    'POST /api/auth/sign-up',
    'POST /api/users',
    'PUT /api/users/buyer',
  ]);
  const id = new URL(page.url()).searchParams.get('book') ?? '';
  const { status } = (await (await fetch(`${shop.url}/api/categories/${id}`)).json()) as { status: string };
  expect(status).toBe('Available');
  expect(new URL(page.url()).pathname).toBe('/');
  await leave();
});

describe('the account dialog', () => {
  test('says that an address is known and a password wrong, and keeps what was typed on the way to the right one', async () => {
    const { page, leave } = await aVisitor(browser, shop.url, { width: PHONE_WIDTH });
    await openAccountDialog(page);
    const dialog = accountDialog(page);
    await fillAccount(page, 'buyer@example.com');
    await createButton(page).click();
    await dialog.getByRole('alert').filter({ hasText: 'The email address is already in use' }).waitFor();
    expect(await typedIn(page, 'Email', 'Name', 'Password')).toEqual([
      'buyer@example.com',
      'Mary Shelley',
      NEW_PASSWORD,
    ]);
    await dialog.getByRole('button', { name: 'Sign in instead' }).click();
    expect(await typedIn(page, 'Email', 'Password')).toEqual(['buyer@example.com', NEW_PASSWORD]);
    expect(await hasFocus(dialog.getByLabel('Password', { exact: true }))).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').filter({ hasText: 'The email address or the password is wrong.' }).waitFor();
    expect(await typedIn(page, 'Email', 'Password')).toEqual(['buyer@example.com', NEW_PASSWORD]);
    // There and back: nothing is typed twice.
    await dialog.getByRole('radio', { name: 'I’m new here' }).check();
    expect(await typedIn(page, 'Email', 'Name', 'Password')).toEqual([
      'buyer@example.com',
      'Mary Shelley',
      NEW_PASSWORD,
    ]);
    await dialog.getByRole('radio', { name: 'I have an account' }).check();
    await dialog.getByLabel('Password', { exact: true }).fill('Buyer#2026');
    await dialog.getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.getByText('Sign In!').waitFor();
    await phoneField(page).waitFor();
    await leave();
  });

  test('ties each mistake to its field, which says what it is for, and is large enough for a finger', async () => {
    const { page, leave } = await aVisitor(browser, shop.url, { width: PHONE_WIDTH });
    await openAccountDialog(page);
    const dialog = accountDialog(page);
    await createButton(page).click();
    for (const [label, autocomplete, mistake] of [
      ['Email', 'email', 'Please provide a valid email'],
      ['Name', 'name', 'Please provide your name'],
      ['Password', 'new-password', 'Must be at least 6 character'],
    ] as const) {
      const field = dialog.getByLabel(label, { exact: true });
      expect(await field.getAttribute('autocomplete')).toBe(autocomplete);
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      const described = (await field.getAttribute('aria-describedby'))?.split(' ')[0] ?? '';
      expect(await page.locator(`[id="${described}"]`).textContent()).toBe(mistake);
    }
    expect(await hasFocus(dialog.getByLabel('Email'))).toBe(true);
    const small = (): Promise<string[]> =>
      dialog.locator('button:visible, input:visible').evaluateAll((targets) =>
        targets
          .filter((target) => target.tabIndex >= 0)
          .map((target) => ({ name: target.outerHTML.slice(0, 90), box: target.getBoundingClientRect() }))
          .filter(({ box }) => box.height < 44 || box.width < 44)
          .map(({ name, box }) => `${name}: ${box.width} x ${box.height}`),
      );
    expect(await small()).toEqual([]);
    await dialog.getByRole('radio', { name: 'I have an account' }).check();
    expect(await dialog.getByLabel('Password', { exact: true }).getAttribute('autocomplete')).toBe('current-password');
    expect(await small()).toEqual([]);
    await leave();
  });

  test('keeps the focus within, and gives it back to the button when it is closed', async () => {
    const { page, leave } = await aVisitor(browser, shop.url, { width: PHONE_WIDTH });
    await page.goto('/');
    await alive(page);
    const before = page.url();
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => accountDialog(page).getByRole('button', { name: 'Close' }).click(),
    ]) {
      await freeButton(page).click();
      await accountDialog(page).getByLabel('Email').waitFor();
      // Once around: what is under the dialog is never reached.
      for (let stop = 0; stop < MORE_STOPS_THAN_IT_HAS; stop += 1) {
        await page.keyboard.press('Tab');
        expect(await isUnderDialog(page)).toBe(false);
      }
      await close();
      await accountDialog(page).waitFor({ state: 'hidden' });
      await expect.poll(() => hasFocus(freeButton(page))).toBe(true);
      expect(page.url()).toBe(before);
    }
    await leave();
  });

  test('says that the network is gone, loses nothing, and goes on when it is back', async () => {
    const visitor = await aVisitor(browser, shop.url, { width: PHONE_WIDTH });
    const { page, context } = visitor;
    await page.goto('/');
    await alive(page);
    await context.setOffline(true);
    await freeButton(page).click();
    await dialogOf(page).getByText('This book could not be opened').waitFor();
    await context.setOffline(false);
    await dialogOf(page).getByRole('button', { name: 'Try again' }).click();
    const email = anAddress();
    await fillAccount(page, email);
    await context.setOffline(true);
    await createButton(page).click();
    await accountDialog(page).getByRole('alert').waitFor();
    expect(await typedIn(page, 'Email', 'Name', 'Password')).toEqual([email, 'Mary Shelley', NEW_PASSWORD]);
    await context.setOffline(false);
    // And gone again between the account and the booking.
    await page.route(/\/api\/users\/buyer\?/, (route) => route.abort('internetdisconnected'));
    await createButton(page).click();
    await dialogOf(page).getByText('This book could not be opened').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await dialogOf(page).getByRole('button', { name: 'Try again' }).click();
    await phoneField(page).waitFor();
    await leaveBroken(visitor);
  });

  test('goes on in both of two tabs once somebody is signed in in one', async () => {
    const { page, context, leave } = await aVisitor(browser, shop.url);
    const other = await context.newPage();
    const title = await openAccountDialog(page);
    await other.goto(page.url());
    await accountDialog(other).getByLabel('Email').fill('half.typed@');
    await fillAccount(page, anAddress());
    await createButton(page).click();
    for (const tab of [page, other]) await tab.getByRole('dialog', { name: `Book ${title}` }).waitFor();
    // Sent in both, it is one booking.
    const payments: (string | null)[] = [];
    for (const tab of [page, other]) {
      await dialogOf(tab)
        .getByRole('button', { name: /^Book for/ })
        .click();
      const notice = tab.getByRole('status').filter({ hasText: 'Booking successful' });
      payments.push(await notice.getByRole('link', { name: 'Pay now' }).getAttribute('href'));
    }
    expect(payments[0]).toMatch(/^\/dashboard\/payment\/[0-9a-f-]{36}$/);
    expect(payments[1]).toBe(payments[0]);
    await leave();
  });

  test.each(LOOKS)('in the $theme theme at $width px has nothing for axe', async (look) => {
    const { page, leave } = await aVisitor(browser, shop.url, look);
    await openAccountDialog(page);
    await expectAccessible(page, 'a new account');
    await createButton(page).click();
    await expectAccessible(page, 'a new account with mistakes');
    await accountDialog(page).getByRole('radio', { name: 'I have an account' }).check();
    await expectAccessible(page, 'an account that is there already');
    await leave();
  });
});

describe('somebody who is new comes to the booking without a choice of type', () => {
  const chooseAtStandin = async (page: Page): Promise<void> => {
    await page.getByRole('heading', { name: 'Stand-in for Google' }).waitFor();
    await page.getByText('Another account').click();
    await page.getByLabel('Name').fill('Grace Reader');
    await page.getByLabel('Address', { exact: true }).fill(anAddress());
    await page.getByRole('button', { name: 'Go on' }).click();
  };

  test('by Google in a window', async () => {
    const { page, leave } = await aVisitor(browser, shop.url);
    await openAccountDialog(page);
    const opening = page.waitForEvent('popup');
    await accountDialog(page).getByRole('button', { name: 'Google' }).click();
    const refused = await opening;
    await refused.getByRole('button', { name: 'Cancel' }).click();
    await accountDialog(page).getByRole('alert').filter({ hasText: 'Google did not let you in' }).waitFor();
    const again = page.waitForEvent('popup');
    await accountDialog(page).getByRole('button', { name: 'Google' }).click();
    await chooseAtStandin(await again);
    await page.getByText('Google Sign Up!', { exact: true }).waitFor();
    await phoneField(page).waitFor();
    await leave();
  });

  test('by Google where the browser opens no window', async () => {
    const { page, leave } = await aVisitor(browser, shop.url);
    await page.addInitScript(() => {
      window.open = () => null;
    });
    const title = await openAccountDialog(page, '/category/fantasy');
    await accountDialog(page).getByRole('button', { name: 'Google' }).click();
    await chooseAtStandin(page);
    await page.getByRole('dialog', { name: `Book ${title}` }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/category/fantasy');
    await leave();
  });
});

test('a seller who presses Book Now becomes a buyer on the way, and no sooner', async () => {
  const seller = await aMember(browser, shop.url, 'Seller');
  const { page } = seller;
  const listed = await seller.call<Copy[]>('GET', '/categories?limit=100');
  const free = listed.find(({ email, status }) => status === 'Available' && email !== 'seller@example.com');
  if (free === undefined) throw new Error('no copy of somebody else is free');
  const { _id: listingId, title, image_url, resale_price: price } = free;
  const draft = { listingId, title, image_url, price, buyer: '', email: 'seller@example.com', phone: '', location: '' };
  await expect(seller.call('POST', '/bookings', draft)).rejects.toThrow('403');
  await page.goto(`/book/${listingId}`);
  await alive(page);
  const becoming = page.waitForResponse((answer) => answer.url().includes('/api/users/buyer?'));
  await freeButton(page).click();
  expect(await (await becoming).json()).toEqual({ modifiedCount: 1 });
  await page.getByText('Make buyer Successful').waitFor();
  await dialogOf(page)
    .getByRole('button', { name: /^Book for/ })
    .click();
  await page.getByText('Booking successful').waitFor();
  await seller.leave();
});

test('a copy that is reserved leads by the same dialog to its waiting list', async () => {
  const buyer = await aMember(browser, shop.url, 'Buyer');
  const listed = await buyer.call<Copy[]>('GET', '/categories?limit=100');
  const free = listed.find(({ email, status }) => status === 'Available' && email !== 'buyer@example.com');
  if (free === undefined) throw new Error('no copy is free');
  const { _id: listingId, title, image_url, resale_price: price } = free;
  const draft = { listingId, title, image_url, price, buyer: '', email: 'buyer@example.com', phone: '', location: '' };
  await buyer.call('POST', '/bookings', draft);
  await buyer.leave();
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto(`/book/${listingId}`);
  await alive(page);
  await page.getByRole('button', { name: /^Join waiting list/ }).click();
  await accountDialog(page).getByText('Join its waiting list right after this.').waitFor();
  await fillAccount(page, anAddress());
  await createButton(page).click();
  const line = page.getByRole('dialog', { name: `Waiting list for ${title}` });
  await line.getByRole('button', { name: 'Join waiting list' }).waitFor();
  // What had the focus is gone; it is within the dialog still.
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true);
  await line.getByRole('button', { name: 'Join waiting list' }).click();
  await line.getByText('You’re first on the waiting list.').waitFor();
  await leave();
});

describe('the sign-in page still leads to the booking', () => {
  const expectWayBack = async (page: Page, path: string): Promise<void> => {
    await page.waitForURL('**/login?**');
    const from = new URL(page.url()).searchParams.get('from') ?? '';
    expect(from.startsWith(path), from).toBe(true);
    expect(new URL(from, shop.url).searchParams.get('book')).toMatch(/^[0-9a-f-]{36}$/);
  };

  test('without JavaScript from Book Now, with the way back', async () => {
    const { page, leave } = await aVisitor(browser, shop.url, { javaScript: false });
    await page.goto('/category/fantasy');
    await freeButton(page).click();
    await expectWayBack(page, '/category/fantasy?');
    await page.getByRole('heading', { level: 1, name: 'Sign In' }).waitFor();
    await leave();
  });

  test('and back, for whoever comes by it', async () => {
    const { page, leave } = await aVisitor(browser, shop.url);
    const title = await openAccountDialog(page, '/category/fantasy');
    const { pathname, search } = new URL(page.url());
    await page.goto(`/login?from=${encodeURIComponent(`${pathname}${search}`)}`);
    await fillSignIn(page, 'Buyer');
    await page.getByRole('dialog', { name: `Book ${title}` }).waitFor();
    await leave();
  });
});
