import type { Db } from '#server/platform/db.ts';
import { countFound, findNearWords, type NearWord } from './search-words.queries.ts';
import { allOf } from './wording.ts';

/** So many wordings are tried. */
const MOST_TRIED = 12;
/** How far each is counted: enough to tell what most books are of. */
const COUNTED = 50;
/** A typed word that no book has may be left out at this cost, so that a near word is tried before. */
const LEFT_OUT_COST = 6;

/** What two words make together may be a letter off. */
const JOINED_AT_MOST = 2;

export interface Correction {
  readonly text: string;
  /** Typed words that it does without. */
  readonly leftOut: readonly string[];
}

interface Draft {
  readonly words: readonly string[];
  readonly leftOut: readonly string[];
  readonly cost: number;
}

const choicesOf = (near: readonly NearWord[], words: readonly string[], place: number): Draft[] => [
  ...near.filter((word) => word.place === place).map(({ word, cost }) => ({ words: [word], leftOut: [], cost })),
  ...(words.length > 1 ? [{ words: [], leftOut: [words[place] ?? ''], cost: LEFT_OUT_COST }] : []),
];

/** The cheapest ways to put one choice for each word together; only so many are carried on from word to word. */
const draftsOf = (near: readonly NearWord[], words: readonly string[]): Draft[] => {
  let drafts: Draft[] = [{ words: [], leftOut: [], cost: 0 }];
  for (const place of words.keys()) {
    drafts = drafts
      .flatMap((draft) =>
        choicesOf(near, words, place).map((choice) => ({
          words: [...draft.words, ...choice.words],
          leftOut: [...draft.leftOut, ...choice.leftOut],
          cost: draft.cost + choice.cost,
        })),
      )
      .toSorted((a, b) => a.cost - b.cost)
      .slice(0, MOST_TRIED * 2);
  }
  return drafts;
};

/** Two neighbours written apart may be one word: "hitch hiker". */
const joinedTogether = (words: readonly string[]): string[] =>
  words.slice(1).map((word, place) => `${words[place]}${word}`);

const joinedDrafts = (near: readonly NearWord[], words: readonly string[]): Draft[] =>
  near
    .filter(({ cost }) => cost < JOINED_AT_MOST)
    .map(({ place, word, cost }) => ({ words: words.toSpliced(place, 2, word), leftOut: [], cost: cost + 1 }));

/**
 * Another wording for what was typed that finds more than `found` copies: near words for what is misspelt, words joined or parted,
 * words that no book has left out. Undefined when there is none.
 */
export const correct = async (db: Db, words: readonly string[], found: number): Promise<Correction | undefined> => {
  const [near, joined] = await Promise.all([
    findNearWords(db, words),
    words.length > 1 ? findNearWords(db, joinedTogether(words)) : [],
  ]);
  const typed = words.join(' ');
  const drafts = [...draftsOf(near, words), ...joinedDrafts(joined, words)]
    .filter((draft) => draft.words.length > 0 && draft.words.join(' ') !== typed)
    .filter((draft) => found === 0 || draft.leftOut.length === 0)
    .toSorted((a, b) => a.cost - b.cost)
    .slice(0, MOST_TRIED);
  const counts = await countFound(
    db,
    drafts.map((draft) => allOf(draft.words.join(' ').split(' '))),
    COUNTED,
  );
  const better = drafts
    .map((draft, place) => ({ ...draft, count: counts[place] ?? 0 }))
    .filter(({ count }) => count > found)
    // among equally near wordings the one that more books have
    .toSorted((a, b) => Math.round(a.cost) - Math.round(b.cost) || b.count - a.count || a.cost - b.cost);
  const [best] = better;
  return best && { text: best.words.join(' '), leftOut: best.leftOut };
};
