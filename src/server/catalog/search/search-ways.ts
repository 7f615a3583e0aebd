import type { Wording } from './wording.ts';
import type { WordShares } from './word-shares.queries.ts';

/**
 * How the rows of a tier are found: all by its index, and sorted; or by walking the newest copies until there are
 * enough. Chosen here as the planner of PostgreSQL would choose, so that the statement can be planned once and not for
 * each search.
 */
export type Way = 'index' | 'walk';

/** The ways of the tiers of relevance, in their order. */
export type Ways = readonly [exact: Way, begins: Way, inTitle: Way, anywhere: Way, beginning: Way];

const shareOf = (shares: ReadonlyMap<string, number>, words: readonly string[]): number =>
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

const chooseWays = ({ key, words }: Wording, shares: WordShares, rows: number): Ways => {
  // Walking looks at rows / share copies, the index at share * copies: from here on walking ends sooner.
  const enough = shares.copies === 0 ? 1 : Math.sqrt(rows / shares.copies);
  const wayFor = (share: number): Way => (share > enough ? 'walk' : 'index');
  const inTitle = shareOf(shares.titleWords, words);
  const anywhere = shareOf(shares.words, words);
  const beginning = shareOf(shares.words, words.slice(0, -1)) * shareOfBeginning(shares.words, words.at(-1) ?? '');
  return [
    // its index has them in order
    'index',
    wayFor(shareOfTitles(shares, `${key} `)),
    wayFor(inTitle),
    wayFor(anywhere - inTitle),
    wayFor(beginning - anywhere),
  ];
};
