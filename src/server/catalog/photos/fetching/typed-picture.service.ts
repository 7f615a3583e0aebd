import { randomUUID } from 'node:crypto';
import { keepPicture, type PhotoDeps } from '#server/catalog/photos/photo-files.service.ts';
import { AppError, badFields } from '#server/platform/errors.ts';
import type { Unfetched } from './fetch-picture.ts';

/** Fetches a picture once, and makes a photo of it. */
export interface PictureFetching extends PhotoDeps {
  readonly fetch: (url: string) => Promise<{ readonly bytes: Uint8Array } | Unfetched>;
}

export interface TypedOptions {
  readonly mode: 'demo' | 'production';
  /** Absent: addresses are kept as they are. */
  readonly pictures?: PictureFetching | undefined;
}

/**
 * The photo of an address, as its owner's; 400 with a sentence at `field` where there is none to be had. Undefined
 * where the address is to be kept as it is: a demo, which may have no way out, does so where it cannot be reached now.
 */
export const fetchTyped = async (
  url: string,
  ownerId: string,
  { field, minSide }: { readonly field: string; readonly minSide?: number },
  { mode, pictures }: TypedOptions,
): Promise<{ readonly id: string; readonly name: string } | undefined> => {
  if (pictures === undefined) return undefined;
  const fetched = await pictures.fetch(url);
  if ('refused' in fetched) {
    if (mode === 'demo' && fetched.later) return undefined;
    throw badFields({ [field]: fetched.refused });
  }
  const photo = { id: randomUUID(), ownerId, fetchedFrom: url, bytes: fetched.bytes };
  try {
    const file = await keepPicture(pictures, photo, { minSide });
    if (file === 'taken') throw new Error('two photos were given the same random id');
    return { id: photo.id, name: file.name };
  } catch (error) {
    if (error instanceof AppError && error.code === 'photo_refused') throw badFields({ [field]: error.message });
    throw error;
  }
};
