// npm run import -- FILE.csv --seller EMAIL …: lists a bookseller's catalogue, as spreadsheets write it.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CONDITIONS } from '#contract/catalog/catalog.ts';
import { MAX_PRICE_CENTS, MIN_PRICE_CENTS, parseCents } from '#contract/money/money.ts';
import { makeUpCopy } from '#db/seed/fixtures.ts';
import { importCatalogue, type ImportOrder } from '#server/catalog/import/import.service.ts';
import { CannotImport } from '#server/catalog/import/refusal.ts';
import { reportLines, type ImportReport } from '#server/catalog/import/report.ts';
import { inspectFile, type SourceFile } from '#server/catalog/import/source-file.ts';
import type { Config } from '#server/platform/config.ts';
import { withDatabase } from './database/access.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { markShop } from '#server/platform/postgres/shop-mark.ts';
import { runCommand, WrongUse } from './command.ts';
import { progressOf } from './terminal/progress.ts';

const USAGE = `
  npm run import -- FILE.csv --seller EMAIL [--category ID] [--price P] [--condition C] [--location L] [--demo]

  --seller     address of the seller the copies are listed for
  What a row does not say itself:
  --category   id of a category of the shop
  --price      in dollars, 0.50 to 9999.99
  --condition  ${CONDITIONS.join(', ')}
  --location   where the copy is
  --demo       in a demo shop: make up the rest`;
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

interface Call {
  readonly file: string;
  readonly isDemo: boolean;
  readonly order: ImportOrder;
}

const readCall = (config: Config, signal: AbortSignal): Call => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seller: { type: 'string' },
      category: { type: 'string' },
      price: { type: 'string' },
      condition: { type: 'string' },
      location: { type: 'string' },
      demo: { type: 'boolean', default: false },
    },
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new WrongUse('Name one CSV file.');
  if (values.seller === undefined) throw new WrongUse('Say for whom to list (--seller EMAIL).');
  if (values.demo && config.mode === 'production') {
    throw new WrongUse('--demo makes up prices and conditions, which is for a demo shop; this one is in production.');
  }
  return {
    file: path.resolve(here, file),
    isDemo: values.demo,
    order: {
      sellerEmail: values.seller,
      categoryId: values.category,
      resaleCents: priceOf(values.price),
      condition: conditionOf(values.condition),
      location: locationOf(values.location),
      mode: config.mode,
      refusedFile: path.resolve(here, `${path.basename(file)}.refused.csv`),
      signal,
      onProgress: progressOf('rows', process.stdout),
    },
  };
};

const importForDemo = async (db: Db, source: SourceFile, order: ImportOrder): Promise<ImportReport> => {
  if (!(await markShop(db, true))) {
    throw new CannotImport(
      '--demo makes up prices and conditions, which is for a demo shop; this database is not one.',
    );
  }
  return importCatalogue(db, source, { ...order, makeUp: makeUpCopy });
};

await runCommand(USAGE, async (config, signal) => {
  const { file, isDemo, order } = readCall(config, signal);
  const source = await inspectFile(file);
  const report = await withDatabase(config, console.log, (db) =>
    isDemo ? importForDemo(db, source, order) : importCatalogue(db, source, order),
  );
  if (report.interrupted) console.log();
  for (const line of reportLines(report)) console.log(line);
});
