// What of the specification the document leaves out: the statements quote it, and what nobody quotes is missing.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root, sectionOf, type Statement } from './document.ts';

const SPECIFICATION = path.join(root, '../shared/spec.md');

/** Words that say nothing alone: between two statements they may stay behind. */
const FILLERS = new Set([
  'a',
  'also',
  'an',
  'and',
  'are',
  'by',
  'each',
  'is',
  'it',
  'of',
  'on',
  'or',
  'the',
  'then',
  'with',
]);

/**
 * The text of each numbered section, without marks of layout; undefined where the specification does not lie beside the
 * project.
 */
export const readSections = (): Map<string, string> | undefined => {
  if (!existsSync(SPECIFICATION)) return undefined;
  const sections = new Map<string, string>();
  const parts = readFileSync(SPECIFICATION, 'utf8').split(/^## /m).slice(1);
  for (const part of parts) {
    const number = part.slice(0, part.indexOf('.'));
    const text = part
      .slice(part.indexOf('\n'))
      .split('\n')
      .filter((line) => !/^#|^\|[-|]+\|$|^\| (Route|Method and path) \|/.test(line));
    sections.set(number, plain(text.join('\n')));
  }
  return sections;
};

/** Without bold marks, bars of tables, list marks and line ends. */
const plain = (text: string): string =>
  text
    .replaceAll('**', '')
    .replaceAll(/^\s*(- |\d+\. )/gm, '')
    .replaceAll(/\s*\|\s*/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The words a statement quotes: all but what is ours, in square brackets or after "(read as", parted by "…". */
export const quotesOf = (text: string): string[] =>
  text
    .replace(/\(read as:.*\)/, '')
    .split(/\[[^\]]*\]|…/)
    .map((quote) => plain(quote))
    .filter((quote) => /[\w$]/.test(quote));

const meaning = (text: string): string =>
  text
    .split(/[^\w$/{}?=&*!@#%^]+/)
    .filter((word) => word !== '' && !FILLERS.has(word.toLowerCase()) && /[\w$]/.test(word))
    .join(' ');

/** Every place where a quote stands in a section. */
const placesOf = (section: string, quote: string): number[] => {
  const places: number[] = [];
  for (let at = section.indexOf(quote); at !== -1; at = section.indexOf(quote, at + 1)) places.push(at);
  return places;
};

/**
 * The place a quote means: one that nobody has quoted yet, from `from` on if there is one; undefined when it is not
 * said at all.
 */
const placeOf = (places: readonly number[], from: number, isQuoted: (place: number) => boolean): number | undefined => {
  const fresh = places.filter((place) => !isQuoted(place));
  return fresh.find((place) => place >= from) ?? fresh[0] ?? places[0];
};

/** Stands for what is quoted; bars are no part of the text that is compared. */
const QUOTED = '|';

export interface Coverage {
  /** What the specification says and no statement quotes. */
  readonly missing: readonly string[];
  /** Quotes that the specification does not contain. */
  readonly invented: readonly string[];
}

/** Compares the statements with the sections they are numbered after. */
export const coverageOf = (statements: readonly Statement[], sections: ReadonlyMap<string, string>): Coverage => {
  const missing: string[] = [];
  const invented: string[] = [];
  for (const [number, section] of sections) {
    const left = [...section];
    let from = 0;
    for (const statement of statements.filter((one) => sectionOf(one.number) === number)) {
      for (const quote of quotesOf(statement.text)) {
        const isQuoted = (place: number): boolean =>
          left.slice(place, place + quote.length).every((letter) => letter === QUOTED);
        const place = placeOf(placesOf(section, quote), from, isQuoted);
        if (place === undefined) invented.push(`${statement.number}: ${quote}`);
        else {
          left.fill(QUOTED, place, place + quote.length);
          from = Math.max(from, place);
        }
      }
    }
    const gaps = left.join('').split(QUOTED);
    missing.push(...gaps.filter((gap) => meaning(gap) !== '').map((gap) => `${number}: ${gap.trim()}`));
  }
  return { missing, invented };
};
