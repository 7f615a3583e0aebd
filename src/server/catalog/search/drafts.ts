import type { Holder, NearWord } from './near-words.queries.ts';
import { shareOf } from './tiers/search-ways.ts';
import type { WordShares } from './word-shares.queries.ts';

/** What may stand in the place of one typed word, or of several that belong together. */
export interface Choice {
  readonly words: readonly string[];
  readonly edits: number;
  readonly cost: number;
  /** It may go on: the last word is half-typed. */
  readonly isBeginning?: boolean;
}

/** One way to divide what was typed into words, with what may stand in each place. */
export type Division = readonly (readonly Choice[])[];

/** A wording that some copy holds whole. */
export interface Draft {
  readonly text: string;
  readonly edits: number;
  readonly cost: number;
}

/** The last word may be half-typed: as it stands, at about the cost of a slip. */
const HALF_TYPED_COST = 1;
/** A space that was typed and not meant. */
const JOINED_COST = 1;
/** What two words make together may be a letter off. */
const JOINED_AT_MOST = 2;
/** A letter of initials that was typed apart, or together: hardly a slip. */
const INITIALS_COST = 0.2;
/** The same number in other figures. */
const FIGURES_COST = 0.3;
/** A little word or a label before a number, which is not in the title. */
const LEFT_OUT_COST = 0.6;
/** Two typed words seldom mean the same one. */
const TWICE_COST = 1;
/** What is said in the publisher or the details and not in the name. */
const ELSEWHERE_COST = 1;

/** Of all places together, and of each of very many: a query is no longer for more words. */
const MOST_CHOICES = 64;
const LEAST_CHOICES = 4;
/** So many ways to divide are tried. */
const MOST_DIVISIONS = 8;

const ROMAN = 'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx'.split(' ');
const COUNTED = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const LABELS = new Set(['vol', 'volume', 'book', 'bk', 'part', 'pt', 'no', 'nr', 'number']);
const SPARE = new Set(['and', 'the', 'a', 'an', 'of', 'by']);
const INITIALS = /^[a-z]{2,4}$/;

/** The number that a word is, in figures, in Roman ones or in letters; its other writings. */
const figuresOf = (word: string): string[] => {
  const number = /^\d{1,2}$/.test(word) ? Number(word) : Math.max(ROMAN.indexOf(word), COUNTED.indexOf(word)) + 1;
  if (number < 1 || number > ROMAN.length) return [];
  return [String(number), ROMAN[number - 1] ?? '', COUNTED[number - 1] ?? ''].filter(
    (other) => other !== '' && other !== word,
  );
};

const choicesAt = (words: readonly string[], place: number, near: readonly NearWord[]): Choice[] => {
  const typed = words[place] ?? '';
  const isLabel = LABELS.has(typed) && figuresOf(words[place + 1] ?? '').length > 0;
  const isLast = place > 0 && place === words.length - 1;
  const choices: Choice[] = near
    .filter((one) => one.place === place)
    // What only joins words says nothing: another one is not meant by it.
    .filter(({ cost }) => cost === 0 || !SPARE.has(typed))
    .map(({ word, edits, cost }) => ({ words: word.split(' '), edits, cost }));
  const isKnown = choices.some(({ cost }) => cost === 0);
  for (const figures of figuresOf(typed)) choices.push({ words: [figures], edits: 0, cost: FIGURES_COST });
  if (words.length > 1 && (SPARE.has(typed) || isLabel)) choices.push({ words: [], edits: 0, cost: LEFT_OUT_COST });
  if (words.length > 1 && INITIALS.test(typed) && !isKnown)
    choices.push({ words: [...typed], edits: 0, cost: INITIALS_COST });
  if (isLast && !isKnown)
    choices.push({ words: [typed], edits: 0, cost: HALF_TYPED_COST, isBeginning: typed.length > 1 });
  return choices.toSorted((a, b) => a.cost - b.cost).slice(0, Math.max(LEAST_CHOICES, MOST_CHOICES / words.length));
};

/** Neighbours that may be one word: where the first stands, how many they are, and what they make. */
export interface Join {
  readonly place: number;
  readonly count: number;
  readonly word: string;
}

/** Two neighbours written apart may be one word ("hitch hiker"), and several letters initials ("j r r"). */
export const joinsOf = (words: readonly string[]): Join[] => {
  const pairs = words.slice(1).map((word, place) => ({ place, count: 2, word: `${words[place]}${word}` }));
  const initials = words.flatMap((_, place) =>
    [3, 4].flatMap((count) => {
      const letters = words.slice(place, place + count);
      return letters.length === count && letters.every((letter) => letter.length === 1)
        ? [{ place, count, word: letters.join('') }]
        : [];
    }),
  );
  return [...pairs, ...initials];
};

/** How what was typed may be divided: as it was, or with neighbours joined. */
export const divisionsOf = (
  words: readonly string[],
  near: readonly NearWord[],
  joins: readonly Join[],
  joined: readonly NearWord[],
): Division[] => {
  const places = words.map((_, place) => choicesAt(words, place, near));
  const others = joins.flatMap(({ place, count, word }, at) => {
    const isInitials = word.length === count;
    const choices = joined
      .filter((one) => one.place === at && one.cost < JOINED_AT_MOST && !one.word.includes(' '))
      .map(({ word, edits, cost }) => ({
        words: [word],
        edits,
        cost: cost + (isInitials ? INITIALS_COST : JOINED_COST),
      }));
    return choices.length === 0 ? [] : [places.toSpliced(place, count, choices)];
  });
  return [places, ...others]
    .filter((division) => division.every((choices) => choices.length > 0))
    .slice(0, MOST_DIVISIONS);
};

/** What finds copies, and the share of copies that are likely to be found. */
interface Asked {
  readonly query: string;
  readonly share: number;
}

const queryOf = (choice: Choice): string =>
  choice.words.map((word) => `'${word}'${choice.isBeginning === true ? ':*' : ''}`).join(' & ');

const anyOf = (choices: readonly Choice[], shares: WordShares): Asked | undefined =>
  choices.some(({ words }) => words.length === 0)
    ? undefined
    : {
        query: `(${choices.map(queryOf).join(' | ')})`,
        share: choices.reduce((sum, { words, isBeginning }) => sum + shareOf(words, shares, isBeginning === true), 0),
      };

const allOf = (division: Division, shares: WordShares): Asked | undefined => {
  if (division.some((choices) => choices.length === 0)) return undefined;
  const parts = division.map((choices) => anyOf(choices, shares)).filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  return {
    query: parts.map(({ query }) => query).join(' & '),
    share: parts.reduce((product, { share }) => product * Math.min(1, share), 1),
  };
};

/** With one place other than typed: where many copies hold some wording, these come before them. */
const oneOther = (division: Division, shares: WordShares): Asked | undefined => {
  const asTyped = division.map((choices) => choices.filter(({ cost }) => cost <= FIGURES_COST));
  const queries = division
    .map((choices, place) =>
      allOf(
        asTyped.map((typed, at) => (at === place ? choices : typed)),
        shares,
      ),
    )
    .filter((one) => one !== undefined);
  if (queries.length === 0) return undefined;
  return {
    query: queries.map(({ query }) => `(${query})`).join(' | '),
    share: queries.reduce((sum, { share }) => sum + share, 0),
  };
};

/** What finds the copies that hold a division whole. */
export const queriesOf = (divisions: readonly Division[], shares: WordShares): Asked[] => {
  const first = divisions.slice(0, 1).map((division) => oneOther(division, shares));
  const all = [...first, ...divisions.map((division) => allOf(division, shares))].filter((one) => one !== undefined);
  return all.filter(({ query }, at) => all.findIndex((other) => other.query === query) === at);
};

/** What a copy holds of a division, at the least cost; undefined where it does not hold all of it. */
export const heldBy = (
  division: Division,
  { named, words }: { named: ReadonlySet<string>; words: ReadonlySet<string> },
): Draft | undefined => {
  const used = new Set<string>();
  const text: string[] = [];
  let cost = 0;
  let edits = 0;
  for (const choices of division) {
    let best: { choice: Choice; cost: number } | undefined;
    for (const choice of choices) {
      const isIn = (set: ReadonlySet<string>): boolean =>
        choice.words.every((word) =>
          choice.isBeginning === true ? [...set].some((one) => one.startsWith(word)) : set.has(word),
        );
      if (!isIn(named) && !isIn(words)) continue;
      const isTwice = choice.cost > 0 && choice.words.some((word) => used.has(word));
      const price = choice.cost + (isTwice ? TWICE_COST : 0) + (isIn(named) ? 0 : ELSEWHERE_COST);
      if (best === undefined || price < best.cost) best = { choice, cost: price };
    }
    if (best === undefined) return undefined;
    for (const word of best.choice.words) used.add(word);
    text.push(...best.choice.words);
    cost += best.cost;
    edits += best.choice.edits;
  }
  return { text: text.join(' '), edits, cost };
};

/** The wordings that copies hold whole, each at its least cost. */
export const draftsOf = (divisions: readonly Division[], holders: readonly Holder[]): Draft[] => {
  const drafts = new Map<string, Draft>();
  for (const holder of holders) {
    const held = { named: new Set(holder.named), words: new Set(holder.words) };
    for (const division of divisions) {
      const draft = heldBy(division, held);
      if (draft === undefined || draft.text === '') continue;
      if (draft.cost < (drafts.get(draft.text)?.cost ?? Infinity)) drafts.set(draft.text, draft);
    }
  }
  return [...drafts.values()].toSorted((a, b) => a.cost - b.cost);
};
