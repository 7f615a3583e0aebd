/** Longest search the contract takes. */
export const MAX_SEARCH_LENGTH = 254;

/** What an address of a list of users looks for: its `?q=`, empty for everybody. */
export const searchOf = (address: string): string =>
  (new URL(address).searchParams.get('q') ?? '').trim().slice(0, MAX_SEARCH_LENGTH);

/** `q` as the calls take it: absent for everybody. */
export const queryOf = (q: string): { q?: string } => (q === '' ? {} : { q });
