import { CONDITIONS, type Condition } from '#contract/catalog/catalog.ts';
import { SEARCH_SORTS, type SearchAnswer, type SearchQuery, type SearchSort } from '#contract/catalog/search.ts';

/** Every key of a search in the address; the order in which they stand there. */
const KEYS = [
  'q',
  'category',
  'condition',
  'min',
  'max',
  'location',
  'near',
  'from',
  'to',
  'verified',
  'available',
  'literal',
  'sort',
] as const;
type Key = (typeof KEYS)[number];

/** A search as the address holds it. */
export type SearchState = Partial<Record<Key, string>>;

const FITS: Record<Key, RegExp> = {
  q: /^[^\0]{1,200}$/s,
  category: /^[A-Za-z0-9_-]{1,64}$/,
  condition: /^(Excellent|Good|Fair)(,(Excellent|Good|Fair)){0,2}$/,
  min: /^\d{1,4}(\.\d{1,2})?$/,
  max: /^\d{1,4}(\.\d{1,2})?$/,
  location: /^[^\0]{1,200}$/s,
  near: /^[^\0]{1,200}$/s,
  from: /^\d{1,4}$/,
  to: /^\d{1,4}$/,
  verified: /^1$/,
  available: /^1$/,
  literal: /^1$/,
  sort: new RegExp(`^(${SEARCH_SORTS.join('|')})$`),
};

/** What an address searches for; what makes no sense is left out, as is what is empty. */
export const searchStateOf = (params: URLSearchParams): SearchState => {
  const state: SearchState = {};
  for (const key of KEYS) {
    const value = params.get(key)?.trim();
    if (value !== undefined && FITS[key].test(value)) state[key] = value;
  }
  // A span upside down was meant the other way round.
  if (Number(state.min) > Number(state.max)) [state.min, state.max] = [state.max ?? '', state.min ?? ''];
  if (Number(state.from) > Number(state.to)) [state.from, state.to] = [state.to ?? '', state.from ?? ''];
  return state;
};

/**
 * Where the address of a search belongs that a form wrote: without what was left empty. Undefined where nothing was.
 */
export const withoutEmpty = (url: URL): string | undefined => {
  const params = new URLSearchParams(url.search);
  const empty = KEYS.filter((key) => params.get(key)?.trim() === '');
  if (empty.length === 0) return undefined;
  for (const key of empty) params.delete(key);
  const text = params.toString();
  return text === '' ? '/search' : `/search?${text}`;
};

/** What stands in an address as a price and is none. */
export interface PriceMistakes {
  readonly min?: string;
  readonly max?: string;
}

export const priceMistakesOf = (params: URLSearchParams): PriceMistakes => {
  const mistakes: { min?: string; max?: string } = {};
  for (const key of ['min', 'max'] as const) {
    const value = params.get(key)?.trim() ?? '';
    if (value !== '' && !FITS[key].test(value)) mistakes[key] = value;
  }
  return mistakes;
};

/** The query of the call for a state. */
export const queryOf = (state: SearchState): SearchQuery => state as SearchQuery;

/**
 * The search that an answer is of: plain words that were understood are choices like any other, and what remains or was
 * corrected is not read anew when one is taken off.
 */
export const asAnswered = (
  state: SearchState,
  { understood, corrected }: Pick<SearchAnswer, 'understood' | 'corrected'>,
): SearchState => {
  const { q: _typed, ...choices } = state;
  const q = corrected ?? (understood === null ? state.q : understood.q);
  const { q: _rest, ...meant } = understood ?? { q: '' };
  return {
    ...(q !== undefined && q !== '' && { q, ...((understood ?? corrected) !== null && { literal: '1' }) }),
    ...choices,
    ...meant,
  };
};

/** The address of a search. */
export const searchPath = (state: SearchState): string => {
  const params = new URLSearchParams();
  for (const key of KEYS) {
    const value = state[key];
    if (value !== undefined && value !== '' && !(key === 'sort' && value === 'relevance')) params.set(key, value);
  }
  const text = params.toString();
  return text === '' ? '/search' : `/search?${text}`;
};

/** The state with some keys changed; an empty value takes one out. */
export const withChoice = (state: SearchState, change: SearchState): SearchState => ({ ...state, ...change });

/** The conditions that are chosen. */
export const conditionsOf = (state: SearchState): Condition[] =>
  CONDITIONS.filter((condition) => state.condition?.split(',').includes(condition));

/** The state with one condition more or less. */
export const toggleCondition = (state: SearchState, condition: Condition): SearchState => {
  const chosen = conditionsOf(state);
  const next = chosen.includes(condition) ? chosen.filter((one) => one !== condition) : [...chosen, condition];
  return { ...state, condition: CONDITIONS.filter((one) => next.includes(one)).join(',') };
};

export const sortOf = (state: SearchState): SearchSort => (state.sort ?? 'relevance') as SearchSort;

/** One choice that narrows, with the state without it. */
export interface Choice {
  readonly label: string;
  readonly without: SearchState;
}

const spanText = (from: string | undefined, to: string | undefined, unit: string): string => {
  if (from === undefined) return `Up to ${unit}${to}`;
  return to === undefined ? `From ${unit}${from}` : `${unit}${from} to ${unit}${to}`;
};

/** Everything that narrows a state, in words; `categoryName` knows the name of a category. */
export const choicesOf = (state: SearchState, categoryName: (id: string) => string): Choice[] => {
  const { category, min, max, location, near, from, to } = state;
  const without = (...keys: Key[]): SearchState =>
    Object.fromEntries(Object.entries(state).filter(([key]) => !keys.includes(key as Key)));
  return [
    ...(category === undefined ? [] : [{ label: categoryName(category), without: without('category') }]),
    ...conditionsOf(state).map((condition) => ({ label: condition, without: toggleCondition(state, condition) })),
    ...(min === undefined && max === undefined
      ? []
      : [{ label: spanText(min, max, '$'), without: without('min', 'max') }]),
    ...(location === undefined ? [] : [{ label: location, without: without('location') }]),
    ...(near === undefined ? [] : [{ label: near, without: without('near') }]),
    ...(from === undefined && to === undefined
      ? []
      : [{ label: `Published: ${spanText(from, to, '').toLowerCase()}`, without: without('from', 'to') }]),
    ...(state.verified === undefined ? [] : [{ label: 'Verified sellers', without: without('verified') }]),
    ...(state.available === undefined ? [] : [{ label: 'Available now', without: without('available') }]),
  ];
};

/** The state with nothing but its words and its order. */
export const withoutChoices = ({ q, literal, sort }: SearchState): SearchState => ({
  ...(q !== undefined && { q }),
  ...(q !== undefined && literal !== undefined && { literal }),
  ...(sort !== undefined && { sort }),
});
