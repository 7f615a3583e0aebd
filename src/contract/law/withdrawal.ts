/**
 * Countries whose law lets a consumer withdraw from what they bought of a trader from afar, within 14 days of having
 * it, without a reason: the European Union (Directive 2011/83), Iceland, Liechtenstein, Norway and the United Kingdom.
 */
const CODES = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK IS LI NO GB';
/** By their ISO 3166 codes. */
export const WITHDRAWAL_COUNTRIES: readonly string[] = CODES.split(' ');

/** What stands where a seller's books are sold: as what they sell, and what that means for a buyer. */
export const SELLS_AS_WORDS = {
  trader:
    'Sold by a business. Buyers in the European Union, Iceland, Liechtenstein, Norway and the United Kingdom may withdraw within 14 days of having the book.',
  private: 'Sold by a private person: there is no right of withdrawal. What the shop promises holds all the same.',
  '': 'This seller has not said yet whether they sell privately or as a business.',
} as const;
export type SellsAs = keyof typeof SELLS_AS_WORDS;
