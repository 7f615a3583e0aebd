import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

declare global {
  interface Window {
    axe: { run: (options: RunOptions) => Promise<AxeResults> };
  }
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Waits until what is opening has opened: axe takes what is still see-through for absent. */
export const settled = async (page: Page): Promise<void> => {
  await page.evaluate(async () => {
    // What was just put on the page begins to move with the frame after the next.
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    const finite = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(finite.map(({ finished }) => finished));
  });
};

/**
 * Cards beyond the window are not laid out before somebody comes near (`content-visibility`), and Chromium tells the
 * styles of one at the edge as if it had none: for axe all of them are laid out.
 */
export const layOutAll = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { content-visibility: visible !important }');
    document.adoptedStyleSheets.push(sheet);
  });

/** What axe finds on the page, as lines to read. */
const axeFindings = async (page: Page): Promise<string[]> => {
  await layOutAll(page);
  // Half a megabyte of source; a document that was looked at before has it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() =>
    window.axe.run({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }),
  );
  return violations.flatMap((violation) => violation.nodes.map((node) => `${violation.id}: ${node.html}`));
};

const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** What must hold of every page, and of every dialog on it: nothing for axe, nothing beyond the edge of the screen. */
export const expectAccessible = async (page: Page, what: string): Promise<void> => {
  await settled(page);
  expect.soft(await sidewaysScroll(page), `${what}: sideways scroll`).toBeLessThanOrEqual(0);
  expect.soft(await axeFindings(page), `${what}: axe`).toEqual([]);
};
