import { createHash } from 'node:crypto';
import type { Condition } from '#contract/catalog/catalog.ts';
import { MAX_PRICE_CENTS, MIN_PRICE_CENTS } from '#contract/money/money.ts';

/** What was not known of a copy and is made up. */
export type MadeUp = 'price' | 'original price' | 'condition' | 'location' | 'years of use' | 'details';

/** What is known of a copy. Prices in cents. */
export interface Given {
  readonly originalCents?: number | undefined;
  readonly resaleCents?: number | undefined;
  readonly condition?: Condition | undefined;
  readonly location?: string | undefined;
  readonly yearsOfUse?: number | undefined;
  readonly details?: string | undefined;
}

/** What a catalogue does not say, since it lists books and not copies. Prices in cents. */
export interface Copy {
  readonly originalCents: number;
  readonly resaleCents: number;
  readonly condition: Condition;
  readonly location: string;
  readonly yearsOfUse: number;
  readonly details: string;
  readonly madeUp: readonly MadeUp[];
}

/** How a copy of each condition ages, what part of its first price it keeps, and how a seller would describe it. */
const WEAR = {
  Excellent: {
    years: [0, 3],
    keeps: [0.55, 0.75],
    details: [
      'Read once; the spine is uncreased and the pages are clean.',
      'Looks new, apart from a name pencilled inside the cover.',
      'A gift that was never opened past the first chapter.',
      'Kept on a shelf out of the sun; sharp corners, clean pages.',
    ],
  },
  Good: {
    years: [2, 10],
    keeps: [0.35, 0.55],
    details: [
      'A few soft corners and one crease in the spine; the pages are clean.',
      'Well read and well kept, with a faint coffee ring on the back cover.',
      'Slightly sunned along the spine; binding tight, no writing inside.',
      'Light pencil notes in the first chapters, the rest untouched.',
    ],
  },
  Fair: {
    years: [6, 25],
    keeps: [0.15, 0.35],
    details: [
      'A reading copy: creased spine, yellowed pages, all of them there.',
      'The cover has been taped once and the corners are round; the text is complete.',
      'Underlined in places by a keen student, still easy to read.',
      'Ex-library with the usual stamps; sturdy and complete.',
    ],
  },
} as const;

/** Seven of twenty Excellent, nine Good, four Fair: users sell what still looks decent. */
const CONDITION_OF_TWENTY = [7, 16] as const;
const PLACES = [
  'Portland, OR',
  'Austin, TX',
  'Chicago, IL',
  'Brooklyn, NY',
  'Madison, WI',
  'Asheville, NC',
  'Ann Arbor, MI',
  'Oakland, CA',
  'Providence, RI',
  'Minneapolis, MN',
  'Santa Fe, NM',
  'Savannah, GA',
] as const;
/** List prices of ordinary paperbacks and hardbacks. */
const FIRST_PRICES_CENTS = [799, 899, 999, 1199, 1299, 1499, 1599, 1699, 1799, 1899, 1995, 2499, 2799] as const;

/** Numbers from 0 to below 1 that only depend on `seed`: the same row gets the same copy on every machine. */
const numbersFrom = (seed: string): (() => number) => {
  const bytes = createHash('sha256').update(seed).digest();
  let place = 0;
  return () => {
    const number = bytes.readUInt32BE(place % 32) / 2 ** 32;
    place += 4;
    return number;
  };
};

const pick = <T>(list: readonly [T, ...T[]], at: number): T => list[Math.floor(at * list.length)] ?? list[0];
const between = ([low, high]: readonly [number, number], at: number): number => low + (high - low) * at;

const conditionAt = (at: number): Condition => {
  const twentieth = Math.floor(at * 20);
  if (twentieth < CONDITION_OF_TWENTY[0]) return 'Excellent';
  return twentieth < CONDITION_OF_TWENTY[1] ? 'Good' : 'Fair';
};

/** To half dollars, as users write prices into books. */
const rounded = (cents: number): number =>
  Math.min(MAX_PRICE_CENTS, Math.max(MIN_PRICE_CENTS, Math.round(cents / 50) * 50));

/** What a copy in this condition is worth of its first price, and the other way round. */
const pricesOf = (given: Given, firstCents: number, kept: number): { originalCents: number; resaleCents: number } => {
  const { originalCents, resaleCents } = given;
  if (resaleCents === undefined) {
    const original = originalCents ?? firstCents;
    return { originalCents: original, resaleCents: rounded(original * kept) };
  }
  return { originalCents: originalCents ?? rounded(resaleCents / kept), resaleCents };
};

/**
 * A believable copy of a book that nobody described, for demo shops alone: what is given is taken, the rest made up
 * from `seed` alone. Years of use never exceed the years since the book came out.
 */
export const makeUpCopy = (seed: string, book: { publishedYear: number | null }, given: Given): Copy => {
  const next = numbersFrom(seed);
  // Drawn in a fixed order, so that giving one value changes no other.
  const at = { condition: next(), first: next(), kept: next(), years: next(), place: next(), details: next() };
  const condition = given.condition ?? conditionAt(at.condition);
  const wear = WEAR[condition];
  const age = Math.max(0, new Date().getUTCFullYear() - (book.publishedYear ?? 0));
  const missing: MadeUp[] = [];
  if (given.yearsOfUse === undefined) missing.push('years of use');
  if (given.details === undefined) missing.push('details');
  if (given.resaleCents === undefined) missing.push('price');
  if (given.originalCents === undefined) missing.push('original price');
  if (given.condition === undefined) missing.push('condition');
  if (given.location === undefined) missing.push('location');
  return {
    ...pricesOf(given, pick(FIRST_PRICES_CENTS, at.first), between(wear.keeps, at.kept)),
    condition,
    location: given.location ?? pick(PLACES, at.place),
    yearsOfUse: given.yearsOfUse ?? Math.min(age, Math.round(between(wear.years, at.years))),
    details: given.details ?? pick(wear.details, at.details),
    madeUp: missing,
  };
};
