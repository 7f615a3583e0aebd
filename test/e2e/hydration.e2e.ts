import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

const firstBook = async (): Promise<string> => {
  const [book] = (await (await fetch(`${shop.url}/api/categories`)).json()) as { _id: string }[];
  return `/book/${book?._id ?? ''}`;
};

test.each([
  ['the landing page', () => '/'],
  ['a category', () => '/category/fantasy'],
  ['a book', firstBook],
  ['an edition', () => '/isbn/9780441007318'],
  ['an author', () => '/author/ursula-k-le-guin'],
  ['a search', () => '/search?q=dune'],
  ['a page that is not there', () => '/no-such-page'],
])('%s comes alive with the very elements that were sent', async (_name, pathOf) => {
  const visitor = await aVisitor(browser, shop.url);
  const { page } = visitor;
  // The page's scripts come once every element that was sent is marked.
  let letIn = (): void => {};
  const marked = new Promise<void>((resolve) => (letIn = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await marked;
    await route.continue();
  });
  await page.goto(await pathOf(), { waitUntil: 'domcontentloaded' });
  const sent = await page.evaluate(() => {
    const all = [...document.body.querySelectorAll('*:not(script)')];
    for (const element of all) Object.assign(element, { wasSent: true });
    return all.length;
  });
  expect(sent).toBeGreaterThan(20);
  letIn();
  await page.waitForFunction(() => {
    const main = document.querySelector('main');
    return main !== null && Object.keys(main).some((key) => key.startsWith('__reactFiber$'));
  });
  const remade = await page.evaluate(() =>
    [...document.querySelectorAll('main *, header *, footer *')]
      .filter((element) => !('wasSent' in element))
      .map(({ outerHTML }) => outerHTML.slice(0, 200)),
  );
  expect(remade).toEqual([]);
  // Anything that did not match would have been told on the console, and fails the visit.
  await visitor.leave();
});

test('what the landing page loads no script for is there on every way to it', async () => {
  const visitor = await aVisitor(browser, shop.url);
  const { page } = visitor;
  const parts = [page.getByRole('heading', { name: 'Popular Books' }), page.getByRole('heading', { name: 'F.A.Q' })];
  await page.goto('/blog', { waitUntil: 'networkidle' });
  await page.getByRole('navigation').getByRole('link', { name: 'Home' }).first().click();
  for (const part of parts) await part.waitFor();
  await page.goBack();
  await page.goForward();
  for (const part of parts) await part.waitFor();
  await visitor.leave();
});
