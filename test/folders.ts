import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MEMORY = '/dev/shm';
/** The long run, which has the most, came to half a gigabyte at its highest. */
const ROOM_BYTES = 4 * 1024 ** 3;

const hasRoom = async (): Promise<boolean> => {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= ROOM_BYTES;
};

/**
 * A folder for databases and whole shops, in memory where the system has room there: 300 copies of a database are 4 GB
 * that would go to the disk. For what is run from its folder, the system's own folder is the place.
 */
export const makeFastFolder = async (prefix: string): Promise<string> =>
  mkdtemp(path.join((await hasRoom()) ? MEMORY : tmpdir(), prefix));
