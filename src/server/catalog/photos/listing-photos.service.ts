import type { ListingEdit } from '#contract/catalog/catalog.ts';
import { isImageUrl } from '#contract/catalog/listing-rules.ts';
import { type PhotoChoice } from '#contract/catalog/photos.ts';
import { isPhotoName, pictureMeant } from '#contract/catalog/photo-sizes.ts';
import { badFields } from '#server/platform/errors.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { fetchTyped, type TypedOptions } from './fetching/typed-picture.service.ts';
import {
  deleteFree,
  listCopiesWith,
  listPhotosOf,
  listPlaced,
  lockOwnPhotos,
  lockPhotos,
  putOn,
  takeDown,
  takeOff,
} from './listing-photos.queries.ts';

export type { PictureFetching } from './fetching/typed-picture.service.ts';

/** The picture of a copy as it is to be stored. */
export interface Picture {
  /** The address of a picture that is not fetched; empty where there are photos, of which the first is the cover. */
  readonly imageUrl: string;
  /** The address that the photo was fetched from. */
  readonly imageSource: string;
  readonly photos: readonly PhotoChoice[];
}

export const NO_PICTURE: Picture = { imageUrl: '', imageSource: '', photos: [] };

const NO_ADDRESS = 'Add a photo, or give the https address of a picture';
const ANOTHER_BOOKS = 'This photo belongs to another book: please upload it for this one';

interface PictureOptions extends TypedOptions {
  readonly publicUrl: string;
}

/** The photo of an address, as its seller's, or the address as it is where a demo cannot reach it. */
const fetchPhoto = async (url: string, sellerId: string, options: PictureOptions): Promise<Picture> => {
  const photo = await fetchTyped(url, sellerId, { field: 'image_url' }, options);
  if (photo === undefined) return { ...NO_PICTURE, imageUrl: url };
  return { ...NO_PICTURE, imageSource: url, photos: [{ id: photo.id, caption: null }] };
};

/**
 * What a seller means by the photos or the address that they sent; undefined where they say nothing, or what the copy
 * `before` has already, as its address is told. An address is fetched, once. 400 for one photo twice, for the address
 * of another book's photo and for one where no picture is to be had.
 */
export const takePicture = async (
  sellerId: string,
  { image_url: url, photos }: Pick<ListingEdit, 'image_url' | 'photos'>,
  options: PictureOptions,
  before?: { readonly image_url: string; readonly image_source: string },
): Promise<Picture | undefined> => {
  if (photos !== undefined) {
    const chosen = photos.map(({ id, caption }) => ({ id: id.toLowerCase(), caption }));
    if (new Set(chosen.map(({ id }) => id)).size < chosen.length) throw badFields({ photos: 'Choose each photo once' });
    return { ...NO_PICTURE, photos: chosen };
  }
  if (url === undefined) return undefined;
  const meant = pictureMeant(url, options.publicUrl);
  if (before !== undefined && (meant === before.image_url || meant === before.image_source)) return undefined;
  if (!isImageUrl(meant)) throw badFields({ image_url: isPhotoName(meant) ? ANOTHER_BOOKS : NO_ADDRESS });
  return fetchPhoto(meant, sellerId, options);
};

/**
 * Keeps a seller's photos as they are until the transaction ends; answers the name of the cover, undefined where there
 * are none. 400 where one is not theirs or is gone.
 */
export const lockCover = async (
  trx: Trx,
  sellerId: string,
  photos: readonly PhotoChoice[],
): Promise<string | undefined> => {
  const [cover] = photos;
  if (cover === undefined) return undefined;
  const names = new Map(
    (
      await lockOwnPhotos(
        trx,
        sellerId,
        photos.map(({ id }) => id),
      )
    ).map((one) => [one.id, one.name]),
  );
  if (names.size < photos.length)
    throw badFields({ photos: 'One of these photos is not there any more: please choose it again' });
  return names.get(cover.id);
};

/**
 * Gives a copy these photos and no others; answers whether they are others, in another order or have other captions
 * than before. The caller holds the copy's row lock, or has just made it, and called `lockCover`.
 */
export const placePhotos = async (trx: Trx, listingId: string, photos: readonly PhotoChoice[]): Promise<boolean> => {
  const before = await listPlaced(trx, listingId);
  const same = ({ id, caption }: PhotoChoice, place: number): boolean =>
    before[place]?.id === id && before[place].caption === caption;
  if (before.length === photos.length && photos.every(same)) return false;
  if (before.length > 0) await takeOff(trx, listingId);
  if (photos.length > 0) await putOn(trx, listingId, photos);
  return true;
};

/**
 * Takes the photos of a copy away for good, out of the store within a minute; what another copy has, too, stays. What
 * somebody was promised stays as long as that matters, unless an admin took them down.
 */
export const withdrawPhotos = async (trx: Trx, listingId: string, why: 'gone' | 'taken down'): Promise<void> => {
  const ids = await takeOff(trx, listingId);
  if (ids.length === 0) return;
  await lockPhotos(trx, ids);
  if (why === 'taken down') await takeDown(trx, ids);
  await deleteFree(trx, ids);
};

/** What a copy has, the cover first. */
export const placedOn = (trx: Trx, listingId: string): Promise<PhotoChoice[]> => listPlaced(trx, listingId);

/** The copies that have a photo, in the order in which they are locked. */
export const findCopiesWith = (trx: Trx, photoId: string): Promise<string[]> => listCopiesWith(trx, photoId);

/** Takes a photo down that no copy has: nobody sees it from then on. */
export const removePhoto = async (trx: Trx, photoId: string): Promise<void> => {
  await lockPhotos(trx, [photoId]);
  await takeDown(trx, [photoId]);
  await deleteFree(trx, [photoId]);
};

/** Photos deleted at once. */
const BATCH = 500;

/** Deletes what a user who left has uploaded and nothing has: it is gone from the store within a minute. */
export const deletePhotosOf = async (db: Db, userId: string): Promise<void> => {
  for (let after = ''; ;) {
    const ids = await listPhotosOf(db, userId, { after, limit: BATCH });
    const last = ids.at(-1);
    if (last === undefined) return;
    await db.transaction().execute(async (trx) => {
      await lockPhotos(trx, ids);
      await deleteFree(trx, ids);
    });
    after = last;
  }
};
