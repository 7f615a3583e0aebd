import path from 'node:path';
import { seedDemoShop } from '#db/seed/demo-shop.ts';
import { openMail, type MailParts } from './mail-setup.ts';
import { openPayments, type PaymentParts } from './payment-setup.ts';
import { mayChangeTables } from './platform/postgres/app-role.ts';
import type { Config } from './platform/config.ts';
import { connect, type Db } from './platform/postgres/db.ts';
import { bringUpToDate, type DatabaseRoles } from './platform/postgres/database-roles.ts';
import { startEmbeddedPostgres } from './platform/demo/embedded-postgres.ts';
import { markShop, readDemoMark } from './platform/postgres/shop-mark.ts';
import { openSocial, type SocialParts } from './social-setup.ts';

/** The shop cannot be opened; the message is a sentence for whoever starts it. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen';
}

export type Say = (line: string) => void;

/** What ends what was opened, in the order of opening; run in reverse. */
export type Steps = (() => Promise<unknown>)[];

/** Runs what was opened, in reverse, once. */
export const closerOf = (steps: Steps): (() => Promise<void>) => {
  let closing: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    for (const step of steps.reverse()) await step();
  };
  return () => (closing ??= run());
};

/** What a shop has once, however many processes answer its requests. */
export interface House {
  readonly databaseUrl: string;
  readonly payments: PaymentParts;
  readonly mail: MailParts;
  readonly social: SocialParts;
}

const openDatabase = async (config: Config, say: Say): Promise<DatabaseRoles & { stop: () => Promise<void> }> => {
  if (config.databaseUrl !== undefined) {
    return { url: config.databaseUrl, migrateUrl: config.databaseMigrateUrl, stop: async () => {} };
  }
  say('Starting the database …');
  const server = await startEmbeddedPostgres({ dataDir: path.resolve(config.dataDir), log: say });
  for (const message of server.messages) say(message);
  return { url: server.appUrl, migrateUrl: server.url, stop: () => server.stop() };
};

/** On a connection without the limits of a request: of several shops starting at once all but one wait for it. */
const patiently = async <A>(url: string, work: (db: Db) => Promise<A>): Promise<A> => {
  const { db, close } = connect(url, { connections: 1, timeouts: false });
  try {
    return await work(db);
  } finally {
    await close();
  }
};

/** Says what kind of shop the database holds, and puts the goods into a new demo shop; answers whether it did. */
const stock = (url: string, config: Config): Promise<boolean> =>
  patiently(url, async (db) => {
    if (config.mode === 'production' && (await readDemoMark(db)) === true) {
      throw new CannotOpen(
        'This database belongs to a demo shop and is refused in production: use a database of its own.',
      );
    }
    await markShop(db, config.mode === 'demo');
    return config.mode === 'demo' && (await seedDemoShop(db));
  });

/** Opens what a shop has once: database, migrations, demo goods on the first start, stand-ins; how to end it goes to `steps`. */
export const openHouse = async (config: Config, say: Say, steps: Steps): Promise<House> => {
  const database = await openDatabase(config, say);
  steps.push(() => database.stop());
  const applied = await bringUpToDate(database);
  if (applied.length > 0) say(`Database brought up to date (${applied.length} migrations).`);
  const [isOwner, isStocked] = await Promise.all([
    config.mode === 'production' && mayChangeTables(database.url),
    stock(database.url, config),
  ]);
  if (isOwner) {
    say(
      'Warning: the role of DATABASE_URL can change the tables. Give it a role of its own, and DATABASE_MIGRATE_URL the owner.',
    );
  }
  if (isStocked) say('The demo shop was put in.');
  const payments = await openPayments(config, say).catch((error: unknown) => {
    if (config.stripe !== undefined || !(error instanceof Error)) throw error;
    throw new CannotOpen(
      `The payment stand-in cannot start: ${error.message} Several shops share one: npm run standins -w lab, then STANDINS_URL.`,
    );
  });
  steps.push(() => payments.stop());
  const mail = await openMail(config, say).catch((error: unknown) => {
    if (config.smtpUrl !== undefined || !(error instanceof Error)) throw error;
    throw new CannotOpen(`The mailbox stand-in cannot start: ${error.message}`);
  });
  steps.push(() => mail.stop());
  const social = await openSocial(config, say);
  steps.push(() => social.stop());
  return { databaseUrl: database.url, payments, mail, social };
};
