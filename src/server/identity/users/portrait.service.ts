import type { Db } from '#server/platform/postgres/db.ts';
import { updatePortrait } from './account.queries.ts';

/** Puts a photo's name, or nothing, in the place of a user's picture `from`, unless they have another by now. */
export const replacePortrait = (
  db: Db,
  userId: string,
  picture: { readonly from: string; readonly to: string },
): Promise<void> => updatePortrait(db, userId, picture);
