import { Type, type Static } from 'typebox';
import { Condition, Listing } from './catalog.ts';
import { endpoint } from '#contract/endpoint.ts';
import { CategoryId, Id, PageQuery, Text } from '#contract/scalars.ts';

/** The orders of a result. `saving`: the greatest difference to the original price first. */
export const SEARCH_SORTS = ['relevance', 'newest', 'price-up', 'price-down', 'saving'] as const;
export const SearchSort = Type.Union([
  Type.Literal('relevance'),
  Type.Literal('newest'),
  Type.Literal('price-up'),
  Type.Literal('price-down'),
  Type.Literal('saving'),
]);
export type SearchSort = Static<typeof SearchSort>;

/** What is typed into the search box, at most. */
export const SEARCH_TEXT_MAX = 200;

const PRICE = '^\\d{1,5}(\\.\\d{1,2})?$';
const YEAR = '^\\d{1,4}$';
const BINDING = '(hardcover|paperback|mass market|leather|library binding|spiral|board book|audio|other)';
const WITHOUT = '(ex-library|book-club|writing)';

/** What narrows a result; all of it is the state of the page's address. */
export const SearchFilters = {
  category: Type.Optional(CategoryId),
  condition: Type.Optional(
    Type.String({
      pattern: '^(Excellent|Good|Fair)(,(Excellent|Good|Fair)){0,2}$',
      description: 'one or several, with commas',
    }),
  ),
  min: Type.Optional(Type.String({ pattern: PRICE, description: 'US dollars' })),
  max: Type.Optional(Type.String({ pattern: PRICE, description: 'US dollars' })),
  location: Type.Optional(Text(200, 1)),
  near: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'a place by its name: every location that is it or begins with it; with `within` also by its id',
    }),
  ),
  within: Type.Optional(
    Type.Union([Type.Literal('10'), Type.Literal('25'), Type.Literal('100')], {
      description: 'in a place so many kilometres from `near` at most; the answer says which place was taken',
    }),
  ),
  from: Type.Optional(Type.String({ pattern: YEAR, description: 'published in this year or later' })),
  to: Type.Optional(Type.String({ pattern: YEAR, description: 'published in this year or earlier' })),
  verified: Type.Optional(Type.Literal('1', { description: 'of verified sellers only' })),
  available: Type.Optional(Type.Literal('1', { description: 'not reserved' })),
  binding: Type.Optional(
    Type.String({ pattern: `^${BINDING}(,${BINDING}){0,8}$`, description: 'one or several, with commas' }),
  ),
  language: Type.Optional(
    Type.String({
      pattern: '^[a-z]{3}(,[a-z]{3}){0,9}$',
      description: 'three letters of ISO 639-2/B, one or several, with commas',
    }),
  ),
  signed: Type.Optional(Type.Literal('1', { description: 'signed or inscribed' })),
  first: Type.Optional(Type.Literal('1', { description: 'a first edition' })),
  jacket: Type.Optional(Type.Literal('1', { description: 'with its jacket' })),
  without: Type.Optional(
    Type.String({
      pattern: `^${WITHOUT}(,${WITHOUT}){0,2}$`,
      description: 'known to be no ex-library or book club copy, to be free of writing; with commas',
    }),
  ),
  publisher: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'as its seller wrote it' })),
  unknown: Type.Optional(
    Type.Literal('1', {
      description:
        'also copies of which it is not known whether they are what was chosen of binding, language, signed, first, jacket, without and publisher',
    }),
  ),
  seller: Type.Optional(Id),
  reduced: Type.Optional(
    Type.Literal('1', { description: 'whose price went down in the last 14 days, below that of the 30 days before' }),
  ),
  since: Type.Optional(
    Type.String({
      pattern: '^([1-9]\\d{0,3}|\\d{4}-\\d{2}-\\d{2})$',
      description: 'added in the last so many days, or since a day',
    }),
  ),
};

/**
 * What was typed as it was understood: `q` are the words that remain, the others the parameters that the rest was read
 * as.
 */
export const Understood = Type.Object({
  q: Type.String(),
  category: SearchFilters.category,
  condition: SearchFilters.condition,
  min: SearchFilters.min,
  max: SearchFilters.max,
  location: SearchFilters.location,
  near: SearchFilters.near,
});
export type Understood = Static<typeof Understood>;

const Choice = <T extends typeof CategoryId | typeof Condition>(value: T) =>
  Type.Object({ value, name: Type.String(), count: Type.Integer() });

/** A span of prices (US dollars) or years; null is open. */
const Span = Type.Object({
  from: Type.Union([Type.Number(), Type.Null()]),
  to: Type.Union([Type.Number(), Type.Null()]),
  count: Type.Integer(),
});

const Counted = Type.Object({ value: Type.String(), count: Type.Integer() });
const Named = Type.Object({ value: Type.String(), name: Type.String(), count: Type.Integer() });

/**
 * How many copies each choice would leave, given all other choices; `total` copies fit them all. Where `more` is true
 * so many copies match the words that only the newest of them were looked through: each number is the least, and there
 * may be more. `without` is by what a copy is known to be without, `since` by days. `unknown`: of how many more copies
 * (with `unknown=1`: of how many of these) it is not known whether they fit.
 */
export const Facets = Type.Object({
  total: Type.Integer(),
  more: Type.Boolean(),
  category: Type.Array(Choice(CategoryId)),
  condition: Type.Array(Choice(Condition)),
  price: Type.Array(Span),
  location: Type.Array(Counted),
  year: Type.Array(Span),
  verified: Type.Integer(),
  available: Type.Integer(),
  binding: Type.Array(Counted),
  language: Type.Array(Counted),
  signed: Type.Integer(),
  first: Type.Integer(),
  jacket: Type.Integer(),
  without: Type.Object({ 'ex-library': Type.Integer(), 'book-club': Type.Integer(), writing: Type.Integer() }),
  publisher: Type.Array(Counted),
  seller: Type.Array(Named),
  since: Type.Array(Type.Object({ days: Type.Integer(), count: Type.Integer() })),
  unknown: Type.Integer(),
});
export type Facets = Static<typeof Facets>;

/** A place of the world; `region` is empty where we have no name for it. */
export const NamedPlace = Type.Object({
  id: Type.String(),
  name: Type.String(),
  region: Type.String(),
  country: Type.String(),
});
export type NamedPlace = Static<typeof NamedPlace>;

/**
 * Around which place was looked, and which others have its name, the largest first. Where no place has the name,
 * `taken` is null and locations that begin with it are meant.
 */
export const Near = Type.Object({
  taken: Type.Union([NamedPlace, Type.Null()]),
  others: Type.Array(NamedPlace),
});
export type Near = Static<typeof Near>;

/**
 * How many copies of a book fit what was chosen, and the lowest price of those that can be booked (of all where none
 * can); US dollars.
 */
export const GatheredCopies = Type.Object({ isbn13: Type.String(), copies: Type.Integer(), from: Type.Number() });
export type GatheredCopies = Static<typeof GatheredCopies>;

/** What a copy cost at least in the thirty days before it was reduced, US dollars. */
export const ReducedCopy = Type.Object({ _id: Id, was: Type.Number() });
export type ReducedCopy = Static<typeof ReducedCopy>;

/**
 * `understood`: plain words were read as choices, and these are the books of that search. `corrected`: nothing was
 * found for what was typed (or for what remains of it), these are the books of this wording. `instead`: a wording that
 * finds more. `left_out`: typed words that are not searched for, as no copy matches all of them. `next`: cursor of the
 * next page. `near` where it was asked for by distance. `facets` where they were asked for. `gathered` where that was
 * asked for: the books among the listings of which there is more than one copy. `reduced` where only those were asked
 * for.
 */
export const SearchAnswer = Type.Object({
  listings: Type.Array(Listing),
  understood: Type.Union([Understood, Type.Null()]),
  next: Type.Union([Type.String(), Type.Null()]),
  corrected: Type.Union([Type.String(), Type.Null()]),
  instead: Type.Union([Type.String(), Type.Null()]),
  left_out: Type.Array(Type.String()),
  near: Type.Union([Near, Type.Null()]),
  facets: Type.Optional(Facets),
  gathered: Type.Optional(Type.Array(GatheredCopies)),
  reduced: Type.Optional(Type.Array(ReducedCopy)),
});
export type SearchAnswer = Static<typeof SearchAnswer>;

const SearchQuery = Type.Object({
  q: Type.Optional(Text(SEARCH_TEXT_MAX)),
  sort: Type.Optional(SearchSort),
  facets: Type.Optional(Type.Literal('1')),
  literal: Type.Optional(
    Type.Literal('1', { description: 'words are words: no price, condition, place or category is read from them' }),
  ),
  gather: Type.Optional(
    Type.Literal('1', {
      description:
        'one copy of a book for all of them: by relevance the cheapest that can be booked of those next to each other, else the first; books without an ISBN stand one by one, as do the copies of one ISBN where nothing else is found',
    }),
  ),
  besides: Type.Optional(
    Type.String({
      pattern: '^97[89]\\d{10}(,97[89]\\d{10}){0,99}$',
      description: 'no copies of these books, by ISBN-13, with commas: what pages before have gathered',
    }),
  ),
  ...SearchFilters,
  ...PageQuery,
});
export type SearchQuery = Static<typeof SearchQuery>;

/**
 * Copies on the shelf by title, author, ISBN (10 or 13, with or without hyphens), publisher and details. Case and
 * accents do not matter; what is misspelt is corrected when nothing else is found. By relevance: the ISBN, the very
 * title, titles that begin so, words in the title, words anywhere, words that begin so; each newest first. Plain words
 * for a price, a condition, a place or a category ("dune under $8 good portland") become choices where the rest still
 * finds something with them and no title or author has all that was typed.
 */
export const searchListings = endpoint({
  method: 'GET',
  path: '/search',
  summary: 'Finds listings by words, narrowed and sorted',
  access: 'anyone',
  query: SearchQuery,
  status: 200,
  answer: SearchAnswer,
  refused: { listings: [], understood: null, next: null, corrected: null, instead: null, left_out: [], near: null },
  personal: false,
});

/** `kind` says what `text` is: a title or an author of a book on the shelf. */
export const Suggestion = Type.Object({
  kind: Type.Union([Type.Literal('title'), Type.Literal('author')]),
  text: Type.String(),
});
export type Suggestion = Static<typeof Suggestion>;

/** Titles and authors that fit what is being typed, at most eight. */
export const suggestSearches = endpoint({
  method: 'GET',
  path: '/search/suggestions',
  summary: 'What could be meant by the beginning of a search',
  access: 'anyone',
  query: Type.Object({ q: Text(SEARCH_TEXT_MAX) }),
  status: 200,
  answer: Type.Array(Suggestion),
  personal: false,
});
