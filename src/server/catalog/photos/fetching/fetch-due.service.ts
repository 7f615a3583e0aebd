import type { PhotoDeps } from '#server/catalog/photos/photo-files.service.ts';
import { AppError } from '#server/platform/errors.ts';
import { withAdvisoryLock } from '#server/platform/postgres/advisory-lock.ts';
import type { Unfetched } from './fetch-picture.ts';
import type { DuePicture, FetchQueue } from './fetch-queue.queries.ts';

/** The first pause; each next one is twice as long, which makes a week in all. */
const FIRST_PAUSE_MINUTES = 5;
const MOST_TRIES = 11;
/** A host that cannot answer now is asked for nothing for so long. */
const HOST_PAUSE_MINUTES = 5;

export interface FetchingDeps extends PhotoDeps {
  readonly fetch: (address: string) => Promise<{ readonly bytes: Uint8Array } | Unfetched>;
  /** A picture that is not tried again; nobody but the log is told. */
  readonly onGivenUp: (picture: { readonly id: string; readonly host: string }, why: string) => void;
}

/** What becomes of the pictures of a queue. */
export interface PictureUse {
  readonly queue: FetchQueue;
  keep(deps: PhotoDeps, due: DuePicture, bytes: Uint8Array): Promise<void>;
  /** Of one that is not tried again; absent: its address stays, and is shown to nobody. */
  forgo?(deps: PhotoDeps, due: DuePicture): Promise<void>;
}

const fetchOne = async (deps: FetchingDeps, { queue, keep, forgo }: PictureUse): Promise<boolean> => {
  const due = await queue.claim(deps.db, FIRST_PAUSE_MINUTES);
  if (due === undefined) return false;
  const giveUp = async (why: string): Promise<void> => {
    await forgo?.(deps, due);
    await queue.drop(deps.db, due.id);
    deps.onGivenUp(due, why);
  };
  // A photo was chosen meanwhile, or the picture taken away.
  if (!due.address.startsWith('https://')) {
    await queue.drop(deps.db, due.id);
    return true;
  }
  const fetched = await deps.fetch(due.address);
  if ('refused' in fetched) {
    if (!fetched.later || due.tries >= MOST_TRIES) await giveUp(fetched.refused);
    else await queue.putOffHost(deps.db, due.host, HOST_PAUSE_MINUTES);
    return true;
  }
  try {
    await keep(deps, due, fetched.bytes);
    await queue.drop(deps.db, due.id);
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'photo_refused' && due.tries < MOST_TRIES)) throw error;
    await giveUp(error.message);
  }
  return true;
};

/** Fetches one picture of a queue that is due: one at a time in the whole shop. Answers whether there was one. */
export const fetchDue = async (deps: FetchingDeps, use: PictureUse): Promise<boolean> =>
  (await withAdvisoryLock(deps.db, use.queue.name, () => fetchOne(deps, use))) ?? false;
