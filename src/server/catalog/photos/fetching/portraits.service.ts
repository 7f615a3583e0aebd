import { randomUUID } from 'node:crypto';
import { keepPicture } from '#server/catalog/photos/photo-files.service.ts';
import { replacePortrait } from '#server/identity/users/portrait.service.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { fetchDue, type FetchingDeps } from './fetch-due.service.ts';
import { PORTRAITS } from './fetch-queue.queries.ts';
import { findPortraitFrom } from './portraits.queries.ts';
import { fetchTyped, type TypedOptions } from './typed-picture.service.ts';

/** Pixels: what services give is small, and so is where it is shown. */
const MIN_PORTRAIT_SIDE = 32;

/**
 * What a user is to be shown by whose picture is at an address that they typed: the name of a photo of theirs. The
 * address is fetched, once; 400 `photoURL` with a sentence where no picture is to be had. As for a copy, a demo, which
 * may have no way out, keeps an address that cannot be reached now, to fetch it later.
 */
export const takePortrait = async (
  options: TypedOptions & { readonly db: Db },
  userId: string,
  address: string,
): Promise<string> => {
  const known = await findPortraitFrom(options.db, userId, address);
  if (known !== undefined) return known;
  const rules = { field: 'photoURL', minSide: MIN_PORTRAIT_SIDE };
  return (await fetchTyped(address, userId, rules, options))?.name ?? address;
};

/**
 * Fetches the picture of one user whom a service told it of, or who typed it where it could not be reached, and keeps
 * it as a photo of theirs: one at a time in the whole shop. Answers whether there was one. Where it is given up the
 * user has no picture.
 */
export const fetchDuePortrait = (deps: FetchingDeps): Promise<boolean> =>
  fetchDue(deps, {
    queue: PORTRAITS,
    keep: async (photos, { ownerId, address }, bytes) => {
      const photo = { id: randomUUID(), ownerId, fetchedFrom: address, bytes };
      const file = await keepPicture(photos, photo, { minSide: MIN_PORTRAIT_SIDE });
      if (file !== 'taken') await replacePortrait(photos.db, ownerId, { from: address, to: file.name });
    },
    forgo: ({ db }, { ownerId, address }) => replacePortrait(db, ownerId, { from: address, to: '' }),
  });
