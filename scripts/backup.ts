// npm run backup: saves the whole shop as of one moment, while it is running.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { verifyBackup } from '#server/platform/backup/manifest.ts';
import { takeBackup } from '#server/platform/backup/take.ts';
import type { Config } from '#server/platform/config.ts';
import { shareEmbeddedPostgres } from '#server/platform/embedded-postgres.ts';
import { runCommand, WrongUse } from './command.ts';
import { backupLines } from './backup-lines.ts';

const USAGE = `
  npm run backup -- [FOLDER]          saves the shop (without FOLDER: into backups/ of the data folder)
  npm run backup -- --verify FOLDER   reads a backup again and compares it with its list`;

/** npm changes to the project's folder; what a person types is meant where they are. */
const here = process.env['INIT_CWD'] ?? process.cwd();

const usualFolder = (dataDir: string): string =>
  path.join(dataDir, 'backups', `dogear-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`);

/** The shop's database as it is: a backup changes nothing, so an older one is not brought up to date for it. */
const withUrl = async (config: Config, work: (url: string) => Promise<void>): Promise<void> => {
  if (config.databaseUrl !== undefined) return work(config.databaseUrl);
  const server = await shareEmbeddedPostgres({ dataDir: config.dataDir, log: console.log });
  try {
    await work(server.url);
  } finally {
    await server.stop();
  }
};

await runCommand(USAGE, async (config, signal) => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { verify: { type: 'string' } } });
  if (positionals.length > 1) throw new WrongUse('Name one folder.');
  if (values.verify !== undefined) {
    const folder = path.resolve(here, values.verify);
    for (const line of backupLines(await verifyBackup(folder))) console.log(line);
    console.log('Every file is as it was written.');
    return;
  }
  const folder = positionals[0] === undefined ? usualFolder(config.dataDir) : path.resolve(here, positionals[0]);
  const startedAt = performance.now();
  await withUrl(config, async (url) => {
    const onTable = (name: string, rows: number): void => {
      if (rows > 0) console.log(`  ${name}: ${rows.toLocaleString('en-US')}`);
    };
    const manifest = await takeBackup({ url, folder, signal, onTable });
    for (const line of backupLines(manifest)) console.log(line);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`Saved and read again in ${seconds} s: ${folder}`);
    console.log('It holds password hashes and keys: keep it as safe as the shop itself, and on another disk.');
  });
});
