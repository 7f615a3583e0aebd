import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { openMail } from './mailbox.ts';
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

test('somebody new confirms their address by the mail, forgets their password, and gets in with a new one', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: 360 });
  await page.goto('/register');
  await page.getByLabel('Name').fill('Mary Shelley');
  await page.getByLabel('Email').fill('mary@example.com');
  await page.getByLabel('Password', { exact: true }).fill('Frank#1818');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByText('Registered successfully!').waitFor();

  // Not confirmed yet: the dashboard says so, and sends the link again.
  await page.goto('/dashboard');
  const reminder = page.getByRole('region', { name: 'Your address' });
  await reminder.getByRole('button', { name: 'Send it again' }).click();
  await reminder.getByText('Another link is on its way.').waitFor();
  await openMail(page, 'Please confirm your address');
  await openMail(page, 'Welcome to Dogear: please confirm your address');
  const html = page.frameLocator('iframe[title="The mail as HTML"]');
  await html.getByRole('link', { name: 'Confirm my address' }).click();
  await page.getByRole('heading', { name: 'Confirm your address', level: 1 }).waitFor();
  // Opening the link changes nothing: mail programs open links by themselves.
  expect(await page.getByText('your address is confirmed').count()).toBe(0);
  await page.getByRole('button', { name: 'Yes, this address is mine' }).click();
  await page.getByText('Thank you, your address is confirmed').waitFor();
  await page.getByRole('link', { name: 'To your dashboard' }).click();
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  expect(await reminder.count()).toBe(0);
  // The same link once more is fine.
  await openMail(page, 'Welcome to Dogear: please confirm your address');
  await page
    .getByRole('link', { name: /\/confirm#token=/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Yes, this address is mine' }).click();
  await page.getByText('Thank you, your address is confirmed').waitFor();

  await page.goto('/dashboard');
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  await page.getByRole('button', { name: /menu/i }).first().click();
  await page.getByRole('button', { name: 'Sign Out' }).first().click();
  await page.goto('/login');
  await page.getByLabel('Email').fill('mary@example.com');
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await page.getByRole('heading', { name: 'Forgot password?', level: 1 }).waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe('mary@example.com');
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await page.getByText('Look into your mailbox').waitFor();
  // Somebody who is nobody is told the same.
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByRole('button', { name: 'Send it again' }).click();
  await page.getByText('nobody@example.com has an account here').waitFor();
  await page.getByRole('link', { name: 'its own mailbox' }).click();
  await page.getByRole('heading', { name: 'Mailbox', level: 1 }).waitFor();

  await openMail(page, 'Set a new password');
  const link = page.getByRole('link', { name: /\/reset-password#token=/ }).first();
  const address = (await link.getAttribute('href')) ?? '';
  await link.click();
  const field = page.getByLabel('New password', { exact: true });
  await field.fill('short');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByText('Must be at least 6 character', { exact: true }).waitFor();
  await field.fill('Prometheus#1820');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByText('Your new password is set').waitFor();
  await page.goto('/dashboard');
  await page.getByText('Good to see you, Mary Shelley.').waitFor();
  await openMail(page, 'Your password was changed');

  // The link was good once.
  await page.goto(address);
  await page.getByLabel('New password', { exact: true }).fill('Prometheus#1821');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByText('This link does not work any more').waitFor();
  await page.getByRole('link', { name: 'Ask for another link' }).click();
  await page.getByRole('heading', { name: 'Forgot password?', level: 1 }).waitFor();
  // Half an address.
  await page.goto('/reset-password');
  await page.getByText('This address is not complete').waitFor();
  await leave();
});
