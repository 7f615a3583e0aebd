import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { APP_ROLE, asRole, ensureRole } from './app-role.ts';
import { prepareBinaries, shippedBinaries, type Binaries } from './embedded/binaries.ts';
import { ensureCluster, NAME, readPassword } from './embedded/cluster.ts';
import { readOwner, takeOwnership, type Ownership } from './embedded/owner-lock.ts';
import { placeFor, type Place } from './embedded/placement.ts';
import { end, findOrphan, launch, StillInUse, type Postmaster } from './embedded/postmaster.ts';
import { byLoopback, bySocket, freePort, socketFolder, type Reach } from './embedded/reach.ts';
import { keepRunning } from './embedded/keeper.ts';
import { EmbeddedPostgresError } from './embedded/refusal.ts';
import { settingArgs } from './embedded/settings.ts';

export { EmbeddedPostgresError } from './embedded/refusal.ts';

export interface EmbeddedPostgresOptions {
  /** DATA_DIR: made if missing. */
  readonly dataDir: string;
  /** Folder with bin, lib and share of a PostgreSQL; the one from npm if absent. */
  readonly binaries?: string;
  /** 'loopback' gives up the Unix socket, which is otherwise taken wherever there is one. */
  readonly transport?: 'socket' | 'loopback';
  /** PostgreSQL settings over our own. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Told in a sentence what happens to the server, at any time. */
  readonly log: (line: string) => void;
}

/** The database server that this process owns. */
export interface EmbeddedPostgres {
  /** As the owner, for any client: `pg`, psql, DATABASE_MIGRATE_URL of another process. Stays the same for the server's whole life. */
  readonly url: string;
  /** As the role the shop works as, which owns nothing: DATABASE_URL of another process. */
  readonly appUrl: string;
  readonly poolConfig: Reach['pool'];
  /** Whether a server that an earlier process left running was taken over. */
  readonly adopted: boolean;
  /** Where the data really is. */
  readonly dataDir: string;
  /** What whoever starts the shop should read, such as another place for the data. */
  readonly messages: readonly string[];
  /** Calls back when the server ends without being asked to; it is being started again by then. */
  onExit(listener: (how: string) => void): void;
  /** Calls back when it takes connections again after that. */
  onRecovery(listener: () => void): void;
  restart(): Promise<void>;
  /** Ends the server and gives the folder free; calling it again waits for the same end. */
  stop(): Promise<void>;
}
/** A server that this process or another one owns. */
export interface SharedPostgres {
  /** As the owner. */
  readonly url: string;
  readonly appUrl: string;
  readonly owned: boolean;
  readonly messages: readonly string[];
  /** Ends the server if it is ours. */
  stop(): Promise<void>;
}

const CONNECT_LIMIT_MS = 5_000;
const STARTUP_LIMIT_MS = 60_000;
const RETRY_MS = 300;
const NO_SUCH_DATABASE = '3D000';

/**
 * Starts the embedded PostgreSQL of `dataDir`, made on first use, and keeps it running. This process is then the only
 * owner of the folder. Throws an `EmbeddedPostgresError`, whose message is a sentence to print, when that cannot be.
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const native = options.binaries ?? shippedBinaries();
  const place = placeFor(options.dataDir);
  const ownership = takeOwnership(place.dataDir);
  if (ownership !== undefined) return own(native, place, ownership, options);
  const pid = readOwner(place.dataDir)?.pid;
  throw new EmbeddedPostgresError(
    `The database in ${place.dataDir} is in use by another Dogear${pid === undefined ? '' : ` (process ${pid})`}: ` +
      'stop that one first, or let several share one server (npm run db prints its DATABASE_URL).',
  );
};

/**
 * For a tool that works beside a running shop: the server of `dataDir`, whoever owns it; started, and owned until
 * `stop()`, when nobody does.
 */
export const shareEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<SharedPostgres> => {
  const native = options.binaries ?? shippedBinaries();
  const place = placeFor(options.dataDir);
  const deadline = performance.now() + STARTUP_LIMIT_MS;
  while (performance.now() < deadline) {
    const ownership = takeOwnership(place.dataDir);
    if (ownership !== undefined) {
      const { url, appUrl, messages, stop } = await own(native, place, ownership, options);
      return { url, appUrl, messages, stop, owned: true };
    }
    const url = readOwner(place.dataDir)?.url;
    if (url !== undefined) {
      return { url, appUrl: asRole(url, APP_ROLE), messages: place.messages, owned: false, stop: async () => {} };
    }
    await sleep(RETRY_MS);
  }
  throw new EmbeddedPostgresError(`The process that owns the database in ${place.dataDir} does not say where it is.`);
};

const own = async (
  native: string,
  place: Place,
  ownership: Ownership,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> => {
  try {
    const binaries = prepareBinaries(native, place.user, place.dataDir);
    if (await ensureCluster(place, binaries)) options.log(`A new database was made in ${place.dataDir}.`);
    const adopted = await adopt(place, binaries);
    const reach = adopted?.reach ?? (await chooseReach(place, options.transport));
    const args = [...reach.args, ...settingArgs(options.settings)];
    const start = (giveUp: AbortSignal): Promise<Postmaster> => launch(place, binaries, args, giveUp);
    const keeper = keepRunning(adopted?.postmaster ?? (await launchSoon(start)), start, options.log);
    const stop = async (): Promise<void> => {
      await keeper.stop();
      ownership.release();
    };
    try {
      await ensureDatabase(reach);
    } catch (error) {
      await stop();
      throw error;
    }
    ownership.announce(reach.url);
    const { url, pool: poolConfig } = reach;
    const { dataDir, messages } = place;
    return {
      ...keeper,
      stop,
      url,
      appUrl: asRole(url, APP_ROLE),
      poolConfig,
      dataDir,
      messages,
      adopted: adopted !== undefined,
    };
  } catch (error) {
    ownership.release();
    throw error;
  }
};

const chooseReach = async (place: Place, transport: EmbeddedPostgresOptions['transport']): Promise<Reach> => {
  const folder = transport === 'loopback' ? undefined : await socketFolder(place);
  return folder === undefined ? byLoopback(await freePort(), readPassword(place)) : bySocket(folder);
};

/** Takes over the server that an earlier process left running on this folder; ends it when it is of no use. */
const adopt = async (
  place: Place,
  binaries: Binaries,
): Promise<{ postmaster: Postmaster; reach: Reach } | undefined> => {
  const found = findOrphan(place.cluster);
  if (found === undefined) return undefined;
  const reach = found.socketFolder === '' ? byLoopback(found.port, readPassword(place)) : bySocket(found.socketFolder);
  try {
    const version = await ask(reach, 'postgres', 'SHOW server_version');
    if (version.split(' ')[0] === binaries.version) return { postmaster: found, reach };
  } catch {
    // starting, stopping or stuck: a fresh one is sooner ready
  }
  await end(found);
  return undefined;
};

/** The first start after the app and its server were both killed may have to wait for the last of the old processes. */
const launchSoon = async (start: (giveUp: AbortSignal) => Promise<Postmaster>): Promise<Postmaster> => {
  const deadline = performance.now() + STARTUP_LIMIT_MS;
  for (;;) {
    try {
      return await start(new AbortController().signal);
    } catch (error) {
      if (!(error instanceof StillInUse) || performance.now() > deadline) throw error;
      await sleep(RETRY_MS);
    }
  }
};

const withClient = async <A>(reach: Reach, database: string, work: (client: pg.Client) => Promise<A>): Promise<A> => {
  const client = new pg.Client({ ...reach.pool, database, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  // A server that goes away while we ask is told of by the query, too.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const ask = (reach: Reach, database: string, sql: string): Promise<string> =>
  withClient(reach, database, async (client) => {
    const { rows } = await client.query<string[]>({ text: sql, rowMode: 'array' });
    return rows[0]?.[0] ?? '';
  });

const ensureDatabase = async (reach: Reach): Promise<void> => {
  try {
    await ask(reach, NAME, 'SELECT 1::text');
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== NO_SUCH_DATABASE) throw error;
    await ask(reach, 'postgres', `CREATE DATABASE ${NAME}`);
  }
  // In data folders of before, too: they get the role at their next start.
  await withClient(reach, NAME, (client) => ensureRole(client, APP_ROLE, reach.pool.password));
};
