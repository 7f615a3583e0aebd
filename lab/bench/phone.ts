// npm run bench:phone -w lab: what somebody with a slow phone on a slow line waits for, in Chromium
// (lab/docs/phone.md).
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { openDemoShop } from './demo-shop.ts';
import { openPicturedShop } from './pictured-shop.ts';
import { visit, type Visit } from './phone-visit.ts';

/** Of several loads the median counts. */
const RUNS = 5;

const { values } = parseArgs({
  options: { url: { type: 'string' }, runs: { type: 'string' }, photos: { type: 'boolean', default: false } },
});
const runs = Number(values.runs ?? RUNS);

const medianOf = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;

/** The median of each figure by itself, and the span of the one that a busy machine moves most. */
const median = (visits: readonly Visit[], figure: keyof Visit): number => medianOf(visits.map((one) => one[figure]));

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const seconds = (ms: number): string => (ms / 1_000).toFixed(2);
const kb = (bytes: number): string => (bytes / 1_000).toFixed(1);

const HEADS = [
  'page',
  'FCP s',
  'LCP s',
  'LCP worst',
  'INP ms',
  'INP worst',
  'CLS',
  'alive s',
  'JS kB',
  'all kB',
  'requests',
];

const system = '/usr/bin/chromium';
const executablePath = process.env['CHROMIUM_PATH'] ?? (existsSync(system) ? system : undefined);
// Root has no sandbox; everywhere else the browser keeps its own.
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const open = values.photos ? openPicturedShop : openDemoShop;
const shop = values.url === undefined ? await open() : { url: values.url, close: async () => {} };
const browser = await chromium.launch({ ...(executablePath !== undefined && { executablePath }), args });
try {
  const listed = (await (await fetch(`${shop.url}/api/categories?limit=1`)).json()) as { _id: string }[];
  const pages = ['/', '/category/fantasy', '/search?q=the', `/book/${listed[0]?._id}`];
  console.log(`Chromium ${browser.version()}, processor 4 times slower, slow 4G, the median of ${runs} loads\n`);
  console.log(row(HEADS));
  console.log(row(HEADS.map(() => '---')));
  for (const page of pages) {
    const visits: Visit[] = [];
    for (let run = 0; run < runs; run += 1) visits.push(await visit(browser, shop.url, page));
    const worst = (figure: keyof Visit): number => Math.max(...visits.map((one) => one[figure]));
    console.log(
      row([
        page.replace(/[0-9a-f-]{36}/, '…'),
        seconds(median(visits, 'fcpMs')),
        seconds(median(visits, 'lcpMs')),
        seconds(worst('lcpMs')),
        Math.round(median(visits, 'inpMs')),
        Math.round(worst('inpMs')),
        median(visits, 'cls').toFixed(3),
        seconds(median(visits, 'aliveMs')),
        kb(median(visits, 'scriptBytes')),
        kb(median(visits, 'bytes')),
        median(visits, 'requests'),
      ]),
    );
  }
} finally {
  await browser.close();
  await shop.close();
}
