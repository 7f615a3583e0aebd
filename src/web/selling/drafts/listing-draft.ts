import {
  deleteListingDraft,
  readListingDraft,
  saveListingDraft,
  type KeptDraft,
} from '#contract/catalog/listing-drafts.ts';
import { readPhoto } from '#contract/catalog/photo-calls.ts';
import type { PhotoChoice } from '#contract/catalog/photos.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { callFile } from '#web/api/call-file.ts';
import { callKeptAlive } from '#web/api/kept-alive.ts';
import { draftOf, keepDraft } from '#web/shell/forms/drafts.ts';
import { LISTING_FIELDS, type ListingValues } from '#web/selling/listing-form.ts';
import type { PhotosBefore } from '#web/shell/photos/use-photo-queue.ts';
import type { Drafted } from './draft-keeper.ts';

/** A draft as a form begins with it. */
export interface ListingDraftShown {
  readonly version: number;
  readonly savedAt: string;
  /** As they were saved. */
  readonly fields: Readonly<Record<string, string>>;
  readonly values: Partial<ListingValues>;
  readonly photos: PhotosBefore;
}

const previewOf = (id: string): Promise<Blob> => callFile(readPhoto, {}, { id, side: '320' });

/**
 * The photos of a draft with what shows them. One that cannot be fetched now stays without it, so that the next save
 * does not forget it; one that the shop does not have any more is left out, as no listing can have it.
 */
export const withPreviews = async (
  photos: readonly PhotoChoice[],
  fetchPreview: (id: string) => Promise<Blob>,
): Promise<NonNullable<PhotosBefore>> => {
  const shown = photos.map(async ({ id, caption }) => {
    try {
      return [{ id, caption, preview: await fetchPreview(id) }];
    } catch (error) {
      return error instanceof ApiError && error.status === 404 ? [] : [{ id, caption, preview: undefined }];
    }
  });
  return (await Promise.all(shown)).flat();
};

const shownOf = async ({ version, savedAt, fields, photos }: KeptDraft): Promise<ListingDraftShown> => ({
  version,
  savedAt,
  fields,
  values: Object.fromEntries(
    LISTING_FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
  ),
  photos: await withPreviews(photos, previewOf),
});

/** What the server has of the viewer's form; undefined where it has nothing. Throws where it cannot be asked now. */
export const loadListingDraft = async (): Promise<ListingDraftShown | undefined> => {
  const { draft } = await call(readListingDraft, {});
  return draft === null ? undefined : shownOf(draft);
};

/** Saves it even where the page is closed meanwhile. */
export const saveDraft = (body: Drafted & { version: number }): Promise<{ version: number }> =>
  callKeptAlive(saveListingDraft, { body });

/**
 * Drops it at the version that this tab had, 0 for none: what another device saved since stays. What cannot be dropped
 * now goes by itself in the end.
 */
export const dropDraft = async (version: number): Promise<void> => {
  if (version === 0) return;
  await callKeptAlive(deleteListingDraft, { query: { version: String(version) } }).catch(() => undefined);
};

/** Beside what the tab keeps of forms, and forgotten with it. */
const KEY = 'listing-draft-version';

/** The version that this tab had last; undefined where it had none yet. */
export const versionOfTab = (uid: string): number | undefined => {
  const version = draftOf(KEY, uid)?.['version'];
  return version === undefined ? undefined : Number(version);
};

/** Remembers the version that this tab has; 0 for none. */
export const rememberVersion = (uid: string, version: number): void =>
  keepDraft(KEY, uid, version === 0 ? {} : { version: String(version) });
