// Section 2 of the specification: what surrounds the pages, and the ways in and out, as they behave in a browser.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '#server/platform/postgres/db.ts';
import { aPicture } from '#test/photos.ts';
import { launchBrowser } from './browser.ts';
import { fetchWaiting } from './fetch-waiting.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, fillSignIn, type Member } from './sign-in.ts';
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

const banner = (page: Page) => page.getByRole('banner');
const themeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset['theme']);
/** Until the page knows who is looking at it. */
const known = (page: Page, session: 'in' | 'out') => page.locator(`html[data-session="${session}"]`).waitFor();
/** Until the page answers to what is done to it. */
const alive = (page: Page) => page.waitForFunction(() => '__reactRouterDataRouter' in window);

describe('the header of a visitor', () => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await aVisitor(browser, shop.url);
    await visitor.page.goto('/login');
    await alive(visitor.page);
  });
  afterAll(() => visitor.leave());

  test('has a Sign In link to /login and no Sign Out', async () => {
    const { page } = visitor;
    const links = banner(page).getByRole('link', { name: 'Sign In' });
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(['/login']);
    expect(await banner(page).getByRole('button', { name: 'Sign Out' }).count()).toBe(0);
  });

  test('has a toggle between the light and the dark theme', async () => {
    const { page } = visitor;
    const toggle = banner(page).getByRole('button', { name: /^Switch to the (light|dark) theme$/ });
    expect(await toggle.count()).toBe(1);
    await toggle.click();
    expect(await themeOf(page)).toBe('dark');
    await toggle.click();
    expect(await themeOf(page)).toBe('light');
  });
});

describe('the header of somebody signed in', () => {
  let photo: string;
  let buyer: Member;
  let seller: Member;
  beforeAll(async () => {
    const { db, close } = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 });
    const row = { photo_url: 'https://pictures.example/buyer.png' };
    await db.updateTable('users').set(row).where('email', '=', 'buyer@example.com').execute();
    await fetchWaiting(shop, await aPicture());
    const ofBuyer = db.selectFrom('users').select('photo_url').where('email', '=', 'buyer@example.com');
    photo = `${shop.url}/photos/${(await ofBuyer.executeTakeFirstOrThrow()).photo_url}/320.webp`;
    await close();
    [buyer, seller] = await Promise.all([aMember(browser, shop.url, 'Buyer'), aMember(browser, shop.url, 'Seller')]);
    for (const { page } of [buyer, seller]) {
      await page.goto('/blog');
      await known(page, 'in');
    }
  });
  afterAll(() => Promise.all([buyer.leave(), seller.leave()]));

  const picture = ({ page }: Member) => banner(page).locator('img:visible');

  test('has a Sign Out button and no Sign In', async () => {
    expect(await banner(seller.page).getByRole('button', { name: 'Sign Out' }).count()).toBe(1);
    expect(await banner(seller.page).getByRole('link', { name: 'Sign In' }).count()).toBe(0);
  });

  test('shows the photo of the user', async () => {
    expect(await picture(buyer).evaluateAll((all) => all.map((image) => image.getAttribute('src')))).toEqual([photo]);
  });

  test('shows a placeholder image when the user has no photo', async () => {
    expect(await picture(seller).evaluateAll((all) => all.map((image) => image.getAttribute('src')))).toEqual([
      '/avatar.svg',
    ]);
  });

  test('has the display name as title of the avatar', async () => {
    expect(await picture(seller).evaluateAll((all) => all.map((image) => image.getAttribute('title')))).toEqual([
      'Marlow Books',
    ]);
  });

  test('signs out by the button', async () => {
    await buyer.page.getByRole('button', { name: 'Sign Out' }).click();
    await expect.poll(() => banner(buyer.page).getByRole('link', { name: 'Sign In' }).count()).toBe(1);
  });
});

describe('the menu button of small screens', () => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await aVisitor(browser, shop.url, { width: 360 });
    await visitor.page.goto('/blog');
    await alive(visitor.page);
  });
  afterAll(() => visitor.leave());

  const button = () => visitor.page.getByRole('button', { name: 'Menu', exact: true });
  const panel = () => visitor.page.getByRole('navigation', { name: 'Menu' });

  test('opens a panel and closes it', async () => {
    expect(await panel().count()).toBe(0);
    await button().press('Enter');
    await expect.poll(() => panel().count()).toBe(1);
    await button().press('Enter');
    await expect.poll(() => panel().count()).toBe(0);
  });

  test('takes the place of the links, which wide screens show', async () => {
    const places = visitor.page.getByRole('navigation', { name: 'Main' });
    expect([await button().isVisible(), await places.isVisible()]).toEqual([true, false]);
    await visitor.page.setViewportSize({ width: 1280, height: 900 });
    expect([await button().isVisible(), await places.isVisible()]).toEqual([false, true]);
    await visitor.page.setViewportSize({ width: 360, height: 900 });
  });
});

test('the Logout entry of the category sidebar signs the user out', async () => {
  const { page, leave } = await aMember(browser, shop.url, 'Seller');
  await page.goto('/category/fantasy');
  await known(page, 'in');
  await page.getByRole('complementary').getByRole('button', { name: 'Logout' }).click();
  await expect.poll(() => banner(page).getByRole('link', { name: 'Sign In' }).count()).toBe(1);
  const session = () => page.evaluate(() => fetch('/api/auth/session').then((answer) => answer.json()));
  await expect.poll(session).toEqual({ user: null });
  await leave();
});

test('the Sign Out action of an error page signs the user out', async () => {
  const { page, leave } = await aMember(browser, shop.url, 'Seller');
  await page.goto('/no-such-page');
  await known(page, 'in');
  await page.getByRole('main').getByRole('button', { name: 'Sign Out' }).click();
  await expect.poll(() => banner(page).getByRole('link', { name: 'Sign In' }).count()).toBe(1);
  await leave();
});

test('an error page offers Sign In, and no Sign Out, to whoever is signed out', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/no-such-page');
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).waitFor();
  expect(await page.getByRole('main').getByRole('button', { name: 'Sign Out' }).count()).toBe(0);
  await leave();
});

describe('after a sign-in the user', () => {
  const signInFrom = async (path: string): Promise<string> => {
    const { page, leave } = await aVisitor(browser, shop.url);
    await page.goto(path);
    await alive(page);
    if (path !== '/login') await banner(page).getByRole('link', { name: 'Sign In' }).click();
    await fillSignIn(page, 'Buyer');
    await page.getByText('Sign In!').waitFor();
    await page.waitForURL((url) => url.pathname !== '/login');
    const { pathname, search } = new URL(page.url());
    await leave();
    return `${pathname}${search}`;
  };

  test('returns to the page they came from', async () => {
    expect(await signInFrom('/category/fantasy?x=1')).toBe('/category/fantasy?x=1');
  });

  test('goes to / if they came from none', async () => {
    expect(await signInFrom('/login')).toBe('/');
  });
});

describe('signing in and up', () => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await aVisitor(browser, shop.url);
  });
  afterAll(() => visitor.leave());

  test('shows what was typed as password once SHOW is pressed', async () => {
    const { page } = visitor;
    await page.goto('/login');
    await alive(page);
    const password = page.getByLabel('Password', { exact: true });
    expect(await password.getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: 'SHOW password' }).click();
    expect(await password.getAttribute('type')).toBe('text');
  });

  test('moves the pages of the book, unless motion is unwelcome', async () => {
    const { page } = visitor;
    const moving = () => page.locator('.leaf').evaluateAll((all) => all.map((leaf) => leaf.getAnimations().length));
    await page.goto('/login');
    expect(await moving()).toEqual([0, 0, 0]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await expect.poll(moving).toEqual([1, 1, 1]);
    await page.emulateMedia({ reducedMotion: 'reduce' });
  });

  test('leads from the registration to a choice of Buyer or Seller', async () => {
    const { page } = visitor;
    await page.goto('/register');
    await page.getByLabel('Name').fill('Newcomer');
    await page.getByLabel('Email').fill('newcomer@example.com');
    await page.getByLabel('Password', { exact: true }).fill('Marked#Page1');
    await page.getByRole('main').getByRole('button', { name: 'Create Account' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/user_type');
    const choices = page.getByRole('main').getByRole('button');
    await expect
      .poll(() => choices.allTextContents())
      .toEqual([expect.stringMatching(/^Buyer/), expect.stringMatching(/^Seller/)]);
  });

  test('leads from /user_type to the sign-in page without a session', async () => {
    const { page, leave } = await aVisitor(browser, shop.url);
    await page.goto('/user_type');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/login');
    await leave();
  });
});
