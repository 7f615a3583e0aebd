import { generateListings } from '#db/seed/generated-listings.ts';
import { seedDemoShop } from '#db/seed/demo-shop.ts';
import { connect } from '#server/platform/postgres/db.ts';
import { markShop } from '#server/platform/postgres/shop-mark.ts';
import {
  databaseOf,
  dropDatabase,
  makeDatabase,
  markLoaded,
  stateOf,
  upgrade,
  withClient,
  type BenchDatabase,
  type Server,
} from './database.ts';
import { grow, requireSpace } from './grow.ts';
import { BASE_BOOKS } from './options.ts';
import { describeCopies } from './passports.ts';

type Say = (line: string) => void;

const countListings = (url: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ count: number }>('SELECT count(*)::integer AS count FROM listings');
    return rows[0]?.count ?? 0;
  });

/**
 * Turns a demo shop into one that is in production: the mark would be refused there, and the comparison of everything
 * with the payment provider, due once a day, would begin at once and ask a provider that is not there.
 */
const makeReal = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    await client.query('UPDATE shop SET demo = false');
    await client.query(
      `INSERT INTO reconcile_runs (scope, started_at, looked_at, settled, differences)
         SELECT scope, now(), 0, 0, 0 FROM unnest(ARRAY['unpaid', 'all']) AS scope`,
    );
  });

/** The demo shop and as many listings as the shop's own generator must add. */
const fill = async (database: BenchDatabase, books: number, say: Say): Promise<void> => {
  const { db, close } = connect(database.url, { connections: 1, timeouts: false });
  try {
    await markShop(db, true);
    await seedDemoShop(db);
    const own = await countListings(database.url);
    const startedAt = performance.now();
    const { added } = await generateListings(db, { books: Math.max(1, books - own) });
    const seconds = (performance.now() - startedAt) / 1_000;
    say(`  ${added.toLocaleString('en-US')} generated in ${seconds.toFixed(1)} s (${Math.round(added / seconds)}/s)`);
  } finally {
    await close();
  }
};

/** A small demo shop, for the import. */
export const makeDemoShop = async (server: Server, name: string): Promise<BenchDatabase> => {
  const database = await makeDatabase(server, name);
  await upgrade(server, database);
  const { db, close } = connect(database.url, { connections: 1, timeouts: false });
  try {
    await markShop(db, true);
    await seedDemoShop(db);
  } finally {
    await close();
  }
  return database;
};

export const nameOf = (books: number): string => `dogear_bench_${books}`;

const loadSmall = async (server: Server, books: number, say: Say): Promise<BenchDatabase> => {
  const database = await makeDatabase(server, nameOf(books));
  await upgrade(server, database);
  await fill(database, books, say);
  await makeReal(database.url);
  return database;
};

const loadLarge = async (server: Server, books: number, base: BenchDatabase, say: Say): Promise<BenchDatabase> => {
  const name = nameOf(books);
  await requireSpace(base, books);
  // What was begun goes on where it was cut off.
  const begun = (await stateOf(server, name)) === 'begun';
  const database = begun ? databaseOf(server, name) : await makeDatabase(server, name, base.name);
  if (begun) await upgrade(server, database);
  await grow(database, books, say);
  return database;
};

/** What a run left behind: held copies, bookings, mail. */
export const tidy = (database: BenchDatabase): Promise<void> =>
  withClient(database.url, async (client) => {
    await client.query('DELETE FROM holds');
    await client.query('DELETE FROM outbox');
    await client.query('UPDATE bookings SET cancelled_at = now() WHERE paid_at IS NULL AND cancelled_at IS NULL');
    await client.query(`UPDATE listings SET status = 'available' WHERE status = 'held'`);
    await client.query('VACUUM (ANALYZE) holds, outbox, bookings, attempt_counters, listings');
  });

/** The database with so many listings: that of an earlier run where it may be taken, else loaded now. */
export const openBooks = async (
  server: Server,
  books: number,
  options: { keep: boolean; say: Say },
): Promise<BenchDatabase> => {
  const { keep, say } = options;
  const name = nameOf(books);
  const base = books > BASE_BOOKS ? await openBooks(server, BASE_BOOKS, options) : undefined;
  if (keep && (await stateOf(server, name)) === 'loaded') {
    const database = databaseOf(server, name);
    await upgrade(server, database);
    await describeCopies(database);
    await tidy(database);
    return database;
  }
  say(`Loading ${books.toLocaleString('en-US')} listings …`);
  if (!keep) await dropDatabase(server, name);
  const startedAt = performance.now();
  const database = base === undefined ? await loadSmall(server, books, say) : await loadLarge(server, books, base, say);
  await describeCopies(database);
  await tidy(database);
  await withClient(database.url, (client) => client.query('CHECKPOINT').catch(() => undefined));
  await markLoaded(server, name);
  const present = await countListings(database.url);
  say(`  ${present.toLocaleString('en-US')} there after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  return database;
};
