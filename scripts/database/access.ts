import type { Config } from '#server/platform/config.ts';
import { connect, type Db } from '#server/platform/postgres/db.ts';
import { bringUpToDate, type DatabaseRoles } from '#server/platform/postgres/migrate.ts';
import { shareEmbeddedPostgres } from '#server/platform/demo/embedded-postgres.ts';

type Access = Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'databaseMigrateUrl'>>;

/**
 * Tells a tool how the shop's database is reached: that of DATABASE_URL, else the embedded one of DATA_DIR, where the
 * shop is running, or started for this work alone.
 */
export const withRoles = async <A>(
  config: Access,
  log: (line: string) => void,
  work: (roles: DatabaseRoles) => Promise<A>,
): Promise<A> => {
  if (config.databaseUrl !== undefined) {
    return work({ url: config.databaseUrl, migrateUrl: config.databaseMigrateUrl });
  }
  const server = await shareEmbeddedPostgres({ dataDir: config.dataDir, log });
  try {
    if (server.owned) for (const message of server.messages) log(message);
    return await work({ url: server.appUrl, migrateUrl: server.url });
  } finally {
    await server.stop();
  }
};

/** Gives a tool the shop's database, brought up to date and without the time limits of web requests. */
export const withDatabase = <A>(
  config: Access,
  log: (line: string) => void,
  work: (db: Db) => Promise<A>,
  connections = 1,
): Promise<A> =>
  withRoles(config, log, async (roles) => {
    await bringUpToDate(roles);
    const connection = connect(roles.url, { connections, timeouts: false });
    try {
      return await work(connection.db);
    } finally {
      await connection.close();
    }
  });
