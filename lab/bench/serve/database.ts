// The databases that are measured: dogear_bench_N on a server of its own or on one that is given.
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { APP_ROLE, asRole } from '#server/platform/postgres/app-role.ts';
import { startEmbeddedPostgres } from '#server/platform/demo/embedded-postgres.ts';
import { migrate } from '#server/platform/postgres/migrate.ts';

/** A PostgreSQL server. */
export interface Server {
  /** Any database of it, as a user who may make others. */
  readonly url: string;
  /** Started for this run: all its work is ours. */
  readonly isOurs: boolean;
  /** Who the shop works as, where that is another than the owner. */
  readonly appRole: string | undefined;
  readonly says: string;
  stop(): Promise<void>;
}

/** A database of it that is up to date. */
export interface BenchDatabase {
  readonly name: string;
  /** As the owner. */
  readonly url: string;
  /** As the shop. */
  readonly appUrl: string;
}

export const withClient = async <A>(url: string, work: (client: pg.Client) => Promise<A>): Promise<A> => {
  const client = new pg.Client({ connectionString: url, application_name: 'dogear bench' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const describe = (url: string, whose: string): Promise<string> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ says: string }>(
      `SELECT 'PostgreSQL ' || split_part(current_setting('server_version'), ' ', 1)
         || ', shared_buffers ' || current_setting('shared_buffers') || ', fsync ' || current_setting('fsync')
         || ', synchronous_commit ' || current_setting('synchronous_commit') AS says`,
    );
    return `${rows[0]?.says} (${whose})`;
  });

/** The server at `given`, or the embedded one with its data in `folder`. */
export const openServer = async (given: string | undefined, folder: string): Promise<Server> => {
  if (given !== undefined) {
    const says = await describe(given, 'a given one');
    return { url: given, isOurs: false, appRole: undefined, says, stop: async () => {} };
  }
  await mkdir(folder, { recursive: true });
  // Run as root, the database server belongs to another user, who must pass through.
  await chmod(folder, 0o711);
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'database'), log: () => {} });
  const { url, stop } = server;
  return { url, isOurs: true, appRole: APP_ROLE, says: await describe(url, 'the embedded one'), stop: () => stop() };
};

export const databaseOf = (server: Server, name: string): BenchDatabase => {
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const { href } = url;
  return { name, url: href, appUrl: server.appRole === undefined ? href : asRole(href, server.appRole) };
};

export const dropDatabase = (server: Server, name: string): Promise<void> =>
  withClient(server.url, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });

/** Makes an empty database, or a copy of `like`, which nobody may use meanwhile. */
export const makeDatabase = async (server: Server, name: string, like?: string): Promise<BenchDatabase> => {
  await dropDatabase(server, name);
  await withClient(server.url, async (client) => {
    // Copied file by file and not through the log of writes: the size of the log would be that of the data.
    const how = like === undefined ? `template0 ENCODING 'UTF8'` : `${like} STRATEGY file_copy`;
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${how}`);
  });
  return databaseOf(server, name);
};

/** Brings a database up to this release. */
export const upgrade = async (server: Server, { url }: BenchDatabase): Promise<void> => {
  // Nobody serves from it.
  await migrate(url, server.appRole === undefined ? {} : { admit: server.appRole });
};

const LOADED = 'loaded by npm run bench -w lab';

/** Whether an earlier run loaded this database to its end (`loaded`), or began to. */
export const stateOf = (server: Server, name: string): Promise<'absent' | 'begun' | 'loaded'> =>
  withClient(server.url, async (client) => {
    const { rows } = await client.query<{ comment: string | null }>(
      `SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = $1`,
      [name],
    );
    if (rows[0] === undefined) return 'absent';
    return rows[0].comment === LOADED ? 'loaded' : 'begun';
  });

export const markLoaded = (server: Server, name: string): Promise<void> =>
  withClient(server.url, async (client) => {
    await client.query(`COMMENT ON DATABASE ${name} IS '${LOADED}'`);
  });
