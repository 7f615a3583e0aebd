import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Id, IsoTime } from '#contract/scalars.ts';
import { MAX_PHOTOS, PhotoChoice } from './photos.ts';

/** A draft is kept for so many days after it was saved last. */
export const DRAFT_DAYS = 30;
const MAX_FIELDS = 30;
/** All that was typed together, in UTF-16 units. */
export const MAX_DRAFT_LENGTH = 20_000;

/** What was typed, by the names of the form's fields; it may be anything, as nothing of it was sent yet. */
const DraftFields = Type.Record(Type.String({ pattern: '^[a-z0-9_]{1,40}$' }), Type.String({ maxLength: 12_000 }), {
  additionalProperties: false,
  maxProperties: MAX_FIELDS,
});

/** As many digits as any version will have. */
const MAX_VERSION = 999_999_999_999_999;

/**
 * What a seller typed into Add A Product and has not sent, and the photos that were chosen; those that were deleted
 * meanwhile are left out. `version` goes up with each save and never means another draft.
 */
export const KeptDraft = Type.Object({
  version: Type.Integer(),
  savedAt: IsoTime,
  fields: Type.Record(Type.String(), Type.String()),
  photos: Type.Array(PhotoChoice),
});
export type KeptDraft = Static<typeof KeptDraft>;

/** Null where there is none, or the last save was 30 days ago. */
export const readListingDraft = endpoint({
  method: 'GET',
  path: '/listing-draft',
  summary: 'What was typed into Add A Product and not sent',
  access: 'seller',
  status: 200,
  answer: Type.Object({ draft: Type.Union([KeptDraft, Type.Null()]) }),
  refused: { draft: null },
  personal: true,
});

/**
 * Replaces the draft. `version` is the one that the caller had, 0 for none: 409 `draft_newer` where another tab or
 * device has saved, listed or dropped it since, and nothing is lost; 400 for more than 20,000 letters together. Of the
 * photos only the caller's own are kept.
 */
export const saveListingDraft = endpoint({
  method: 'PUT',
  path: '/listing-draft',
  summary: 'Keeps what is typed into Add A Product',
  access: 'seller',
  body: Type.Object({
    version: Type.Integer({ minimum: 0, maximum: MAX_VERSION }),
    fields: DraftFields,
    photos: Type.Array(Type.Object({ id: Id, caption: PhotoChoice.properties.caption }), { maxItems: MAX_PHOTOS }),
  }),
  status: 200,
  answer: Type.Object({ version: Type.Integer(), savedAt: IsoTime }),
  refused: { version: null },
  personal: true,
});

/** `deletedCount` is 0 when there was none, or another than the `version` that is named. */
export const deleteListingDraft = endpoint({
  method: 'DELETE',
  path: '/listing-draft',
  summary: 'Drops what was typed into Add A Product',
  access: 'seller',
  query: Type.Object({ version: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })) }),
  status: 200,
  answer: Type.Object({ deletedCount: Type.Integer() }),
  refused: { deletedCount: 0 },
  personal: true,
});
