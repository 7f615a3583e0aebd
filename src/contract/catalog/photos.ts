import { Type, type Static } from 'typebox';
import { Id } from '#contract/scalars.ts';
import { PHOTO_NAME } from './photo-sizes.ts';

/** Photos of one copy, and of one problem of an order. */
export const MAX_PHOTOS = 8;

export const PhotoName = Type.String({ pattern: PHOTO_NAME });

const size = {
  /** Of the largest size, in pixels. */
  width: Type.Integer(),
  height: Type.Integer(),
  colour: Type.String({ pattern: '^[0-9a-f]{6}$', description: 'Red, green and blue of all of it together' }),
};

/** A photo of its owner; `name` is null as long as it is private: once a listing has it, everybody may see it. */
export const Photo = Type.Object({ id: Id, ...size, name: Type.Union([PhotoName, Type.Null()]) });
export type Photo = Static<typeof Photo>;

/** The photo on a card. */
export const CardPhoto = Type.Object({ name: PhotoName, ...size });
export type CardPhoto = Static<typeof CardPhoto>;

const Caption = Type.Union([
  Type.Literal('front'),
  Type.Literal('back'),
  Type.Literal('spine'),
  Type.Literal('inside'),
  Type.Literal('damage'),
  Type.Null(),
]);

/** A photo of a copy; its `id` means something to its owner alone, who edits by it. */
export const ListingPhoto = Type.Object({
  id: Id,
  name: PhotoName,
  ...size,
  caption: Caption,
  /** Whether it was drawn for the demo shop, and shows no real copy. */
  sample: Type.Boolean(),
});
export type ListingPhoto = Static<typeof ListingPhoto>;

/** A photo of a problem with an order, for those whom it concerns: read by its `id`, with their access token. */
export const OrderPhoto = Type.Object({ id: Id, ...size });
export type OrderPhoto = Static<typeof OrderPhoto>;

/** The photos of a copy as its seller sends them; the first is the cover. */
export const PhotoChoice = Type.Object({ id: Id, caption: Caption });
export type PhotoChoice = Static<typeof PhotoChoice>;
