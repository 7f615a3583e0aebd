// node scripts/sample-photos.ts: draws the sample photos of the demo's books anew, with Chromium (db/seed/photos).
import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { ORDERS_OF } from '#db/seed/orders/demo-orders.ts';
import { DEMO_STORIES } from '#db/seed/orders/demo-order-stories.ts';
import { isFirstCopy, readDemoGoods, type DemoCopy } from '#db/seed/demo-goods.ts';
import { pageOf, sizeOf, type SceneKind } from './sample-photos/scene.ts';

const FOLDER = path.join(import.meta.dirname, '../db/seed/photos');
const WEAR = { Excellent: 0.12, Good: 0.45, Fair: 0.9 } as const;
const JPEG = { quality: 50, mozjpeg: true } as const;

const ageOf = ({ days_ago }: DemoCopy): number => Number(days_ago);

const slugOf = (title: string): string =>
  title
    .replace(/[:;].*$/, '')
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[’']|\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** Not in letters for which a machine may have no typeface. */
const isDrawn = ({ title }: DemoCopy): boolean => slugOf(title) !== '';

/** What the files of a copy are called; of further copies of a book with their sellers. */
const nameOf = (copies: readonly DemoCopy[], copy: DemoCopy): string =>
  isFirstCopy(copies, copy) ? slugOf(copy.title) : `${slugOf(copy.title)}-${slugOf(copy.seller.replace(/@.*$/, ''))}`;

/** A third of all: those that are in orders, and of the newest, which are seen first, two of three. */
const chosenOf = (copies: readonly DemoCopy[]): DemoCopy[] => {
  const count = Math.ceil(copies.length / 3);
  const ordered = Math.max(...DEMO_STORIES.flatMap((story) => story.copies)) + 1;
  const byAge = copies.filter(isDrawn).toSorted((a, b) => ageOf(a) - ageOf(b));
  const sold = byAge.filter(({ seller }) => seller === ORDERS_OF).slice(-ordered);
  const newest = byAge.filter((copy, place) => place % 3 !== 2 && !sold.includes(copy));
  return [...sold, ...newest].slice(0, count);
};

/** The cover of each; what is much read shows where, and of every third another side; of a further copy the cover. */
const kindsOf = (copies: readonly DemoCopy[], copy: DemoCopy, place: number): SceneKind[] => {
  if (!isFirstCopy(copies, copy)) return ['front'];
  if (copy.condition === 'Fair') return ['front', 'damage'];
  if (place % 5 === 0) return ['front', 'spine', 'inside'];
  if (place % 5 === 2) return ['front', 'inside'];
  return place % 10 === 3 ? ['front', 'spine'] : ['front'];
};

const cell = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const system = '/usr/bin/chromium';
const executablePath = process.env['CHROMIUM_PATH'] ?? (existsSync(system) ? system : undefined);
const args = ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
const browser = await chromium.launch({ ...(executablePath !== undefined && { executablePath }), args });
try {
  for (const name of await readdir(FOLDER)) if (name.endsWith('.jpg')) await rm(path.join(FOLDER, name));
  const page = await browser.newPage();
  const rows = ['seller,title,caption,file'];
  let bytes = 0;
  const { copies } = await readDemoGoods();
  for (const [place, copy] of chosenOf(copies).entries()) {
    const { title, authors, seller, condition } = copy;
    for (const kind of kindsOf(copies, copy, place)) {
      await page.setViewportSize(sizeOf(kind));
      await page.setContent(pageOf({ kind, title, authors, wear: WEAR[condition] }));
      const file = `${nameOf(copies, copy)}-${kind}.jpg`;
      const jpeg = await sharp(await page.screenshot())
        .jpeg(JPEG)
        .toBuffer();
      await writeFile(path.join(FOLDER, file), jpeg);
      rows.push([seller, title, kind, file].map(cell).join(','));
      bytes += jpeg.length;
    }
  }
  await writeFile(path.join(FOLDER, 'photos.csv'), `${rows.join('\n')}\n`);
  console.log(`${rows.length - 1} sample photos, ${Math.round(bytes / 1_000)} kB`);
} finally {
  await browser.close();
}
