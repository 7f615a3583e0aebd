import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { settled } from './axe.ts';

const PHONE_PX = 390;

/** Pictures to look at, in both themes on a phone and a desk, where `TEST_PICTURES` names a folder for them. */
export const shoot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['TEST_PICTURES'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  for (const width of [PHONE_PX, 1280]) {
    for (const theme of ['light', 'dark']) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate((to) => document.documentElement.setAttribute('data-theme', to), theme);
      // Colours fade into each other.
      await settled(page);
      await page.screenshot({ path: path.join(folder, `${name}-${width}-${theme}.png`), fullPage: true });
    }
  }
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'light'));
  await page.setViewportSize({ width: PHONE_PX, height: 900 });
};
