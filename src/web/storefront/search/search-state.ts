import { BINDINGS } from '#contract/catalog/binding.ts';
import { CONDITIONS } from '#contract/catalog/catalog.ts';
import { WITHOUTS } from '#contract/catalog/search-choices.ts';
import {
  SEARCH_SORTS,
  SEARCH_TEXT_MAX,
  type SearchAnswer,
  type SearchQuery,
  type SearchSort,
} from '#contract/catalog/search.ts';

/** Every key of a search in the address; the order in which they stand there. */
const KEYS = [
  'q',
  'category',
  'condition',
  'min',
  'max',
  'location',
  'near',
  'within',
  'from',
  'to',
  'verified',
  'available',
  'binding',
  'language',
  'signed',
  'first',
  'jacket',
  'without',
  'publisher',
  'unknown',
  'seller',
  'since',
  'reduced',
  'literal',
  'sort',
] as const;
export type Key = (typeof KEYS)[number];

/** One or several of some values, with commas. */
const someOf = (values: string): RegExp => new RegExp(`^(${values})(,(${values})){0,9}$`);

/** A search as the address holds it. */
export type SearchState = Partial<Record<Key, string>>;

const FITS: Record<Key, RegExp> = {
  q: /^[^\0]{1,200}$/s,
  category: /^[A-Za-z0-9_-]{1,64}$/,
  condition: /^(Excellent|Good|Fair)(,(Excellent|Good|Fair)){0,2}$/,
  binding: someOf(BINDINGS.join('|')),
  language: someOf('[a-z]{3}'),
  signed: /^1$/,
  first: /^1$/,
  jacket: /^1$/,
  without: someOf(WITHOUTS.join('|')),
  publisher: /^[^\0]{1,200}$/s,
  unknown: /^1$/,
  seller: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  since: /^([1-9]\d{0,3}|\d{4}-\d{2}-\d{2})$/,
  reduced: /^1$/,
  within: /^(10|25|100)$/,
  min: /^\d{1,5}(\.\d{1,2})?$/,
  max: /^\d{1,5}(\.\d{1,2})?$/,
  location: /^[^\0]{1,200}$/s,
  near: /^[^\0]{1,200}$/s,
  from: /^\d{1,4}$/,
  to: /^\d{1,4}$/,
  verified: /^1$/,
  available: /^1$/,
  literal: /^1$/,
  sort: new RegExp(`^(${SEARCH_SORTS.join('|')})$`),
};

/** Whether a month has such a day. */
const isDay = (text: string): boolean => {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
};

type ListKey = 'condition' | 'binding' | 'language' | 'without';
const isList = (key: Key): key is ListKey => ['condition', 'binding', 'language', 'without'].includes(key);

/** What an address searches for; what makes no sense is left out, as is what is empty. */
export const searchStateOf = (params: URLSearchParams): SearchState => {
  const state: SearchState = {};
  for (const key of KEYS) {
    const typed = params.get(key)?.trim();
    // Nobody means less by typing more.
    const value = key === 'q' ? typed?.slice(0, SEARCH_TEXT_MAX) : typed;
    if (value === undefined || !FITS[key].test(value)) continue;
    // The same choice twice is one.
    state[key] = isList(key) ? [...new Set(value.split(','))].join(',') : value;
  }
  if (state.near === undefined) delete state.within;
  if (state.since?.includes('-') === true && !isDay(state.since)) delete state.since;
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
  const empty: Key[] = KEYS.filter((key) => params.get(key)?.trim() === '');
  // A distance from nowhere.
  if (empty.includes('near')) empty.push('within');
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

/** The values that are chosen of a key that takes several; conditions the best first. */
export const valuesOf = (state: SearchState, key: ListKey): string[] => {
  const chosen = (state[key] ?? '').split(',').filter((value) => value !== '');
  return key === 'condition' ? CONDITIONS.filter((condition) => chosen.includes(condition)) : chosen;
};

/** The state with one value more or less. */
export const toggleValue = (state: SearchState, key: ListKey, value: string): SearchState => {
  const chosen = valuesOf(state, key);
  const next = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
  const changed = { ...state, [key]: next.join(',') };
  return { ...changed, [key]: valuesOf(changed, key).join(',') };
};

export const sortOf = (state: SearchState): SearchSort => (state.sort ?? 'relevance') as SearchSort;

/** The state with nothing but its words and its order. */
export const withoutChoices = ({ q, literal, sort }: SearchState): SearchState => ({
  ...(q !== undefined && { q }),
  ...(q !== undefined && literal !== undefined && { literal }),
  ...(sort !== undefined && { sort }),
});
