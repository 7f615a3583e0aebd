import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { EmbeddedPostgresError, onDisk } from './refusal.ts';
import { canEnter, findServerUser, ownerOf, type ServerUser } from './server-user.ts';

/** Where the database of a DATA_DIR is kept, and who runs its server. */
export interface Place {
  /** Ours: lock, password, first output of the server. */
  readonly dataDir: string;
  /** PostgreSQL's own folder in it. */
  readonly cluster: string;
  /** Absent: ourselves. */
  readonly user: ServerUser | undefined;
  readonly messages: readonly string[];
}

/** For root, when the unprivileged user cannot reach the folder that was asked for. Lasting, unlike a temporary folder. */
const SHARED_HOME = '/var/lib/dogear';
/** What Dogear or a mount point puts into a data folder; anything else means that the folder is somebody else's. */
const OWN_ENTRIES = /^(postgres|backups|owner|password|startup|standins|mail|keys|uploads|lost\+found|\.)/;

export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The real path, as far as it exists: one folder has one lock and one hash, however it is reached. */
const canonical = (folder: string): string => {
  const absolute = path.resolve(folder);
  if (existsSync(absolute)) return realpathSync(absolute);
  const parent = path.dirname(absolute);
  return parent === absolute ? absolute : path.join(canonical(parent), path.basename(absolute));
};

const nearestExisting = (folder: string): string =>
  existsSync(folder) ? folder : nearestExisting(path.dirname(folder));

const clusterIn = (dataDir: string): string => path.join(dataDir, 'postgres');
const hasDatabase = (dataDir: string): boolean => existsSync(path.join(clusterIn(dataDir), 'PG_VERSION'));

const makeFolder = (folder: string, mode: number): void =>
  onDisk(folder, () => {
    const made = mkdirSync(folder, { recursive: true });
    if (made !== undefined) chmodSync(folder, mode);
  });

const lastingPath = (of: string): string => path.join(SHARED_HOME, shortHash(of));

/** Makes the folder that stands in for `of`, which the server's user cannot enter. */
export const lastingFolder = (of: string): string => {
  const folder = lastingPath(of);
  for (const part of [SHARED_HOME, folder]) makeFolder(part, 0o711);
  return folder;
};

/** Decides where the database of `asked` (DATA_DIR) lives and who runs it; refuses a folder that is somebody else's. */
export const placeFor = (asked: string): Place => {
  const dataDir = canonical(asked);
  refuseForeignFolder(dataDir);
  const user = hasDatabase(dataDir) ? ownerOf(clusterIn(dataDir)) : findServerUser();
  if (user !== undefined) return placeForUser(dataDir, user);
  makeFolder(dataDir, 0o700);
  return { dataDir, cluster: clusterIn(dataDir), user, messages: [] };
};

/** Root's case: `user` must be able to pass through every folder above the database, and reads nothing there. */
const placeForUser = (dataDir: string, user: ServerUser): Place => {
  const moved = path.join(lastingPath(dataDir), 'data');
  const asked = { dataDir, cluster: clusterIn(dataDir), user, messages: [] };
  if (hasDatabase(dataDir)) {
    if (canEnter(user, dataDir)) return asked;
    throw new EmbeddedPostgresError(
      `The database in ${dataDir} lies where the user that runs PostgreSQL cannot go: ` +
        'let others pass through the folders above it (chmod o+x).',
    );
  }
  // A database stays where it was made, whatever the permissions of the project are today.
  if (!hasDatabase(moved) && canEnter(user, nearestExisting(dataDir))) {
    makeFolder(dataDir, 0o711);
    if (canEnter(user, dataDir)) return asked;
  }
  lastingFolder(dataDir);
  makeFolder(moved, 0o711);
  return {
    dataDir: moved,
    cluster: clusterIn(moved),
    user: hasDatabase(moved) ? ownerOf(clusterIn(moved)) : user,
    messages: [
      `PostgreSQL does not run as root, and its unprivileged user cannot reach ${dataDir}: the database is kept in ${moved}.`,
    ],
  };
};

const refuseForeignFolder = (dataDir: string): void => {
  if (!existsSync(dataDir)) return;
  const foreign = onDisk(dataDir, () => readdirSync(dataDir)).find((name) => !OWN_ENTRIES.test(name));
  if (foreign === undefined) return;
  const version = readVersion(dataDir);
  throw new EmbeddedPostgresError(
    version === undefined
      ? `The folder ${dataDir} is not empty and holds no database of Dogear (it has "${foreign}"): ` +
          'set DATA_DIR to a new or empty folder.'
      : `The folder ${dataDir} is a database of PostgreSQL ${version} that Dogear did not make: ` +
          'set DATA_DIR to a new or empty folder, or run that server yourself and set DATABASE_URL.',
  );
};

/** The major version of the PostgreSQL that made the database in `folder`, if there is one. */
export const readVersion = (folder: string): string | undefined => {
  const file = path.join(folder, 'PG_VERSION');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
};
