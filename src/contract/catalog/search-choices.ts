// What a search may be narrowed by beside words, where pages need to know it: apart from the calls, which every page
// loads.

/** What a copy may be known to be without. */
export const WITHOUTS = ['ex-library', 'book-club', 'writing'] as const;
export type Without = (typeof WITHOUTS)[number];

/** How far around a place is looked, in kilometres. */
export const WITHIN_KM = ['10', '25', '100'] as const;
export const DEFAULT_WITHIN_KM = '25';

/** Since when copies were added, in days, where that is offered. */
export const SINCE_DAYS = [1, 7, 30] as const;
