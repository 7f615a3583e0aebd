import type { Locator, Page, Route } from 'playwright-core';
import { expect } from 'vitest';

/** One call of the shop as a page makes it, and what a person sees of it when it fails. */
export interface FailingCall {
  /** As the specification names it. */
  readonly call: string;
  /** Which requests are the call. */
  readonly path: RegExp;
  /** Brings the page to where the call is about to be made. */
  readonly begin: (page: Page) => Promise<unknown>;
  /** Makes the call. */
  readonly act: (page: Page) => Promise<unknown>;
  /** Makes it again after it failed; the same act when absent. */
  readonly again?: (page: Page) => Promise<unknown>;
  /** Says that it is under way. */
  readonly working: (page: Page) => Locator;
  /** Says that it failed, in the place where it was made. */
  readonly told: (page: Page) => Locator;
  /** What was typed before, and must still be there after each failure. */
  readonly typed?: (page: Page) => Promise<unknown>;
  /** It is the first of a document, in which nothing has had the focus before. */
  readonly isFirst?: true;
  /** Is there once the call has succeeded. */
  readonly done: (page: Page) => Locator;
}

type Answer = (route: Route) => Promise<void>;

const error = (status: number, code: string, message: string): Answer => {
  const body = JSON.stringify({ error: { code, message, requestId: 'none' } });
  return (route) => route.fulfill({ status, contentType: 'application/json', body });
};

const offline: Answer = (route) => route.abort('internetdisconnected');
const REFUSED = error(400, 'bad_request', 'Something in the request is wrong');
/** As something in between answers while the shop is away. */
const BROKEN: Answer = (route) => route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Bad day</h1>' });

/** Until the page answers to what is done to it. */
export const alive = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => '__reactRouterDataRouter' in window && document.readyState === 'complete');

const hasFocus = (page: Page): Promise<boolean> => page.evaluate(() => document.activeElement !== document.body);

/**
 * Makes the call slow and then lost, refused, broken, and at last successful, as one person lives through it: each time
 * the page says so where it happened, keeps the focus and what was typed, and the same act works again.
 */
export const walk = async (page: Page, step: FailingCall): Promise<void> => {
  const again = step.again ?? step.act;
  const method = step.call.split(' ')[0];
  let answer: Answer | undefined;
  let count = 0;
  await page.route(step.path, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    count += 1;
    return answer === undefined ? route.fallback() : answer(route);
  });
  const expectTold = async (how: string, before: number): Promise<void> => {
    await expect.poll(() => count, { message: `${how}: it was called` }).toBeGreaterThan(before);
    await step.told(page).first().waitFor();
    expect(await page.getByRole('heading', { level: 1 }).count(), `${how}: the page is there`).toBe(1);
    expect(await step.typed?.(page), `${how}: what was typed is there`).toBe(
      step.typed === undefined ? undefined : true,
    );
    if (step.isFirst !== true)
      await expect.poll(() => hasFocus(page), { message: `${how}: the focus is somewhere` }).toBe(true);
  };

  await step.begin(page);
  const slow = Promise.withResolvers<void>();
  answer = (route) => slow.promise.then(() => offline(route));
  await step.act(page);
  await step.working(page).first().waitFor();
  await expect.poll(() => count).toBeGreaterThan(0);
  const sent = count;
  // Pressing it again while it is under way sends nothing more.
  if (method !== 'GET') {
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect(count, 'sent once').toBe(sent);
  }
  slow.resolve();
  await expectTold('slow, then offline', 0);
  for (const [how, failure] of [
    ['refused', REFUSED],
    ['broken', BROKEN],
  ] as const) {
    answer = failure;
    const before = count;
    await again(page);
    await expectTold(how, before);
  }
  answer = undefined;
  await again(page);
  await step.done(page).first().waitFor();
  await page.unrouteAll({ behavior: 'wait' });
};

/** What the tables of calls are made of. */
export const at = (path: string) => async (page: Page) => {
  await page.goto(path);
  await alive(page);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
};
export const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
export const busy = (page: Page): Locator => page.locator('[aria-busy="true"]');
export const alert = (page: Page): Locator => page.getByRole('alert');
export const toast = (text: string) => (page: Page) => page.getByText(text);
export const tryAgain = press('Try again');

/** A page that is reached by a link, and could not be loaded. */
export const pageOf = (
  call: string,
  path: RegExp,
  from: string,
  link: string | RegExp,
  title: string | RegExp,
): FailingCall => ({
  call,
  path,
  begin: at(from),
  act: (window) => window.getByRole('link', { name: link }).locator('visible=true').first().click(),
  again: tryAgain,
  working: (window) => window.getByRole('progressbar', { name: 'Loading the next page' }),
  told: (window) =>
    window.getByRole('main').getByRole('button', { name: 'Try again' }).and(window.locator(':not([aria-busy])')),
  done: (window) => window.getByRole('heading', { level: 1, name: title }),
});

/** A private page that is opened as a document of its own, and could not be loaded. */
export const documentOf = (call: string, path: RegExp, to: string, title: string): FailingCall => ({
  call,
  isFirst: true,
  path,
  begin: () => Promise.resolve(),
  act: (window) => window.goto(to),
  again: tryAgain,
  working: (window) => window.getByRole('status').filter({ hasText: 'Loading your dashboard' }),
  told: (window) => window.getByRole('main').getByRole('button', { name: 'Try again' }),
  done: (window) => window.getByRole('heading', { level: 1, name: title }),
});

export const holds = (label: string | RegExp, value: string) => async (window: Page) =>
  (await window.getByLabel(label).first().inputValue()) === value;
