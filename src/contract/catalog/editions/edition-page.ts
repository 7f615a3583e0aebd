import { Type, type Static } from 'typebox';
import { AuthorLink } from '#contract/catalog/author-links.ts';
import { Condition, Listing } from '#contract/catalog/catalog.ts';
import { EditionFacts, EditionPrices } from './edition-calls.ts';
import { endpoint } from '#contract/endpoint.ts';
import { Passport } from '#contract/catalog/passport/passport.ts';
import { Dollars, PageQuery } from '#contract/scalars.ts';

/** The orders of an edition's copies: the cheapest or the best first; of equally good ones the cheaper. */
export const EDITION_SORTS = ['price', 'grade'] as const;
export const EditionSort = Type.Union([Type.Literal('price'), Type.Literal('grade')]);
export type EditionSort = Static<typeof EditionSort>;

/** What is said of a copy as data, as far as copies are compared by it. */
const ComparedPassport = Type.Object({
  grade: Passport.properties.grade,
  jacketGrade: Passport.properties.jacketGrade,
  jacket: Passport.properties.jacket,
  signed: Passport.properties.signed,
  noDefects: Passport.properties.noDefects,
  defects: Type.Array(Type.Pick(Passport.properties.defects.items, ['defect', 'degree'])),
});

/** A copy on the shelf, as it stands beside others of its edition. `passport` is null where nothing is said. */
export const ShelvedCopy = Type.Object({
  ...Type.Pick(Listing, [
    '_id',
    'title',
    'condition',
    'resale_price',
    'location',
    'Seller',
    'seller_slug',
    'seller_verified',
    'status',
    'waiting',
  ]).properties,
  passport: Type.Union([ComparedPassport, Type.Null()]),
});
export type ShelvedCopy = Static<typeof ShelvedCopy>;

/**
 * What copies in a condition were sold for, month by month: the 12 whole months before this one, by the shop's time
 * zone, as of when this one began, so that it changes once a month. `low` and `high`: the first and third quartile in
 * cents, of whole dollars. Only where the prices of all 12 months may be told, and of each month only where the same
 * holds of its own sales; at least two, or there is no history. How many sales a month had is not told.
 */
export const SoldHistory = Type.Object({
  condition: Condition,
  months: Type.Array(
    Type.Object({
      month: Type.String({ description: 'as 2026-10' }),
      low: Type.Integer(),
      high: Type.Integer(),
    }),
  ),
  svg: Type.String({ description: 'SVG without styles, in the colours of the page' }),
});
export type SoldHistory = Static<typeof SoldHistory>;

/**
 * What the page of an edition shows. `source` says who knows the facts; the page asks nobody outside. `count` and
 * `from`: all copies on the shelf, and the lowest price. `image_url` and `photo`: a picture of one of them. `prices`:
 * by condition, as `GET /editions/:isbn/prices` tells them and by its thresholds, of all sellers. `history`: how those
 * went. `next`: cursor of the next page.
 */
export const EditionAnswer = Type.Object({
  ...EditionFacts.properties,
  author_pages: Type.Array(AuthorLink),
  image_url: Listing.properties.image_url,
  photo: Listing.properties.photo,
  count: Type.Integer(),
  from: Type.Union([Dollars, Type.Null()]),
  copies: Type.Array(ShelvedCopy),
  prices: Type.Array(Type.Object({ condition: Condition, ...EditionPrices.properties })),
  history: Type.Array(SoldHistory),
  next: Type.Union([Type.String(), Type.Null()]),
});
export type EditionAnswer = Static<typeof EditionAnswer>;

/** 400 with `fields.isbn13` for what is no ISBN; 404 for one that neither a copy here nor the table knows. */
export const readEditionPage = endpoint({
  method: 'GET',
  path: '/isbn/:isbn',
  summary: 'What is known of an edition, its copies on the shelf, and what it was sold for here',
  access: 'anyone',
  params: Type.Object({
    isbn: Type.String({ maxLength: 64, description: 'an ISBN of 10 or 13 digits, with any dashes and spaces' }),
  }),
  query: Type.Object({ sort: Type.Optional(EditionSort), ...PageQuery }),
  status: 200,
  answer: EditionAnswer,
  refused: { isbn13: null },
  personal: false,
});
