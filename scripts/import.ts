// npm run import -- FILE.csv --seller EMAIL …: lists a catalogue in the CSV columns of the Goodbooks data set.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CONDITIONS } from '#contract/catalog.ts';
import { MAX_PRICE_CENTS, MIN_PRICE_CENTS, parseCents } from '#contract/money.ts';
import { importCatalogue, type ImportOrder } from '#server/catalog/import/import.service.ts';
import { reportLines } from '#server/catalog/import/report.ts';
import { inspectFile } from '#server/catalog/import/source-file.ts';
import type { Config } from '#server/platform/config.ts';
import { withDatabase } from '#server/platform/database-access.ts';
import { runCommand, WrongUse } from './command.ts';
import { progressOf } from './progress.ts';

const USAGE = `
  npm run import -- FILE.csv --seller EMAIL [--category ID] [--price P] [--condition C] [--location L]

  --seller     address of the seller the copies are listed for
  --category   id of a category of the shop (without: imported)
  --price      price of every copy in dollars, 0.50 to 9999.99
  --condition  of every copy: ${CONDITIONS.join(', ')}
  --location   where every copy is`;
const MAX_LOCATION_LENGTH = 200;

const priceOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const cents = parseCents(text);
  if (cents === undefined || cents < MIN_PRICE_CENTS || cents > MAX_PRICE_CENTS) {
    throw new WrongUse(`--price is "${text}", but must be from 0.50 to 9999.99.`);
  }
  return cents;
};

const conditionOf = (text: string | undefined): ImportOrder['condition'] => {
  if (text === undefined) return undefined;
  const condition = CONDITIONS.find((known) => known.toLowerCase() === text.toLowerCase());
  if (condition === undefined)
    throw new WrongUse(`--condition is "${text}", but must be one of ${CONDITIONS.join(', ')}.`);
  return condition;
};

const locationOf = (text: string | undefined): string | undefined => {
  const location = text?.trim();
  if (location === '' || (location !== undefined && location.length > MAX_LOCATION_LENGTH)) {
    throw new WrongUse(`--location must have 1 to ${MAX_LOCATION_LENGTH} characters.`);
  }
  return location;
};

/** npm changes to the project's folder; what a person types is meant where they are. */
const here = process.env['INIT_CWD'] ?? process.cwd();

const readOrder = (config: Config, signal: AbortSignal): ImportOrder & { file: string } => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seller: { type: 'string' },
      category: { type: 'string' },
      price: { type: 'string' },
      condition: { type: 'string' },
      location: { type: 'string' },
    },
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new WrongUse('Name one CSV file.');
  if (values.seller === undefined) throw new WrongUse('Say for whom to list (--seller EMAIL).');
  return {
    file: path.resolve(here, file),
    sellerEmail: values.seller,
    categoryId: values.category,
    resaleCents: priceOf(values.price),
    condition: conditionOf(values.condition),
    location: locationOf(values.location),
    mode: config.mode,
    refusedFile: path.resolve(here, `${path.basename(file)}.refused.csv`),
    signal,
    onProgress: progressOf('rows', process.stdout),
  };
};

await runCommand(USAGE, async (config, signal) => {
  const order = readOrder(config, signal);
  const source = await inspectFile(order.file);
  const report = await withDatabase(config, console.log, (db) => importCatalogue(db, source, order));
  if (report.interrupted) console.log();
  for (const line of reportLines(report)) console.log(line);
});
