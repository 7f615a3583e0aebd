import { languageName } from '#contract/catalog/passport/languages.ts';
import type { Facets, NamedPlace, Near } from '#contract/catalog/search.ts';
import { DEFAULT_WITHIN_KM, type Without } from '#contract/catalog/search-choices.ts';
import { toggleValue, valuesOf, type Key, type SearchState } from './search-state.ts';

/** `hardcover` as a choice is called. */
export const inWords = (value: string): string => value.charAt(0).toUpperCase() + value.slice(1);

export const WITHOUT_WORDS: Readonly<Record<Without, string>> = {
  'ex-library': 'Not ex-library',
  'book-club': 'No book club edition',
  writing: 'No writing in it',
};

/** A place as it may be typed: its name, and what tells it from others. */
export const placeText = ({ name, region, country }: NamedPlace): string =>
  [name, region === '' ? country : region].join(', ');

export const nearText = (place: NamedPlace, within: string | undefined): string =>
  `Within ${within ?? DEFAULT_WITHIN_KM} km of ${[place.name, place.region, place.country].filter(Boolean).join(', ')}`;

/** Whether something is chosen that may be unknown of a copy. */
export const asksForFacts = (state: SearchState): boolean =>
  (['binding', 'language', 'signed', 'first', 'jacket', 'without', 'publisher'] as const).some(
    (key) => state[key] !== undefined && state[key] !== '',
  );

/** One choice that narrows, with the state without it. */
export interface Choice {
  readonly label: string;
  readonly without: SearchState;
}

/** What choices are called that the address has by their ids. */
export interface Names {
  readonly category: (id: string) => string;
  readonly near?: Near | null;
  readonly sellers?: Facets['seller'];
}

const spanText = (from: string | undefined, to: string | undefined, unit: string): string => {
  if (from === undefined) return `Up to ${unit}${to}`;
  return to === undefined ? `From ${unit}${from}` : `${unit}${from} to ${unit}${to}`;
};

const sinceText = (since: string): string => {
  if (since.includes('-')) return `Added since ${since}`;
  return since === '1' ? 'Added in the last day' : `Added in the last ${since} days`;
};

const nearLabel = ({ near = '', within }: SearchState, answer: Near | null | undefined): string => {
  if (answer?.taken) return `Within ${within ?? DEFAULT_WITHIN_KM} km of ${placeText(answer.taken)}`;
  return near;
};

/** Everything that narrows a state, in words. */
export const choicesOf = (state: SearchState, names: Names): Choice[] => {
  const without = (...keys: Key[]): SearchState =>
    Object.fromEntries(Object.entries(state).filter(([key]) => !keys.includes(key as Key)));
  const one = (key: Key, labelOf: (value: string) => string, ...more: Key[]): Choice[] => {
    const value = state[key];
    return value === undefined || value === '' ? [] : [{ label: labelOf(value), without: without(key, ...more) }];
  };
  const some = (key: 'condition' | 'binding' | 'language' | 'without', labelOf: (value: string) => string): Choice[] =>
    valuesOf(state, key).map((value) => ({ label: labelOf(value), without: toggleValue(state, key, value) }));
  const span = (from: 'min' | 'from', to: 'max' | 'to', labelOf: () => string): Choice[] =>
    state[from] === undefined && state[to] === undefined ? [] : [{ label: labelOf(), without: without(from, to) }];
  const sellerName = (id: string): string =>
    names.sellers?.find(({ value }) => value === id.toLowerCase())?.name ?? 'one seller';
  return [
    ...one('category', names.category),
    ...some('condition', (value) => value),
    ...span('min', 'max', () => spanText(state.min, state.max, '$')),
    ...one('location', (value) => value),
    ...one('near', () => nearLabel(state, names.near), 'within'),
    ...span('from', 'to', () => `Published: ${spanText(state.from, state.to, '').toLowerCase()}`),
    ...one('verified', () => 'Verified sellers'),
    ...one('available', () => 'Available now'),
    ...some('binding', inWords),
    ...some('language', languageName),
    ...one('signed', () => 'Signed'),
    ...one('first', () => 'First edition'),
    ...one('jacket', () => 'With its jacket'),
    ...some('without', (value) => WITHOUT_WORDS[value as Without] ?? value),
    ...one('publisher', (value) => `Publisher: ${value}`),
    ...one('unknown', () => 'Also where not known'),
    ...one('seller', (id) => `Seller: ${sellerName(id)}`),
    ...one('since', sinceText),
    ...one('reduced', () => 'Reduced lately'),
  ];
};
