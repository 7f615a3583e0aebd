import type { SearchAnswer } from '#contract/search.ts';

/** How many books were found, in words. Where only the newest were looked through, those on the page may not be among them. */
export const foundWords = ({ facets, listings }: Pick<SearchAnswer, 'facets' | 'listings'>): string => {
  const total = Math.max(facets?.total ?? 0, listings.length);
  const number = total.toLocaleString('en-US');
  if (facets?.more === true && total > 0) return `${number} or more books found`;
  if (total === 0) return 'Nothing found';
  return total === 1 ? '1 book found' : `${number} books found`;
};
