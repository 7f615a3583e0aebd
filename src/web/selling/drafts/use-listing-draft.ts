import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { draftOf, keepDraft } from '#web/shell/forms/drafts.ts';
import { draftKeyOf } from '#web/shell/forms/use-draft.ts';
import { LISTING_FIELDS } from '#web/selling/listing-form.ts';
import { createDraftKeeper, type DraftKeeper } from './draft-keeper.ts';
import {
  dropDraft,
  loadListingDraft,
  rememberVersion,
  saveDraft,
  versionOfTab,
  type ListingDraftShown,
} from './listing-draft.ts';

/** Long enough for a word, short enough for a phone that dies. */
const SAVE_AFTER_MS = 3_000;

export interface ListingDrafts {
  readonly keeper: DraftKeeper;
  /** What the form begins with; undefined where it begins empty. */
  readonly shown: ListingDraftShown | undefined;
  /** Another tab or device has saved since: the seller says which draft to keep. */
  readonly isBehind: boolean;
  /** Drops the draft: the form begins anew. */
  readonly beginAnew: () => Promise<void>;
  /**
   * Answers the newer draft, with which the form begins anew; undefined where it is gone. Throws where it cannot be
   * read now, and then what is typed here is as it was.
   */
  readonly useNewer: () => Promise<ListingDraftShown | undefined>;
  /** Keeps what is typed here, and saves it over the newer one; throws where that one cannot be read now. */
  readonly keepThis: () => Promise<void>;
}

/** Keeps the form of a new listing on the server, beside what the tab keeps: nothing is lost offline. */
export const useListingDraft = (uid: string, found: ListingDraftShown | undefined): ListingDrafts => {
  const { pathname, search } = useLocation();
  const key = draftKeyOf(`${pathname}${search}`, LISTING_FIELDS);
  // What this tab typed and could not save is not to be mixed with what another device saved since.
  const [begun] = useState(() => {
    const had = versionOfTab(uid);
    const typed = Object.entries(draftOf(key, uid) ?? {});
    const isElsewhere = had !== undefined && found !== undefined && had !== found.version;
    // The same: this tab saved it itself while its page was left.
    const isBehind = isElsewhere && typed.some(([name, text]) => text !== (found.fields[name] ?? ''));
    return { isBehind, shown: isBehind ? undefined : found, version: isBehind ? had : (found?.version ?? 0) };
  });
  const [isBehind, setBehind] = useState(begun.isBehind);
  const [keeper] = useState(() =>
    createDraftKeeper(
      {
        save: saveDraft,
        onVersion: (version) => rememberVersion(uid, version),
        onBehind: () => setBehind(true),
        delayMs: SAVE_AFTER_MS,
      },
      begun,
    ),
  );
  useEffect(() => {
    if (!begun.isBehind) rememberVersion(uid, begun.version);
  }, [begun, uid]);
  useEffect(() => {
    const hidden = (): void => {
      if (document.visibilityState === 'hidden') keeper.flush();
    };
    const online = (): void => keeper.flush();
    document.addEventListener('visibilitychange', hidden);
    addEventListener('pagehide', keeper.flush);
    addEventListener('online', online);
    return () => {
      document.removeEventListener('visibilitychange', hidden);
      removeEventListener('pagehide', keeper.flush);
      removeEventListener('online', online);
    };
  }, [keeper]);

  return {
    keeper,
    shown: begun.shown,
    isBehind,
    beginAnew: async () => {
      const had = keeper.settle();
      keepDraft(key, uid, {});
      await dropDraft(await had);
    },
    useNewer: async () => {
      const newer = await loadListingDraft();
      keeper.settle();
      keepDraft(key, uid, {});
      keeper.overtake(newer?.version ?? 0);
      setBehind(false);
      return newer;
    },
    keepThis: async () => {
      keeper.overtake((await loadListingDraft())?.version ?? 0);
      setBehind(false);
    },
  };
};
