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
const SMALLEST = SIZES[SIZES.length - 1] ?? SIZES[0];
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

/** Hebrew, Arabic and their neighbours; of letters without a direction the next one decides. */
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** The direction of the first letter, as `dir="auto"` finds it. */
const directionOf = (text: string): 'ltr' | 'rtl' => {
  const [first = ''] = /\p{L}/u.exec(text) ?? [];
  return RTL.test(first) ? 'rtl' : 'ltr';
};

/**
 * What begins a subtitle: "Walden: Life in the Woods", "Frankenstein; or, The Modern Prometheus", "Moby-Dick or, The
 * Whale".
 */
const SUBTITLE = /\s*[:;؛]\s.*$|,?\s+or,\s.*$|\s+[–—]\s.*$/u;

/**
 * The title as a cover shows it: without series in brackets at its end, and without a subtitle where what is left has a
 * word in it.
 */
const shortTitle = (title: string): string => {
  const whole = title.replace(/\s*\([^()]*\)\s*$/, '').trim();
  const main = whole.replace(SUBTITLE, '').trim();
  if (/\p{L}{3}/u.test(main) || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(main))
    return main;
  return whole === '' ? title.trim() : whole;
};

/** How wide a letter of the bold serif is at most, in its size: fonts differ between machines, the frame must hold. */
const measured = (letter: string): number => {
  if (/[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]|\p{Extended_Pictographic}/u.test(letter))
    return 1.1;
  if (/[MWmw@%…—]/.test(letter)) return 1;
  if (/\p{Lu}/u.test(letter)) return 0.8;
  if (/[iljtfr.,:;'’!|()[\]\- ]/.test(letter)) return 0.42;
  return /\p{M}/u.test(letter) ? 0 : 0.63;
};

// Measured once each, for the letters that nearly all titles are of: a page draws dozens of covers.
const COMMON = Array.from({ length: 0x250 }, (_, code) => measured(String.fromCharCode(code)));
const widthOfLetter = (letter: string): number => COMMON[letter.codePointAt(0) ?? 0] ?? measured(letter);

const widthOf = (text: string): number => {
  let width = 0;
  for (const letter of text) width += widthOfLetter(letter);
  return width;
};

const VOWEL = /[aeiouyäöüáéíóúàèìòùâêîôûåæøœ]/i;
/** Scripts that break a line anywhere, without a hyphen. */
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff\uff00-\uffef]/;

/** Where a word may be broken: before a consonant that begins a syllable, two letters from either end at least. */
const isBreak = (letters: readonly string[], place: number): boolean => {
  if (place < 2 || place > letters.length - 2) return false;
  const [before = '', here = '', after = ''] = [letters[place - 1], letters[place], letters[place + 1]];
  return (
    !VOWEL.test(here) &&
    VOWEL.test(after) &&
    letters.slice(0, place).some((letter) => VOWEL.test(letter)) &&
    before !== '-'
  );
};

/**
 * A word that is wider than a line, in parts that are not: after hyphens of its own, between syllables, or where it
 * must be.
 */
const partsOf = (word: string, most: number): string[] => {
  if (widthOf(word) <= most) return [word];
  const parts: string[] = [];
  let letters = [...word];
  while (widthOf(letters.join('')) > most) {
    let fits = 1;
    while (fits < letters.length && widthOf(letters.slice(0, fits + 1).join('')) + widthOfLetter('-') <= most)
      fits += 1;
    const places = Array.from({ length: fits }, (_, step) => fits - step);
    const own = places.find((place) => /[-/‐–]/.test(letters[place - 1] ?? ''));
    const place = own ?? places.find((candidate) => isBreak(letters, candidate)) ?? fits;
    const part = letters.slice(0, place).join('');
    parts.push(own !== undefined || UNSPACED.test(part.at(-1) ?? '') ? part : `${part}-`);
    letters = letters.slice(place);
  }
  return letters.length === 0 ? parts : [...parts, letters.join('')];
};

/** `text` in lines of at most `most` times its size. */
const wrap = (text: string, most: number): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const [first = '', ...more] = partsOf(word, most);
    const longer = line === '' ? first : `${line} ${first}`;
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

/** The largest size in which no word is broken and all lines fit; else the smallest, cut. */
const fitTitle = (title: string): { size: number; lines: readonly string[] } => {
  const widest = Math.max(...title.split(/\s+/).map(widthOf));
  for (const { size, lines: most } of SIZES) {
    const lines = wrap(title, TEXT_WIDTH / size);
    if (widest * size <= TEXT_WIDTH && lines.length <= most) return { size, lines };
  }
  // A word that is too long for any: broken in letters that can be read.
  for (const { size, lines: most } of SIZES.slice(2)) {
    const lines = wrap(title, TEXT_WIDTH / size);
    if (lines.length <= most) return { size, lines };
  }
  return { size: SMALLEST.size, lines: cut(wrap(title, TEXT_WIDTH / SMALLEST.size - widthOf(' …')), SMALLEST.lines) };
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
    direction: directionOf(shown),
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
