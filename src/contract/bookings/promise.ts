import { Type, type Static } from 'typebox';
import { ListingPhoto } from '#contract/catalog/photos.ts';
import { Passport } from '#contract/catalog/passport/passport.ts';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, Id } from '#contract/scalars.ts';

const PromisedPhoto = Type.Pick(ListingPhoto, ['name', 'caption']);

/** As `Passport`; a defect's `photo` is the name of one of the promised photos. */
const PromisedPassport = Type.Object({
  ...Passport.properties,
  defects: Type.Array(
    Type.Object({
      ...Type.Omit(Passport.properties.defects.items, ['photo']).properties,
      photo: Type.Union([ListingPhoto.properties.name, Type.Null()]),
    }),
  ),
});
export type PromisedPassport = Static<typeof PromisedPassport>;

/**
 * What a booking promises of its copy, whole, as it was at booking: its hash is the sha-256 of this as RFC 8785 writes
 * it. Nothing of its buyer or seller is in it. `picture`: the name of the cover's photo, or the address
 * of a picture that the shop had not fetched yet. `price_cents` in cents of a US dollar.
 */
export const CopyPromise = Type.Object({
  title: Type.String(),
  authors: Type.String(),
  isbn13: Type.String(),
  published_year: Type.Union([Type.Integer(), Type.Null()]),
  publisher: Type.String(),
  condition: Type.String(),
  details: Type.String(),
  price_cents: Type.Integer(),
  picture: Type.String(),
  photos: Type.Array(PromisedPhoto),
  passport: Type.Union([PromisedPassport, Type.Null()]),
});
export type CopyPromise = Static<typeof CopyPromise>;

/** What a buyer is promised of a copy, where it changed. Price in US dollars; `photos` are those beside the cover. */
const CopyTerms = Type.Object({
  title: Type.String(),
  authors: Type.String(),
  isbn13: Type.String(),
  published_year: Type.Union([Type.Integer(), Type.Null()]),
  publisher: Type.String(),
  condition: Type.String(),
  details: Type.String(),
  image_url: Type.String(),
  price: Dollars,
  photos: Type.Array(PromisedPhoto),
  passport: Type.Union([PromisedPassport, Type.Null()]),
});
export type CopyTerms = Static<typeof CopyTerms>;

/**
 * How a copy differs from what its buyer was promised: `then` and `now` have the fields that changed and no others. A
 * lower price, a photo more and photos in another order are no change. `version` names the copy as it is now.
 */
export const CopyChange = Type.Object({
  bookingId: Id,
  version: Type.String(),
  // oxlint-disable-next-line unicorn/no-thenable -- data, never a function
  then: Type.Partial(CopyTerms),
  now: Type.Partial(CopyTerms),
});
export type CopyChange = Static<typeof CopyChange>;

/**
 * The buyer takes the copy as it is now for what was promised. `version` is that of the change they saw: 409
 * `copy_changed` when the copy has changed once more, 0 when nothing differs from the promise. Takes no hold.
 */
export const acceptCopy = endpoint({
  method: 'PUT',
  path: '/bookings/:id/promise',
  summary: 'Goes on with a copy that was changed since it was booked',
  access: 'its buyer',
  params: Type.Object({ id: Id }),
  body: Type.Object({ version: Type.String({ maxLength: 64 }) }),
  status: 200,
  answer: Type.Object({ modifiedCount: Type.Integer() }),
  refused: { modifiedCount: 0 },
  personal: true,
});
