// One visit of a page with a slow phone on a slow line: it loads, is touched and typed into.
import type { Browser, CDPSession, Page } from 'playwright-core';

/** What one visit met. Times in milliseconds from the click that led here, sizes in bytes as sent, headers included. */
export interface Visit {
  readonly fcpMs: number;
  readonly lcpMs: number;
  /** The slowest answer of the page to a touch or key, until it was painted. */
  readonly inpMs: number;
  readonly cls: number;
  /** From when on React answers for the page. */
  readonly aliveMs: number;
  readonly scriptBytes: number;
  readonly bytes: number;
  readonly requests: number;
}

/** A phone of the middle, as Lighthouse has it. */
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const CPU_TIMES_SLOWER = 4;
/** Slow 4G as the developer tools of Chromium have it: 150 ms and 1.6 Mbit/s, and what a line loses of both. */
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1_474.56 * 1_024) / 8,
  uploadThroughput: (675 * 1_024) / 8,
};

/** Long enough for a frame of the slow phone after the last touch. */
const SETTLE_MS = 400;

interface Watched {
  lcp: number;
  cls: number;
  inp: number;
  alive: number;
}

declare global {
  interface Window {
    watched: Watched;
  }
}

/** Runs in the page before anything of it does. */
const watch = (): void => {
  const watched: Watched = { lcp: 0, cls: 0, inp: 0, alive: Number.NaN };
  window.watched = watched;
  const each = (type: string, take: (entry: PerformanceEntry) => void, more: object = {}): void =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
  each('largest-contentful-paint', (entry) => (watched.lcp = entry.startTime));
  each('layout-shift', (entry) => {
    const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!shift.hadRecentInput) watched.cls += shift.value;
  });
  const interaction = (entry: PerformanceEntry): void => {
    const { interactionId } = entry as PerformanceEntry & { interactionId?: number };
    if (interactionId !== undefined && interactionId > 0) watched.inp = Math.max(watched.inp, entry.duration);
  };
  each('event', interaction, { durationThreshold: 16 });
  // React leaves its mark on an element when it takes it over.
  const look = (): void => {
    const box = document.querySelector('main a, main button, main input');
    if (box !== null && Object.keys(box).some((key) => key.startsWith('__reactProps')))
      watched.alive = performance.now();
    else requestAnimationFrame(look);
  };
  look();
};

const slowDown = async (devtools: CDPSession): Promise<void> => {
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_TIMES_SLOWER });
};

/** Counts what arrives from now on. */
const countBytes = (devtools: CDPSession): { script: number; all: number; requests: number } => {
  const counted = { script: 0, all: 0, requests: 0 };
  const scripts = new Set<string>();
  devtools.on('Network.responseReceived', ({ type, requestId }) => type === 'Script' && scripts.add(requestId));
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    counted.requests += 1;
    counted.all += encodedDataLength;
    if (scripts.has(requestId)) counted.script += encodedDataLength;
  });
  return counted;
};

/** What anybody does here: look for something, open the menu, change the theme, book. */
const use = async (page: Page): Promise<void> => {
  const box = page.getByRole('combobox', { name: 'Search for a book' });
  await box.tap();
  await box.pressSequentially('wuth', { delay: 120 });
  await page.waitForTimeout(SETTLE_MS);
  await box.press('Escape');
  await page.getByRole('button', { name: 'Menu', exact: true }).tap();
  await page.waitForTimeout(SETTLE_MS);
  await page.getByRole('button', { name: 'Close menu' }).tap();
  await page.waitForTimeout(SETTLE_MS);
  await page.getByRole('button', { name: /theme/i }).first().tap();
  await page.waitForTimeout(SETTLE_MS);
};

/** Visits `path` with an empty cache. */
export const visit = async (browser: Browser, url: string, path: string): Promise<Visit> => {
  const context = await browser.newContext({ ...PHONE, baseURL: url });
  try {
    const page = await context.newPage();
    await page.addInitScript(watch);
    const devtools = await context.newCDPSession(page);
    const counted = countBytes(devtools);
    await slowDown(devtools);
    await page.goto(path, { waitUntil: 'networkidle' });
    const { all: bytes, script: scriptBytes, requests } = counted;
    const fcpMs = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    );
    // The largest paint is settled once somebody touches the page.
    await use(page);
    const { lcp, cls, inp, alive: aliveMs } = await page.evaluate(() => window.watched);
    return { fcpMs, lcpMs: lcp, inpMs: inp, cls, aliveMs, scriptBytes, bytes, requests };
  } finally {
    await context.close();
  }
};
