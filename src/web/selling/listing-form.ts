import {
  CONDITIONS,
  type Condition,
  type Listing,
  type ListingDraft,
  type ListingEdit,
} from '#contract/catalog/catalog.ts';
import { decimalText } from '#contract/money/decimal-text.ts';
import type { FieldErrors } from '#contract/errors.ts';
import type { SessionUser } from '#contract/users/identity.ts';
import { editProblems, listingProblems } from '#contract/catalog/listing-rules.ts';

/** The typed fields of the product form, named as in the contract. */
export const LISTING_FIELDS = [
  'title',
  'image_url',
  'original_price',
  'resale_price',
  'years_of_use',
  'location',
  'phone',
  'details',
  'category_id',
  'condition',
  'authors',
  'isbn13',
  'published_year',
  'publisher',
] as const;
export type ListingValues = Record<(typeof LISTING_FIELDS)[number], string>;

const isCondition = (text: string): text is Condition => CONDITIONS.some((condition) => condition === text);

/** What is sent for the filled-in form of `user`. */
export const draftOf = (values: ListingValues, user: SessionUser): ListingDraft => ({
  email: user.email,
  Seller: user.displayName,
  title: values.title.trim(),
  image_url: values.image_url.trim(),
  original_price: decimalText(values.original_price),
  resale_price: decimalText(values.resale_price),
  years_of_use: decimalText(values.years_of_use),
  location: values.location.trim(),
  phone: values.phone.trim(),
  details: values.details.trim(),
  category_id: values.category_id,
  ...(isCondition(values.condition) && { condition: values.condition }),
  authors: values.authors.trim(),
  isbn13: values.isbn13.trim(),
  published_year: values.published_year.trim(),
  publisher: values.publisher.trim(),
});

/**
 * What is wrong with the filled-in form: the rules of the contract, and every field but the book's own facts is needed.
 */
export const formProblems = (values: ListingValues, user: SessionUser): FieldErrors => ({
  ...listingProblems(draftOf(values, user)),
  ...(isCondition(values.condition) ? {} : { condition: 'Choose a condition' }),
});

/** What the form of a listed copy begins with. */
export const valuesOf = (listing: Listing): ListingValues => ({
  title: listing.title,
  image_url: listing.image_url,
  original_price: listing.original_known ? listing.original_price.toFixed(2) : '',
  resale_price: listing.resale_price.toFixed(2),
  years_of_use: listing.years_known ? String(listing.years_of_use) : '',
  location: listing.location,
  phone: listing.phone,
  details: listing.details,
  category_id: listing.category_id,
  condition: listing.condition,
  authors: listing.authors,
  isbn13: listing.isbn13,
  published_year: listing.published_year === null ? '' : String(listing.published_year),
  publisher: listing.publisher,
});

const NUMBERS: readonly string[] = ['original_price', 'resale_price', 'years_of_use'];

/** What is sent for a changed form: only the fields that differ from what it began with. */
export const editOf = (values: ListingValues, before: Partial<ListingValues>): ListingEdit => {
  const changed = LISTING_FIELDS.filter((name) => values[name].trim() !== before[name]?.trim());
  return Object.fromEntries(
    changed.map((name) => [name, NUMBERS.includes(name) ? decimalText(values[name]) : values[name].trim()]),
  );
};

/**
 * What is wrong with a changed form. What was not touched is not held against the seller: it came in by other rules.
 */
export const editFormProblems = (values: ListingValues, before: Partial<ListingValues>): FieldErrors =>
  editProblems(editOf(values, before));
