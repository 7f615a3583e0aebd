// npm run restore -- FOLDER: puts a backup in the place of the shop's database.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readManifest, type Manifest } from '#server/platform/backup/manifest.ts';
import { replaceDatabase } from '#server/platform/backup/replace.ts';
import { restoreBackup, type RestoreOptions } from '#server/platform/backup/restore.ts';
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts';
import { backupLines } from './backup-lines.ts';
import { checkShop } from './check-shop.ts';
import { runCommand, WrongUse } from './command.ts';

const USAGE = `
  npm run restore -- FOLDER [--anyway]

  Puts the backup in FOLDER in the place of the shop's database; end the shop first. The embedded database that was there stays
  beside it under another name. With DATABASE_URL, that database must be empty.

  --anyway  also where money and copies do not agree in the backup`;

/** npm changes to the project's folder; what a person types is meant where they are. */
const here = process.env['INIT_CWD'] ?? process.cwd();

await runCommand(USAGE, async (config, signal) => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { anyway: { type: 'boolean' } } });
  const [given] = positionals;
  if (given === undefined || positionals.length > 1) throw new WrongUse('Name the folder of the backup.');
  const folder = path.resolve(here, given);
  for (const line of backupLines(await readManifest(folder))) console.log(line);
  const onTable = (name: string, rows: number): void => {
    if (rows > 0) console.log(`  ${name}: ${rows.toLocaleString('en-US')}`);
  };
  const check = (url: string): Promise<void> => checkShop(url, values.anyway === true);
  const options = { folder, signal, onTable };
  const startedAt = performance.now();

  const intoEmbedded = async (): Promise<void> => {
    const server = await startEmbeddedPostgres({ dataDir: config.dataDir, log: console.log });
    try {
      const { aside } = await replaceDatabase({ ...options, url: server.url, check });
      if (aside !== undefined) console.log(`What was there before is kept in the same server as ${aside}.`);
    } finally {
      await server.stop();
    }
  };
  const intoServer = async (where: RestoreOptions): Promise<Manifest> => {
    const manifest = await restoreBackup(where);
    await check(where.url);
    return manifest;
  };

  // The tables belong to the role that migrates; the next start lets the shop's own role in.
  const url = config.databaseMigrateUrl ?? config.databaseUrl;
  await (url === undefined ? intoEmbedded() : intoServer({ ...options, url }));
  console.log(`Restored in ${((performance.now() - startedAt) / 1000).toFixed(1)} s. Start the shop again.`);
});
