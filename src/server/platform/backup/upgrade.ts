// A database folder is readable by one major version of PostgreSQL only: a newer one gets the shop through a backup.
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#server/platform/embedded-postgres.ts';
import { besideOf, finishUpgrade } from '#server/platform/embedded/cluster.ts';
import { takeOwnership } from '#server/platform/embedded/owner-lock.ts';
import { placeFor, readVersion } from '#server/platform/embedded/placement.ts';
import { BackupError } from './manifest.ts';
import { restoreBackup } from './restore.ts';
import { takeBackup } from './take.ts';

export interface UpgradeOptions {
  /** DATA_DIR. */
  readonly dataDir: string;
  /** Folder with bin, lib and share of the PostgreSQL that made the database. */
  readonly former: string;
  /** The one to go on with; that of this release if absent. */
  readonly next?: string;
  /** Throws when the shop is not sound in its new place; nothing has been replaced then. */
  readonly check: (url: string) => Promise<void>;
  readonly log: (line: string) => void;
}

const running = async <T>(
  options: { dataDir: string; binaries?: string; log: (line: string) => void },
  work: (server: EmbeddedPostgres) => Promise<T>,
): Promise<T> => {
  const server = await startEmbeddedPostgres(options);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
};

/** The major version of the database in `dataDir`; undefined where there is none. */
export const databaseVersion = (dataDir: string): string | undefined => readVersion(placeFor(dataDir).cluster);

/**
 * Moves the shop of a data folder into a database of another major version: a backup with the former PostgreSQL, restored by
 * the next one beside it, looked at, then put in its place. Answers where the backup and the former folder are. Whatever
 * fails before the last step leaves the former database as it was; cut off in that step, the next start finishes it.
 */
export const upgradeDatabase = async (options: UpgradeOptions): Promise<{ backup: string; aside: string }> => {
  const { former, next, log } = options;
  const place = placeFor(options.dataDir);
  const { dataDir, cluster } = place;
  const version = readVersion(cluster);
  if (version === undefined) throw new BackupError(`There is no database in ${dataDir}.`);
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const backup = path.join(dataDir, 'backups', `postgres-${version}-${stamp}Z`);
  const aside = `${cluster}-${version}-${stamp}Z`;
  const beside = besideOf(place);
  rmSync(beside, { recursive: true, force: true });

  log(`Saving the shop with PostgreSQL ${version} …`);
  await running({ dataDir, binaries: former, log }, (server) => takeBackup({ url: server.url, folder: backup }));
  log('Restoring it into a new database …');
  const chosen = next === undefined ? {} : { binaries: next };
  await running({ dataDir: beside, ...chosen, log: () => {} }, async (server) => {
    await restoreBackup({ folder: backup, url: server.url });
    await options.check(server.url);
  });

  const ownership = takeOwnership(dataDir);
  if (ownership === undefined) throw new BackupError(`Another Dogear began to use ${dataDir}: end it, and try again.`);
  try {
    renameSync(cluster, aside);
    finishUpgrade(place);
  } finally {
    ownership.release();
  }
  return { backup, aside };
};
