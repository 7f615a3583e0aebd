import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { dollarsOf } from '#contract/money/money.ts';
import { statedOtherwise } from '#contract/catalog/passport/passport-statements.ts';
import type { CopyChange, CopyPromise, CopyTerms } from '#contract/bookings/promise.ts';

/** A booking's promise beside its copy as it is. */
export interface PromisedCopy {
  readonly title: string;
  readonly authors: string;
  /** Null where they were not written down, as are all of the others. */
  readonly condition: string | null;
  readonly details: string | null;
  readonly image_url: string;
  readonly priceCents: number;
  /** Null where an earlier release booked it. */
  readonly promise: CopyPromise | null;
  readonly current: CopyPromise;
  readonly nowImageUrl: string;
  /** Whether the picture that was promised is still one of the copy's. */
  readonly hasPicture: boolean;
}

/** A promise as it is kept: the hash is that of its canonical JSON (RFC 8785). */
export const keptPromise = (promise: CopyPromise): { promise: CopyPromise; hash: Buffer } => ({
  promise,
  hash: createHash('sha256')
    .update(canonicalize(promise) ?? '')
    .digest(),
});

/** A name for a copy as it is: the same for the same promise, and no other's. */
const versionOf = (promise: CopyPromise): string => keptPromise(promise).hash.toString('base64url');

type Terms = { readonly [Field in keyof CopyTerms]: CopyTerms[Field] | undefined };
type Field = keyof CopyTerms;

const besideCover = ({ photos, picture }: CopyPromise): CopyTerms['photos'] =>
  photos.filter(({ name }) => name !== picture);

/** What was promised; undefined where that was not written down. */
const termsThen = (copy: PromisedCopy): Terms => {
  const { promise } = copy;
  return {
    title: copy.title,
    authors: copy.authors,
    isbn13: promise?.isbn13,
    published_year: promise?.published_year,
    publisher: promise?.publisher,
    condition: copy.condition ?? undefined,
    details: copy.details ?? undefined,
    image_url: copy.image_url,
    price: dollarsOf(copy.priceCents),
    photos: promise === null ? undefined : besideCover(promise),
    passport: promise === null ? undefined : promise.passport,
  };
};

const termsNow = ({ current, nowImageUrl }: PromisedCopy): CopyTerms => ({
  title: current.title,
  authors: current.authors,
  isbn13: current.isbn13,
  published_year: current.published_year,
  publisher: current.publisher,
  condition: current.condition,
  details: current.details,
  image_url: nowImageUrl,
  price: dollarsOf(current.price_cents),
  photos: besideCover(current),
  passport: current.passport,
});

/**
 * Whether a field of a copy is another than was promised. A lower price takes nothing from a buyer, nor does a picture
 * where there was none, nor photos more or in another order, as long as the copy has those that were promised.
 */
const hasChanged = (field: Field, copy: PromisedCopy, then: Terms, now: CopyTerms): boolean => {
  if (then[field] === undefined) return false;
  switch (field) {
    case 'price':
      return copy.current.price_cents > copy.priceCents;
    case 'image_url':
      return then.image_url !== '' && !copy.hasPicture;
    case 'photos': {
      const names = new Set(copy.current.photos.map(({ name }) => name));
      return (then.photos ?? []).some(({ name }) => !names.has(name));
    }
    case 'passport':
      return statedOtherwise(then.passport ?? null, now.passport).length > 0;
    default:
      return then[field] !== now[field];
  }
};

const FIELDS = [
  'title',
  'authors',
  'isbn13',
  'published_year',
  'publisher',
  'condition',
  'passport',
  'details',
  'image_url',
  'photos',
  'price',
] as const satisfies readonly Field[];

const shown = (terms: Terms, fields: readonly Field[]): CopyChange['now'] =>
  Object.fromEntries(fields.map((field) => [field, terms[field]]));

/** How a copy differs from what its buyer was promised; undefined when it keeps the promise. */
export const changeOf = (bookingId: string, copy: PromisedCopy): CopyChange | undefined => {
  const [then, now] = [termsThen(copy), termsNow(copy)];
  const changed = FIELDS.filter((field) => hasChanged(field, copy, then, now));
  if (changed.length === 0) return undefined;
  // oxlint-disable-next-line unicorn/no-thenable -- data, never a function
  return { bookingId, version: versionOf(copy.current), then: shown(then, changed), now: shown(now, changed) };
};

/**
 * Whether the promise is kept but says less than the copy is now, or its photos are not kept with it any more: that is
 * promised from now on.
 */
export const isBetter = ({ promise, current, isPictured }: PromisedCopy & { readonly isPictured: boolean }): boolean =>
  promise === null || !isPictured || versionOf(promise) !== versionOf(current);
