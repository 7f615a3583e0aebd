import type { Db } from '#server/platform/postgres/db.ts';
import { findNearWords } from '#server/catalog/search/near-words.queries.ts';
import { countFound } from '#server/catalog/search/search.queries.ts';
import { wordShares } from '#server/catalog/search/word-shares.service.ts';
import { wordingOfWords } from '#server/catalog/search/wording.ts';

/** Of more words than these the rarest are looked at. */
const MOST_KEPT = 5;
/** How far each is counted: enough to tell the rarest. */
const COUNTED = 200;
/**
 * Where others are dropped, a corrected word stands alone only where it is long: fewer letters are too easily near
 * another.
 */
const LEAST_ALONE = 7;

/** Words that say nothing about a book by themselves. */
const LITTLE = new Set(
  'a an and as at by for from in into is it its of on or that the this to with under over below above near than more less up'.split(
    ' ',
  ),
);

/** Whether a typed word says by itself what is looked for. */
const isTelling = (typed: string, spare: ReadonlySet<string>): boolean =>
  typed.length > 1 && !LITTLE.has(typed) && !spare.has(typed);

interface Kept {
  readonly place: number;
  readonly word: string;
  readonly typed: string;
  readonly count: number;
}

/**
 * Each typed word as some copy has it, the rarest first; those that say little only where nothing else is there to go
 * with them.
 */
const wordsThere = async (db: Db, words: readonly string[], spare: ReadonlySet<string>): Promise<Kept[]> => {
  const near = await findNearWords(db, words);
  const tried = words.flatMap((typed, place) => {
    if (!isTelling(typed, spare)) return [];
    const close = near.find((one) => one.place === place && one.edits === 1 && !one.word.includes(' '));
    return [{ place, typed, word: typed }, ...(close === undefined ? [] : [{ place, typed, word: close.word }])];
  });
  const counts = await countFound(
    db,
    await wordShares(db),
    tried.map(({ word }) => wordingOfWords([word], 'whole')),
    COUNTED,
  );
  const there = tried.map((one, at) => ({ ...one, count: counts[at] ?? 0 })).filter(({ count }) => count > 0);
  return (
    there
      .filter(({ place }, at) => there.findIndex((other) => other.place === place) === at)
      // What had to be corrected comes after what is there as it was typed.
      .toSorted(
        (a, b) =>
          Number(a.word !== a.typed) - Number(b.word !== b.typed) || a.count - b.count || b.word.length - a.word.length,
      )
      .slice(0, MOST_KEPT)
  );
};

/** All choices of the words that hold the first one, those with most words first. */
const choicesWith = ([first, ...rest]: readonly Kept[]): Kept[][] => {
  if (first === undefined) return [];
  let choices: Kept[][] = [[first]];
  for (const word of rest) choices = [...choices.map((choice) => [...choice, word]), ...choices];
  return choices.toSorted((a, b) => b.length - a.length);
};

const mayStand = (choice: readonly Kept[], telling: number): boolean =>
  choice.length > 1 ||
  telling === 1 ||
  choice.every(({ word, typed }) => word === typed || typed.length >= LEAST_ALONE);

/**
 * The most of the words that one copy has, the rarest always among them; of as many, those that fewer copies have.
 * `spare` are words that nobody looks for by themselves. Undefined where no copy has any that says what is looked for.
 */
export const shorten = async (
  db: Db,
  words: readonly string[],
  spare: ReadonlySet<string>,
): Promise<{ text: string; leftOut: readonly string[] } | undefined> => {
  if (words.length === 1) return undefined;
  const telling = words.filter((typed) => isTelling(typed, spare)).length;
  const choices = choicesWith(await wordsThere(db, words, spare)).filter((choice) => mayStand(choice, telling));
  const counts = await countFound(
    db,
    await wordShares(db),
    choices.map((choice) =>
      wordingOfWords(
        choice.map(({ word }) => word),
        'whole',
      ),
    ),
    COUNTED,
  );
  const [best] = choices
    .map((choice, at) => ({ choice, count: counts[at] ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.choice.length - a.choice.length || a.count - b.count);
  if (best === undefined) return undefined;
  const kept = best.choice.toSorted((a, b) => a.place - b.place);
  const places = new Set(kept.map(({ place }) => place));
  return { text: kept.map(({ word }) => word).join(' '), leftOut: words.filter((_, place) => !places.has(place)) };
};
