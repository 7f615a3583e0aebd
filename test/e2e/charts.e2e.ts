// How it went, drawn: a seller's weeks, the shop's, and what an edition sold for.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import { connect } from '#server/platform/postgres/db.ts';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { LOOKS } from './looks.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, memberWith } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

const DUNE = '/isbn/9780340839935';

let shop: RunningShop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop({ env: { DEMO_ORDERS: '1' } }), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** The drawing of a part of the page, once it is there: the demo's past is put in after the shop has opened. */
const drawn = async (page: Page, path: string, part: string): Promise<ReturnType<Page['getByRole']>> => {
  const drawing = page.getByRole('region', { name: part }).getByRole('img');
  await expect
    .poll(async () => {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      return drawing.count();
    })
    .toBe(1);
  return drawing;
};

/** Opens the table behind the drawing of a part; answers its rows, the newest first, as texts. */
const rowsBehind = async (page: Page, part: string): Promise<string[]> => {
  const region = page.getByRole('region', { name: part });
  expect(await region.getByRole('row').count()).toBe(0);
  await region.getByText('As a table').click();
  return region
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .allInnerTexts();
};

/** Letters are as they were drawn, on a phone too. */
const expectLegible = async (page: Page): Promise<void> => {
  const sizes = await page
    .locator('figure svg text')
    .evaluateAll((all) => all.map((text) => text.getBoundingClientRect().height));
  expect(sizes.length).toBeGreaterThan(4);
  expect(Math.min(...sizes)).toBeGreaterThan(11);
};

test.each(LOOKS)('a seller sees their weeks, and an admin the shop’s, at $width px in the $theme', async (look) => {
  for (const [who, part, weeks, says] of [
    [
      'Seller',
      'Your sales by week',
      12,
      /^Your sales by week: books sold \d+ in 12 weeks, earned \$[\d,.]+ in 12 weeks\.$/,
    ],
    ['Admin', 'The shop by week', 8, /^The shop by week: orders \d+ in 8 weeks, sold \$/],
  ] as const) {
    const { page, leave } = await aMember(browser, shop.url, who, look);
    const drawing = await drawn(page, '/dashboard', part);
    expect(await drawing.getAttribute('aria-label')).toMatch(says);
    expect(await drawing.locator('rect').count()).toBeGreaterThan(6);
    await expectLegible(page);
    const rows = await rowsBehind(page, part);
    expect(rows).toHaveLength(weeks);
    expect(rows[0]).toMatch(/\w{3} \d{1,2}, \d{4}/);
    await expectAccessible(page, `${who}: ${part}`);
    await leave();
  }
});

test.each(LOOKS)('a visitor sees what an edition sold for, at $width px in the $theme', async (look) => {
  const { page, leave } = await aVisitor(browser, shop.url, look);
  const part = 'What it sold for, month by month: Good';
  const drawing = await drawn(page, DUNE, part);
  expect(await drawing.getAttribute('aria-label')).toMatch(/^What copies in condition Good were sold for/);
  await expectLegible(page);
  const rows = await rowsBehind(page, part);
  expect(rows).toHaveLength(5);
  for (const row of rows) expect(row).toMatch(/\w{3} \d{4}\s[\s\S]*\$\d+\.00[\s\S]*\$\d+\.00/);
  await expectAccessible(page, 'what an edition sold for');
  await leave();
});

test('it is there without JavaScript too', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { javaScript: false });
  await drawn(page, DUNE, 'What it sold for, month by month: Good');
  await leave();
});

test('a seller who sold nothing yet is told where that would be', async () => {
  const { db, close } = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 });
  const credentials = { email: 'sylvia@example.com', password: 'Ulysses#1922' };
  await registerUser(db, { ...credentials, name: 'Sylvia Beach', roles: ['seller'], emailProven: true });
  await close();
  const { page, leave } = await memberWith(browser, shop.url, credentials);
  await page.goto('/dashboard');
  const part = page.getByRole('region', { name: 'Your sales by week' });
  await part.getByText('Nothing sold in the last 12 weeks.').waitFor();
  expect(await part.getByRole('img').count()).toBe(0);
  await part.getByRole('link', { name: 'look at what you have listed' }).click();
  await page.waitForURL('**/dashboard/my_products');
  await leave();
});
