import { CONDITIONS, type Condition } from '#contract/catalog/catalog.ts';

/** What plain words may narrow, in the terms of a search's parameters; each is one of these. */
export interface PhraseFilters {
  readonly category?: string;
  readonly condition?: string;
  readonly min?: string;
  readonly max?: string;
  readonly location?: string;
  readonly near?: string;
}

/** Words in what was typed, from one letter to another, that may be meant as a filter. */
export interface Phrase {
  readonly kind: 'price' | 'condition' | 'place' | 'category';
  readonly from: number;
  readonly to: number;
  readonly filters: PhraseFilters;
  /** A name alone, without a word such as "near" that says what it is. */
  readonly isBare?: boolean;
}

const NUMBER = String.raw`(\d{1,5}(?:\.\d{1,2})?)(?![\d.,]*\d)`;
const UNIT = String.raw`(?:\s?(?:dollars?|bucks|usd)(?![\p{L}\p{N}])|\$)`;
/** Nothing of a word or number goes on before. */
const START = String.raw`(?<![\p{L}\p{N}$.,])`;
const MOST = 'under|below|less than|cheaper than|up to|at most|no more than|not more than';
const LEAST = 'over|above|more than|at least|from';

const RANGE = new RegExp(
  String.raw`${START}(?:(?:between|from)\s+)?(\$?)\s?${NUMBER}(${UNIT})?\s*(?:-|\u2013|to|and)\s*(\$?)\s?${NUMBER}(${UNIT})?`,
  'giu',
);
const AT_MOST = new RegExp(String.raw`${START}(?:for\s+)?(?:${MOST})\s+\$?\s?${NUMBER}(?:${UNIT})?`, 'giu');
const AT_LEAST = new RegExp(String.raw`${START}(?:${LEAST})\s+(?:\$\s?${NUMBER}(?:${UNIT})?|${NUMBER}${UNIT})`, 'giu');
const ALONE = new RegExp(String.raw`${START}(?:for\s+)?(?:\$\s?${NUMBER}(?:${UNIT})?|${NUMBER}${UNIT})`, 'giu');

/** Where the end of a match touches a letter, it was the beginning of a word. */
const isWholeAt = (text: string, end: number): boolean => !/^[\p{L}\p{N}]/u.test(text.slice(end));

const pricesIn = (text: string): Phrase[] => {
  const found = (pattern: RegExp, filtersOf: (groups: (string | undefined)[]) => PhraseFilters | undefined): Phrase[] =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const [whole, ...groups] = match;
      const filters = filtersOf(groups);
      const to = match.index + whole.length;
      return filters === undefined || !isWholeAt(text, to) ? [] : [{ kind: 'price', from: match.index, to, filters }];
    });
  return [
    ...found(RANGE, ([sign, low = '', unit, otherSign, high = '', otherUnit]) => {
      // Two numbers are years, pages or a title; with a sign they are prices.
      if (!sign && !unit && !otherSign && !otherUnit) return undefined;
      return Number(low) <= Number(high) ? { min: low, max: high } : { min: high, max: low };
    }),
    ...found(AT_MOST, ([max = '']) => ({ max })),
    ...found(AT_LEAST, ([min, other]) => ({ min: min ?? other ?? '' })),
    ...found(ALONE, ([max, other]) => ({ max: max ?? other ?? '' })),
  ];
};

const ONE = '(?:excellent|good|fair)';
const CONDITION = new RegExp(
  String.raw`${START}(?:(?:in|an?)\s+)?(${ONE}(?:\s*(?:,|or|and|/)\s*${ONE})*)(\s+or\s+better)?(?:\s+(?:condition|copy(?:\s+of)?|copies(?:\s+of)?|shape))?(?![\p{L}\p{N}])`,
  'giu',
);

const conditionsIn = (text: string): Phrase[] =>
  [...text.matchAll(CONDITION)].map((match) => {
    const [whole, words = '', better] = match;
    const named = CONDITIONS.filter((condition) => words.toLowerCase().includes(condition.toLowerCase()));
    const worst = CONDITIONS.findLastIndex((condition) => named.includes(condition));
    const meant: readonly Condition[] = better === undefined ? named : CONDITIONS.slice(0, worst + 1);
    return {
      kind: 'condition',
      from: match.index,
      to: match.index + whole.length,
      filters: { condition: meant.join(',') },
    };
  });

/** Prices and conditions in what was typed; the first of each kind, the longest where several begin there. */
export const plainPhrasesIn = (text: string): Phrase[] => {
  const [price] = pricesIn(text).toSorted((a, b) => a.from - b.from || b.to - a.to);
  const [condition] = conditionsIn(text);
  return [...(price === undefined ? [] : [price]), ...(condition === undefined ? [] : [condition])];
};

/** Words beside each other that may be a name; `from` and `to` are theirs in what was typed. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’.&-][\p{L}\p{M}\p{N}]+)*/gu;
/** The names of places and categories have no more. */
const MOST_IN_NAME = 4;
const MOST_LOOKED_AT = 16;
const LEAST_LETTERS = 3;

/** What may name a place or a category, the longest first. */
export const spansIn = (text: string): Span[] => {
  const words = [...text.matchAll(WORD)].slice(0, MOST_LOOKED_AT);
  return words
    .flatMap((first, at) =>
      words.slice(at, at + MOST_IN_NAME).map((last) => {
        const to = last.index + last[0].length;
        return { from: first.index, to, text: text.slice(first.index, to) };
      }),
    )
    .filter((span) => span.text.length >= LEAST_LETTERS)
    .toSorted((a, b) => b.text.length - a.text.length);
};

const BEFORE_PLACE = /(?<![\p{L}\p{N}])(?:near|in|around|from|at)\s+$/iu;
const BEFORE_CATEGORY = /(?<![\p{L}\p{N}])(?:in|from)\s+$/iu;
const AFTER_CATEGORY = /^\s+(?:books?|novels?)(?![\p{L}\p{N}])/iu;

/** The phrase around a name: "near" and "in" belong to it. */
export const phraseAround = (text: string, span: Span, kind: 'place' | 'category', filters: PhraseFilters): Phrase => {
  const before = (kind === 'place' ? BEFORE_PLACE : BEFORE_CATEGORY).exec(text.slice(0, span.from));
  const after = kind === 'category' ? AFTER_CATEGORY.exec(text.slice(span.to)) : null;
  return {
    kind,
    from: span.from - (before?.[0].length ?? 0),
    to: span.to + (after?.[0].length ?? 0),
    filters,
    isBare: before === null,
  };
};

const overlap = (a: Phrase, b: Phrase): boolean => a.from < b.to && b.from < a.to;

/** Those that can be meant together: none in another, one of each kind; the first ones win. */
export const together = (phrases: readonly Phrase[]): Phrase[] => {
  const kept: Phrase[] = [];
  for (const phrase of phrases)
    if (!kept.some((other) => other.kind === phrase.kind || overlap(other, phrase))) kept.push(phrase);
  return kept;
};

/** What was typed without some phrases. */
export const textWithout = (text: string, phrases: readonly Phrase[]): string =>
  phrases
    .toSorted((a, b) => b.from - a.from)
    .reduce((rest, { from, to }) => `${rest.slice(0, from)} ${rest.slice(to)}`, text)
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;]+|[\s,;]+$/g, '');

/** Every choice of some of the phrases, those of fewest first. */
export const choicesOf = (phrases: readonly Phrase[]): Phrase[][] => {
  let choices: Phrase[][] = [[]];
  for (const phrase of phrases) choices = [...choices, ...choices.map((choice) => [...choice, phrase])];
  return choices.toSorted((a, b) => a.length - b.length);
};
