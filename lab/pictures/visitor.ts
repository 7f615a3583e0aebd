// Somebody with a browser window of a theme and a width, signed in or not.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { HEIGHTS, type Look } from './looks.ts';

export const WHO = ['visitor', 'buyer', 'seller', 'admin'] as const;
export type Who = (typeof WHO)[number];

export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Calls the API as this visitor; throws unless it succeeds. */
  call<Answer>(method: string, path: string, data?: object): Promise<Answer>;
  leave(): Promise<void>;
}

declare global {
  interface Window {
    /** What moved so far without anybody's touch or key, and how much that was. */
    shifted: { cls: number; moved: string[] };
  }
}

interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRect;
    readonly currentRect: DOMRect;
  }[];
}

/** Runs in each page before anything of it does. */
const watchShifts = (): void => {
  window.shifted = { cls: 0, moved: [] };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as LayoutShift[]) {
      if (hadRecentInput) continue;
      window.shifted.cls += value;
      const [first] = sources;
      if (first === undefined || value < 0.01) continue;
      const { node, previousRect: from, currentRect: to } = first;
      const name = node instanceof Element ? node.outerHTML.slice(0, 60) : node?.nodeName;
      window.shifted.moved.push(`${name}: ${from.x}, ${from.y} to ${to.x}, ${to.y} px`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
};

/** Longer waits nobody for a part of a screen. */
const PATIENCE_MS = 15_000;

const passwordOf = (who: Who): string => `${who.charAt(0).toUpperCase()}${who.slice(1)}#2026`;

/** Opens a window at the shop at `url`; whoever is not a visitor is signed in with the account of the demo. */
export const openWindow = async (browser: Browser, url: string, who: Who, look: Look): Promise<Visitor> => {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: look.width, height: HEIGHTS[look.width] },
    hasTouch: look.width < 1024,
    reducedMotion: 'reduce',
    storageState: {
      cookies: [],
      origins: look.theme === 'dark' ? [{ origin: url, localStorage: [{ name: 'theme', value: 'dark' }] }] : [],
    },
  });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(watchShifts);
  const send = async <Answer>(method: string, path: string, more: object): Promise<Answer> => {
    const answer = await context.request.fetch(`/api${path}`, { method, ...more });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  const headers: Record<string, string> = { origin: url };
  if (who !== 'visitor') {
    const email = `${who}@example.com`;
    await send('POST', '/auth/sign-in', { data: { email, password: passwordOf(who) }, headers });
    const { accessToken } = await send<{ accessToken: string }>('GET', `/jwt?email=${email}`, {});
    headers['authorization'] = `Bearer ${accessToken}`;
  }
  return {
    page: await context.newPage(),
    context,
    call: (method, path, data) => send(method, path, { headers, ...(data !== undefined && { data }) }),
    leave: () => context.close(),
  };
};
