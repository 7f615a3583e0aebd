import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Binaries } from './binaries.ts';
import { readVersion, type Place } from './placement.ts';
import { diskRefusal, EmbeddedPostgresError, reasonIn } from './refusal.ts';
import { spawnAs } from './server-user.ts';

/** The superuser and the database that the shop uses. */
export const NAME = 'dogear';

const syncFolder = (folder: string): void => {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
};

const passwordFile = (place: Place): string => path.join(place.dataDir, 'password');

/** The superuser's password, needed where the server is reached over loopback. */
export const readPassword = (place: Place): string => {
  try {
    return readFileSync(passwordFile(place), 'utf8').trim();
  } catch (error) {
    throw new EmbeddedPostgresError(`The password of the database cannot be read from ${passwordFile(place)}.`, {
      cause: error,
    });
  }
};

/** Makes the database folder if there is none; refuses one of another major version. Answers whether it was made now. */
export const ensureCluster = async (place: Place, binaries: Binaries): Promise<boolean> => {
  const version = readVersion(place.cluster);
  if (version === undefined) {
    await createCluster(place, binaries);
    return true;
  }
  if (version === binaries.version.split('.')[0]) return false;
  throw new EmbeddedPostgresError(
    `The database in ${place.cluster} was made by PostgreSQL ${version}, and this Dogear brings PostgreSQL ` +
      `${binaries.version}: move ${place.dataDir} away, and the next start makes a new demo shop.`,
  );
};

/** Made beside its place and renamed when complete and on disk, so that an interrupted first start leaves no half. */
const createCluster = async (place: Place, binaries: Binaries): Promise<void> => {
  const { cluster, dataDir } = place;
  if (existsSync(cluster) && readdirSync(cluster).length > 0) {
    throw new EmbeddedPostgresError(
      `The folder ${cluster} is not empty and is no database: move it away, or set DATA_DIR to another folder.`,
    );
  }
  const part = `${cluster}.part`;
  try {
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part, { mode: 0o700 });
    const password = randomBytes(24).toString('base64url');
    const secret = path.join(part, 'password');
    writeFileSync(secret, password, { mode: 0o600 });
    if (place.user) for (const file of [secret, part]) chownSync(file, place.user.uid, place.user.gid);
    await initdb(place, binaries, path.join(part, 'cluster'), secret);
    writeFileSync(passwordFile(place), password, { mode: 0o600, flush: true });
    rmSync(cluster, { recursive: true, force: true });
    renameSync(path.join(part, 'cluster'), cluster);
    syncFolder(dataDir);
  } catch (error) {
    throw diskRefusal(dataDir, error);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
};

const initdb = async (place: Place, binaries: Binaries, folder: string, secret: string): Promise<void> => {
  const options = [
    `--pgdata=${folder}`,
    `--username=${NAME}`,
    `--pwfile=${secret}`,
    // The socket lies in a folder that only the server's user and root can enter.
    '--auth-local=trust',
    '--auth-host=scram-sha-256',
    '--encoding=UTF8',
    // The same order on every machine: neither the system's locales nor its ICU decide.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
  const child = spawn(binaries.initdb, options, { ...spawnAs(place.user), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (text: Buffer) => void (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => void (output += text.toString()));
  const [code] = await once(child, 'close');
  if (code === 0) return;
  throw new EmbeddedPostgresError(`The database cannot be made in ${place.dataDir}: ${reasonIn(output)}.`);
};
