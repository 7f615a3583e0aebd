import type { UsersSort } from '#contract/admin/admin.ts';
import { sortOf, sortQuery, type SortChoices } from '#web/shell/data/list-address.ts';

/** Longest search the contract takes. */
export const MAX_SEARCH_LENGTH = 254;

export const USERS_SORTS: SortChoices<UsersSort> = [
  ['newest', 'Newest first'],
  ['name-up', 'Name, A to Z'],
  ['name-down', 'Name, Z to A'],
];

/** Which users a list has, and in which order. */
export interface UsersAsked {
  readonly q: string;
  readonly sort: UsersSort;
}

/** What an address of a list of users asks for: its `?q=`, empty for everybody, and its `?sort=`. */
export const askedIn = (address: string): UsersAsked => ({
  q: (new URL(address).searchParams.get('q') ?? '').trim().slice(0, MAX_SEARCH_LENGTH),
  sort: sortOf(address, USERS_SORTS),
});

/** The same as the calls take it: absent where it says nothing. */
export const queryOf = ({ q, sort }: UsersAsked): { q?: string; sort?: UsersSort } => ({
  ...(q !== '' && { q }),
  ...sortQuery(sort, USERS_SORTS),
});
