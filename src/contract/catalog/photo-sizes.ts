/** The longer sides, in pixels, of the pictures that are made of one; a smaller original is never made larger. */
export const PHOTO_SIDES = [320, 720, 1_600] as const;
/** The longer side, in pixels, of a picture that is asked for. */
export type PhotoSide = (typeof PHOTO_SIDES)[number];

/** How many sizes there are of a photo whose longer side has `longer` pixels, at most `PHOTO_SIDES`. */
export const countForms = (longer: number): number =>
  Math.min(PHOTO_SIDES.length, PHOTO_SIDES.filter((side) => side < longer).length + 1);

/** The sizes there are of a photo for `srcset`: by which side each is asked for, and its width in pixels. */
export const photoWidths = ({ width, height }: { readonly width: number; readonly height: number }) => {
  const longer = Math.max(width, height);
  return PHOTO_SIDES.slice(0, countForms(longer)).map((side) => ({
    side,
    width: Math.round(width * Math.min(1, side / longer)),
  }));
};

/** 22 letters of lower-case base32 (RFC 4648): 110 bits of the sha-256 of the largest file that was written. */
export const PHOTO_NAME = '^[a-z2-7]{22}$';
/** Whether a listing's stored picture is a photo of the shop. */
export const isPhotoName = (picture: string): boolean => /^[a-z2-7]{22}$/.test(picture);

/** The JPEG of a public photo, for mails and other sites. */
export const sharedPhotoPath = (name: string): string => `/photos/${name}/shared.jpg`;

/** The photo whose address, of whichever host, this is; undefined where it is none. */
export const photoNameIn = (url: string): string | undefined =>
  /^https?:\/\/[^\s/\\?#@]+\/photos\/([a-z2-7]{22})\/720\.webp$/.exec(url)?.[1];

/**
 * The picture that an address means: the name of a photo of the shop at `publicUrl`, or the address itself, as listings
 * have it.
 */
export const pictureMeant = (url: string, publicUrl: string): string => {
  const meant = url.trim();
  return meant.startsWith(`${publicUrl}/`) ? (photoNameIn(meant) ?? meant) : meant;
};
