import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { APP_ROLE, asRole, ensureRole } from '#server/platform/postgres/app-role.ts';
import { withClient } from '#server/platform/postgres/with-client.ts';
import { StartError } from '#server/platform/start-error.ts';
import { prepareBinaries, shippedBinaries } from './binaries.ts';
import { ensureCluster, NAME } from './cluster.ts';
import { readOwner, takeOwnership } from './owner-lock.ts';
import { placeFor, type Place } from './placement.ts';
import { end, endOrphan, launch, socketFolder } from './postmaster.ts';
import { settingArgs } from './settings.ts';

export interface EmbeddedPostgresOptions {
  /** DATA_DIR: made if missing. */
  readonly dataDir: string;
  /** Folder with bin, lib and share of a PostgreSQL; the one from npm if absent. */
  readonly binaries?: string;
  /** PostgreSQL settings over our own. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Told in a sentence what happens to the server, at any time. */
  readonly log: (line: string) => void;
}

/** A server that this process or another one owns. */
export interface EmbeddedPostgres {
  /** As the owner, for any client: `pg`, psql, DATABASE_MIGRATE_URL of another process. */
  readonly url: string;
  /** As the role the shop works as, which owns nothing: DATABASE_URL of another process. */
  readonly appUrl: string;
  readonly owned: boolean;
  /** Where the data really is. */
  readonly dataDir: string;
  /** What whoever starts the shop should read, such as another place for the data. */
  readonly messages: readonly string[];
  /** Ends the server if it is ours, and gives the folder free; calling it again waits for the same end. */
  stop(): Promise<void>;
}

const START = { name: 'start', connectMs: 5_000 };
const STARTUP_LIMIT_MS = 60_000;
const RETRY_MS = 300;
const NO_SUCH_DATABASE = '3D000';

/** The data folder belongs to another process. */
export class InUse extends StartError {}

/**
 * Starts the embedded PostgreSQL of `dataDir`, made on first use. This process is then the only owner of the folder.
 * Throws a `StartError`, whose message is a sentence to print, when that cannot be.
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const native = options.binaries ?? shippedBinaries();
  const place = placeFor(options.dataDir);
  const ownership = takeOwnership(place.dataDir);
  if (ownership !== undefined) return own(native, place, ownership, options);
  const pid = readOwner(place.dataDir)?.pid;
  throw new InUse(
    `The database in ${place.dataDir} is in use by another Dogear${pid === undefined ? '' : ` (process ${pid})`}: ` +
      'stop that one first, or let several share one server (npm run db prints its DATABASE_URL).',
  );
};

/**
 * For a tool beside a running shop: the server of `dataDir`, whoever owns it; owned until `stop()` when nobody does.
 */
export const shareEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const deadline = performance.now() + STARTUP_LIMIT_MS;
  for (;;) {
    try {
      return await startEmbeddedPostgres(options);
    } catch (error) {
      if (!(error instanceof InUse) || performance.now() > deadline) throw error;
    }
    const { dataDir, messages } = placeFor(options.dataDir);
    const url = readOwner(dataDir)?.url;
    if (url === undefined) await sleep(RETRY_MS);
    else return { url, appUrl: asRole(url, APP_ROLE), owned: false, dataDir, messages, stop: async () => {} };
  }
};

const own = async (
  native: string,
  place: Place,
  ownership: NonNullable<ReturnType<typeof takeOwnership>>,
  { settings, log }: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> => {
  const { cluster, dataDir, messages, user } = place;
  try {
    const binaries = prepareBinaries(native, user, dataDir);
    if (ensureCluster(place, binaries)) log(`A new database was made in ${dataDir}.`);
    await endOrphan(cluster);
    const folder = socketFolder(place);
    // Reached by its socket and by nothing else.
    const args = ['-k', folder, '-p', '5432', '-h', '', ...settingArgs(settings)];
    let server = await launch(place, binaries, args);
    let restarted: Promise<void> | undefined;
    let stopped: Promise<void> | undefined;
    /** Starts it again whenever it ends by itself. */
    const watch = (): unknown =>
      server.exited.then((how) => {
        if (stopped !== undefined) return;
        log(`PostgreSQL ended unexpectedly (${how}) and is being started again.`);
        restarted = launch(place, binaries, args).then(
          (again) => {
            server = again;
            log('PostgreSQL takes connections again.');
            watch();
          },
          (error: unknown) =>
            log(`${error instanceof Error ? error.message : String(error)} Stop this and start it again.`),
        );
      });
    watch();
    const endIt = async (): Promise<void> => {
      await restarted;
      await end(server);
    };
    const stop = (): Promise<void> =>
      (stopped ??= endIt().then(() => {
        process.off('exit', onProcessExit);
        if (folder !== cluster) rmSync(folder, { recursive: true, force: true });
        ownership.release();
      }));
    // A process that ends without stop() takes its server along; only kill -9 leaves one behind, for the next start to
    // end.
    const onProcessExit = (): void => void end(server);
    process.once('exit', onProcessExit);
    const url = `postgres://${NAME}@localhost:5432/${NAME}?host=${encodeURIComponent(folder)}&sslmode=disable`;
    await ensureDatabase(url).catch((error: unknown) => stop().then(() => Promise.reject(error)));
    ownership.announce(url);
    return { url, appUrl: asRole(url, APP_ROLE), owned: true, dataDir, messages, stop };
  } catch (error) {
    ownership.release();
    throw error;
  }
};

const ensureDatabase = async (url: string): Promise<void> => {
  // In data folders of before, too: they get the role at their next start.
  const ensure = (): Promise<void> => withClient(url, START, (client) => ensureRole(client, APP_ROLE));
  await ensure().catch(async (error: unknown) => {
    if (!(error instanceof pg.DatabaseError) || error.code !== NO_SUCH_DATABASE) throw error;
    const beside = url.replace(`/${NAME}?`, '/postgres?');
    await withClient(beside, START, (client) => client.query(`CREATE DATABASE ${NAME}`));
    await ensure();
  });
};
