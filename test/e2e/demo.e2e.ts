// What a demo has beside the shop: people to sign in as with one press, and a clock to move.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_ACCOUNTS } from '#db/seed/demo-accounts.ts';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { press } from './keyboard.ts';
import { openShop, type RunningShop } from './shop.ts';
import { alive } from './failing.ts';
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

const personButton = (page: Page, label: string) => page.getByRole('button', { name: `Sign in as Demo ${label}` });

test.each(DEMO_ACCOUNTS)(
  'one press on a phone signs in as the $label of the demo',
  async ({ label, email, password }) => {
    const { page, leave } = await aVisitor(browser, shop.url, {
      width: 360,
      theme: label === 'Buyer' ? 'dark' : 'light',
    });
    await page.goto('/login');
    expect(await page.content()).not.toContain(password);
    // The buttons come alive with the page, and fade in.
    await alive(page);
    await page.locator('button:enabled', { hasText: `Sign in as Demo ${label}` }).waitFor();
    await expectAccessible(page, `signing in as the ${label}`);
    await personButton(page, label).click();
    await page.getByText('Sign In!').waitFor();
    const session = await page.evaluate(() => fetch('/api/auth/session').then((answer) => answer.json()));
    expect(session.user.email).toBe(email);
    await leave();
  },
);

test('from the keyboard the clock of the demo is moved, and a copy is free again in two weeks', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: 360 });
  await page.goto('/login?from=/category/fantasy');
  await press(page, personButton(page, 'Buyer'));
  await page.getByText('Sign In!').waitFor();
  const book = async (): Promise<void> => {
    await page.goto('/category/fantasy');
    const card = page
      .getByRole('article')
      .filter({ has: page.getByRole('button', { name: /^Book Now/, disabled: false }) })
      .first();
    await card.getByRole('button', { name: /^Book Now/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Phone').fill('555 0100');
    await dialog.getByLabel('Location').fill('Portland');
    await dialog.getByRole('button', { name: /^Book for/ }).click();
    await page.getByText('Booking successful').waitFor();
    await page.goto('/dashboard/my_orders');
  };
  await book();
  await page.getByText(/\((29|30) min left\)/).waitFor();

  const tools = page.getByRole('contentinfo');
  await press(page, tools.getByText('This is a demo shop'));
  await tools.getByText(/^It is .* in the shop\.$/).waitFor();
  await expectAccessible(page, "the demo's clock");
  const before = new Date();
  await press(page, tools.getByRole('button', { name: '+14 days' }));
  const shown = async (): Promise<number> =>
    Date.parse((await tools.getByRole('time').getAttribute('datetime')) ?? '') - before.getTime();
  const fortnightMs = 14 * 86_400_000;
  await expect.poll(shown).toBeGreaterThan(fortnightMs - 60_000);
  expect(await shown()).toBeLessThan(fortnightMs + 60_000);
  await page.getByText('Not held any more').waitFor();

  // Still signed in, and what is left of a new hold is counted by the clock that was moved, also by a page loaded anew.
  await book();
  await page.getByText(/\((29|30) min left\)/).waitFor();
  await page.getByRole('link', { name: /^Pay/ }).first().click();
  await page.getByText(/^(29|30):\d\d left to pay$/).waitFor();
  await leave();
});
