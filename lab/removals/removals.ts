// How each feature is taken out, so that the tests that prove it can be seen failing.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '#test/specification/document.ts';

/** One edit: `find` stands exactly once in `file`, relative to the project, however that is formatted. */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** The edits that take a feature out, or the number of the statement whose edits do. */
type Entry = readonly Edit[] | { readonly same: string };

const FOLDER = import.meta.dirname;

export class WrongRemoval extends Error {
  override readonly name = 'WrongRemoval';
}

/** Every entry of every file of removals, by the number of its statement. */
const readEntries = (): Map<string, Entry> => {
  const entries = new Map<string, Entry>();
  for (const name of readdirSync(FOLDER).filter((file) => file.startsWith('section-'))) {
    const section = /^section-(\d+)/.exec(name)?.[1];
    const read = JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8')) as Record<string, Entry>;
    for (const [number, entry] of Object.entries(read)) {
      if (!number.startsWith(`${section}.`)) throw new WrongRemoval(`${number} does not belong into ${name}`);
      if (entries.has(number)) throw new WrongRemoval(`${number} is there twice`);
      entries.set(number, entry);
    }
  }
  return entries;
};

/** The edits of each statement, those of another one followed to it. */
export const readRemovals = (): Map<string, readonly Edit[]> => {
  const entries = readEntries();
  const removals = new Map<string, readonly Edit[]>();
  for (const [number, entry] of entries) {
    const edits = 'same' in entry ? entries.get(entry.same) : entry;
    if (edits === undefined || 'same' in edits) throw new WrongRemoval(`${number} leads to no edits`);
    removals.set(number, edits);
  }
  return removals;
};

/**
 * `text` without what a formatter decides about, white space and commas before a closing bracket, and where each
 * character of it stood.
 */
const bare = (text: string): { readonly text: string; readonly at: readonly number[] } => {
  const kept = [...text.matchAll(/[^\s,]|,(?!\s*[)\]}])/g)];
  return { text: kept.map(([character]) => character).join(''), at: kept.map(({ index }) => index) };
};

/** Where `part` stands in `text`, as written or in another format: from and to, for each time. */
const placesOf = (text: string, part: string): { readonly from: number; readonly to: number }[] => {
  if (part.trim() === '') return [];
  const places: { from: number; to: number }[] = [];
  for (let from = text.indexOf(part); from >= 0; from = text.indexOf(part, from + part.length))
    places.push({ from, to: from + part.length });
  if (places.length > 0) return places;
  const [all, sought] = [bare(text), bare(part)];
  for (let at = all.text.indexOf(sought.text); at >= 0; at = all.text.indexOf(sought.text, at + sought.text.length))
    places.push({ from: all.at[at] ?? 0, to: (all.at[at + sought.text.length - 1] ?? 0) + 1 });
  return places;
};

const textOf = (folder: string, file: string): string => {
  try {
    return readFileSync(path.join(folder, file), 'utf8');
  } catch {
    throw new WrongRemoval(`there is no ${file}`);
  }
};

/** Each file an entry changes with its text before and after; throws where an edit does not fit. */
export const applied = (
  edits: readonly Edit[],
  folder = root,
): Map<string, { readonly before: string; readonly after: string }> => {
  const changed = new Map<string, { before: string; after: string }>();
  if (edits.length === 0) throw new WrongRemoval('takes nothing out');
  for (const { file, find, replace } of edits) {
    const { before, after } = changed.get(file) ?? { before: textOf(folder, file), after: textOf(folder, file) };
    const [place, ...others] = placesOf(after, find);
    if (place === undefined || others.length > 0)
      throw new WrongRemoval(`${JSON.stringify(find)} stands ${place ? others.length + 1 : 0} times in ${file}`);
    if (find === replace) throw new WrongRemoval(`${JSON.stringify(find)} stays as it is`);
    changed.set(file, { before, after: after.slice(0, place.from) + replace + after.slice(place.to) });
  }
  return changed;
};
