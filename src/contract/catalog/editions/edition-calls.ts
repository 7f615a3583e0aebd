import { Type, type Static } from 'typebox';
import { Condition } from '#contract/catalog/catalog.ts';
import { endpoint } from '#contract/endpoint.ts';

/** Any form of an ISBN that `readIsbn` takes. */
const IsbnInAnyForm = Type.Object({
  isbn: Type.String({ maxLength: 64, description: 'an ISBN of 10 or 13 digits, with any dashes and spaces' }),
});

/**
 * What is known of an ISBN; what is not is `''` or null. `language`: three letters of ISO 639-2/B. `binding`: a word of
 * the trade (`BINDINGS`). `source`: what copies here say, the table filled by the operator, or Open Library, asked now
 * or up to 90 days ago.
 */
export const EditionFacts = Type.Object({
  isbn13: Type.String(),
  title: Type.String(),
  authors: Type.String(),
  publisher: Type.String(),
  year: Type.Union([Type.Integer(), Type.Null()]),
  language: Type.String(),
  binding: Type.String(),
  pages: Type.Union([Type.Integer(), Type.Null()]),
  source: Type.Union([Type.Literal('shop'), Type.Literal('table'), Type.Literal('open-library')]),
});
export type EditionFacts = Static<typeof EditionFacts>;

/** 400 with `fields.isbn13` for what is no ISBN; 404 for one that nobody knows, or that cannot be looked up now. */
export const readEdition = endpoint({
  method: 'GET',
  path: '/editions/:isbn',
  summary: 'What is known of an ISBN, to fill in a listing',
  access: 'seller',
  params: IsbnInAnyForm,
  status: 200,
  answer: EditionFacts,
  refused: { isbn13: null },
  personal: true,
});

/** Prices in cents of `count` copies: from `low` to `high`. */
export const PriceSpan = Type.Object({ count: Type.Integer(), low: Type.Integer(), high: Type.Integer() });
export type PriceSpan = Static<typeof PriceSpan>;

/** Fewer sales than this, or of fewer sellers, tell what single people took. */
export const LEAST_SALES = 5;
export const LEAST_SELLERS = 3;

/**
 * What copies of an edition in a condition cost. `asked`: on the shelf now, from the lowest to the highest price; null
 * where there is none. `sold`: paid for here in the 12 months before today and not refunded, as the shop's time zone
 * has days: it changes once a day. Quartiles in whole dollars; null where fewer than 5 were sold, by fewer than 3
 * sellers, or one of them sold more than half. The viewer's own copies count in neither.
 */
export const EditionPrices = Type.Object({
  asked: Type.Union([PriceSpan, Type.Null()]),
  sold: Type.Union([PriceSpan, Type.Null()]),
});
export type EditionPrices = Static<typeof EditionPrices>;

/** 400 with `fields.isbn13` for what is no ISBN. */
export const readEditionPrices = endpoint({
  method: 'GET',
  path: '/editions/:isbn/prices',
  summary: 'What copies of an edition are asked and were sold for here',
  access: 'seller',
  params: IsbnInAnyForm,
  query: Type.Object({ condition: Condition }),
  status: 200,
  answer: EditionPrices,
  refused: { asked: null, sold: null },
  personal: true,
});
