/** How many pairs of cloth and ink there are in `cover.css`. */
const CLOTHS = 12;
const ORNAMENTS = [
  'edged',
  'banded',
  'ruled',
  'panelled',
  'arched',
  'lined',
  'sided',
  'dotted',
  'cornered',
  'sunned',
] as const;

/** Sizes a title is tried in, in units of a 200 by 300 cover, and how many lines of each fit. */
const SIZES = [
  { size: 30, lines: 4 },
  { size: 25, lines: 5 },
  { size: 21, lines: 6 },
  { size: 17, lines: 7 },
  { size: 14, lines: 9 },
  { size: 12, lines: 10 },
] as const;
const SMALLEST = SIZES[5];
/** What is inside the frame, in the same units. */
const TEXT_WIDTH = 156;
const AUTHOR_SIZE = 13.5;

export interface CoverArt {
  /** The place of its cloth in `cover.css`. */
  readonly cloth: number;
  readonly ornament: (typeof ORNAMENTS)[number];
  readonly size: number;
  /** Which way the title is read: where a colon ends up. */
  readonly direction: 'ltr' | 'rtl';
  readonly lines: readonly string[];
  readonly authorLines: readonly string[];
}

/** FNV-1a, 32 bits: the same number for the same text on every machine. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  }
  return hash >>> 0;
};

/** Where the first letter is one of Hebrew, Arabic and their neighbours, as `dir="auto"` finds it. */
const RTL = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

/** Letters that are as wide as they are high. */
const WIDE = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/;

/**
 * What begins a subtitle: "Walden: Life in the Woods", "Frankenstein; or, The Modern Prometheus", "Moby-Dick or, The
 * Whale".
 */
const SUBTITLE = /\s*[:;؛]\s.*$|：.*$|,?\s+or,\s.*$|\s+[–—]\s.*$/u;

/**
 * The title as a cover shows it: without series in brackets at its end, and without a subtitle where what is left has a
 * word in it.
 */
const shortTitle = (title: string): string => {
  const whole = title.replace(/\s*\([^()]*\)\s*$/, '').trim();
  const main = whole.replace(SUBTITLE, '').trim();
  if (/\p{L}{3}/u.test(main) || WIDE.test(main)) return main;
  return whole === '' ? title.trim() : whole;
};

/** How wide a letter of the bold serif is at most, in its size: fonts differ between machines, the frame must hold. */
const measured = (letter: string): number => {
  if (WIDE.test(letter) || /\p{Extended_Pictographic}/u.test(letter)) return 1.1;
  if (/[MWmw@%…—]/.test(letter)) return 1;
  if (/\p{Lu}/u.test(letter)) return 0.8;
  if (/[iljtfr.,:;'’!|()[\]\- ]/.test(letter)) return 0.42;
  return /\p{M}/u.test(letter) ? 0 : 0.63;
};

// Measured once each: a page draws dozens of covers.
const widths: Record<string, number> = {};

const widthOf = (text: string): number => {
  let width = 0;
  for (const letter of text) width += widths[letter] ??= measured(letter);
  return width;
};

const VOWEL = /[aeiouy\u00e0-\u00e6\u00e8-\u00ef\u00f2-\u00fc\u0153]/i;

/** Where a word may be broken: before a consonant that begins a syllable, two letters from either end at least. */
const isBreak = (letters: readonly string[], place: number): boolean => {
  if (place < 2 || place > letters.length - 2) return false;
  const [here = '', after = ''] = letters.slice(place);
  return !VOWEL.test(here) && VOWEL.test(after) && VOWEL.test(letters.slice(0, place).join(''));
};

/** A word that is wider than a line, in parts that are not: between syllables, or where it must be. */
const partsOf = (word: string, most: number): string[] => {
  const parts: string[] = [];
  let letters = [...word];
  while (widthOf(letters.join('')) > most) {
    let fits = 1;
    while (fits < letters.length && widthOf(`${letters.slice(0, fits + 1).join('')}-`) <= most) fits += 1;
    let place = fits;
    while (place > 1 && !isBreak(letters, place)) place -= 1;
    if (place === 1) place = fits;
    parts.push(`${letters.slice(0, place).join('')}-`);
    letters = letters.slice(place);
  }
  return letters.length === 0 ? parts : [...parts, letters.join('')];
};

/** Marks where a line may end without a space; it is never drawn. */
const JOINT = '\u200b';
/** In Chinese and Japanese, which write no spaces: before what a particle or a mark has ended. */
const WORD_ENDS = /(?<=[ぁ-ゟ・·])(?=[一-鿿ァ-ヺ])/g;
/** Between any two letters of scripts that write no spaces, but not before a mark or a small one; and after hyphens. */
const OWN_PLACES =
  /(?<=[-/‐–])|(?<=[\u0e00-\u17ff\u2e80-\ua4cf])(?=[\u0e00-\u17ff\u2e80-\ua4cf])(?![\p{M}っゃゅょァィェォッャュョー・、。])/gu;

/** `text` in lines of at most `most` times its size. */
const wrap = (text: string, most: number): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const [, joint, word = ''] of text.matchAll(/(?:^|(\u200b)|\s+)([^\s\u200b]*)/g)) {
    const [first = '', ...more] = partsOf(word, most);
    const longer = line === '' ? first : line + (joint === undefined ? ' ' : '') + first;
    if (widthOf(longer) <= most) line = longer;
    else {
      lines.push(line);
      line = first;
    }
    for (const part of more) {
      lines.push(line);
      line = part;
    }
  }
  if (line !== '') lines.push(line);
  return lines;
};

const cut = (lines: readonly string[], most: number): string[] =>
  lines.length <= most
    ? [...lines]
    : [...lines.slice(0, most - 1), `${(lines[most - 1] ?? '').replace(/[\s,.;:-]*$/, '')} …`];

type Fit = Pick<CoverArt, 'size' | 'lines'>;

/** Lines that are shorter and more alike, where they are no more. */
const ALIKE = 0.8;

/** The largest of `sizes` in which no word is broken and all lines fit. */
const fit = (text: string, sizes: readonly (typeof SIZES)[number][]): Fit | undefined => {
  const widest = Math.max(...text.split(/[\s\u200b]+/).map(widthOf));
  for (const { size, lines: most } of sizes) {
    const measure = TEXT_WIDTH / size;
    if (widest > measure) continue;
    const lines = wrap(text, measure);
    if (lines.length > most) continue;
    const alike = wrap(text, Math.max(widest, measure * ALIKE));
    return { size, lines: alike.length === lines.length ? alike : lines };
  }
  return undefined;
};

/**
 * In letters that can be read without breaking a word, or a long one only where it has a place of its own for that;
 * else the smallest, cut.
 */
const fitTitle = (title: string): Fit => {
  const words = title.replace(WORD_ENDS, JOINT);
  const parts = title.replace(OWN_PLACES, JOINT);
  const whole = fit(words, SIZES.slice(0, 4)) ?? fit(parts, SIZES.slice(2, 4)) ?? fit(words, SIZES.slice(4));
  if (whole !== undefined) return whole;
  // A word that is too long for any: broken in letters that can be read.
  for (const { size, lines: most } of SIZES.slice(2)) {
    const lines = wrap(parts, TEXT_WIDTH / size);
    if (lines.length <= most) return { size, lines };
  }
  const { size, lines: most } = SMALLEST;
  return { size, lines: cut(wrap(parts, TEXT_WIDTH / size - widthOf(' …')), most) };
};

const firstAuthors = (authors: string): string => {
  const names = authors
    .split(/[,;]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length <= 2) return names.join(' & ');
  return `${names[0]} and others`;
};

const artOf = (title: string, authors: string): CoverArt => {
  const hash = hashOf(`${title}\n${authors}`);
  const shown = shortTitle(title);
  const author = firstAuthors(authors);
  return {
    cloth: hash % CLOTHS,
    ornament: ORNAMENTS[Math.floor(hash / CLOTHS) % ORNAMENTS.length] ?? 'edged',
    direction: RTL.test(shown) ? 'rtl' : 'ltr',
    ...fitTitle(shown === '' ? 'Untitled' : shown),
    authorLines: author === '' ? [] : cut(wrap(author, TEXT_WIDTH / AUTHOR_SIZE), 2),
  };
};

/** What was drawn last: setting a title takes as long as rendering the rest of its card. */
const drawn = new Map<string, CoverArt>();
const MOST_DRAWN = 2_000;

/**
 * How the cover of a book without a picture looks. A pure function of title and authors, so that server, browser and
 * every page draw the same book.
 */
export const coverArt = (title: string, authors: string): CoverArt => {
  const key = `${title}\n${authors}`;
  let art = drawn.get(key);
  if (art === undefined) {
    art = artOf(title, authors);
    if (drawn.size >= MOST_DRAWN) drawn.clear();
    drawn.set(key, art);
  }
  return art;
};
