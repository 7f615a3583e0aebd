// npm run import -- FILE --seller EMAIL …: lists a bookseller's file, as their own page would.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CONDITIONS } from '#contract/catalog/catalog.ts';
import { formatCount } from '#contract/count.ts';
import { MAX_PRICE_CENTS, MIN_PRICE_CENTS, parseCents } from '#contract/money/money.ts';
import type { StockChoices } from '#contract/stock/stock-files.ts';
import type { MadeUp } from '#db/seed/fixtures.ts';
import { stockDepsOf } from '#server/jobs.ts';
import { refreshStatistics } from '#server/catalog/listings/bulk-listing.queries.ts';
import type { Config } from '#server/platform/config.ts';
import { markShop } from '#server/platform/postgres/shop-mark.ts';
import { withDatabase } from './database/access.ts';
import { runCommand, WrongUse } from './command.ts';
import { importFile, type ImportOrder, type ImportReport } from './import/import-file.ts';
import { copyMaker } from './import/made-up.ts';
import { CannotImport } from './import/refusal.ts';
import { progressOf } from './terminal/progress.ts';

const USAGE = `
  npm run import -- FILE --seller EMAIL [--category ID] [--price P] [--condition C] [--location L] [--demo]

  --seller     address of the seller the copies are listed for
  What a row does not say itself:
  --category   id of a category of the shop
  --price      in dollars, 0.50 to 99999.99
  --condition  ${CONDITIONS.join(', ')}
  --location   where the copy is
  --demo       in a demo shop: make up the rest`;
const MAX_LOCATION_LENGTH = 200;
/** For the work, for the lock that only one process works under, and for looking how far it is. */
const CONNECTIONS = 3;

const centsOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const cents = parseCents(text);
  if (cents === undefined || cents < MIN_PRICE_CENTS || cents > MAX_PRICE_CENTS) {
    throw new WrongUse(`--price is "${text}", but must be from 0.50 to 99999.99.`);
  }
  return cents;
};

const conditionOf = (text: string | undefined): StockChoices['condition'] => {
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

const STEPS = { reading: 'rows read', comparing: 'rows looked at', writing: 'rows written' } as const;

interface Call {
  readonly isDemo: boolean;
  readonly priceCents: number | undefined;
  readonly order: Omit<ImportOrder, 'complete'>;
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
  if (file === undefined || others.length > 0) throw new WrongUse('Name one file.');
  if (values.seller === undefined) throw new WrongUse('Say for whom to list (--seller EMAIL).');
  if (values.demo && config.mode === 'production') {
    throw new WrongUse('--demo makes up prices and conditions, which is for a demo shop; this one is in production.');
  }
  const priceCents = centsOf(values.price);
  const bars = Object.fromEntries(
    Object.entries(STEPS).map(([step, unit]) => [step, progressOf(unit, process.stdout)]),
  );
  return {
    isDemo: values.demo,
    priceCents,
    order: {
      file: path.resolve(here, file),
      sellerEmail: values.seller,
      mode: config.mode,
      choices: {
        category: values.category,
        price: priceCents === undefined ? undefined : (priceCents / 100).toFixed(2),
        condition: conditionOf(values.condition),
        location: locationOf(values.location),
      },
      refusedFile: path.resolve(here, `${path.basename(file)}.refused.csv`),
      signal,
      onProgress: (step, rows, of) => {
        if (of > 0) bars[step]?.(rows, of);
      },
    },
  };
};

const lineOf = (count: number, text: string): string => `${formatCount(count).padStart(9)}  ${text}`;

const MADE_UP: Record<MadeUp, string> = {
  price: 'prices',
  'original price': 'prices when new',
  condition: 'conditions',
  location: 'places',
  'years of use': 'years of use',
  details: 'descriptions',
};

/** What was done, as whoever ran it reads it, a line each. */
const reportLines = ({ counts, ...report }: ImportReport, madeUp: ReadonlyMap<MadeUp, number>): string[] => {
  if (report.interrupted || counts === null)
    return [
      'Interrupted: what was listed so far stays, and the same command lists the rest.',
      lineOf(report.written, 'rows written'),
    ];
  const { rows } = counts;
  const refused = report.refusedFile === undefined ? 'refused' : `refused, with reasons in ${report.refusedFile}`;
  return [
    `Done: listed for ${report.sellerName}.`,
    lineOf(report.rows, 'rows read'),
    lineOf(counts.added, 'copies listed'),
    lineOf(counts.changed, 'copies changed'),
    ...(counts.withdrawn > 0 ? [lineOf(counts.withdrawn, 'copies taken away')] : []),
    lineOf(rows.unchanged + rows.again, 'rows were there already'),
    lineOf(rows.refused, refused),
    ...(madeUp.size > 0 ? ['Not in the file, so made up (the same for the same row every time):'] : []),
    ...[...madeUp].map(([what, count]) => lineOf(count, MADE_UP[what])),
  ];
};

await runCommand(USAGE, async (config, signal) => {
  const { isDemo, priceCents, order } = readCall(config, signal);
  const { condition, location } = order.choices;
  const maker = copyMaker({ resaleCents: priceCents, condition, location });
  await withDatabase(
    config,
    console.log,
    async (db) => {
      if (isDemo && !(await markShop(db, true)))
        throw new CannotImport(
          '--demo makes up prices and conditions, which is for a demo shop; this database is not one.',
        );
      const deps = stockDepsOf(db, config, undefined);
      const report = await importFile(deps, isDemo ? { ...order, complete: maker.complete } : order);
      if (report.written > 0) await refreshStatistics(db);
      for (const line of reportLines(report, maker.madeUp)) console.log(line);
    },
    CONNECTIONS,
  );
});
