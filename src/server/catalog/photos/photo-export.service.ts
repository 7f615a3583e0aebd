import { PHOTO_SIDES } from '#contract/catalog/photo-sizes.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { keyOfSide } from './photo-files.service.ts';
import { findPhoto } from './photo.queries.ts';
import type { PhotoStore } from './store/photo-store.ts';

export { listPhotosToExport } from './photo-export.queries.ts';
export type { PhotoStore } from './store/photo-store.ts';

const [, , LARGEST] = PHOTO_SIDES;

/** The largest picture of a photo; undefined once it was deleted. */
export const readPhotoToExport = async (
  { db, store }: { readonly db: Db; readonly store: PhotoStore },
  id: string,
): Promise<Uint8Array | undefined> => {
  const file = (await findPhoto(db, id))?.file;
  return file && store.get(keyOfSide(file, LARGEST));
};
