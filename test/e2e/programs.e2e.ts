import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { LOOKS } from './looks.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember } from './sign-in.ts';

let shop: RunningShop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

test.each(LOOKS)(
  'a seller gives a program a key and a webhook, and takes both back ($theme, $width px)',
  async (look) => {
    const { page, leave } = await aMember(browser, shop.url, 'Seller', look);
    await page.goto('/dashboard/stock');
    await page.getByRole('link', { name: 'Programs' }).click();
    const keys = page.getByRole('region', { name: 'Keys' });
    await keys.getByRole('button', { name: 'Make a key' }).click();
    await keys.getByText('Say which program it is for').waitFor();
    const name = `BookTrakker ${look.theme} ${look.width}`;
    await keys.getByLabel('Which program is it for?').fill(name);
    await keys.getByRole('button', { name: 'Make a key' }).click();
    const key = await keys.getByLabel('Your key').inputValue();
    await expectAccessible(page, 'A key, shown once');
    const ask = async (): Promise<number> =>
      (await fetch(`${shop.url}/api/stock/copies`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await ask()).toBe(200);
    await keys.getByRole('button', { name: 'I have it' }).click();
    await page.reload();
    await keys
      .getByText(/Last used/)
      .first()
      .waitFor();
    expect(await page.content()).not.toContain(key);

    const hooks = page.getByRole('region', { name: 'Webhooks' });
    await hooks.getByLabel('Address of your program').fill('http://books.example/told');
    await hooks.getByRole('button', { name: 'Add a webhook' }).click();
    await hooks.getByText('Give an https address').waitFor();
    // A name that leads nowhere, as names of example.invalid do.
    const url = `https://${look.theme}-${look.width}.example.invalid/told`;
    await hooks.getByLabel('Address of your program').fill(url);
    await hooks.getByRole('button', { name: 'Add a webhook' }).click();
    expect(await hooks.getByLabel('The secret that signs').inputValue()).toMatch(/^whsec_/);
    await hooks.getByRole('button', { name: 'I have it' }).click();
    await hooks.getByRole('button', { name: `Send a test to ${url}` }).click();
    await hooks.getByText('The shop cannot reach this address').waitFor();
    await hooks.getByRole('button', { name: 'Send again webhook.test' }).first().waitFor();
    await expectAccessible(page, 'Webhooks');

    await hooks.getByRole('button', { name: `Remove ${url}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await hooks.getByRole('button', { name: `Remove ${url}` }).waitFor({ state: 'detached' });
    await keys.getByRole('button', { name: `Revoke ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await keys.getByRole('button', { name: `Revoke ${name}` }).waitFor({ state: 'detached' });
    expect(await ask()).toBe(401);
    await leave();
  },
);
