import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { createFolderStore } from './folder-store.ts';
import type { PhotoStore, PhotoType } from './stored.ts';

const typeOf = (key: string): PhotoType => (key.endsWith('.jpg') ? 'image/jpeg' : 'image/webp');

const copyAll = async (from: PhotoStore, to: PhotoStore): Promise<number> => {
  let copied = 0;
  for await (const { key } of from.keys('')) {
    const bytes = await from.get(key);
    // It was deleted meanwhile, and is meant to be gone.
    if (bytes === undefined) continue;
    await to.put(key, bytes, typeOf(key));
    copied += 1;
  }
  return copied;
};

/** Where the photos of a backup lie: beside the file of the database. */
export const photosBeside = (backup: string): string => `${backup}.photos`;

/**
 * Copies a shop's folder of photos beside a backup, each read again and compared; answers how many files. The copy has
 * its name only when all of it is there.
 */
export const savePhotos = async (folder: string, backup: string): Promise<number> => {
  const part = `${photosBeside(backup)}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true, mode: 0o700 });
  try {
    const copied = await copyAll(createFolderStore(folder), createFolderStore(part));
    await rename(part, photosBeside(backup));
    return copied;
  } finally {
    await rm(part, { recursive: true, force: true });
  }
};

/**
 * Copies the photos of a backup into a shop's folder, where those that are there stay; answers how many files, and
 * undefined where the backup has none beside it.
 */
export const restorePhotos = async (backup: string, folder: string): Promise<number | undefined> => {
  if (!existsSync(photosBeside(backup))) return undefined;
  return copyAll(createFolderStore(photosBeside(backup)), createFolderStore(folder));
};
