import { MAX_DRAFT_LENGTH, type KeptDraft } from '#contract/catalog/listing-drafts.ts';
import type { PhotoChoice } from '#contract/catalog/photos.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { AppError, badFields } from '#server/platform/errors.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import {
  deleteDraft,
  deleteOldDrafts,
  findDraft,
  keepForDraft,
  lockDraft,
  releaseFromDraft,
  writeDraft,
} from './draft.queries.ts';

/** What the viewer typed into Add A Product and has not sent; null where there is none. */
export const readDraft = async (db: Db, viewer: Viewer): Promise<{ draft: KeptDraft | null }> => {
  const { userId } = requireSeller(viewer);
  const row = await findDraft(db, userId);
  return { draft: row === undefined ? null : { ...row, savedAt: row.savedAt.toISOString() } };
};

/**
 * Replaces the viewer's draft. 409 where it is not at `version` any more: another tab or device has saved, listed or
 * dropped it since. Its photos are kept as long as it is.
 */
export const saveDraft = async (
  db: Db,
  viewer: Viewer,
  input: { version: number; fields: Record<string, string>; photos: readonly PhotoChoice[] },
): Promise<{ version: number; savedAt: string }> => {
  const { userId: ownerId } = requireSeller(viewer);
  const length = Object.values(input.fields).reduce((sum, text) => sum + text.length, 0);
  if (length > MAX_DRAFT_LENGTH) throw badFields({ fields: 'This is too much to keep as a draft' });
  return db.transaction().execute(async (trx) => {
    const before = (await lockDraft(trx, ownerId))?.photoIds ?? [];
    const saved = await writeDraft(trx, { ownerId, ...input });
    if (saved === undefined) {
      throw new AppError('draft_newer', 'There is a newer draft from another tab or device: use it, or keep this one');
    }
    const ids = input.photos.map(({ id }) => id.toLowerCase());
    await releaseFromDraft(
      trx,
      ownerId,
      before.filter((id) => !ids.includes(id.toLowerCase())),
    );
    await keepForDraft(trx, ownerId, ids);
    return { version: saved.version, savedAt: saved.savedAt.toISOString() };
  });
};

/** Drops a user's draft, only at `version` where one is named; answers whether there was one. */
export const dropDraft = (db: Db, ownerId: string, version?: number): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const found = await lockDraft(trx, ownerId);
    if (found === undefined || (version !== undefined && version !== found.version)) return false;
    await releaseFromDraft(trx, ownerId, found.photoIds);
    await deleteDraft(trx, ownerId);
    return true;
  });

/** Drops the viewer's draft; 0 when there was none, or another than `version`. */
export const deleteOwnDraft = async (
  db: Db,
  viewer: Viewer,
  { version }: { version?: string | undefined },
): Promise<{ deletedCount: number }> => {
  const { userId } = requireSeller(viewer);
  const isDropped = await dropDraft(db, userId, version === undefined ? undefined : Number(version));
  return { deletedCount: isDropped ? 1 : 0 };
};

/** Drops drafts that nobody came back to; to be run now and then. */
export const forgetOldDrafts = (db: Db): Promise<void> => deleteOldDrafts(db);
