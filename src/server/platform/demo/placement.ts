import { StartError } from '#server/platform/start-error.ts';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, rmdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { onDisk } from './refusal.ts';

/** Where the database of a DATA_DIR is kept, and who runs its server. */
export interface Place {
  /** Ours: lock, first output of the server. */
  readonly dataDir: string;
  /** PostgreSQL's own folder in it. */
  readonly cluster: string;
  /** Absent: ourselves. */
  readonly user: ServerUser | undefined;
  readonly messages: readonly string[];
}

/** Whom PostgreSQL runs as, when that is not ourselves. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses root, so root lends it this user, which every system has. */
const UNPRIVILEGED = 'nobody';

/** A small environment of our own: PG* and LD_* of whoever starts the shop must not reach the server. */
const SERVER_ENVIRONMENT = { PATH: '/usr/bin:/bin', LANG: 'C', LC_ALL: 'C', TZ: 'UTC' };

/** The spawn options that run a program as `user`, from a folder everybody may be in. */
export const spawnAs = (user: ServerUser | undefined) => ({ ...user, cwd: '/', env: SERVER_ENVIRONMENT }) as const;

/** Whether `user` (ourselves when undefined) can go into `folder`. Asked of the system: modes alone do not tell. */
export const canEnter = (user: ServerUser | undefined, folder: string): boolean =>
  spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...spawnAs(user), stdio: 'ignore' }).status === 0;

const idOf = (flag: string): number => Number(execFileSync('id', [flag, UNPRIVILEGED], { encoding: 'utf8' }));

/** The user PostgreSQL runs as: ourselves (undefined), or, since it refuses root, an unprivileged one. */
export const findServerUser = (): ServerUser | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const user = { uid: idOf('-u'), gid: idOf('-g') };
  if (canEnter(user, '/')) return user;
  throw new StartError(
    `PostgreSQL does not run as root, and this system lets root run nothing as the user ${UNPRIVILEGED}: ` +
      'start the shop as another user, or set DATABASE_URL to a PostgreSQL 15 or newer.',
  );
};

/** The user an existing database folder belongs to, who must run its server; refuses when we cannot be that user. */
export const ownerOf = (folder: string): ServerUser | undefined => {
  const { uid, gid } = statSync(folder);
  const ourselves = process.getuid?.();
  if (uid === ourselves && uid !== 0) return undefined;
  if (uid !== 0 && ourselves === 0) return { uid, gid };
  throw new StartError(
    uid === ourselves
      ? `The database in ${folder} belongs to root, and PostgreSQL does not run as root: ` +
          `give it to another user (chown -R ${UNPRIVILEGED} ${folder}).`
      : `The database in ${folder} belongs to another user (number ${uid}): start the shop as that user or as root, ` +
          'or set DATA_DIR to another folder.',
  );
};

/**
 * For root, when the unprivileged user cannot reach the folder that was asked for. Lasting, unlike a temporary folder.
 */
const SHARED_HOME = '/var/lib/dogear';
/** What Dogear or a mount point puts into a data folder; anything else means that the folder is somebody else's. */
const OWN_ENTRIES = /^(postgres|backups|owner|password|startup|standins|mail|keys|photos|lost\+found|\.)/;

const clusterIn = (dataDir: string): string => path.join(dataDir, 'postgres');
const hasDatabase = (dataDir: string): boolean => existsSync(path.join(clusterIn(dataDir), 'PG_VERSION'));

/** Makes a folder that its server's user can pass through, if there is none; answers whether it did. */
const makeFolder = (folder: string, mode = 0o711): boolean =>
  onDisk(folder, () => {
    const isNew = mkdirSync(folder, { recursive: true }) !== undefined;
    if (isNew) chmodSync(folder, mode);
    return isNew;
  });

const lastingPath = (of: string): string =>
  path.join(SHARED_HOME, createHash('sha256').update(of).digest('hex').slice(0, 16));

/** Makes the folder that stands in for `of`, which the server's user cannot enter. */
export const lastingFolder = (of: string): string => {
  for (const part of [SHARED_HOME, lastingPath(of)]) makeFolder(part);
  return lastingPath(of);
};

/** Decides where the database of `asked` (DATA_DIR) lives and who runs it; refuses a folder that is somebody else's. */
export const placeFor = (asked: string): Place => {
  const isNew = makeFolder(asked, process.getuid?.() === 0 ? 0o711 : 0o700);
  // One folder has one lock and one hash, however it is reached.
  const dataDir = realpathSync(asked);
  const foreign = onDisk(dataDir, () => readdirSync(dataDir)).find((name) => !OWN_ENTRIES.test(name));
  if (foreign !== undefined) {
    throw new StartError(
      `The folder ${dataDir} is not empty and holds no database of Dogear (it has "${foreign}"): ` +
        'set DATA_DIR to a new or empty folder.',
    );
  }
  const user = hasDatabase(dataDir) ? ownerOf(clusterIn(dataDir)) : findServerUser();
  const moved = path.join(lastingPath(dataDir), 'data');
  // A database stays where it was made, whatever the permissions of the project are today.
  const isMoved = !hasDatabase(dataDir) && hasDatabase(moved);
  if (user === undefined || (!isMoved && canEnter(user, dataDir))) {
    return { dataDir, cluster: clusterIn(dataDir), user, messages: [] };
  }
  if (hasDatabase(dataDir)) {
    throw new StartError(
      `The database in ${dataDir} lies where the user that runs PostgreSQL cannot go: ` +
        'let others pass through the folders above it (chmod o+x).',
    );
  }
  if (isNew) rmdirSync(dataDir);
  lastingFolder(dataDir);
  makeFolder(moved);
  return {
    dataDir: moved,
    cluster: clusterIn(moved),
    user: isMoved ? ownerOf(clusterIn(moved)) : user,
    messages: [
      `PostgreSQL does not run as root, and its unprivileged user cannot reach ${dataDir}: the database is kept in ${moved}.`,
    ],
  };
};
