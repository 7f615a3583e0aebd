/** What an uploaded picture may be, and what is made of it. Sources: docs of sharp 0.35 and of libvips 8.18. */

/** Formats that are taken, by what their bytes say; a name or a type that was sent with them decides nothing. */
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const;

/** Bytes of one picture as it comes. */
export const MAX_PHOTO_BYTES = 25_000_000;
export const MAX_PHOTO_PIXELS = 50_000_000;
/** Pixels of the smaller side, and how many times the longer side may be as long. */
export const MIN_PHOTO_SIDE = 200;
export const MAX_PHOTO_RATIO = 5;
/** What mails and other sites show. */
export const SHARED_PHOTO = { width: 1_200, height: 630 } as const;

/** Why a picture is not taken, in the words its owner reads. */
export const PHOTO_REFUSALS = {
  empty: 'There is nothing in this picture',
  kind: 'Please choose a JPEG, PNG, WebP or AVIF picture',
  heic: 'This browser cannot read HEIC pictures: please choose a JPEG, or send it from the phone that took it',
  large: 'This picture has more than 50 megapixels: please choose a smaller one',
  small: 'This picture is too small: each side needs at least 200 pixels',
  long: 'This picture is too long and narrow: one side may be at most five times the other',
  broken: 'This picture is damaged or cut short: please choose it again, or take another',
  slow: 'This picture could not be read in time: please choose another',
} as const;
export type PhotoRefusal = keyof typeof PHOTO_REFUSALS;

export const PHOTO_CAPTIONS = ['front', 'back', 'spine', 'inside', 'damage'] as const;
export type PhotoCaption = (typeof PHOTO_CAPTIONS)[number];
/** What somebody may upload within 24 hours, and have in the shop. */
export const MAX_PHOTOS_A_DAY = 200;
export const MAX_PHOTO_BYTES_OF_USER = 2_000_000_000;
