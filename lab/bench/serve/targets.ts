// The requests of the parts.
import { ADDRESSES, trailing, type Sample } from './figures/sample.ts';
import { requestText } from './traffic.ts';

/** As browsers ask for a page. */
export const BROWSER = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br' };

/** What Chromium adds to a call that a page of the shop makes. */
export const BROWSER_CALL = {
  accept: '*/*',
  'accept-encoding': 'gzip, deflate, br',
  'accept-language': 'en-US,en;q=0.9',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  origin: 'http://127.0.0.1',
  referer: 'http://127.0.0.1/',
  'sec-fetch-dest': 'empty',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
};

export const keptList = (sample: Sample): string => `/api/category/${sample.category}`;
export const keptPage = (sample: Sample): string => `/category/${sample.category}`;

/** What the bare server sends: the shop's own bytes. */
export const keptTargets = (sample: Sample) => [
  { target: keptList(sample), headers: {} },
  { target: keptPage(sample), headers: BROWSER },
];

let given = 0;

/** Numbers for addresses that no part asked for before: what one part made the shop keep, another must not find. */
const freshNumbers = (): number[] => {
  const from = given;
  given += ADDRESSES;
  return Array.from({ length: ADDRESSES }, (_, n) => from + n);
};

export const lists = ({ category, firstPage }: Sample): string[] =>
  freshNumbers().map((n) => requestText(`/api/category/${category}?cursor=${firstPage(n)}`));

/**
 * So many times a part asks for each book, every time at an address of its own: what is unknown in a query means
 * nothing.
 */
const ROUNDS = 3;

export const books = ({ ids }: Sample): string[] =>
  freshNumbers()
    .slice(0, ROUNDS)
    .flatMap((round) => ids.map((id) => requestText(`/api/categories/${id}?round=${round}`)));

export const pagesOfAll = (cursor: (n: number) => string): string[] =>
  freshNumbers().map((n) => requestText(`/api/categories?cursor=${cursor(n)}`));

/** Searches are counted by network: each comes from another one. */
export const searches = (words: readonly string[], more = ''): string[] =>
  freshNumbers().map((n) => {
    const typed = encodeURIComponent(`${words[n % words.length]}${trailing(n)}`);
    return requestText(`/api/search?q=${typed}${more}`, { 'x-forwarded-for': `10.1.${(n >> 8) & 255}.${n & 255}` });
  });

export const rendered = ({ category, firstPage }: Sample): string[] =>
  freshNumbers().map((n) => requestText(`/category/${category}?cursor=${firstPage(n)}`, { accept: 'text/html' }));
