// npm run editions -- EDITIONS WORKS AUTHORS: fills the table of editions out of Open Library's dumps.
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { formatCount } from '#contract/count.ts';
import { DUMPS, fillEditions, type FillOrder } from '#server/catalog/editions/dump/fill.service.ts';
import { withRoles } from './database/access.ts';
import { bringUpToDate } from '#server/platform/postgres/migrate.ts';
import { runCommand, WrongUse } from './command.ts';
import { progressOf } from './terminal/progress.ts';

const USAGE = `
  npm run editions -- EDITIONS WORKS AUTHORS [--smaller]

  The three files of https://openlibrary.org/developers/dumps, as they come (.gz) or unpacked.
  --smaller    take files with far fewer rows than those of the last time`;

/** npm changes to the project's folder; what a person types is meant where they are. */
const here = process.env['INIT_CWD'] ?? process.cwd();
const MEGABYTE = 1_000_000;

const readCall = (): Pick<FillOrder, 'files' | 'smaller'> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { smaller: { type: 'boolean', default: false } },
  });
  const [editions, works, authors, ...others] = positionals.map((file) => path.resolve(here, file));
  if (editions === undefined || works === undefined || authors === undefined || others.length > 0)
    throw new WrongUse('Name three files: the dumps of editions, works and authors.');
  return { files: { editions, works, authors }, smaller: values.smaller };
};

const megabytes = (bytes: number): number => Math.ceil(bytes / MEGABYTE);

await runCommand(USAGE, async (config, signal) => {
  const call = readCall();
  const bars = Object.fromEntries(DUMPS.map((file) => [file, progressOf(`MB of ${file}`, process.stdout)]));
  const report = await withRoles(config, console.log, async (roles) => {
    await bringUpToDate(roles);
    // As the owner: the shop's own role makes no tables.
    const client = new pg.Client({
      connectionString: roles.migrateUrl ?? roles.url,
      application_name: 'dogear editions',
    });
    await client.connect();
    try {
      return await fillEditions(client, {
        ...call,
        signal,
        onProgress: (file, bytes, of) => bars[file]?.(megabytes(bytes), megabytes(of)),
        onMerge: () => console.log('Putting titles and names together …'),
      });
    } finally {
      await client.end();
    }
  });
  if (report === undefined) {
    console.log('\nInterrupted; nothing was changed.');
    return;
  }
  const { editions, works, authors } = report.read;
  console.log(
    `${formatCount(editions)} editions, ${formatCount(works)} works and ${formatCount(authors)} authors read`,
  );
  if (report.broken > 0) console.log(`${formatCount(report.broken)} lines could not be read and were left out`);
  console.log(`${formatCount(report.changed)} ISBNs are new, or known better than before`);
});
