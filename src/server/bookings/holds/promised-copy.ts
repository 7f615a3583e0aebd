import { createHash } from 'node:crypto';
import { dollarsOf } from '#contract/money/money.ts';
import type { CopyChange } from '#contract/bookings/promise.ts';

/** What is promised of a copy; `condition` and `details` are null where they were not written down. */
interface Terms {
  readonly title: string;
  readonly authors: string;
  readonly condition: string | null;
  readonly details: string | null;
  readonly image_url: string;
  readonly priceCents: number;
}

type Field = keyof Terms;

/** A booking's promise beside its copy as it is. */
export interface PromisedCopy extends Terms {
  readonly nowTitle: string;
  readonly nowAuthors: string;
  readonly nowCondition: string;
  readonly nowDetails: string;
  readonly nowImageUrl: string;
  readonly nowPriceCents: number;
  /** Whether the picture that was promised is still one of the copy's. */
  readonly hasPicture: boolean;
}

const currentOf = (copy: PromisedCopy): Terms => ({
  title: copy.nowTitle,
  authors: copy.nowAuthors,
  condition: copy.nowCondition,
  details: copy.nowDetails,
  image_url: copy.nowImageUrl,
  priceCents: copy.nowPriceCents,
});

const FIELDS = ['title', 'authors', 'condition', 'details', 'image_url', 'priceCents'] as const satisfies Field[];

/**
 * Whether a field of a copy is another than was promised. A lower price takes nothing from a buyer, nor does a picture
 * where there was none, nor another cover as long as the copy has the picture still.
 */
const hasChanged = (field: Field, promised: PromisedCopy, current: Terms): boolean => {
  switch (field) {
    case 'priceCents':
      return current.priceCents > promised.priceCents;
    case 'image_url':
      return promised.image_url !== '' && !promised.hasPicture;
    case 'condition':
    case 'details':
      return promised[field] !== null && promised[field] !== current[field];
    default:
      return promised[field] !== current[field];
  }
};

const shown = (terms: Terms, fields: readonly Field[]): CopyChange['now'] =>
  Object.fromEntries(
    fields.map((field) => (field === 'priceCents' ? ['price', dollarsOf(terms.priceCents)] : [field, terms[field]])),
  );

/** A name for a copy as it is: the same for the same terms, and no other's. */
const versionOf = (terms: Terms): string =>
  createHash('sha256')
    .update(JSON.stringify(FIELDS.map((field) => terms[field])))
    .digest('base64url');

/** How a copy differs from what its buyer was promised; undefined when it keeps the promise. */
export const changeOf = (bookingId: string, copy: PromisedCopy): CopyChange | undefined => {
  const current = currentOf(copy);
  const changed = FIELDS.filter((field) => hasChanged(field, copy, current));
  if (changed.length === 0) return undefined;
  // oxlint-disable-next-line unicorn/no-thenable -- data, never a function
  return { bookingId, version: versionOf(current), then: shown(copy, changed), now: shown(current, changed) };
};

/** Whether the promise is kept but says less than the copy is now: that is promised from now on. */
export const isBetter = (copy: PromisedCopy): boolean => {
  const current = currentOf(copy);
  return FIELDS.some((field) => copy[field] !== current[field]);
};
