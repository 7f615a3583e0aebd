import type { Listing } from '#contract/catalog/catalog.ts';

/** The page of a seller. */
export const sellerPath = (slug: string): string => `/seller/${encodeURIComponent(slug)}`;

/** The page of one copy. */
export const bookPath = (id: string): string => `/book/${id}`;

/** The smallest picture of a copy's first photo, fine enough for a cover in a list; empty where there is none. */
export const smallCover = ({ photo, image_url: url }: { photo: object | null; image_url: string }): string =>
  photo === null ? '' : url.replace('720.webp', '320.webp');

/** How long a copy has been in use, in words; undefined where nobody said. */
export const yearsOfUse = ({
  years_of_use: years,
  years_known: isKnown,
}: Pick<Listing, 'years_of_use' | 'years_known'>): string | undefined => {
  if (!isKnown) return undefined;
  if (years === 0) return 'Never used';
  return years === 1 ? '1 year of use' : `${years} years of use`;
};

/** The year a book came out, as people write it. */
export const yearText = (year: number): string => (year < 0 ? `${-year} BC` : String(year));

/** Who published it and when, as far as that is known. */
export const publishedText = (listing: Pick<Listing, 'publisher' | 'published_year'>): string => {
  const year = listing.published_year === null ? '' : yearText(listing.published_year);
  return [listing.publisher, year].filter((part) => part !== '').join(', ');
};

/** How many are on the waiting list of a reserved copy. */
export const waitingText = (waiting: number): string => (waiting === 0 ? 'Nobody waiting yet' : `${waiting} waiting`);

/** A copy's status and, for a reserved one, how many wait for it. */
export const statusText = ({ status, waiting }: Pick<Listing, 'status' | 'waiting'>): string =>
  status === 'Reserved' && waiting > 0 ? `${status} · ${waitingText(waiting)}` : status;

const ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** 1st, 2nd, 3rd, 4th … The rules are made where a place is told: the first `Intl` of a page takes a while. */
export const ordinal = (place: number): string =>
  `${place}${ENDINGS[new Intl.PluralRules('en', { type: 'ordinal' }).select(place)] ?? 'th'}`;
