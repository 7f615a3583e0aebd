import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountDialog, openAccountDialog, phoneField } from './account-dialog.ts';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import { connect, type Connection } from '#server/platform/postgres/db.ts';
import { aPicture } from '#test/photos.ts';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { bytesOf } from './download.ts';
import { fetchWaiting } from './fetch-waiting.ts';
import { LOOKS } from './looks.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aVisitor, type Visitor } from './visitor.ts';

const PASSWORD = 'Marked#Page1';

let shop: RunningShop;
let browser: Browser;
let connection: Connection;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  connection = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 });
});
afterAll(async () => {
  await connection.close();
  await browser.close();
  await shop.close();
});

/** Somebody with an account of their own and a proven address. */
const aPerson = async (name: string, email: string): Promise<string> => {
  await registerUser(connection.db, { name, email, password: PASSWORD, roles: ['buyer', 'seller'], emailProven: true });
  return email;
};

/** A device that keeps passkeys and always recognises its owner. */
const withPasskeys = async (context: BrowserContext, page: Page): Promise<void> => {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
};

const fillSignIn = async (page: Page, email: string, password = PASSWORD): Promise<void> => {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
};

const onAccountPage = async (email: string, options?: Parameters<typeof aVisitor>[2]): Promise<Visitor> => {
  const visitor = await aVisitor(browser, shop.url, options);
  await withPasskeys(visitor.context, visitor.page);
  await fillSignIn(visitor.page, email);
  await visitor.page.getByText('Sign In!').waitFor();
  await visitor.page.goto('/dashboard/account');
  await visitor.page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  return visitor;
};

/** Makes the person's sign-ins older than what guards an account may be changed with. */
const letSignInsGrowOld = (email: string) =>
  sql`UPDATE sessions SET signed_in_at = now() - interval '16 minutes'
    WHERE user_id = (SELECT id FROM users WHERE email = ${email})`.execute(connection.db);

const region = (page: Page, name: string) => page.getByRole('region', { name });

const toast = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });

const addPasskey = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Add the passkey' }).click();
};

test('a passkey is added, signs in, is renamed and removed; its recovery codes are shown once', async () => {
  const email = await aPerson('Petra Passkey', 'petra@example.com');
  const { page, leave } = await onAccountPage(email);
  const passkeys = region(page, 'Passkeys');
  await addPasskey(page, 'Blue key');
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  await expect.poll(() => codes.getByRole('listitem').count()).toBe(10);
  await codes.getByRole('button', { name: 'I have kept them' }).click();
  await passkeys.getByText('10 are left.').waitFor();
  await passkeys.getByRole('listitem').filter({ hasText: 'Blue key' }).getByText('not used yet').waitFor();

  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL(/\/login/);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await toast(page, 'Sign In!').waitFor();
  // Back where they were, and known by their picture, which leads to the account.
  await page.waitForURL('**/dashboard/account');
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).waitFor();
  await openAccountDialog(page);
  await accountDialog(page).getByRole('button', { name: 'Sign in with a passkey' }).click();
  await phoneField(page).waitFor();
  await page.goto('/');
  await page.getByRole('link', { name: 'Your account' }).click();
  await passkeys.getByText('used just now').waitFor();

  await passkeys.getByRole('button', { name: 'Rename Blue key' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename the passkey' });
  await rename.getByRole('textbox', { name: 'Name' }).fill('  ');
  await rename.getByRole('button', { name: 'Rename' }).click();
  await rename.getByText('Give the passkey a name').waitFor();
  await rename.getByRole('textbox', { name: 'Name' }).fill('Red key');
  await rename.getByRole('button', { name: 'Rename' }).click();
  await passkeys.getByRole('listitem').filter({ hasText: 'Red key' }).waitFor();
  await passkeys.getByRole('button', { name: 'Remove Red key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await toast(page, 'Passkey removed').waitFor();
  await expect.poll(() => passkeys.getByRole('listitem').count()).toBe(0);

  // The device has it still; the shop does not know it any more.
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL(/\/login/);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('alert').getByText('This passkey does not open an account here').waitFor();
  await leave();
});

test('an old sign-in is asked for the password or a passkey, and then goes on with nothing lost', async () => {
  const email = await aPerson('Olaf Old', 'olaf@example.com');
  const { page, leave } = await onAccountPage(email);
  await letSignInsGrowOld(email);
  const again = page.getByRole('dialog', { name: 'Is it you?' });

  // Giving up changes nothing, says so, and keeps what was typed.
  await addPasskey(page, 'Green key');
  await again.getByLabel('Password', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  const add = page.getByRole('dialog', { name: 'Add a passkey' });
  await add.getByRole('alert').getByText('Nothing was changed: you did not confirm that it is you.').waitFor();
  expect(await add.getByLabel('Name').inputValue()).toBe('Green key');
  // A wrong password is said beside its field; the right one goes on by itself, all by keyboard.
  await add.getByLabel('Name').press('Enter');
  await again.getByLabel('Password', { exact: true }).fill('Wrong#Page1');
  await page.keyboard.press('Enter');
  await again.getByText('This is not your password').waitFor();
  await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor();
  await page.getByRole('button', { name: 'I have kept them' }).click();

  // Now there is a passkey to confirm with; the page is still the same person's.
  await letSignInsGrowOld(email);
  await page.getByRole('button', { name: 'Make new recovery codes' }).click();
  await again.getByRole('button', { name: 'Confirm with a passkey' }).click();
  await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor();
  const code = (await page.getByRole('dialog').getByRole('listitem').first().textContent()) ?? '';
  await page.getByRole('button', { name: 'I have kept them' }).click();

  // And a recovery code does as well, once.
  await letSignInsGrowOld(email);
  await page.getByRole('button', { name: 'Remove Green key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await again.getByRole('button', { name: 'Use a recovery code' }).click();
  await again.getByRole('textbox', { name: 'Recovery code' }).fill(code.toUpperCase());
  await again.getByRole('button', { name: 'Confirm with the code' }).click();
  await toast(page, 'Passkey removed').waitFor();

  // Whoever types their password to change it is not asked for it twice.
  await letSignInsGrowOld(email);
  await page.getByLabel('Current password').fill('Wrong#Page1');
  await page.getByLabel('New password').fill('Turned#Page2');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('This is not your current password').waitFor();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await toast(page, 'Password changed').waitFor();
  expect(await again.isVisible()).toBe(false);
  await leave();
});

test('a name and a picture are saved and seen at once; sessions elsewhere are ended, and so are they by a new password', async () => {
  const email = await aPerson('Sven Sessions', 'sven@example.com');
  const here = await onAccountPage(email);
  const there = await onAccountPage(email);
  const { page } = here;
  const profile = region(page, 'Profile');
  await profile.getByLabel('Picture').fill('http://images.example/me.png');
  await profile.getByRole('button', { name: 'Save profile' }).click();
  await profile.getByText('Give the https address of a picture, or leave it empty').waitFor();
  await profile.getByLabel('Picture').fill('https://images.example/me.png');
  await profile.getByText('The shop fetches another from the address below, once.').waitFor();
  await profile.getByLabel('Name').fill('Sven the Second');
  await profile.getByRole('button', { name: 'Save profile' }).click();
  await toast(page, 'Profile saved').waitFor();
  const avatar = page.getByRole('link', { name: 'Your account' }).getByTitle('Sven the Second');
  await fetchWaiting(shop, await aPicture());
  await page.reload();
  await profile.getByText('Your picture.', { exact: true }).waitFor();
  await expect.poll(() => avatar.getAttribute('src')).toMatch(/\/photos\/[a-z2-7]{22}\/320\.webp$/);

  const sessions = region(page, 'Where you are signed in');
  const others = sessions.getByRole('listitem').filter({ hasNotText: 'this browser' });
  // Somebody coming back to the page sees what happened elsewhere.
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await expect.poll(() => others.count()).toBe(1);
  await others.getByRole('button', { name: /^Sign out/ }).click();
  await expect.poll(() => others.count()).toBe(0);
  await there.page.reload();
  await there.page.waitForURL(/\/login\?from=%2Fdashboard%2Faccount$/);
  await fillSignIn(there.page, email);
  await toast(there.page, 'Sign In!').waitFor();

  const form = region(page, 'Password');
  await form.getByLabel('Current password').fill(PASSWORD);
  await form.getByLabel('New password').fill('short');
  await form.getByRole('button', { name: 'Change password' }).click();
  await form.getByText('Must be at least 6 character', { exact: true }).waitFor();
  await form.getByLabel('New password').fill('Turned#Page2');
  expect(await form.getByLabel('Sign out everywhere else').isChecked()).toBe(true);
  await form.getByRole('button', { name: 'Change password' }).click();
  await toast(page, 'Password changed').waitFor();
  expect(await form.getByLabel('Current password').inputValue()).toBe('');
  await there.page.goto('/dashboard/account');
  await there.page.waitForURL(/\/login/);
  await fillSignIn(there.page, email);
  await there.page.getByText('The email address or the password is wrong.').waitFor();
  await fillSignIn(there.page, email, 'Turned#Page2');
  await toast(there.page, 'Sign In!').waitFor();
  await there.leave();
  await here.leave();
});

test('all of the data is saved as a zip; then the account is deleted and the address is free', async () => {
  const email = await aPerson('Dora Done', 'dora@example.com');
  const { page, leave } = await onAccountPage(email);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export my data' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toMatch(/^dogear-my-data-\d{4}-\d\d-\d\d\.zip$/);
  const files = unzipSync(await bytesOf(download));
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(['profile.json', 'sessions.json', 'bookings.json', 'listings.json']),
  );
  expect(JSON.parse(strFromU8(files['profile.json'] ?? new Uint8Array()))).toMatchObject({ email, name: 'Dora Done' });
  await toast(page, 'Your data is saved').waitFor();

  await letSignInsGrowOld(email);
  await page.getByRole('button', { name: 'Delete my account …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await dialog.getByText('Type DELETE to go on').waitFor();
  await dialog.getByLabel('Type DELETE to confirm').fill('delete');
  await page.keyboard.press('Enter');
  const again = page.getByRole('dialog', { name: 'Is it you?' });
  await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await toast(page, 'Your account is deleted').waitFor();
  await page.waitForURL(`${shop.url}/`);
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull();
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).waitFor();
  await fillSignIn(page, email);
  await page.getByText('The email address or the password is wrong.').waitFor();
  await page.goto('/register');
  await page.getByLabel('Name').fill('Dora Again');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await toast(page, 'Registered successfully!').waitFor();
  await leave();
});

describe.each(LOOKS)('in the $theme theme at $width px', ({ theme, width }) => {
  test('the account page and its dialogs have nothing for axe, one h1, and no sideways scroll', async () => {
    const email = await aPerson('A Rather Long Name Indeed', `look-${theme}-${width}@example.com`);
    const { page, leave } = await onAccountPage(email, { theme, width });
    expect(await page.title()).toBe('Account · Dogear');
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page, 'the dialog that adds a passkey');
    await page.getByRole('button', { name: 'Add the passkey' }).click();
    await page.getByRole('button', { name: 'I have kept them' }).waitFor();
    await expectAccessible(page, 'the recovery codes');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await region(page, 'Passkeys').getByText('10 are left.').waitFor();
    await expectAccessible(page, 'the account page');
    await letSignInsGrowOld(email);
    await page.getByRole('button', { name: 'Make new recovery codes' }).click();
    await page.getByRole('button', { name: 'Confirm with a passkey' }).waitFor();
    await expectAccessible(page, 'the question whether it is them');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete my account …' }).click();
    await page.getByLabel('Type DELETE to confirm').waitFor();
    await expectAccessible(page, 'the dialog before deleting');
    await leave();
  });
});
