import { formatCount } from '#contract/count.ts';
import type { SearchAnswer } from '#contract/catalog/search.ts';

type Found = Pick<SearchAnswer, 'facets'> & { readonly listings: readonly unknown[] };

/** "12 books". Where only the newest were looked through, those on the page may not be among them. */
const booksOf = ({ facets, listings }: Found): string => {
  const total = Math.max(facets?.total ?? 0, listings.length);
  const number = formatCount(total);
  if (facets?.more === true && total > 0) return `${number} or more books`;
  return total === 1 ? '1 book' : `${number} books`;
};

const isEmpty = ({ facets, listings }: Found): boolean => (facets?.total ?? 0) === 0 && listings.length === 0;

/** How many books were found, in words. */
export const foundWords = (found: Found): string => (isEmpty(found) ? 'Nothing found' : `${booksOf(found)} found`);

/** What a button says that leads to what was found. */
export const showWords = (found: Found): string => `Show ${booksOf(found)}`;

export const quoted = (text: string): string => `“${text}”`;
