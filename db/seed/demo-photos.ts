import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import type { PhotoCaption } from '#contract/catalog/photo-rules.ts';
import { lockPictured, showPhoto } from '#server/catalog/photos/fetching/listing-pictures.queries.ts';
import { lockCover, placePhotos } from '#server/catalog/photos/listing-photos.service.ts';
import { keepPicture, type PhotoDeps } from '#server/catalog/photos/photo-files.service.ts';
import { withAdvisoryLock } from '#server/platform/postgres/advisory-lock.ts';
import { SAMPLE_SOURCE } from '#server/catalog/photos/photos.table.ts';
import { listBareCopies, type BareCopy } from './demo-photos.queries.ts';

const FOLDER = path.join(import.meta.dirname, 'photos');

/** A sample photo of a demo copy, which its seller and title name; the first of a copy is its cover. */
export interface DemoPhoto {
  readonly seller: string;
  readonly title: string;
  readonly caption: PhotoCaption;
  readonly file: string;
}

/** Reads db/seed/photos/photos.csv: our own file, so its columns are trusted here and checked by a test. */
export const readDemoPhotos = async (): Promise<DemoPhoto[]> =>
  parse<DemoPhoto>(await readFile(path.join(FOLDER, 'photos.csv')), { columns: true, skip_empty_lines: true });

/** The same for each try, so that what was made before the shop was closed is not made again; a UUID of version 8. */
const idOf = (listingId: string, file: string): string => {
  const digest = createHash('sha256').update(`${listingId} ${file}`).digest('hex');
  return [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`]
    .concat(digest.slice(20, 32))
    .join('-');
};

const give = async (deps: PhotoDeps, copy: BareCopy, photos: readonly DemoPhoto[]): Promise<void> => {
  const chosen = photos.map(({ file, caption }) => ({ id: idOf(copy.id, file), caption }));
  for (const [place, { file }] of photos.entries()) {
    const { id } = chosen[place] ?? { id: '' };
    const bytes = await readFile(path.join(FOLDER, file));
    await keepPicture(deps, { id, ownerId: copy.sellerId, fetchedFrom: SAMPLE_SOURCE, bytes });
  }
  await deps.db.transaction().execute(async (trx) => {
    // Its seller may have given it a picture meanwhile.
    if (!(await lockPictured(trx, copy.id, ''))) return;
    const name = await lockCover(trx, copy.sellerId, chosen);
    if (name === undefined) return;
    await placePhotos(trx, copy.id, chosen);
    await showPhoto(trx, copy.id, name);
  });
};

/** Until when, and of whose copies alone. */
export interface DemoPhotosWanted {
  readonly closing: AbortSignal;
  readonly of?: string;
}

/**
 * Gives a third of the demo shop's copies their sample photos, through the shop's own maker and store; what a start
 * before has not finished is gone on with, what a seller changed is left alone. Answers how many copies got theirs.
 */
export const addDemoPhotos = async (
  deps: PhotoDeps,
  { closing, of }: DemoPhotosWanted,
  onFailed: (error: unknown, title: string) => void,
): Promise<number> => {
  const wanted = (await readDemoPhotos()).filter(({ seller }) => of === undefined || seller === of);
  const byCopy = Map.groupBy(wanted, ({ seller, title }) => JSON.stringify([seller, title]));
  const given = await withAdvisoryLock(deps.db, 'demo photos', async () => {
    const bare = await listBareCopies(
      deps.db,
      [...byCopy.values()].flatMap(([photo]) => photo ?? []),
    );
    let count = 0;
    for (const copy of bare) {
      if (closing.aborted) break;
      try {
        await give(deps, copy, byCopy.get(JSON.stringify([copy.seller, copy.title])) ?? []);
        count += 1;
      } catch (error) {
        onFailed(error, copy.title);
      }
    }
    return count;
  });
  return given ?? 0;
};
