import { CONDITIONS, type Condition, type ListingDraft } from '#contract/catalog.ts';
import type { FieldErrors } from '#contract/errors.ts';
import type { SessionUser } from '#contract/identity.ts';
import { listingProblems } from '#contract/listing-rules.ts';

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

/**
 * A number as people type it, as the contract reads it: with a decimal point. Keypads of half the world have a comma
 * instead; a comma before a point groups thousands, and a dollar sign says what is known.
 */
export const decimalText = (typed: string): string => {
  const text = typed.trim().replace(/^\$\s*/, '');
  if (text.includes('.')) return text.replaceAll(/,(?=\d{3}(?:\D|$))/g, '');
  return text.replace(',', '.');
};

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

/** What is wrong with the filled-in form: the rules of the contract, and every field but the book's own facts is needed. */
export const formProblems = (values: ListingValues, user: SessionUser): FieldErrors => ({
  ...listingProblems(draftOf(values, user)),
  ...(isCondition(values.condition) ? {} : { condition: 'Choose a condition' }),
});
