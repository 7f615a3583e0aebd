import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { noteViolation } from './violations.ts';

export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What went wrong on any page so far: script errors, policy violations, requests to anywhere else. */
  readonly problems: readonly string[];
  /** Ends the visit; fails when anything went wrong on the way. */
  leave(): Promise<void>;
}

/** Statuses a journey provokes on purpose show as console errors too; the page's own handling is what is tested. */
const EXPECTED = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** A person with a browser window; every policy violation or script error they meet fails their journey. */
export const aVisitor = async (
  browser: Browser,
  url: string,
  options: { width?: number; theme?: 'light' | 'dark'; javaScript?: boolean; timeZone?: string } = {},
): Promise<Visitor> => {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: options.width ?? 1280, height: 900 },
    javaScriptEnabled: options.javaScript ?? true,
    reducedMotion: 'reduce',
    ...(options.timeZone !== undefined && { timezoneId: options.timeZone }),
    ...(options.theme === 'dark' && {
      storageState: { cookies: [], origins: [{ origin: url, localStorage: [{ name: 'theme', value: 'dark' }] }] },
    }),
  });
  const patience = process.env['TEST_PATIENCE_MS'];
  if (patience !== undefined) context.setDefaultTimeout(Number(patience));
  const problems: string[] = [];
  // Of the context, so that windows that the page opens are heard as well.
  context.on('weberror', (failure) => problems.push(`script error: ${failure.error().message}`));
  context.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) problems.push(`console: ${message.text()}`);
  });
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== url) problems.push(`request to ${origin}`);
  });
  // Before the console tells of it, and from pages that are gone by then.
  await context.exposeFunction('tellViolation', (what: string) => {
    problems.push(`policy: ${what}`);
    noteViolation(url, what);
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      const { tellViolation } = window as unknown as { tellViolation(what: string): void };
      tellViolation(`${effectiveDirective} ${blockedURI}`);
    });
  });
  const page = await context.newPage();
  return {
    page,
    context,
    problems,
    leave: async () => {
      await context.close();
      const reports = (await (await fetch(`${url}/api/csp-reports`)).json()) as { count: number };
      expect({ problems, reports: reports.count }).toEqual({ problems: [], reports: 0 });
    },
  };
};
