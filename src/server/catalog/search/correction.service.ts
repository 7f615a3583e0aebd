import type { Db } from '#server/platform/postgres/db.ts';
import { findNearWords, type NearWord } from './search-words.queries.ts';
import { countFound } from './search.queries.ts';
import { wordingOfWords } from './wording.ts';

/** So many wordings are tried. */
const MOST_TRIED = 12;
/** How far each is counted: enough to tell what most books are of. */
const COUNTED = 50;

/** What two words make together may be a letter off. */
const JOINED_AT_MOST = 2;

/** One slip in so many letters; more of them make another wording of it. */
const LETTERS_A_SLIP = 4;

interface Draft {
  readonly words: readonly string[];
  readonly edits: number;
  readonly cost: number;
}

/** The last word may be half-typed: as it stands, at about the cost of a slip. */
const HALF_TYPED_COST = 1;

/** The cheapest ways to put one near word for each word together; only so many are carried on from word to word. */
const draftsOf = (near: readonly NearWord[], words: readonly string[]): Draft[] => {
  let drafts: Draft[] = [{ words: [], edits: 0, cost: 0 }];
  for (const place of words.keys()) {
    const choices = near.filter((word) => word.place === place);
    const word = words[place] ?? '';
    if (place > 0 && place === words.length - 1 && !choices.some((choice) => choice.word === word))
      choices.push({ place, word, edits: 0, cost: HALF_TYPED_COST });
    drafts = drafts
      .flatMap((draft) =>
        choices.map(({ word, edits, cost }) => ({
          words: [...draft.words, word],
          edits: draft.edits + edits,
          cost: draft.cost + cost,
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
    .map(({ place, word, edits, cost }) => ({ words: words.toSpliced(place, 2, word), edits, cost: cost + 1 }));

const textOf = ({ words }: Draft): string => words.join(' ');

/**
 * Another spelling of all that was typed, that finds more than `found` copies: near words for what is misspelt, words
 * joined or parted. Undefined when there is none.
 */
export const respell = async (db: Db, words: readonly string[], found: number): Promise<string | undefined> => {
  const near = await findNearWords(db, words);
  const joined = words.length > 1 ? await findNearWords(db, joinedTogether(words)) : [];
  const slips = Math.max(1, Math.floor(words.join('').length / LETTERS_A_SLIP));
  const drafts = [...draftsOf(near, words), ...joinedDrafts(joined, words)]
    .filter((draft) => textOf(draft) !== words.join(' ') && draft.edits <= slips)
    .toSorted((a, b) => a.cost - b.cost)
    .slice(0, MOST_TRIED);
  const counts = await countFound(
    db,
    drafts.map((draft) => wordingOfWords(textOf(draft).split(' '))),
    COUNTED,
  );
  const [best] = drafts
    .map((draft, place) => ({ ...draft, count: counts[place] ?? 0 }))
    .filter(({ count }) => count > found)
    // among equally near wordings the one that more books have
    .toSorted((a, b) => Math.round(a.cost) - Math.round(b.cost) || b.count - a.count || a.cost - b.cost);
  return best && textOf(best);
};
