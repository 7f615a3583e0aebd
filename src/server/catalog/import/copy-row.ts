import { CONDITIONS, type Condition } from '#contract/catalog/catalog.ts';
import { decimalText } from '#contract/money/decimal-text.ts';
import { isImageUrl, parseYears } from '#contract/catalog/listing-rules.ts';
import { MAX_PRICE_CENTS, MIN_PRICE_CENTS, parseCents } from '#contract/money/money.ts';
import { oneLine } from '#contract/text.ts';
import type { Cells } from './source-file.ts';

/** What a file, or whoever imports it, says of a copy; undefined where nobody says. Prices in cents. */
export interface Said {
  readonly resaleCents?: number | undefined;
  readonly originalCents?: number | undefined;
  readonly yearsOfUse?: number | undefined;
  readonly condition?: Condition | undefined;
  readonly location?: string | undefined;
  readonly details?: string | undefined;
  readonly imageUrl?: string | undefined;
  readonly phone?: string | undefined;
}

const LONGEST = { location: 200, phone: 50, details: 5_000 } as const;

/** The grades of the trade, in English and German, as the shop's three: where they differ, the lower one. */
const CONDITION_OF = new Map<string, Condition>([
  ...CONDITIONS.map((condition) => [condition.toLowerCase(), condition] as const),
  ...['new', 'as new', 'like new', 'mint', 'fine', 'near fine', 'neu', 'wie neu', 'neuwertig'].map(
    (word) => [word, 'Excellent'] as const,
  ),
  ...['very good', 'sehr gut', 'gut'].map((word) => [word, 'Good'] as const),
  ...['acceptable', 'akzeptabel', 'befriedigend', 'ausreichend'].map((word) => [word, 'Fair'] as const),
]);

/** A row cannot be read; the message says why. */
class Unreadable extends Error {}

const priceOf = (text: string, what: string): number | undefined => {
  if (text === '') return undefined;
  const cents = parseCents(decimalText(text.replace(/^US-?\s*(?=\$)|^USD\s*|\s*(?:US-?\s*)?(?:\$|USD)$/gi, '')));
  if (cents !== undefined && cents >= MIN_PRICE_CENTS && cents <= MAX_PRICE_CENTS) return cents;
  throw new Unreadable(`Its ${what} is "${text}", and not an amount in US dollars from 0.50 to 99999.99`);
};

const yearsOf = (text: string): number | undefined => {
  if (text === '') return undefined;
  const years = parseYears(decimalText(text));
  if (years === undefined) throw new Unreadable(`Its years of use are "${text}", and not a number such as 2 or 0.5`);
  return years;
};

const conditionOf = (text: string): Condition | undefined => {
  if (text === '') return undefined;
  const condition = CONDITION_OF.get(text.toLowerCase().replace(/[\s_-]+/g, ' '));
  if (condition === undefined)
    throw new Unreadable(`Its condition is "${text}", and not one of ${CONDITIONS.join(', ')}`);
  return condition;
};

const imageOf = (text: string): string | undefined => {
  if (text === '') return undefined;
  if (!isImageUrl(text)) throw new Unreadable('Its picture is not an https address');
  return text;
};

const textOf = (text: string, what: keyof typeof LONGEST): string | undefined => {
  if (text.length > LONGEST[what]) throw new Unreadable(`Its ${what} is longer than ${LONGEST[what]} characters`);
  return text === '' ? undefined : text;
};

/** A row is one copy: there must be one, and no more. */
const checkQuantity = (text: string): void => {
  if (text !== '' && text.replace(/[.,]0+$/, '') !== '1') {
    throw new Unreadable(`Its quantity is ${text}, but a row is one copy: give each copy a row of its own`);
  }
};

const checkCurrency = (text: string): void => {
  if (text !== '' && !/^(us-?\s?\$|usd|\$)$/i.test(text))
    throw new Unreadable(`Its currency is "${text}", but prices are in US dollars`);
};

/** What a row says of its copy, or, as a sentence, why that cannot be read. */
export const copyOf = (cell: Cells): Said | string => {
  try {
    checkQuantity(cell('quantity').trim());
    checkCurrency(cell('currency').trim());
    return {
      resaleCents: priceOf(cell('price').trim(), 'price'),
      originalCents: priceOf(cell('original_price').trim(), 'original price'),
      yearsOfUse: yearsOf(cell('years_of_use').trim()),
      condition: conditionOf(cell('condition').trim()),
      location: textOf(oneLine(cell('location')), 'location'),
      details: textOf(cell('details').trim(), 'details'),
      imageUrl: imageOf(cell('image_url').trim()),
      phone: textOf(oneLine(cell('phone')), 'phone'),
    };
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
};

/** Fills what `said` leaves out from `otherwise`. */
export const filledBy = (said: Said, otherwise: Said): Said => ({
  resaleCents: said.resaleCents ?? otherwise.resaleCents,
  originalCents: said.originalCents ?? otherwise.originalCents,
  yearsOfUse: said.yearsOfUse ?? otherwise.yearsOfUse,
  condition: said.condition ?? otherwise.condition,
  location: said.location ?? otherwise.location,
  details: said.details ?? otherwise.details,
  imageUrl: said.imageUrl ?? otherwise.imageUrl,
  phone: said.phone ?? otherwise.phone,
});
