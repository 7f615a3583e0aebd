import { randomUUID } from 'node:crypto';
import { placePhotos, lockCover } from '#server/catalog/photos/listing-photos.service.ts';
import { keepPicture, type PhotoDeps } from '#server/catalog/photos/photo-files.service.ts';
import { fetchDue, type FetchingDeps } from './fetch-due.service.ts';
import { LISTING_PICTURES, type DuePicture } from './fetch-queue.queries.ts';
import { lockPictured, showPhoto } from './listing-pictures.queries.ts';

/** Makes a photo of its seller's of a picture, and has the copy show it unless it was given another meanwhile. */
const keep = async (
  deps: PhotoDeps,
  { id: listingId, ownerId, address }: DuePicture,
  bytes: Uint8Array,
): Promise<void> => {
  const id = randomUUID();
  await keepPicture(deps, { id, ownerId, fetchedFrom: address, bytes });
  await deps.db.transaction().execute(async (trx) => {
    if (!(await lockPictured(trx, listingId, address))) return;
    const photos = [{ id, caption: null }];
    const name = await lockCover(trx, ownerId, photos);
    if (name === undefined) return;
    await placePhotos(trx, listingId, photos);
    await showPhoto(trx, listingId, name);
  });
};

/**
 * Fetches the picture of one copy that shows it from elsewhere, and keeps it as a photo: one at a time in the whole
 * shop. Answers whether there was one. The copy is not changed by it, nor what was promised of it.
 */
export const fetchDuePicture = (deps: FetchingDeps): Promise<boolean> =>
  fetchDue(deps, { queue: LISTING_PICTURES, keep });
