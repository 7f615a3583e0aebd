import type { Condition } from '#contract/catalog/catalog.ts';
import type { Without } from '#contract/catalog/search-choices.ts';
import { NEWEST_FIRST } from '#server/catalog/listings/listing-json.queries.ts';
import { isReduction } from '#server/catalog/listings/price-changes.queries.ts';
import type { Values } from '#server/platform/postgres/query.ts';

/** What is chosen of what is said of a copy; only what is chosen is there. */
export interface FactsNarrowing {
  readonly bindings?: readonly string[];
  readonly languages?: readonly string[];
  readonly signed?: true;
  readonly first?: true;
  readonly jacket?: true;
  readonly without?: readonly Without[];
  readonly publisher?: string;
  /** Also copies of which that is not known. */
  readonly orUnknown: boolean;
}

/** What narrows a result; prices in cents. */
export interface Narrowing {
  readonly categoryId: string | undefined;
  readonly conditions: readonly Condition[] | undefined;
  readonly minCents: number | undefined;
  readonly maxCents: number | undefined;
  readonly location: string | undefined;
  /** Any of these places. */
  readonly places?: readonly string[] | undefined;
  readonly fromYear: number | undefined;
  readonly toYear: number | undefined;
  readonly verified: boolean;
  readonly available: boolean;
  readonly sellerId?: string | undefined;
  /** Listed at this time or later; ISO 8601. */
  readonly since?: string | undefined;
  /** Costs less than before since this time; ISO 8601. */
  readonly reducedSince?: string | undefined;
  readonly facts?: FactsNarrowing | undefined;
}

/** Each part of what is said of a copy by itself, on the row `p` of copy_passports; null where it is not known. */
export const SAID = {
  binding: 'p.binding',
  language: "nullif(p.language, '')",
  signed: "p.signed <> 'no'",
  first: "p.printing IN ('first edition', 'first printing')",
  jacket: "p.jacket = 'with'",
  'ex-library': 'NOT p.ex_library',
  'book-club': 'NOT p.book_club',
  writing: 'NOT p.annotated',
} as const;
export type Said = keyof typeof SAID;

/** The same where it must be known, true or not, as the planner can tell how common each is. */
const KNOWN_SAID: Readonly<Record<Said, string>> = {
  ...SAID,
  language: 'p.language',
  'ex-library': 'p.ex_library IS FALSE',
  'book-club': 'p.book_club IS FALSE',
  writing: 'p.annotated IS FALSE',
};

const YES_OR_NO = ['signed', 'first', 'jacket'] as const satisfies readonly Said[];

/** What is chosen of `p`, each as `said` has it. */
const saidParts = (
  facts: FactsNarrowing,
  { add }: Values,
  said: Readonly<Record<Said, string>> = SAID,
): (readonly [Said, string])[] => {
  const { bindings, languages, without = [] } = facts;
  return [
    ...(bindings === undefined ? [] : [['binding', `${said.binding} = ANY (${add(bindings)}::text[])`] as const]),
    ...(languages === undefined ? [] : [['language', `${said.language} = ANY (${add(languages)}::text[])`] as const]),
    ...YES_OR_NO.filter((name) => facts[name] === true).map((name) => [name, said[name]] as const),
    ...without.map((name) => [name, said[name]] as const),
  ];
};

export const OF_PUBLISHER = "nullif(l.publisher, '')";

export type Facet =
  | 'category'
  | 'condition'
  | 'price'
  | 'location'
  | 'year'
  | 'verified'
  | 'available'
  | 'seller'
  | 'since'
  | 'reduced'
  | 'publisher'
  | Said;

const isReduced = (since: string): string =>
  `EXISTS (SELECT FROM price_changes AS c WHERE ${isReduction(`${since}::timestamptz`)})`;

/** What of a narrowing the row `l` alone says. */
const partsOfListing = (narrowing: Narrowing, { add }: Values): (readonly [Facet, string])[] => {
  const { categoryId, conditions, location, places, verified, available, sellerId, since, reducedSince } = narrowing;
  const span = (column: string, from: number | undefined, to: number | undefined): string[] => [
    ...(from === undefined ? [] : [`${column} >= ${add(from)}`]),
    ...(to === undefined ? [] : [`${column} <= ${add(to)}`]),
  ];
  const all: (readonly [Facet, readonly string[]])[] = [
    ['category', categoryId === undefined ? [] : [`l.category_id = ${add(categoryId)}`]],
    ['condition', conditions === undefined ? [] : [`l.condition = ANY (${add(conditions)}::text[])`]],
    ['price', span('l.resale_cents', narrowing.minCents, narrowing.maxCents)],
    [
      'location',
      [
        ...(location === undefined ? [] : [`l.location = ${add(location)}`]),
        ...(places === undefined ? [] : [`l.location = ANY (${add(places)}::text[])`]),
      ],
    ],
    ['year', span('l.published_year', narrowing.fromYear, narrowing.toYear)],
    ['verified', verified ? ['EXISTS (SELECT FROM users AS s WHERE s.id = l.seller_id AND s.verified)'] : []],
    ['available', available ? ["l.status = 'available'"] : []],
    ['seller', sellerId === undefined ? [] : [`l.seller_id = ${add(sellerId)}::uuid`]],
    ['since', since === undefined ? [] : [`l.published_at >= ${add(since)}::timestamptz`]],
    ['reduced', reducedSince === undefined ? [] : [isReduced(add(reducedSince))]],
  ];
  return all.flatMap(([facet, parts]) => (parts.length === 0 ? [] : [[facet, parts.join(' AND ')] as const]));
};

/**
 * The predicates of a narrowing by what they narrow, on the row `l` and, where something of its passport is chosen, on
 * the row `p`, which may be null. `known` asks that it is known, `possible` that nothing contradicts it.
 */
export const narrowingParts = (
  narrowing: Narrowing,
  values: Values,
): { readonly known: ReadonlyMap<Facet, string>; readonly possible: ReadonlyMap<Facet, string> } => {
  const { facts } = narrowing;
  const certain = partsOfListing(narrowing, values);
  const said: (readonly [Facet, string])[] = facts === undefined ? [] : saidParts(facts, values);
  const published: (readonly [Facet, string])[] =
    facts?.publisher === undefined ? [] : [['publisher', `${OF_PUBLISHER} = ${values.add(facts.publisher)}`]];
  const doubtful = [...said, ...published];
  return {
    known: new Map([...certain, ...doubtful]),
    possible: new Map([...certain, ...doubtful.map(([facet, part]) => [facet, `(${part}) IS NOT FALSE`] as const)]),
  };
};

/**
 * What is said of the copy, as a predicate on `l`: what is not known contradicts nothing. With OFFSET PostgreSQL looks
 * it up for each of `few` copies; else it may also read of all copies what is said.
 */
const saidOf = (facts: FactsNarrowing, values: Values, few: boolean): string[] => {
  const parts = saidParts(facts, values, facts.orUnknown ? SAID : KNOWN_SAID).map(([, part]) => part);
  if (parts.length === 0) return [];
  const passport = 'SELECT FROM copy_passports AS p WHERE p.listing_id = l.id';
  const each = few ? ' OFFSET 0' : '';
  return facts.orUnknown
    ? [`NOT EXISTS (${passport} AND (${parts.map((part) => `(${part}) IS FALSE`).join(' OR ')})${each})`]
    : [`EXISTS (${passport} AND ${parts.join(' AND ')}${each})`];
};

const publishedBy = ({ publisher, orUnknown }: FactsNarrowing, { add }: Values): string[] => {
  if (publisher === undefined) return [];
  return [orUnknown ? `l.publisher IN (${add(publisher)}, '')` : `l.publisher = ${add(publisher)}`];
};

/** The predicates of a narrowing, on the row `l` alone; `few` where only few copies are left to be looked at. */
export const narrowed = (narrowing: Narrowing, values: Values, few = false): string[] => {
  const { facts } = narrowing;
  return [
    ...partsOfListing(narrowing, values).map(([, part]) => part),
    ...(facts === undefined ? [] : [...saidOf(facts, values, few), ...publishedBy(facts, values)]),
  ];
};

/** Where copies are looked for newest first, what they meet, and their place in that order. */
export interface NewestNarrowed {
  readonly tables: string;
  readonly conditions: readonly string[];
  readonly order: string;
  readonly place: string;
}

const NEWEST_COPIES = { tables: 'listings AS l', order: NEWEST_FIRST, place: '(l.published_at, l.id)' };
/** The same order, as their passports have it: of many copies few may say what is looked for. */
const NEWEST_PASSPORTS = {
  tables: 'listings AS l JOIN copy_passports AS p ON p.listing_id = l.id',
  order: 'p.published_at DESC, p.listing_id DESC',
  place: '(p.published_at, p.listing_id)',
};

/** The same as `narrowed`, for reading the newest of them by what the copies themselves say. */
export const newestCopies = (narrowing: Narrowing, values: Values, few: boolean): NewestNarrowed => ({
  ...NEWEST_COPIES,
  conditions: narrowed(narrowing, values, few),
});

/** The same, by what is said of them where few may say that. */
export const narrowedNewest = (narrowing: Narrowing, values: Values): NewestNarrowed => {
  const { facts } = narrowing;
  const said = facts === undefined || facts.orUnknown ? [] : saidParts(facts, values, KNOWN_SAID);
  if (facts === undefined || said.length === 0) return newestCopies(narrowing, values, false);
  const ofListing = partsOfListing(narrowing, values);
  const conditions = [...ofListing, ...said].map(([, part]) => part);
  return { ...NEWEST_PASSPORTS, conditions: [...conditions, ...publishedBy(facts, values)] };
};
