import pg from 'pg';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPicture } from '#test/photos.ts';
import { launchBrowser } from './browser.ts';
import { fetchWaiting } from './fetch-waiting.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aVisitor } from './visitor.ts';

let shop: RunningShop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

let people = 0;
const anAddress = (): string => `reader${(people += 1)}@example.com`;

type Service = 'Google' | 'Github';

const atStandin = async (page: Page, service: Service): Promise<Page> => {
  await page.getByRole('heading', { name: `Stand-in for ${service}` }).waitFor();
  return page;
};

/** Presses a button that opens a window at a service; answers the window. */
const press = async (page: Page, service: Service, button: string = service): Promise<Page> => {
  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: button, exact: true }).click();
  return atStandin(await opening, service);
};

/** Types a test account on the stand-in's page. */
const choose = async (
  page: Page,
  email: string,
  more: { verified?: boolean; picture?: string } = {},
): Promise<void> => {
  await page.getByText('Another account').click();
  await page.getByLabel('Name').fill('Grace Reader');
  await page.getByLabel('Address', { exact: true }).fill(email);
  await page.getByLabel(/^Picture/).fill(more.picture ?? '');
  if (more.verified === false) await page.getByLabel('The address is verified').uncheck();
  await page.getByRole('button', { name: 'Go on' }).click();
};

const fail = async (page: Page, how: RegExp): Promise<void> => {
  await page.getByText('Let it fail').click();
  await page.getByRole('button', { name: how }).click();
};

/** Where the profile of a new person is sent to. */
const profileSent = (page: Page): Promise<Request> =>
  page.waitForRequest((request) => request.method() === 'POST' && new URL(request.url()).pathname === '/api/users');

test('a visitor signs up with Google', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/register?from=%2Fcategory%2Ffantasy');
  const opened = await press(page, 'Google');
  const [closed, profile, email] = [opened.waitForEvent('close'), profileSent(page), anAddress()];
  await choose(opened, email);
  await closed;
  await page.getByText('Google Sign Up!', { exact: true }).waitFor();
  expect((await profile).postDataJSON()).toEqual({ name: 'Grace Reader', email });
  await page.waitForURL('**/user_type?from=%2Fcategory%2Ffantasy');
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['accessToken']);
  await leave();
});

test('a visitor signs in with Google', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/dashboard/my_orders');
  await page.getByRole('heading', { name: 'Sign In', level: 1 }).waitFor();
  await choose(await press(page, 'Google'), 'buyer@example.com');
  await page.getByText('Google Sign In!', { exact: true }).waitFor();
  await page.waitForURL('**/dashboard/my_orders');
  await page.getByRole('heading', { name: 'My Orders' }).waitFor();
  await leave();
});

test('a visitor signs up with Github', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/register');
  await choose(await press(page, 'Github'), anAddress());
  await page.getByText('github Sign Up!', { exact: true }).waitFor();
  await page.waitForURL('**/user_type');
  await leave();
});

test('a visitor signs in with Github', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/login');
  await choose(await press(page, 'Github'), 'seller@example.com');
  await page.getByText('Github Sign In!', { exact: true }).waitFor();
  await page.waitForURL(`${shop.url}/`);
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).waitFor();
  await leave();
});

test('a service that cuts the tie between the two windows is heard all the same', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/login');
  const opened = await press(page, 'Google');
  const closed = opened.waitForEvent('close');
  await opened.evaluate(() => {
    window.opener = null;
  });
  await choose(opened, anAddress());
  await closed;
  await page.getByText('Google Sign Up!', { exact: true }).waitFor();
  await leave();
});

test('the photo of the provider becomes the avatar', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/login');
  await choose(await press(page, 'Google'), anAddress(), { picture: 'https://pictures.example/grace.png' });
  const avatar = page.getByRole('link', { name: 'Your account' }).getByTitle('Grace Reader', { exact: true });
  await avatar.waitFor();
  expect(await avatar.getAttribute('src')).toBe('/avatar.svg');
  await fetchWaiting(shop, await aPicture(96, 96));
  await page.reload();
  const ours = new RegExp(`^${shop.url}/photos/[a-z2-7]{22}/320\\.webp 96$`);
  await expect
    .poll(() => avatar.evaluate((image: HTMLImageElement) => `${image.src} ${image.naturalWidth}`))
    .toMatch(ours);
  await leave();
});

test('a failed sign-in with a provider is shown on the form', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto('/login');
  await page.getByLabel('Email').fill('typed@example.com');
  const told = page.getByRole('alert');

  await (await press(page, 'Google')).getByRole('button', { name: 'Cancel' }).click();
  await told.filter({ hasText: 'Google did not let you in' }).waitFor();

  await fail(await press(page, 'Github'), /^Refuse/);
  await told.filter({ hasText: 'Github did not let you in' }).waitFor();

  await choose(await press(page, 'Google'), anAddress(), { verified: false });
  await told.filter({ hasText: 'has not verified your email address' }).waitFor();

  await fail(await press(page, 'Google'), /^Be down/);
  await told.filter({ hasText: 'does not answer at the moment' }).waitFor();

  await (await press(page, 'Github')).close();
  await told.filter({ hasText: 'The window of Github was closed' }).waitFor();

  // Nothing typed is lost, and a window that is left open holds nobody up.
  await press(page, 'Github');
  await page.getByLabel('Email').fill('buyer@example.com');
  await page.getByLabel('Password', { exact: true }).fill('Buyer#2026');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL(`${shop.url}/`);
  await leave();
});

test('where the browser opens no window, the page itself goes there and back, and only to pages of the shop', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto('/login?from=%2Fcategory%2Ffantasy');
  const google = page.getByRole('button', { name: 'Google', exact: true });
  await google.click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alert').filter({ hasText: 'Google did not let you in' }).waitFor();
  expect(new URL(page.url()).search).toBe('?from=%2Fcategory%2Ffantasy');

  await google.click();
  await choose(page, anAddress());
  await page.getByText('Google Sign Up!', { exact: true }).waitFor();
  await page.waitForURL('**/user_type?from=%2Fcategory%2Ffantasy');
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).waitFor();

  // Made up by somebody else: what the address claims is asked of the shop, and nobody is led away.
  await page.goto('/login/done?provider=google&outcome=signed-in&page=login&from=%2F%2Fevil.example');
  await page.waitForURL('**/login');
  await page.goto('/login?from=%2F%2Fevil.example');
  await google.click();
  await choose(page, 'buyer@example.com');
  await page.getByText('Google Sign In!', { exact: true }).waitFor();
  await page.waitForURL(`${shop.url}/`);
  await leave();
});

test('on the account page a second service is linked and unlinked, by whoever shows again that it is them', async () => {
  const { page, leave } = await aVisitor(browser, shop.url);
  const email = anAddress();
  await page.goto('/login');
  await choose(await press(page, 'Google'), email);
  await page.waitForURL('**/user_type');
  await page.goto('/dashboard/account');
  await page.getByText(`${email}, linked`, { exact: false }).waitFor();
  const client = new pg.Client({ connectionString: shop.env['DATABASE_URL'] });
  await client.connect();
  await client.query("UPDATE sessions SET signed_in_at = now() - interval '16 minutes'");
  await client.end();

  await page.getByRole('button', { name: 'Link Github' }).click();
  const again = await press(page, 'Google', 'Confirm with Google');
  const opening = page.waitForEvent('popup');
  await choose(again, email);
  await choose(await atStandin(await opening, 'Github'), 'grace.at.github@example.com');
  await page.getByText('Github is linked').waitFor();
  await page.getByText('grace.at.github@example.com, linked', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Unlink Google' }).click();
  await page.getByRole('button', { name: 'Unlink', exact: true }).click();
  await page.getByText('Google is unlinked').waitFor();
  await page.getByRole('button', { name: 'Unlink Github' }).click();
  await page.getByRole('button', { name: 'Unlink', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'only way to sign in' }).waitFor();
  await leave();
});
