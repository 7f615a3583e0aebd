import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '#server/platform/demo/embedded-postgres.ts';

const LOOK_EVERY_MS = 20;

/** The database of a run. */
export interface ProveDatabase {
  readonly url: string;
  /**
   * kill -9 of its postmaster; fulfils when it takes connections again. Absent where the server is not ours to kill.
   */
  readonly kill: (() => Promise<void>) | undefined;
  stop(): Promise<void>;
}

const run = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

/** A database of its own on a server that is already there: it is made now and dropped at the end. */
const onGivenServer = async (serverUrl: string): Promise<ProveDatabase> => {
  const name = `dogear_prove_${process.pid}_${Date.now().toString(36)}`;
  await run(serverUrl, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    kill: undefined,
    stop: () => run(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
};

/**
 * The embedded PostgreSQL in a folder of the run, kept by this process: both apps use it, and neither's death ends it.
 */
const embedded = async (folder: string): Promise<ProveDatabase> => {
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'database'), log: () => {} });
  const isBack = (): Promise<boolean> =>
    run(server.url, 'SELECT 1').then(
      () => true,
      () => false,
    );
  const kill = async (): Promise<void> => {
    const pid = Number(readFileSync(path.join(server.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGKILL');
    // It is started again at the same address, where both apps find it by themselves.
    while (await isBack()) await sleep(LOOK_EVERY_MS);
    while (!(await isBack())) await sleep(LOOK_EVERY_MS);
  };
  return { url: server.url, kill, stop: () => server.stop() };
};

export const openDatabase = (folder: string): Promise<ProveDatabase> => {
  const given = process.env['PROVE_DATABASE_URL'];
  return given ? onGivenServer(given) : embedded(folder);
};
