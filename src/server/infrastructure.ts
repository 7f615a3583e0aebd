import path from 'node:path';
import { seedDemoShop } from '#db/seed/demo-shop.ts';
import { mayChangeTables } from './platform/postgres/app-role.ts';
import type { Config } from './platform/config.ts';
import { connect } from './platform/postgres/db.ts';
import { bringUpToDate, type DatabaseRoles } from './platform/postgres/migrate.ts';
import { startEmbeddedPostgres } from './platform/demo/embedded-postgres.ts';
import { StartError } from './platform/start-error.ts';
import { readShopClock } from './platform/postgres/clock.ts';
import { markShop } from './platform/postgres/shop-mark.ts';
import { startStandins, type StandinUrls } from './standins.ts';

export type Say = (line: string) => void;

/** What a shop has once, however many processes answer its requests. */
export interface Infrastructure {
  readonly databaseUrl: string;
  readonly standins: StandinUrls;
  /** The demo shop was put in by this start. */
  readonly isStocked: boolean;
}

const openDatabase = async (config: Config, say: Say, resources: AsyncDisposableStack): Promise<DatabaseRoles> => {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, migrateUrl: config.databaseMigrateUrl };
  say('Starting the database …');
  const server = await startEmbeddedPostgres({ dataDir: path.resolve(config.dataDir), log: say });
  resources.defer(() => server.stop());
  for (const message of server.messages) say(message);
  return { url: server.appUrl, migrateUrl: server.url };
};

/** Says what kind of shop the database holds, and puts the goods into a new demo shop; answers whether it did. */
const stock = async (url: string, config: Config): Promise<boolean> => {
  // Without the limits of a request: of several shops starting at once all but one wait for it.
  const { db, close } = connect(url, { connections: 1, timeouts: false });
  try {
    const isDemo = await markShop(db, config.mode === 'demo');
    if (config.mode === 'production' && isDemo) {
      throw new StartError(
        'This database belongs to a demo shop and is refused in production: use a database of its own.',
      );
    }
    if (config.mode === 'production' && (await readShopClock(db)).aheadSeconds > 0) {
      throw new StartError(
        "This database's clock was moved forward, as only a demo's is, and is refused in production: use another one.",
      );
    }
    return config.mode === 'demo' && (await seedDemoShop(db));
  } finally {
    await close();
  }
};

/** Opens what a shop has once: database, migrations, demo goods on the first start, stand-ins. */
export const openInfrastructure = async (
  config: Config,
  say: Say,
  resources: AsyncDisposableStack,
): Promise<Infrastructure> => {
  const roles = await openDatabase(config, say, resources);
  const applied = await bringUpToDate(roles);
  if (applied.length > 0) say(`Database brought up to date (${applied.length} migrations).`);
  const [isOwner, isStocked] = await Promise.all([
    config.mode === 'production' && mayChangeTables(roles.url),
    stock(roles.url, config),
  ]);
  if (isOwner) {
    say(
      'Warning: the role of DATABASE_URL can change the tables. Give it a role of its own, and DATABASE_MIGRATE_URL the owner.',
    );
  }
  if (isStocked) say('The demo shop was put in.');
  return { databaseUrl: roles.url, standins: await startStandins(config, say, resources), isStocked };
};
