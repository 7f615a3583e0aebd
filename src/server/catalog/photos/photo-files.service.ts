import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MIN_PHOTO_SIDE, PHOTO_REFUSALS, type PhotoRefusal } from '#contract/catalog/photo-rules.ts';
import { countForms, isPhotoName, PHOTO_SIDES, type PhotoSide } from '#contract/catalog/photo-sizes.ts';
import { crashPoint } from '#server/platform/crash-points.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import type { Made, PhotoMaker } from './making/maker.ts';
import { claimFile, insertPhoto, lockUploads, markStored, type NewPhoto, type PhotoFile } from './photo.queries.ts';
import { StoreFullError, type PhotoStore } from './store/photo-store.ts';

/** What pictures are made and kept with. */
export interface PhotoDeps {
  readonly db: Db;
  readonly store: PhotoStore;
  readonly maker: PhotoMaker;
}

/** What names are made of. */
export const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const NAME_LENGTH = 22;

/** The name of a photo by its largest file: 110 bits of its sha-256, five a letter (RFC 4648, without padding). */
export const nameOf = (bytes: Uint8Array): string => {
  const bits = [...createHash('sha256').update(bytes).digest()]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
  return Array.from(
    { length: NAME_LENGTH },
    (_, at) => LETTERS[Number.parseInt(bits.slice(at * 5, at * 5 + 5), 2)],
  ).join('');
};

const SHARED = 'shared.jpg';

const keyOf = (name: string, file: string): string => `${name.slice(0, 2)}/${name}/${file}`;

/** Where a photo of so many pixels lies when it is asked for by a side: the next larger there is, else the largest. */
export const keyOfSide = ({ name, width, height }: PhotoFile, side: PhotoSide): string => {
  const most = countForms(Math.max(width, height)) - 1;
  return keyOf(name, `${PHOTO_SIDES[Math.min(most, PHOTO_SIDES.indexOf(side))]}.webp`);
};

export const keyOfShared = ({ name }: Pick<PhotoFile, 'name'>): string => keyOf(name, SHARED);

/** Everything that lies in the store under a name. */
export const keysOf = (name: string): string[] =>
  [...PHOTO_SIDES.map((side) => `${side}.webp`), SHARED].map((file) => keyOf(name, file));

/** The name of the photo that a key of the store is of; undefined for what was not laid there as a photo. */
export const nameIn = (key: string): string | undefined => {
  const name = key.split('/')[1] ?? '';
  return isPhotoName(name) && keysOf(name).includes(key) ? name : undefined;
};

const hex = (colour: Made['colour']): string => colour.map((part) => part.toString(16).padStart(2, '0')).join('');

const put = async (store: PhotoStore, name: string, { forms, shared }: Made): Promise<void> => {
  try {
    await Promise.all([
      ...forms.map(({ bytes }, at) => store.put(keyOf(name, `${PHOTO_SIDES[at]}.webp`), bytes, 'image/webp')),
      store.put(keyOf(name, SHARED), shared.bytes, 'image/jpeg'),
    ]);
  } catch (error) {
    if (!(error instanceof StoreFullError)) throw error;
    throw new AppError(
      'store_full',
      'The shop has no room for another picture at the moment: nothing you typed is lost, please try again later',
    );
  }
};

/** How long somebody waits for a file that is just being taken out of the store. */
const GOING = { looks: 25, pauseMs: 200 } as const;
/** A file may be swept between being stored and being written down; not twice. */
const MOST_TRIES = 3;

/** Lays a file into the store unless it is there; nobody takes it out again within a day. */
const keep = async ({ db, store }: Omit<PhotoDeps, 'maker'>, file: PhotoFile, made: Made): Promise<void> => {
  const bytes = [...made.forms, made.shared].reduce((sum, each) => sum + each.bytes.length, 0);
  for (let looks = 1; looks <= GOING.looks; looks += 1) {
    const claimed = await claimFile(db, { ...file, bytes });
    if (claimed === 'stored') return;
    if (claimed === 'missing') {
      await put(store, file.name, made);
      crashPoint('photo-stored');
      return markStored(db, file.name);
    }
    await sleep(GOING.pauseMs);
  }
  throw new AppError('unavailable', 'This picture cannot be kept just now; please try again', { retryAfterSeconds: 5 });
};

interface KeepOptions {
  /** The fewest pixels of the smaller side. */
  readonly minSide?: number | undefined;
  readonly mayKeep?: (trx: Parameters<typeof insertPhoto>[0]) => Promise<void>;
}

const refusalOf = (refused: PhotoRefusal, minSide: number): AppError =>
  new AppError('photo_refused', PHOTO_REFUSALS[refused].replace(`${MIN_PHOTO_SIDE} pixels`, `${minSide} pixels`));

/**
 * Makes a picture anew and keeps it as a user's photo: in the store first, then, once `mayKeep` has thrown nothing, in
 * a row. 422 `photo_refused` for what is no picture to be shown, 507 `store_full` where there is no room. Answers
 * `taken` where another photo of that id was written meanwhile.
 */
export const keepPicture = async (
  deps: PhotoDeps,
  photo: Omit<NewPhoto, 'name' | 'digest'> & { readonly bytes: Uint8Array },
  { minSide = MIN_PHOTO_SIDE, mayKeep }: KeepOptions = {},
): Promise<PhotoFile | 'taken'> => {
  const { bytes, ...facts } = photo;
  const answer = await deps.maker.make(bytes, minSide);
  if (!('made' in answer)) throw refusalOf(answer.refused, minSide);
  const { made } = answer;
  const largest = made.forms.at(-1);
  if (largest === undefined) throw new Error('nothing was made of a picture');
  const { width, height } = largest;
  const file = { name: nameOf(largest.bytes), width, height, colour: hex(made.colour) };
  const row = { ...facts, name: file.name, digest: createHash('sha256').update(bytes).digest() };
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    await keep(deps, file, made);
    crashPoint('photo-noted');
    const written = await deps.db.transaction().execute(async (trx) => {
      await lockUploads(trx, row.ownerId);
      await mayKeep?.(trx);
      return insertPhoto(trx, row);
    });
    if (written === 'taken') return 'taken';
    if (written === 'written') return file;
  }
  throw new AppError('unavailable', 'This picture cannot be kept just now; please try again', { retryAfterSeconds: 5 });
};
