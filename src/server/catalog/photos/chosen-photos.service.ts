import { badFields } from '#server/platform/errors.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { lockOwnPhotos } from './listing-photos.queries.ts';

/** A user's own photos, kept until the transaction ends; 400 where one is not theirs, is gone or comes twice. */
export const chooseOwnPhotos = async (trx: Trx, ownerId: string, ids: readonly string[]): Promise<string[]> => {
  const chosen = ids.map((id) => id.toLowerCase());
  if (new Set(chosen).size < chosen.length) throw badFields({ photos: 'Choose each photo once' });
  if ((await lockOwnPhotos(trx, ownerId, chosen)).length < chosen.length)
    throw badFields({ photos: 'One of these photos is not there any more: please choose it again' });
  return chosen;
};
