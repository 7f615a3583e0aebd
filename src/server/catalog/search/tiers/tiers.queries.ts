import { memoise } from '#server/platform/memoise.ts';
import type { Values } from '#server/platform/postgres/query.ts';
import { ON_THE_SHELF } from '#server/catalog/listings/listing-json.queries.ts';
import { narrowedNewest, newestCopies, type NewestNarrowed } from '#server/catalog/search/narrowing.queries.ts';
import { isNarrowed } from '#server/catalog/search/narrowing.ts';
import { allOf, foundBy, type Wording } from '#server/catalog/search/wording.ts';
import type { Search, SearchPage, SearchPosition } from './search-page.ts';
import type { Way } from './search-ways.ts';

/** The last tier whose rows have all of the words in the title. */
export const LAST_TITLE_TIER = 2;

/** What a tier is: what its index finds, and what leaves out the rows of the tiers before. */
interface Tier {
  readonly found: string;
  readonly rest?: string;
  /** What the index finds where the planner cannot see that. */
  readonly range?: () => string;
}

/**
 * A value, as `add` named it, that the planner does not look at: the statement has one plan for all its values, so it
 * must be written for the kind of value that it is asked with.
 */
const unseen = (named: string, type: 'text' | 'tsquery'): string => `(SELECT ${named}::${type})`;

/**
 * The tiers of relevance, best first; none holds a row of another. The planner sees what is searched for unless it
 * `isHidden`.
 */
const tiersOf = (wording: Wording, { add }: Values, isHidden: boolean): (() => Tier)[] => {
  const { key, words, isbn13 } = wording;
  if (isbn13 !== undefined) return [() => ({ found: `l.isbn13 = ${add(isbn13)} AND l.isbn13 <> ''` })];
  const text = (value: string): string => (isHidden ? unseen(add(value), 'text') : add(value));
  const query = (value: string): string => (isHidden ? unseen(add(value), 'tsquery') : `${add(value)}::tsquery`);
  // Added when first named: PostgreSQL wants to know of no value that the text does not name.
  const title = memoise(() => text(key));
  const longer = memoise(() => text(`${key} %`));
  const all = memoise(() => query(allOf(words)));
  const begins = memoise(() => query(foundBy(wording)));
  const isHalfTyped = foundBy(wording) !== allOf(words);
  return [
    () => ({ found: `l.title_key = ${title()}` }),
    () => ({
      found: `l.title_key LIKE ${longer()}`,
      // Whatever begins with the key and a space: the exclamation mark comes right after the space.
      range: () => `l.title_key ~>=~ ${text(`${key} `)} AND l.title_key ~<~ ${text(`${key}!`)}`,
    }),
    () => ({
      found: `l.title_words @@ ${all()}`,
      rest: `l.title_key <> ${title()} AND l.title_key NOT LIKE ${longer()}`,
    }),
    () => ({ found: `l.words @@ ${all()}`, rest: `NOT l.title_words @@ ${all()}` }),
    ...(isHalfTyped
      ? [
          () => ({
            found: `l.words @@ ${begins()}`,
            rest: `NOT l.words @@ ${all()} AND NOT l.title_words @@ ${all()}`,
          }),
        ]
      : []),
  ];
};

/**
 * What a wording finds, in any tier: the one predicate of lists, counts and choices. A title is asked by itself, as its
 * last initial may have been joined to those of the author ("Washington D.C.", "E. B. White"). Nothing typed finds
 * everything.
 */
export const found = (wording: Wording, { add }: Values): string[] => {
  const { words, isbn13 } = wording;
  if (isbn13 !== undefined) return [`l.isbn13 = ${add(isbn13)} AND l.isbn13 <> ''`];
  if (words.length === 0) return [];
  return [`(l.words @@ ${add(foundBy(wording))}::tsquery OR l.title_words @@ ${add(allOf(words))}::tsquery)`];
};

export const placeOf = ({ at, id }: SearchPosition, { add }: Values): string =>
  `(${add(at)}::timestamptz, ${add(id)}::uuid)`;

interface TierPage {
  readonly place: number;
  readonly newest: NewestNarrowed;
  readonly shared: readonly string[];
  readonly beyond: readonly string[];
  readonly limit: number;
}

/** The first rows of a tier, newest first: found in the given way, or as the planner sees fit. */
const idsOf = (
  { found, rest, range }: Tier,
  way: Way | undefined,
  { place, newest: { tables, order }, shared, beyond, limit }: TierPage,
): string => {
  const ordered = `ORDER BY ${order} LIMIT ${limit + 1}`;
  const where = (first: string, ...more: readonly string[]): string =>
    `WHERE ${[first, ...(rest === undefined ? [] : [rest]), ...shared, ...more].join(' AND ')}`;
  if (way === 'index') {
    // OFFSET keeps the order out of it: all of them are found first.
    const all = `SELECT l.published_at, l.id FROM listings AS l ${where(range?.() ?? found)} OFFSET 0`;
    const after = beyond.length === 0 ? '' : `WHERE ${beyond.join(' AND ')}`;
    return `(SELECT ${place} AS key, l.id FROM (${all}) AS l ${after} ${ordered})`;
  }
  // No index has what IS TRUE.
  const first = way === 'walk' ? `(${found}) IS TRUE` : found;
  return `(SELECT ${place} AS key, l.id FROM ${tables} ${where(first, ...beyond)} ${ordered})`;
};

export const otherBooks = (besides: readonly string[], { add }: Values): string[] =>
  besides.length === 0 ? [] : [`l.isbn13 <> ALL (${add(besides)}::text[])`];

export const isByTier = ({ wording }: Search, { sort }: SearchPage): boolean =>
  sort === 'relevance' && wording.words.length > 0;

/** Words alone say what is found: the statement has one plan for all of them. */
export const isPlannedOnce = ({ narrowing, ways }: Search): boolean => ways !== undefined && !isNarrowed(narrowing);

/** Which tiers are read, by their places. */
export interface TierSpan {
  readonly first: number;
  readonly last: number;
}

export const ALL_TIERS: TierSpan = { first: 0, last: Infinity };

const tierCount = (wording: Wording): number => (foundBy(wording) === allOf(wording.words) ? 4 : 5);

/**
 * The first tiers of a narrowed search that alone are likely to fill its page, where there are others: PostgreSQL plans
 * each such search anew, and planning tiers that are not read took as long as reading those that are.
 */
export const likelyTiers = (search: Search, page: SearchPage): TierSpan | undefined => {
  const { wording, narrowing, ways } = search;
  if (ways === undefined || !isByTier(search, page) || !isNarrowed(narrowing)) return undefined;
  // Of one publisher there is little: a page of it comes from all tiers.
  if (narrowing.facts?.publisher !== undefined) return undefined;
  const last = ways.findIndex((way, place) => way === 'walk' && place >= (page.after?.key ?? 0));
  return last < 0 || last >= tierCount(wording) - 1 ? undefined : { first: 0, last };
};

/** These tiers, from that of the last row on, read one after the other until the page is full. */
export const relevantIds = (
  search: Search,
  { after, limit, besides }: SearchPage,
  values: Values,
  { first, last }: TierSpan,
): string => {
  const { wording, narrowing, ways } = search;
  const isHidden = isPlannedOnce(search);
  const byCopies = memoise(() => newestCopies(narrowing, values, true));
  const byWhatIsSaid = memoise(() => narrowedNewest(narrowing, values));
  const others = otherBooks(besides, values);
  const tiers = tiersOf(wording, values, isHidden).flatMap((tierOf, place) => {
    if (place < Math.max(first, after?.key ?? 0) || place > last) return [];
    const tier = tierOf();
    // What narrows common words is weighed by PostgreSQL, for each search.
    const way = isHidden || ways?.[place] === 'index' ? ways?.[place] : undefined;
    const newest = way === 'index' || wording.isbn13 !== undefined ? byCopies() : byWhatIsSaid();
    const shared = [ON_THE_SHELF, ...newest.conditions, ...others];
    const beyond = place === after?.key ? [`${newest.place} < ${placeOf(after, values)}`] : [];
    return idsOf(tier, way, { place, newest, shared, beyond, limit });
  });
  return `SELECT tiers.key, tiers.id FROM (${tiers.join(' UNION ALL ')}) AS tiers LIMIT ${limit + 1}`;
};
