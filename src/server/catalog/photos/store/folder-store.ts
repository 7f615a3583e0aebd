import { randomUUID } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Disk, DriveFile } from 'flydrive';
import { crashPoint } from '#server/platform/crash-points.ts';
import { codeOf } from '#server/platform/errors.ts';
import { memoise } from '#server/platform/memoise.ts';
import { causesOf, checkKey, isSame, StoredOtherwiseError, StoreFullError, type PhotoStore } from './stored.ts';

/** Files on their way; a reader never sees half of one. */
const UNDER_WAY = 'tmp/';
/** A process that died left it. */
const LEFT_MS = 86_400_000;

const FULL = new Set(['ENOSPC', 'EDQUOT']);

const isGone = (error: unknown): boolean => [...causesOf(error)].some((cause) => codeOf(cause) === 'ENOENT');

/** What there is where a folder is gone. */
const nothingWhereGone = (error: unknown): { objects: never[] } => {
  if (isGone(error)) return { objects: [] };
  throw error;
};

/** Undefined where it is gone meanwhile. */
const lastChange = (file: DriveFile): Promise<Date | undefined> =>
  file.getMetaData().then(
    ({ lastModified }) => lastModified,
    (error: unknown) => {
      if (isGone(error)) return undefined;
      throw error;
    },
  );

/** What is written in a file, or the names in a folder, outlives a power cut from here on. */
const sync = async (place: string): Promise<void> => {
  const file = await open(place, 'r');
  await file.sync().finally(() => file.close());
};

/** Loaded with the first photo: it is 40 ms of a start. */
const openDisk = async (folder: string): Promise<Disk> => {
  const [{ Disk }, { FSDriver }] = await Promise.all([import('flydrive'), import('flydrive/drivers/fs')]);
  return new Disk(new FSDriver({ location: folder, visibility: 'private' }));
};

/** Photos in a folder of this machine, each a file of its key. */
export const createFolderStore = (folder: string): PhotoStore => {
  const opened = memoise(() => openDisk(folder));

  const read = async (key: string): Promise<Uint8Array | undefined> => {
    const disk = await opened();
    try {
      return await disk.getBytes(key);
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  };

  const write = async (key: string, bytes: Uint8Array): Promise<void> => {
    const disk = await opened();
    const part = UNDER_WAY + randomUUID();
    try {
      await disk.put(part, bytes);
      await sync(path.join(folder, part));
      if (!isSame(await read(part), bytes)) throw new StoredOtherwiseError(key);
      crashPoint('photo-under-way');
      const place = path.join(folder, key);
      await mkdir(path.dirname(place), { recursive: true });
      // The library's own move copies, and a reader would see half a photo.
      await rename(path.join(folder, part), place);
      await sync(path.dirname(place));
    } finally {
      await disk.delete(part);
    }
  };

  return {
    put: async (key, bytes) => {
      checkKey(key);
      try {
        await write(key, bytes);
      } catch (error) {
        if ([...causesOf(error)].some((cause) => FULL.has(codeOf(cause)))) throw new StoreFullError(error);
        throw error;
      }
    },
    get: async (key) => {
      checkKey(key);
      return read(key);
    },
    delete: async (keys) => {
      const disk = await opened();
      for (const key of keys) {
        checkKey(key);
        await disk.delete(key);
      }
    },
    keys: async function* (prefix) {
      const disk = await opened();
      const { objects } = await disk.listAll('/').catch(nothingWhereGone);
      for (const each of objects) {
        const place = each.isFile ? each.key : `${each.prefix}/`;
        const isLeft = place === UNDER_WAY;
        // A folder of them at a time, and only what may have some.
        if (!isLeft && !place.startsWith(prefix) && !prefix.startsWith(place)) continue;
        const { objects: files } = each.isFile
          ? { objects: [each] }
          : await disk.listAll(place, { recursive: true }).catch(nothingWhereGone);
        for (const file of files) {
          if (!file.isFile || !(isLeft || file.key.startsWith(prefix))) continue;
          const at = await lastChange(file);
          if (at === undefined) continue;
          if (!isLeft) yield { key: file.key, at };
          else if (Date.now() - at.getTime() > LEFT_MS) await disk.delete(file.key);
        }
      }
    },
  };
};
