import { countryInSentence } from './countries.ts';

/** How books can come to their buyers. */
export const DELIVERY_KINDS = ['pickup', 'post'] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

/** How many working days a seller may take until a book is posted or ready, and takes who never said. */
export const MIN_DAYS_TO_POST = 1;
export const MAX_DAYS_TO_POST = 10;
export const DEFAULT_DAYS_TO_POST = 3;

/** How a seller's books, or one of them, come to their buyers. Amounts in cents. */
export interface DeliveryTerms {
  readonly pickup: boolean;
  /** Where; empty for the place that the copy's listing names. */
  readonly pickupPlace: string;
  readonly post: boolean;
  /** Postage of the first book of a parcel and of each further one. */
  readonly firstCents: number;
  readonly furtherCents: number;
  /** From which sum of prices on a parcel is posted for nothing; null for never. */
  readonly freeFromCents: number | null;
  /** Where to, as two letters of ISO 3166-1. */
  readonly countries: readonly string[];
  /** The country it is posted from, in the same letters. */
  readonly home: string;
  readonly daysToPost: number;
}

/** What is different for one copy; what is left out is as for all of its seller's. */
export type DeliveryException = { readonly [K in Exclude<keyof DeliveryTerms, 'home'>]?: DeliveryTerms[K] | undefined };

/** Where a seller is who never said: the country of the shop's money. */
const DEFAULT_HOME = 'US';

/** What holds for sellers who never said: the buyer comes for the book, as ever. */
export const DEFAULT_DELIVERY: DeliveryTerms = {
  pickup: true,
  pickupPlace: '',
  post: false,
  firstCents: 0,
  furtherCents: 0,
  freeFromCents: null,
  countries: [],
  home: DEFAULT_HOME,
  daysToPost: DEFAULT_DAYS_TO_POST,
};

/**
 * The terms of a copy: its seller's, but for what its exception says. A copy that is posted to nowhere is not posted,
 * and one that neither is left for can be picked up: settings for all may have changed since an exception was made.
 */
export const termsOfCopy = (terms: DeliveryTerms, exception: DeliveryException): DeliveryTerms => {
  const countries = exception.countries ?? terms.countries;
  const post = (exception.post ?? terms.post) && countries.length > 0;
  return {
    pickup: (exception.pickup ?? terms.pickup) || !post,
    pickupPlace: exception.pickupPlace ?? terms.pickupPlace,
    post,
    firstCents: exception.firstCents ?? terms.firstCents,
    furtherCents: exception.furtherCents ?? terms.furtherCents,
    freeFromCents: exception.freeFromCents === undefined ? terms.freeFromCents : exception.freeFromCents,
    countries,
    home: terms.home,
    daysToPost: exception.daysToPost ?? terms.daysToPost,
  };
};

/** The country that a buyer's address begins with: the seller's own, where they post to it. */
export const firstCountry = ({ home, countries }: Pick<DeliveryTerms, 'home' | 'countries'>): string =>
  countries.includes(home) ? home : (countries[0] ?? '');

/** How a copy with these terms can come to its buyer. */
export const offersOf = ({ pickup, post }: Pick<DeliveryTerms, DeliveryKind>): DeliveryKind[] => [
  ...(pickup ? (['pickup'] as const) : []),
  ...(post ? (['post'] as const) : []),
];

/** Why a copy cannot be posted to a country, as its buyer reads it; undefined where it can. */
export const postProblem = ({ post, countries }: DeliveryTerms, country: string): string | undefined => {
  if (!post) return 'The seller does not post this book';
  return countries.includes(country) ? undefined : `The seller does not post to ${countryInSentence(country)}`;
};

/** Why a copy cannot be picked up, as its buyer reads it; undefined where it can. */
export const pickupProblem = ({ pickup }: DeliveryTerms): string | undefined =>
  pickup ? undefined : 'The seller does not hand this book over';

/** A book of a parcel, with the terms of its copy. */
export interface PostedBook {
  readonly priceCents: number;
  readonly terms: DeliveryTerms;
}

/** What posting a parcel costs its buyer, book by book; or the first book that stands in the way, and why. */
export type Postage =
  | { readonly partsCents: readonly number[]; readonly totalCents: number; readonly daysToPost: number }
  | { readonly problem: string; readonly book: number };

/**
 * The postage of one seller's books in one parcel, the oldest booking first: that one costs its first-book price, each
 * other its further-book price, and nothing where all prices together reach what it is free from. The parcel is posted
 * within the longest of the days that its books are promised.
 */
export const postageOf = (books: readonly PostedBook[], country: string): Postage => {
  for (const [book, { terms }] of books.entries()) {
    const problem = postProblem(terms, country);
    if (problem !== undefined) return { problem, book };
  }
  const pricesCents = books.reduce((sum, { priceCents }) => sum + priceCents, 0);
  const partsCents = books.map(({ terms: { firstCents, furtherCents, freeFromCents } }, at) => {
    if (freeFromCents !== null && pricesCents >= freeFromCents) return 0;
    return at === 0 ? firstCents : furtherCents;
  });
  return {
    partsCents,
    totalCents: partsCents.reduce((sum, cents) => sum + cents, 0),
    daysToPost: Math.max(MIN_DAYS_TO_POST, ...books.map(({ terms }) => terms.daysToPost)),
  };
};
