// node scripts/data/fonts.ts: makes the letters that pages load of Fontsource’s: Latin, in the weights we use.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import subsetFont from 'subset-font';

const FOLDER = path.join(import.meta.dirname, '../../src/web/ui/fonts');
const { resolve } = createRequire(import.meta.url);

export const FAMILIES = ['inter', 'literata'] as const;

/** What Fontsource calls Latin, and `unicode-range` in `app.css` says, without marks that have no letter. */
const RANGES: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2bb, 0x2bc],
  [0x2c6, 0x2c6],
  [0x2da, 0x2da],
  [0x2dc, 0x2dc],
  [0x2000, 0x206f],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2191, 0x2191],
  [0x2193, 0x2193],
  [0x2212, 0x2212],
  [0x2215, 0x2215],
];
const LATIN = RANGES.flatMap(([from, to]) =>
  Array.from({ length: to - from + 1 }, (_, more) => String.fromCodePoint(from + more)),
).join('');

/** Regular to bold: nothing is set thinner or heavier. */
const WEIGHTS = { min: 400, max: 700 } as const;

export const fontFile = (family: (typeof FAMILIES)[number]): string => path.join(FOLDER, `${family}-latin.woff2`);

/** The bytes of a family as pages load them. */
export const makeFont = async (family: (typeof FAMILIES)[number]): Promise<Buffer> => {
  const whole = resolve(`@fontsource-variable/${family}/files/${family}-latin-wght-normal.woff2`);
  return subsetFont(await readFile(whole), LATIN, { targetFormat: 'woff2', variationAxes: { wght: WEIGHTS } });
};

if (import.meta.main) {
  for (const family of FAMILIES) {
    const bytes = await makeFont(family);
    await writeFile(fontFile(family), bytes);
    console.log(`${family}: ${bytes.length} bytes`);
  }
}
