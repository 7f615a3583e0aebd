// npm run reset: gives the demo shop back as new.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { resetDemo } from './database/reset.ts';
import { StartError } from '#server/platform/start-error.ts';
import { askYes } from './terminal/ask-yes.ts';
import { runCommand, WrongUse } from './command.ts';

const USAGE = `
  npm run reset            gives the demo shop back as new; close it first
  npm run reset -- --yes   without asking`;

const QUESTION =
  'All accounts, books, bookings, payments and mails of this demo shop are removed; backups stay. Go on? (yes or no) ';

await runCommand(USAGE, async (config) => {
  const { yes } = parseArgs({ options: { yes: { type: 'boolean', default: false } } }).values;
  if (config.mode === 'production') throw new StartError('Only a demo shop is reset; this one is in production.');
  if (config.databaseUrl !== undefined) {
    throw new StartError(
      'Only the embedded database of a demo is reset, and DATABASE_URL names another one: leave it out.',
    );
  }
  const dataDir = path.resolve(config.dataDir);
  if (!existsSync(dataDir)) return console.log(`There is nothing to reset: no shop was ever opened in ${dataDir}.`);
  if (!yes && !process.stdin.isTTY) throw new WrongUse('Nobody can be asked here: say --yes.');
  const done = await resetDemo(dataDir, async () => yes || askYes(QUESTION), console.log);
  if (!done) return console.log('Nothing was removed.');
  const elsewhere = config.standinsUrl === undefined ? '' : '; the stand-ins of STANDINS_URL keep what they have';
  console.log(`The demo shop in ${dataDir} is as new at its next start${elsewhere}.`);
});
