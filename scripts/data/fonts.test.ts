import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { FAMILIES, fontFile, makeFont } from './fonts.ts';

it.each(FAMILIES)('the letters of %s that pages load are made of the package as it is', async (family) => {
  const bytes = await readFile(fontFile(family));
  expect(bytes.equals(await makeFont(family)), 'node scripts/data/fonts.ts').toBe(true);
  expect(bytes.length).toBeLessThan(36_000);
});
