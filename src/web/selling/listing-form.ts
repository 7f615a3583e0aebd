import {
  CONDITIONS,
  type Condition,
  type Listing,
  type ListingDetail,
  type ListingDraft,
  type ListingEdit,
} from '#contract/catalog/catalog.ts';
import { decimalText } from '#contract/money/decimal-text.ts';
import { type PhotoChoice } from '#contract/catalog/photos.ts';
import { photoNameIn } from '#contract/catalog/photo-sizes.ts';
import type { FieldErrors } from '#contract/errors.ts';
import type { DeliveryExceptionDraft } from '#contract/delivery/delivery-calls.ts';
import type { SessionUser } from '#contract/users/identity.ts';
import { normaliseIsbn } from '#contract/catalog/isbn.ts';
import { readSaid, textOfPassport } from './passport/said.ts';
import { editProblems, listingProblems } from '#contract/catalog/listing-rules.ts';

/** The typed fields of the product form, named as in the contract. */
export const LISTING_FIELDS = [
  'title',
  'image_url',
  'original_price',
  'original_known',
  'resale_price',
  'years_of_use',
  'years_known',
  'location',
  'phone',
  'details',
  'category_id',
  'condition',
  'authors',
  'isbn13',
  'published_year',
  'publisher',
  'delivery',
  'passport',
] as const;
/** What the boxes `original_known` and `years_known` say when they are ticked: that nobody knows. */
export const NOT_KNOWN = 'no';
/** What the box `delivery` says when it is ticked: not as the last book, which went another way than all. */
export const AS_ALL = 'as-all';

export type ListingValues = Record<(typeof LISTING_FIELDS)[number], string>;

const isCondition = (text: string): text is Condition => CONDITIONS.some((condition) => condition === text);

/** The 13 digits of what is typed or scanned, without its price; what is none is refused as it stands. */
const isbnOf = (typed: string): string => normaliseIsbn(typed) ?? typed.trim();

/** What stands for details where the seller has photos and no words. */
export const PHOTOS_SAY_IT = 'The photos show this very copy.';

/**
 * What is sent for the filled-in form of `user`; an address that was typed beside photos is not looked at. `delivery`:
 * what was different for their last book.
 */
export const draftOf = (
  values: ListingValues,
  user: SessionUser,
  photos: readonly PhotoChoice[] = [],
  delivery?: DeliveryExceptionDraft,
): ListingDraft => ({
  email: user.email,
  Seller: user.displayName,
  title: values.title.trim(),
  ...(photos.length > 0 ? { photos: [...photos] } : { image_url: values.image_url.trim() }),
  original_price: decimalText(values.original_price),
  ...(values.original_known === NOT_KNOWN && { original_known: false }),
  resale_price: decimalText(values.resale_price),
  years_of_use: decimalText(values.years_of_use),
  ...(values.years_known === NOT_KNOWN && { years_known: false }),
  location: values.location.trim(),
  phone: values.phone.trim(),
  details: values.details.trim() === '' && photos.length > 0 ? PHOTOS_SAY_IT : values.details.trim(),
  category_id: values.category_id,
  ...(isCondition(values.condition) && { condition: values.condition }),
  authors: values.authors.trim(),
  isbn13: isbnOf(values.isbn13),
  published_year: values.published_year.trim(),
  publisher: values.publisher.trim(),
  ...(delivery !== undefined && values.delivery !== AS_ALL && { delivery }),
  ...(values.passport !== '' && { passport: readSaid(values.passport) }),
});

/**
 * What is wrong with the filled-in form: the rules of the contract, and every field but the book's own facts is needed.
 */
export const formProblems = (
  values: ListingValues,
  user: SessionUser,
  photos: readonly PhotoChoice[] = [],
): FieldErrors => ({
  ...listingProblems(draftOf(values, user, photos)),
  ...(isCondition(values.condition) ? {} : { condition: 'Choose a condition' }),
});

/** What the form of a listed copy begins with. */
export const valuesOf = (listing: Listing & Partial<Pick<ListingDetail, 'passport'>>): ListingValues => ({
  title: listing.title,
  // A photo of the shop is shown as such, and not as an address.
  image_url: photoNameIn(listing.image_url) === undefined ? listing.image_url : '',
  original_price: listing.original_known ? listing.original_price.toFixed(2) : '',
  original_known: listing.original_known ? '' : NOT_KNOWN,
  resale_price: listing.resale_price.toFixed(2),
  years_of_use: listing.years_known ? String(listing.years_of_use) : '',
  years_known: listing.years_known ? '' : NOT_KNOWN,
  location: listing.location,
  phone: listing.phone,
  details: listing.details,
  category_id: listing.category_id,
  condition: listing.condition,
  authors: listing.authors,
  isbn13: listing.isbn13,
  published_year: listing.published_year === null ? '' : String(listing.published_year),
  publisher: listing.publisher,
  delivery: '',
  passport: listing.passport ? textOfPassport(listing.passport) : '',
});

/** What stays the same from one book of a seller to the next. */
export type KeptValues = Pick<
  ListingValues,
  'location' | 'phone' | 'category_id' | 'original_known' | 'years_known' | 'delivery'
>;
export const keptOf = (values: KeptValues): KeptValues => ({
  location: values.location,
  phone: values.phone,
  category_id: values.category_id,
  original_known: values.original_known,
  years_known: values.years_known,
  delivery: values.delivery,
});

const NUMBERS: readonly string[] = ['original_price', 'resale_price', 'years_of_use'];

const sentOf = (name: keyof ListingValues, typed: string): string => {
  if (name === 'isbn13') return isbnOf(typed);
  return NUMBERS.includes(name) ? decimalText(typed) : typed.trim();
};

/** Numbers that nobody may know, with the box that says so. */
const MAYBE_KNOWN = { original_price: 'original_known', years_of_use: 'years_known' } as const;

const isMaybeKnown = (name: string): name is keyof typeof MAYBE_KNOWN => Object.hasOwn(MAYBE_KNOWN, name);

/**
 * What is sent for a changed form: only the fields that differ from what it began with. `photos` where they were
 * changed; without any left the address that was typed takes their place.
 */
export const editOf = (
  values: ListingValues,
  before: Partial<ListingValues>,
  photos?: readonly PhotoChoice[],
): ListingEdit => {
  const isOfPhotos = photos !== undefined && photos.length > 0;
  const isChanged = (name: keyof ListingValues): boolean => values[name].trim() !== (before[name] ?? '').trim();
  const edit: Record<string, string | boolean> = {};
  for (const name of LISTING_FIELDS) {
    if (
      name === 'original_known' ||
      name === 'years_known' ||
      name === 'delivery' ||
      name === 'passport' ||
      (name === 'image_url' && isOfPhotos)
    )
      continue;
    const box = isMaybeKnown(name) ? MAYBE_KNOWN[name] : undefined;
    if (box !== undefined && values[box] === NOT_KNOWN) {
      if (isChanged(box)) edit[box] = false;
    } else if (isChanged(name) || (box !== undefined && isChanged(box))) edit[name] = sentOf(name, values[name]);
  }
  const said = isChanged('passport') && {
    passport: values.passport === '' ? null : readSaid(values.passport),
  };
  if (isOfPhotos) return { ...edit, ...said, photos: [...photos] };
  return photos === undefined ? { ...edit, ...said } : { ...edit, ...said, image_url: values.image_url.trim() };
};

/**
 * What is wrong with a changed form. What was not touched is not held against the seller: it came in by other rules.
 */
export const editFormProblems = (
  values: ListingValues,
  before: Partial<ListingValues>,
  photos?: readonly PhotoChoice[],
): FieldErrors => editProblems(editOf(values, before, photos));
