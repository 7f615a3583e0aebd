import type { Config } from './config.ts';
import { connect, type Db } from './db.ts';
import { bringUpToDate, type DatabaseRoles } from './database-roles.ts';
import { shareEmbeddedPostgres } from './embedded-postgres.ts';

/**
 * Gives a tool the shop's database, brought up to date and without the time limits of web requests: that of DATABASE_URL,
 * else the embedded one of DATA_DIR, reached where the shop is running and started for this work alone where it is not.
 */
export const withDatabase = async <A>(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'databaseMigrateUrl'>>,
  log: (line: string) => void,
  work: (db: Db) => Promise<A>,
): Promise<A> => {
  if (config.databaseUrl !== undefined) {
    return on({ url: config.databaseUrl, migrateUrl: config.databaseMigrateUrl }, work);
  }
  const server = await shareEmbeddedPostgres({ dataDir: config.dataDir, log });
  try {
    if (server.owned) for (const message of server.messages) log(message);
    return await on({ url: server.appUrl, migrateUrl: server.url }, work);
  } finally {
    await server.stop();
  }
};

const on = async <A>(roles: DatabaseRoles, work: (db: Db) => Promise<A>): Promise<A> => {
  await bringUpToDate(roles);
  const connection = connect(roles.url, { connections: 1, timeouts: false });
  try {
    return await work(connection.db);
  } finally {
    await connection.close();
  }
};
