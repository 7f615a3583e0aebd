import { createHash } from 'node:crypto';
import { type Photo } from '#contract/catalog/photos.ts';
import { MAX_PHOTO_BYTES_OF_USER, MAX_PHOTOS_A_DAY } from '#contract/catalog/photo-rules.ts';
import { isPhotoName, type PhotoSide } from '#contract/catalog/photo-sizes.ts';
import { contentDigestOf } from '#server/platform/files/content-digest.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSignedIn, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import { deleteFree, lockPhotos } from './listing-photos.queries.ts';
import { keepPicture, keyOfShared, keyOfSide, type PhotoDeps } from './photo-files.service.ts';
import { findPhoto, findPrivateFile, findPublicFile, isUsed, readUsage, type PhotoRow } from './photo.queries.ts';
import type { PhotoStore } from './store/photo-store.ts';

export type { PhotoDeps } from './photo-files.service.ts';

const noSuchPhoto = (): AppError => notFound('There is no such photo');

/** 429 for whoever has uploaded as much as one may. */
const requireRoom = async (db: Db, ownerId: string): Promise<void> => {
  const { today, bytes } = await readUsage(db, ownerId);
  if (today >= MAX_PHOTOS_A_DAY) {
    const says = `You have uploaded ${MAX_PHOTOS_A_DAY} photos within a day: please go on tomorrow`;
    throw new AppError('too_many', says, { retryAfterSeconds: 3_600 });
  }
  if (bytes >= MAX_PHOTO_BYTES_OF_USER) {
    const says = 'Your photos fill 2 GB, which is as much as one may have: please delete what you do not need';
    throw new AppError('too_many', says, { retryAfterSeconds: 86_400 });
  }
};

const shown = ({ id, file, isPublic }: PhotoRow): Photo => {
  if (file === undefined) throw new AppError('photo_differs', 'This photo was deleted: please choose it again');
  const { name, ...size } = file;
  return { id, ...size, name: isPublic ? name : null };
};

/** What was uploaded under an id before: the same bytes are answered the same, others are 409, another's id is 404. */
const answerAgain = (user: SignedIn, found: PhotoRow, digest: Buffer): Photo => {
  if (found.ownerId !== user.userId) throw noSuchPhoto();
  if (!found.digest.equals(digest))
    throw new AppError('photo_differs', 'Another picture was uploaded under this id: please choose it again');
  return shown(found);
};

/** Refuses, before a byte is read, who may not upload under this id: 404 for another's, 429 for whoever has enough. */
export const requireUpload = async ({ db }: Pick<PhotoDeps, 'db'>, viewer: Viewer, id: string): Promise<void> => {
  const user = requireSignedIn(viewer);
  const found = await findPhoto(db, id);
  if (found === undefined) return requireRoom(db, user.userId);
  if (found.ownerId !== user.userId) throw noSuchPhoto();
};

/**
 * Takes a picture up as a private photo. The same bytes under the same id again are answered the same; of two at once
 * one is written and the other compared with it.
 */
export const uploadPhoto = async (
  deps: PhotoDeps,
  viewer: Viewer,
  { id, bytes, contentDigest }: { id: string; bytes: Uint8Array; contentDigest: string | string[] | undefined },
): Promise<Photo> => {
  const user = requireSignedIn(viewer);
  const digest = createHash('sha256').update(bytes).digest();
  if (!contentDigestOf(contentDigest).equals(digest))
    throw new AppError('bad_request', 'The picture did not arrive as it was sent: please try again');
  const found = await findPhoto(deps.db, id);
  if (found !== undefined) return answerAgain(user, found, digest);
  const photo = { id, ownerId: user.userId, fetchedFrom: null, bytes };
  const file = await keepPicture(deps, photo, { mayKeep: (trx) => requireRoom(trx, user.userId) });
  const written = await findPhoto(deps.db, id);
  if (written === undefined) throw noSuchPhoto();
  return file === 'taken' ? answerAgain(user, written, digest) : shown(written);
};

/** Deletes an own photo that nothing has: it is gone from the store within a minute. 409 while something has it. */
export const deletePhoto = (db: Db, viewer: Viewer, id: string): Promise<{ deletedCount: number }> => {
  const user = requireSignedIn(viewer);
  return db.transaction().execute(async (trx) => {
    await lockPhotos(trx, [id]);
    const found = await findPhoto(trx, id);
    if (found?.file === undefined || found.ownerId !== user.userId) throw noSuchPhoto();
    if (await isUsed(trx, id)) {
      throw new AppError('photo_used', 'A book, an order or your profile shows this photo: take it out there first');
    }
    return { deletedCount: await deleteFree(trx, [id]) };
  });
};

/** A private photo for whom it concerns; for everybody else it does not exist. */
export const readPhoto = async (
  { db, store }: Pick<PhotoDeps, 'db' | 'store'>,
  viewer: Viewer,
  { id, side }: { id: string; side: PhotoSide },
): Promise<Uint8Array> => {
  const file = await findPrivateFile(db, id, requireSignedIn(viewer));
  const bytes = file && (await store.get(keyOfSide(file, side)));
  if (bytes === undefined) throw noSuchPhoto();
  return bytes;
};

/** A public photo as it is to be sent; undefined for what nobody may see any more. */
export interface PublicPhoto {
  readonly key: string;
  read(): Promise<Uint8Array | undefined>;
}

/** Which file of a public photo an address means: one of its sides, or the JPEG. */
export const findPublicPhoto = async (
  { db, store }: { readonly db: Db; readonly store: PhotoStore },
  name: string,
  side: PhotoSide | 'shared',
): Promise<PublicPhoto | undefined> => {
  const file = isPhotoName(name) ? await findPublicFile(db, name) : undefined;
  if (file === undefined) return undefined;
  const key = side === 'shared' ? keyOfShared(file) : keyOfSide(file, side);
  return { key, read: () => store.get(key) };
};
