import type { Config } from './config.ts';
import { connect, type Db } from './db.ts';
import { shareEmbeddedPostgres } from './embedded-postgres.ts';
import { migrate } from './migrate.ts';

/**
 * Gives a tool the shop's database, brought up to date and without the time limits of web requests: that of DATABASE_URL,
 * else the embedded one of DATA_DIR, reached where the shop is running and started for this work alone where it is not.
 */
export const withDatabase = async <A>(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (line: string) => void,
  work: (db: Db) => Promise<A>,
): Promise<A> => {
  if (config.databaseUrl !== undefined) return on(config.databaseUrl, work);
  const server = await shareEmbeddedPostgres({ dataDir: config.dataDir, log });
  try {
    if (server.owned) for (const message of server.messages) log(message);
    return await on(server.url, work);
  } finally {
    await server.stop();
  }
};

const on = async <A>(url: string, work: (db: Db) => Promise<A>): Promise<A> => {
  await migrate(url);
  const connection = connect(url, { connections: 1, timeouts: false });
  try {
    return await work(connection.db);
  } finally {
    await connection.close();
  }
};
