// One screen in one look: its picture, and what can be measured of it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { HEIGHTS, type Look } from './looks.ts';
import type { Screen } from './screens.ts';
import type { Facts } from './shop.ts';
import type { Visitor } from './visitor.ts';

declare global {
  interface Window {
    axe: { run: (options: RunOptions) => Promise<AxeResults> };
  }
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Seen {
  readonly screen: string;
  readonly look: Look;
  readonly heightPx: number;
  /** How much wider the page is than its window. */
  readonly sidewaysPx: number;
  readonly cls: number;
  /** What moved, the first of each shift. */
  readonly moved: readonly string[];
  readonly axe: readonly string[];
}

/** Longer pictures than that WebP does not know. */
const LONGEST_PX = 16_000;
const QUALITY = 80;

/** Waits until what moves has come to rest: axe takes what is still see-through for absent. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    await document.fonts.ready;
    const finite = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(finite.map(({ finished }) => finished));
  });

/** A page that is not there yet has no heading. */
const NOT_YET = { 'page-has-heading-one': { enabled: false } };

const axeFindings = async (page: Page, { loading }: Screen): Promise<string[]> => {
  // Chromium tells the styles of a card that was laid out just now, or is not yet, as if it had none.
  await page.evaluate(async () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { content-visibility: visible !important }');
    document.adoptedStyleSheets.push(sheet);
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
  await page.evaluate(axeSource);
  const options: RunOptions = { resultTypes: ['violations'], ...(loading === true && { rules: NOT_YET }) };
  const { violations } = await page.evaluate((how) => window.axe.run(how), options);
  return violations.map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html.slice(0, 160) ?? ''}`);
};

/** Pictures load when they come near: goes down the page and back up. */
const bringPictures = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager';
    const waiting = [...document.images].filter(({ complete }) => !complete);
    const over = new Promise((resolve) => setTimeout(resolve, 3_000));
    await Promise.race([Promise.all(waiting.map((image) => image.decode().catch(() => {}))), over]);
  });

const arrive = async (page: Page, screen: Screen): Promise<void> => {
  if (screen.loading === true) {
    await page.locator('.skeleton').locator('visible=true').first().waitFor();
    return;
  }
  await page.locator('main h1').first().waitFor();
  await page
    .locator('main :is([aria-busy="true"], .skeleton)')
    .locator('visible=true')
    .first()
    .waitFor({ state: 'detached' });
};

/** Opens a screen and waits until it stands; false where the shop has nothing to show there. */
export const openScreen = async (visitor: Visitor, screen: Screen, facts: Facts): Promise<boolean> => {
  const address = screen.path(facts);
  if (address === undefined) return false;
  const { page } = visitor;
  await screen.before?.(visitor);
  // A form that begins with the same address but for its fragment would not load anew.
  await page.goto('about:blank');
  await page.goto(address, { waitUntil: screen.loading === true ? 'commit' : 'load' });
  await arrive(page, screen);
  if (screen.loading !== true) await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => {});
  await screen.open?.(page);
  await settled(page);
  return true;
};

/** Measures the screen that is open, and puts its picture into `folder`. */
export const lookAt = async (page: Page, screen: Screen, look: Look, folder: string): Promise<Seen> => {
  const { cls, moved } = await page.evaluate(() => window.shifted);
  const { heightPx, sidewaysPx } = await page.evaluate(() => {
    const { scrollHeight, scrollWidth, clientWidth } = document.documentElement;
    return { heightPx: scrollHeight, sidewaysPx: scrollWidth - clientWidth };
  });
  const axe = await axeFindings(page, screen);
  if (screen.over !== true) await bringPictures(page);
  const shot = await page.screenshot({ fullPage: screen.over !== true, animations: 'disabled' });
  const height = screen.over === true ? HEIGHTS[look.width] : Math.min(heightPx, LONGEST_PX);
  const file = path.join(folder, `${screen.name}-${look.theme}-${look.width}.webp`);
  const { height: shotHeight } = await sharp(shot).metadata();
  await sharp(shot)
    .extract({ left: 0, top: 0, width: look.width, height: Math.min(height, shotHeight) })
    .webp({ quality: QUALITY })
    .toFile(file);
  return { screen: screen.name, look, heightPx, sidewaysPx, cls, moved, axe };
};
