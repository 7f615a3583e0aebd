import { isPhotoName } from '#contract/catalog/photo-sizes.ts';
import {
  findCopiesWith,
  lockCover,
  placedOn,
  placePhotos,
  removePhoto,
  withdrawPhotos,
} from '#server/catalog/photos/listing-photos.service.ts';
import { lockListing, updateListing, type LockedListing } from '#server/catalog/listings/managing.queries.ts';
import { moveListing } from '#server/catalog/listings/listing.queries.ts';
import { requireUnlocked } from '#server/catalog/listings/locked.ts';
import { restoreCopy } from '#server/catalog/listings/restoring.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';

/** Takes the photos of a copy that an admin took out of the shop from everybody, at once. */
export const takeDownPhotos = async (trx: Trx, id: string, { image_url }: Pick<LockedListing, 'image_url'>) => {
  if (!isPhotoName(image_url)) return;
  await withdrawPhotos(trx, id, 'taken down');
  await updateListing(trx, id, { image_url: '', image_source: '' });
};

const withdraw = async (trx: Trx, id: string): Promise<LockedListing | undefined> => {
  const listing = await lockListing(trx, id);
  if (listing === undefined || listing.state === 'withdrawn') return listing;
  requireUnlocked(listing);
  await moveListing(trx, id, listing.state === 'paused' ? 'paused' : 'available', 'withdrawn');
  return listing;
};

/** Takes a copy that was reported off the shelf and keeps its photos; 409 while it is held or once it is sold. */
export const hideReported = async (trx: Trx, id: string): Promise<void> => {
  await withdraw(trx, id);
};

/** As `hideReported`, and takes its photos down, which do not come back. */
export const deleteReported = async (trx: Trx, id: string): Promise<void> => {
  const listing = await withdraw(trx, id);
  if (listing !== undefined) await takeDownPhotos(trx, id, listing);
};

/** Puts a copy back that was taken off after a report; one that is long gone stays gone. */
export const showReported = async (trx: Trx, id: string): Promise<void> => {
  await restoreCopy(trx, id);
};

/** Takes one photo from all copies of its owner, also from those that are held or sold, and from what was promised. */
export const takePhotoDown = async (trx: Trx, photoId: string, ownerId: string): Promise<void> => {
  for (const listingId of await findCopiesWith(trx, photoId)) {
    const listing = await lockListing(trx, listingId);
    if (listing === undefined) continue;
    const rest = (await placedOn(trx, listingId)).filter(({ id }) => id !== photoId);
    const cover = await lockCover(trx, ownerId, rest);
    await placePhotos(trx, listingId, rest);
    await updateListing(trx, listingId, { image_url: cover ?? '', image_source: '' });
  }
  await removePhoto(trx, photoId);
};
