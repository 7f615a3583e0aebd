import { dollarsOf, formatDollars, parseCents } from '#contract/money/money.ts';
import { COUNTRIES, countryInSentence } from './countries.ts';
import type { CopyDelivery } from './delivery-calls.ts';

/** Countries that are named one by one. */
const MOST_NAMED = 3;

const together = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** `the United States, Canada and 4 more countries`. */
export const countriesInWords = (codes: readonly string[]): string => {
  if (codes.length >= COUNTRIES.length) return 'every country';
  const [named, rest] =
    codes.length <= MOST_NAMED + 1 ? [codes, 0] : [codes.slice(0, MOST_NAMED), codes.length - MOST_NAMED];
  const names = named.map(countryInSentence);
  return together(rest === 0 ? names : [...names, `${rest} more countries`]);
};

const daysInWords = (days: number): string => `within ${days} working ${days === 1 ? 'day' : 'days'}`;

const postInWords = ({ first, further, freeFrom, daysToPost }: CopyDelivery): string => {
  const price = first === 0 ? 'Posted free' : `Posted for ${formatDollars(first)}`;
  const each =
    further === first
      ? ''
      : `; ${further === 0 ? 'further books free' : `each further book ${formatDollars(further)}`}`;
  const free = freeFrom === null || (first === 0 && further === 0) ? '' : `; free from ${formatDollars(freeFrom)}`;
  return `${price} ${daysInWords(daysToPost)}${each}${free}`;
};

/** How a copy comes to its buyer, line by line, as everybody reads it. */
export const deliveryInWords = (delivery: CopyDelivery): string[] => {
  const { pickup, pickupPlace, post, countries, daysToPost } = delivery;
  const place = pickupPlace === '' ? 'Pickup' : `Pickup in ${pickupPlace}`;
  return [
    ...(pickup ? [post ? place : `${place}, ready ${daysInWords(daysToPost)}`] : []),
    ...(post ? [postInWords(delivery), `Posted to ${countriesInWords(countries)}`] : []),
  ];
};

const centsOf = (dollars: number): number => parseCents(dollars) ?? 0;

/**
 * What a copy that costs `price` dollars costs in all when it is posted by itself, in dollars; undefined where it is
 * not posted.
 */
export const postedTotal = (price: number, { post, first, freeFrom }: CopyDelivery): number | undefined => {
  if (!post) return undefined;
  const isFree = freeFrom !== null && price >= freeFrom;
  return dollarsOf(centsOf(price) + (isFree ? 0 : centsOf(first)));
};
