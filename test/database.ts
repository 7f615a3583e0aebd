import { randomBytes } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import path from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#server/platform/demo/embedded-postgres.ts';
import { migrate } from '#server/platform/postgres/migrate.ts';
import { withClient } from './databases/with-client.ts';
import { makeFastFolder } from './folders.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the databases of this run are made: any database of the server, as a user who may create some. */
    databaseServerUrl: string;
    /** Name of the migrated database that each test's own is copied from; also how the run's databases begin. */
    databaseTemplate: string;
    /** Who the shop works as in them: a role that owns nothing (`name:password`). */
    databaseAppRole: string;
  }
}

export interface TestDatabase {
  /** As the owner. */
  readonly url: string;
  /** As the role that the shop works as. */
  readonly appUrl: string;
  drop(): Promise<void>;
}

const withDatabase = (url: string, name: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
};

const asLogin = (url: string, login: string): string => {
  const changed = new URL(url);
  [changed.username = '', changed.password = ''] = login.split(':');
  return changed.href;
};

const GIVEN = process.env['TEST_DATABASE_URL'];

/** Losing the tests' data in a power cut costs nothing, so nothing waits for the disk. */
const CARELESS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };

const startServer = async (): Promise<{ url: string; stop(): Promise<void> }> => {
  if (GIVEN) return { url: GIVEN, stop: async () => {} };
  const folder = await makeFastFolder('dogear-test-');
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
  await withClient(server.url, (client) =>
    client.query(`CREATE DATABASE ${template} TEMPLATE template0 ENCODING 'UTF8'`),
  );
  const role = `${template}_app`;
  const password = randomBytes(16).toString('hex');
  await withClient(server.url, (client) => client.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`));
  await migrate(withDatabase(server.url, template), { admit: role });
  project.provide('databaseServerUrl', server.url);
  project.provide('databaseTemplate', template);
  project.provide('databaseAppRole', `${role}:${password}`);
  return async () => {
    await withClient(server.url, async (client) => {
      const { rows } = await client.query<{ datname: string }>(
        'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
        [template],
      );
      for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
      await client.query(`DROP ROLE IF EXISTS ${role}`);
    });
    await server.stop();
  };
};

/**
 * A migrated, empty database of its own on the run's server, or one without tables; drop it when done (what is left
 * goes with the run).
 */
export const createTestDatabase = async (options: { tables?: boolean } = {}): Promise<TestDatabase> => {
  const server = inject('databaseServerUrl');
  const template = inject('databaseTemplate');
  const name = `${template}_${randomBytes(5).toString('hex')}`;
  const like = options.tables === false ? `template0 ENCODING 'UTF8'` : template;
  // Half the work of copying through the log; but it asks for two checkpoints, which a given server may be slow at.
  const strategy = GIVEN ? '' : 'STRATEGY file_copy';
  await withClient(server, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${like} ${strategy}`));
  return {
    url: withDatabase(server, name),
    appUrl: asLogin(withDatabase(server, name), inject('databaseAppRole')),
    drop: () =>
      withClient(server, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
};
