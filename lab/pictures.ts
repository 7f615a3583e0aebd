// npm run pictures -w lab: a picture of every screen of a demo shop in both themes, on a phone and a desk, and what can
// be measured of each (lab/docs/pictures.md).
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { formatMarkdown } from '#scripts/docs/markdown.ts';
import { launchChromium } from '#lab/pictures/browser.ts';
import { takeDocsPictures } from '#lab/pictures/docs-pictures.ts';
import { lookAt, openScreen, type Seen } from '#lab/pictures/look-at.ts';
import { LOOKS } from '#lab/pictures/looks.ts';
import { problemsOf, tableOf, type Shelf } from '#lab/pictures/report.ts';
import { SCREENS, type Screen } from '#lab/pictures/screens.ts';
import { openShopToShow, readFacts, type Facts } from '#lab/pictures/shop.ts';
import { openWindow, WHO } from '#lab/pictures/visitor.ts';
import { weigh } from '#lab/pictures/weights.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    at: { type: 'string' },
    only: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
});

const RESULTS = path.join(import.meta.dirname, 'docs/pictures.md');
const MEASURED = '## Measured';
/** Not among the screens: pages that were asked for before may be kept. */
const FULL_SHELF = { id: 'travel', count: 24 } as const;

const out =
  values.out === undefined ? await mkdtemp(path.join(tmpdir(), 'dogear-pictures-')) : path.resolve(values.out);
await mkdir(out, { recursive: true });

/** Screens that could not be opened. */
const failures: string[] = [];

const takeAll = async (browser: Browser, url: string, facts: Facts, screens: readonly Screen[]): Promise<Seen[]> => {
  const seen: Seen[] = [];
  for (const look of LOOKS) {
    for (const who of WHO) {
      const theirs = screens.filter((screen) => screen.who === who && (screen.only ?? look.width) === look.width);
      // What a screen changes of its window, such as the network, is gone with it.
      let visitor = theirs.length === 0 ? undefined : await openWindow(browser, url, who, look);
      for (const screen of theirs) {
        visitor ??= await openWindow(browser, url, who, look);
        try {
          if (await openScreen(visitor, screen, facts)) seen.push(await lookAt(visitor.page, screen, look, out));
          else console.log(`${screen.name}: the shop has nothing to show there`);
        } catch (error) {
          const [why] = String(error).split('\n');
          failures.push(`${screen.name}, ${look.theme}, ${look.width} px: ${why}`);
        }
        if (screen.before === undefined && screen.name !== 'offline') continue;
        await visitor.leave();
        visitor = undefined;
      }
      await visitor?.leave();
    }
  }
  return seen;
};

const shelfOf = async (browser: Browser, url: string, facts: Facts): Promise<Shelf> => {
  const address = `/category/${FULL_SHELF.id}`;
  const screen: Screen = { name: 'category-of-24', who: 'visitor', path: () => address };
  const seen = await takeAll(browser, url, facts, [screen]);
  return { seen, weight: await weigh(url, address) };
};

const began = performance.now();
const own = values.at === undefined ? await openShopToShow() : undefined;
const url = own?.url ?? values.at ?? '';
const browser = await launchChromium();
let problems: string[] = [];
try {
  const facts = await readFacts(browser, url, own !== undefined);
  if (values.docs) console.log(await takeDocsPictures(browser, url, facts));
  else {
    const only = values.only === undefined ? /(?:)/ : new RegExp(values.only);
    const screens = SCREENS.filter(({ name }) => only.test(name));
    const seen = await takeAll(browser, url, facts, screens);
    let shelf: Shelf | undefined;
    if (own !== undefined && only.test('category-of-24')) {
      await own.giveEachOne(FULL_SHELF);
      shelf = await shelfOf(browser, url, facts);
    }
    const table = tableOf(seen, shelf);
    problems = [...failures, ...problemsOf(seen, shelf)];
    console.log(`${table}\n\nPictures: ${out}`);
    // What lies beside the code is of a whole run only.
    if (shelf !== undefined && values.only === undefined) {
      const [before = ''] = (await readFile(RESULTS, 'utf8')).split(MEASURED);
      const minutes = ((performance.now() - began) / 60_000).toFixed(0);
      const when = `${seen.length} pictures in ${minutes} minutes, Chromium ${browser.version()}:`;
      const page = `${before}${MEASURED}\n\n${when}\n\n${table}\n`;
      await writeFile(RESULTS, await formatMarkdown(page));
    }
    console.log(problems.length === 0 ? 'All bars are held.' : `Below the bars:\n${problems.join('\n')}`);
  }
} finally {
  await browser.close();
  await own?.close();
}
process.exitCode = problems.length === 0 ? 0 : 1;
