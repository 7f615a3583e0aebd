import { StartError } from '#server/platform/start-error.ts';
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Binaries } from './binaries.ts';
import { spawnAs, type Place } from './placement.ts';
import { onDisk, reasonIn } from './refusal.ts';

/** The superuser and the database that the shop uses. */
export const NAME = 'dogear';

const INITDB = [
  `--username=${NAME}`,
  // The socket lies in a folder that only the server's user and root can enter, and there is no other way in.
  '--auth-local=trust',
  '--auth-host=reject',
  '--encoding=UTF8',
  // The same order on every machine: neither the system's locales nor its ICU decide.
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
];

/**
 * Makes the database folder if there is none; refuses one of another major version. Answers whether it was made now.
 */
export const ensureCluster = (place: Place, binaries: Binaries): boolean => {
  const { cluster, dataDir } = place;
  const file = path.join(cluster, 'PG_VERSION');
  if (!existsSync(file)) return onDisk(dataDir, () => createCluster(place, binaries));
  const version = readFileSync(file, 'utf8').trim();
  if (version === binaries.version.split('.')[0]) return false;
  throw new StartError(
    `The database in ${cluster} was made by PostgreSQL ${version}, and this Dogear brings PostgreSQL ` +
      `${binaries.version}: move ${dataDir} away, and the next start makes a new demo shop.`,
  );
};

/**
 * Made beside its place, where initdb syncs it, and renamed when complete: an interrupted first start leaves no half.
 */
const createCluster = ({ cluster, dataDir, user }: Place, binaries: Binaries): boolean => {
  if (existsSync(cluster) && readdirSync(cluster).length > 0) {
    throw new StartError(
      `The folder ${cluster} is not empty and is no database: move it away, or set DATA_DIR to another folder.`,
    );
  }
  const part = `${cluster}.part`;
  try {
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part, { mode: 0o700 });
    if (user !== undefined) chownSync(part, user.uid, user.gid);
    const made = path.join(part, 'cluster');
    const run = spawnSync(path.join(binaries.bin, 'initdb'), [`--pgdata=${made}`, ...INITDB], {
      ...spawnAs(user),
      encoding: 'utf8',
    });
    if (run.status !== 0) {
      const reason = run.error?.message ?? reasonIn(`${run.stdout}\n${run.stderr}`);
      throw new StartError(`The database cannot be made in ${dataDir}: ${reason}.`);
    }
    rmSync(cluster, { recursive: true, force: true });
    renameSync(made, cluster);
    return true;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
};
