import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts';
import { migrate } from '#server/platform/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the databases of this run are made: any database of the server, as a user who may create some. */
    databaseServerUrl: string;
    /** Name of the migrated database that each test's own is copied from; also how the run's databases begin. */
    databaseTemplate: string;
  }
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

const onServer = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const withDatabase = (url: string, name: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
};

/** Losing the tests' data in a power cut costs nothing, so nothing waits for the disk. */
const CARELESS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };

const startServer = async (): Promise<{ url: string; stop(): Promise<void> }> => {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) return { url: given, stop: async () => {} };
  const folder = await mkdtemp(path.join(tmpdir(), 'dogear-test-'));
  // Run as root, the server belongs to another user, who must pass through.
  await chmod(folder, 0o711);
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'data'), settings: CARELESS, log: () => {} });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** Vitest's global setup: one server for the whole run, with one migrated database to copy. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startServer();
  const template = `dogear_test_${randomBytes(5).toString('hex')}`;
  await onServer(server.url, (client) =>
    client.query(`CREATE DATABASE ${template} TEMPLATE template0 ENCODING 'UTF8'`),
  );
  await migrate(withDatabase(server.url, template));
  project.provide('databaseServerUrl', server.url);
  project.provide('databaseTemplate', template);
  return async () => {
    await onServer(server.url, async (client) => {
      const { rows } = await client.query<{ datname: string }>(
        'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
        [template],
      );
      for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
    });
    await server.stop();
  };
};

/** A migrated, empty database of its own on the run's server; drop it when done (what is left goes with the run). */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const server = inject('databaseServerUrl');
  const template = inject('databaseTemplate');
  const name = `${template}_${randomBytes(5).toString('hex')}`;
  await onServer(server, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  return {
    url: withDatabase(server, name),
    drop: () =>
      onServer(server, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
};
