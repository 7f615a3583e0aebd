import { allOf, foundBy, type Wording } from '#server/catalog/search/wording.ts';
import type { WordShares } from '#server/catalog/search/word-shares.queries.ts';

/**
 * How the rows of a tier are found: all by its index, and sorted; or by walking the newest copies until there are
 * enough. Chosen here as the planner of PostgreSQL would choose, so that the statement can be planned once and not for
 * each search.
 */
export type Way = 'index' | 'walk';

/** The ways of the tiers of relevance, in their order. */
export type Ways = readonly [exact: Way, begins: Way, inTitle: Way, anywhere: Way, beginning: Way];

const shareOfAll = (shares: ReadonlyMap<string, number>, words: readonly string[]): number =>
  words.reduce((product, word) => product * (shares.get(word) ?? 0), 1);

/** Of copies with a word that begins so. */
const shareOfBeginning = (shares: ReadonlyMap<string, number>, beginning: string): number => {
  let sum = 0;
  for (const [word, share] of shares) if (word.startsWith(beginning)) sum += share;
  return Math.min(1, sum);
};

const shareOfTitles = ({ titles }: WordShares, beginning: string): number =>
  titles.reduce((sum, { key, share }) => (key.startsWith(beginning) ? sum + share : sum), 0);

/** Wordings whose ways are remembered; the shares are read anew each minute. */
const MOST_REMEMBERED = 2_000;
const remembered = new WeakMap<WordShares, Map<string, Ways>>();

/** The ways for a wording, where a page has `rows` rows. */
export const waysOf = (wording: Wording, shares: WordShares, rows: number): Ways => {
  const known = remembered.get(shares) ?? new Map<string, Ways>();
  remembered.set(shares, known);
  const name = `${rows} ${wording.key}`;
  const ways = known.get(name) ?? chooseWays(wording, shares, rows);
  if (known.size < MOST_REMEMBERED) known.set(name, ways);
  return ways;
};

/** Walking looks at rows / share copies, the index at share * copies: above this share walking ends sooner. */
const enoughOf = ({ copies }: WordShares, rows: number): number => (copies === 0 ? 1 : Math.sqrt(rows / copies));

/** The share of copies with all of the words, the last one perhaps as a beginning; what is not common has none. */
export const shareOf = (words: readonly string[], shares: WordShares, isBeginning: boolean): number =>
  isBeginning
    ? shareOfAll(shares.words, words.slice(0, -1)) * shareOfBeginning(shares.words, words.at(-1) ?? '')
    : shareOfAll(shares.words, words);

/** Whether all of such a share are better read by the index where `rows` are looked for in an order. */
export const isRareShare = (share: number, shares: WordShares, rows: number): boolean =>
  share <= enoughOf(shares, rows);

/**
 * Whether so few copies have the words that all of them are read by the index where `rows` are looked for. PostgreSQL
 * takes words that it does not know for commoner than they are, and would walk past a million copies to find none.
 */
export const isRareIn = (wording: Wording, shares: WordShares, rows: number): boolean =>
  wording.words.length > 0 &&
  wording.isbn13 === undefined &&
  isRareShare(shareOf(wording.words, shares, foundBy(wording) !== allOf(wording.words)), shares, rows);

const chooseWays = (wording: Wording, shares: WordShares, rows: number): Ways => {
  const { key, words } = wording;
  const enough = enoughOf(shares, rows);
  const wayFor = (share: number): Way => (share > enough ? 'walk' : 'index');
  const inTitle = shareOfAll(shares.titleWords, words);
  const anywhere = shareOfAll(shares.words, words);
  const beginning = shareOf(words, shares, true);
  return [
    // its index has them in order
    'index',
    wayFor(shareOfTitles(shares, `${key} `)),
    wayFor(inTitle),
    wayFor(anywhere - inTitle),
    wayFor(beginning - anywhere),
  ];
};
