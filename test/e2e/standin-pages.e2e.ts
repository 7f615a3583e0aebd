import type { Browser } from 'playwright-core';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STANDIN_SECRET_KEY } from '#standins/stripe/keys.ts';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
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

/** The seller's way through the onboarding, in a browser: its policy must let the form go, and come back. */
test('the onboarding of the stand-in leads back to the shop, once, and its page shows what became of it', async () => {
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${shop.url}/standins/stripe/${path}`, {
      method,
      headers: { Authorization: `Bearer ${STANDIN_SECRET_KEY}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as { id: string; url: string };
  };
  const params: Stripe.V2.Core.AccountCreateParams = {
    contact_email: 'ada@books.example',
    identity: { country: 'US' },
    configuration: { recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } } },
  };
  const account = await call('POST', 'v2/core/accounts', params);
  const urls = { return_url: `${shop.url}/terms`, refresh_url: `${shop.url}/privacy` };
  const link: Stripe.V2.Core.AccountLinkCreateParams = {
    account: account.id,
    use_case: { type: 'account_onboarding', account_onboarding: urls },
  };
  const { url } = await call('POST', 'v2/core/account_links', link);
  expect(url).toContain(`${shop.url}/standins/stripe/onboarding/`);

  const { page, leave } = await aVisitor(browser, shop.url);
  await page.goto(url);
  await expectAccessible(page, 'the onboarding of the stand-in');
  await page.getByRole('button', { name: /^All is well/ }).click();
  await page.waitForURL(urls.return_url);
  await page.goto(url);
  expect(page.url()).toBe(urls.refresh_url);

  await page.goto('/standins/stripe/');
  await expectAccessible(page, 'the page of the stand-in');
  const row = page.getByRole('row').filter({ hasText: account.id });
  expect(await row.getByRole('cell').nth(1).innerText()).toBe('active');
  await row.getByRole('button', { name: 'Restrict' }).click();
  await page.getByRole('cell', { name: 'restricted', exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/standins/stripe/');
  await leave();
});
