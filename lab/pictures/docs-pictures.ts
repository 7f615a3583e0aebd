// The pictures of the README and docs/: few, small, each of one window.
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { openScreen } from './look-at.ts';
import type { Look } from './looks.ts';
import { SCREENS } from './screens.ts';
import type { Facts } from './shop.ts';
import { openWindow } from './visitor.ts';

const folder = path.join(import.meta.dirname, '../../docs/pictures');
/** All of them together, so that a clone stays small. */
const MOST_BYTES = 400_000;
const SIZES = { 360: { width: 390, height: 780 }, 1280: { width: 1280, height: 820 } } as const;

const PICTURES: readonly (Look & { readonly file: string; readonly screen: string })[] = [
  { file: 'home-light', screen: 'home', theme: 'light', width: 1280 },
  { file: 'search-light', screen: 'search', theme: 'light', width: 1280 },
  { file: 'category-dark', screen: 'category', theme: 'dark', width: 1280 },
  { file: 'money-dark', screen: 'money', theme: 'dark', width: 1280 },
  { file: 'book-phone-light', screen: 'book', theme: 'light', width: 360 },
  { file: 'booking-phone-light', screen: 'booking-dialog', theme: 'light', width: 360 },
  { file: 'search-phone-dark', screen: 'search-mistyped', theme: 'dark', width: 360 },
  { file: 'sign-in-phone-dark', screen: 'login', theme: 'dark', width: 360 },
];

const shoot = async (page: Page, file: string): Promise<void> => {
  const shot = await page.screenshot({ animations: 'disabled' });
  await sharp(shot)
    .png({ palette: true, quality: 90, effort: 10 })
    .toFile(path.join(folder, `${file}.png`));
};

/** Takes them anew; says what they weigh together, and throws where that is more than a clone should carry. */
export const takeDocsPictures = async (browser: Browser, url: string, facts: Facts): Promise<string> => {
  for (const { file, screen: name, theme, width } of PICTURES) {
    const screen = SCREENS.find((one) => one.name === name);
    if (screen === undefined) throw new Error(`There is no screen called ${name}.`);
    const visitor = await openWindow(browser, url, screen.who, { theme, width });
    try {
      await visitor.page.setViewportSize(SIZES[width]);
      if (await openScreen(visitor, screen, facts)) await shoot(visitor.page, file);
    } finally {
      await visitor.leave();
    }
  }
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(folder, name))).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes > MOST_BYTES) throw new Error(`docs/pictures has ${bytes} bytes, at most ${MOST_BYTES} are allowed.`);
  return `${names.length} pictures in docs/pictures, ${bytes} bytes`;
};
