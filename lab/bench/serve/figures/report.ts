// The tables of a run, for the terminal and for lab/docs/performance.md.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { formatMarkdown } from '#scripts/docs/markdown.ts';
import { ceilingsOf, growthBars, PAIR_BARS, type PairBar, type Results } from './bars.ts';
import { judgeCeiling, judgePair, ratioOf } from './judge.ts';
import { BASE_BOOKS } from '#lab/bench/serve/options.ts';
import { SLICES } from './measure.ts';

const FILE = path.join(import.meta.dirname, '../../../docs/performance.md');

/** What a run says of itself. */
export interface Circumstances {
  readonly books: number;
  readonly day: string;
  readonly machine: string;
  readonly database: string;
  readonly seconds: number;
  readonly connections: number;
  /** Load averages of a minute, before the first and after the last part. */
  readonly load: readonly [number, number];
  /** The share of the CPU time wanted that the machine's host gave to others; undefined where it is not told. */
  readonly stolen: number | undefined;
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const decimal = (value: number | undefined, digits: number): string =>
  value === undefined ? '' : value.toFixed(digits);
const percent = (value: number): string => `${Math.round(value * 100)} %`;
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly string[][]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
const word = (verdict: { held: boolean } | undefined): string =>
  verdict === undefined ? '' : verdict.held ? 'held' : '**MISSED**';

const missing = (key: string, { failed }: Results): string =>
  `not measured: ${failed[key.split('-', 1)[0] ?? key] ?? 'not asked for'}`;

const spanOf = (ratios: readonly number[]): string =>
  `${percent(Math.min(...ratios))} to ${percent(Math.max(...ratios))}`;

const pairRows = (bars: readonly PairBar[], results: Results, judges: boolean): string[][] =>
  bars.map((bar) => {
    const pair = results.pairs[bar.key];
    if (pair === undefined) return [bar.what, missing(bar.key, results), ...Array<string>(9).fill('')];
    const { shop, reference } = pair;
    const verdict = judgePair(pair, bar);
    return [
      bar.what,
      `${whole(shop.rate)}`,
      `${whole(reference.rate)} (${bar.against})`,
      percent(ratioOf(pair)),
      spanOf(pair.ratios),
      judges ? `≥ ${percent(bar.least)}` : '',
      judges ? word(verdict) : '',
      decimal(shop.p50, 1),
      decimal(shop.p99, 1),
      `${decimal(shop.appCpuMs, 3)} + ${decimal(shop.postgresCpuMs, 3)}`,
      `${decimal(reference.appCpuMs, 3)} + ${decimal(reference.postgresCpuMs, 3)}`,
    ];
  });

const PAIR_HEAD = [
  'operation',
  'requests/s',
  'reference',
  'ratio',
  'slices',
  'bar',
  '',
  'p50 ms',
  'p99 ms',
  'app + PostgreSQL CPU ms',
  'of the reference',
];

const notesOf = (bars: readonly PairBar[], results: Results, judges: boolean): string[] =>
  bars.flatMap((bar) => {
    const pair = results.pairs[bar.key];
    if (pair === undefined) return [];
    const { held, why, doubts } = judgePair(pair, bar);
    // Of what is not judged only the doubts are told.
    const told = [...(judges && why !== undefined ? [why] : []), ...doubts];
    const what = judges && !held ? `${bar.what} (**MISSED**)` : bar.what;
    return told.length === 0 ? [] : [`- ${what}: ${told.join('; ')}.`];
  });

const ceilingRows = (books: number, results: Results): string[][] =>
  ceilingsOf(books, results).map((ceiling) => [
    ceiling.what,
    ceiling.found === undefined ? missing(ceiling.key, results) : `${decimal(ceiling.found, 1)} ${ceiling.unit}`,
    ceiling.most === undefined
      ? ''
      : `≤ ${decimal(ceiling.most, Number.isInteger(ceiling.most) ? 0 : 1)} ${ceiling.unit}`,
    word(judgeCeiling(ceiling, results)),
  ]);

const ceilingNotes = (books: number, results: Results): string[] =>
  ceilingsOf(books, results).flatMap((ceiling) => {
    const verdict = judgeCeiling(ceiling, results);
    return verdict === undefined || verdict.held
      ? []
      : [`- ${ceiling.what} (**MISSED**): ${verdict.notes.join('; ')}.`];
  });

/** Pages that two workers must render in a second, on two cores which also ask for them. */
const RENDERED_BY_TWO = 400;

const areWorkersFast = ({ alone }: Results): boolean => (alone['rendered-workers']?.rate ?? 0) >= RENDERED_BY_TWO;

const workersLines = (results: Results): string[] => {
  const found = results.alone['rendered-workers'];
  if (found === undefined) return [];
  return [
    `Category page, server-rendered, not cached, with \`WORKERS=2\` at 10 connections: ${whole(found.rate)} a second ` +
      `(bar: ${RENDERED_BY_TWO}, ${word({ held: areWorkersFast(results) })}), ` +
      `p50 ${decimal(found.p50, 1)} ms, p99 ${decimal(found.p99, 1)} ms.`,
  ];
};

const smallLines = ({ news, memory, alone, starts }: Results): string[] => [
  ...(news === undefined
    ? []
    : [
        `Kept answers: after ${news.changes} changes, from the commit until neither of two processes showed the old state: ` +
          `p50 ${decimal(news.p50, 1)} ms, p99 ${decimal(news.p99, 1)} ms, longest ${decimal(news.max, 1)} ms.`,
      ]),
  ...(memory === undefined ? [] : [`Memory at its highest during the load: ${whole(memory.highest)} MB.`]),
  ...(starts === undefined ? [] : [`Starts: ${starts.map((time) => whole(time)).join(', ')} ms.`]),
  ...(alone['socket'] === undefined
    ? []
    : [
        `The load generator asks a bare socket that sends the same bytes ${whole(alone['socket'].rate)} times a second: ` +
          'its own ceiling on this machine.',
      ]),
];

/** Everything that a run found, as Markdown. */
export const reportOf = (about: Circumstances, results: Results): string => {
  const { books, connections, seconds, load, stolen } = about;
  const atBase = books <= BASE_BOOKS;
  const growth = growthBars(books);
  return [
    `### ${books.toLocaleString('en-US')} listings`,
    `${about.day}, ${about.machine}, load average ${load[0].toFixed(1)} before and ${load[1].toFixed(1)} after` +
      `${stolen === undefined ? '' : `, ${decimal(stolen * 100, 1)} % of the CPU time taken by its host for others`}; ` +
      `${about.database}; ${connections} connections, ${seconds} s a side in ${SLICES} slices.`,
    table(PAIR_HEAD, pairRows(PAIR_BARS, results, atBase)),
    ...(atBase ? [] : [table(PAIR_HEAD, pairRows(growth, results, true))]),
    table(['', 'found', 'bar', ''], ceilingRows(books, results)),
    ...workersLines(results),
    ...smallLines(results),
    [
      ...notesOf(PAIR_BARS, results, atBase),
      ...(atBase ? [] : notesOf(growth, results, true)),
      ...ceilingNotes(books, results),
    ].join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};

/** Whether every bar was measured and held. */
export const isAllHeld = (books: number, results: Results): boolean => {
  const judged = books <= BASE_BOOKS ? PAIR_BARS : growthBars(books);
  const pairs = judged.every((bar) => {
    const pair = results.pairs[bar.key];
    if (pair === undefined) return false;
    return judgePair(pair, bar).held;
  });
  return (
    pairs &&
    (books !== BASE_BOOKS || areWorkersFast(results)) &&
    ceilingsOf(books, results).every((one) => one.most === undefined || judgeCeiling(one, results)?.held === true)
  );
};

/** Puts a report between its marks; the text around them is written by hand. */
export const withReport = (document: string, books: number, report: string): string => {
  const [begin, end] = [`<!-- bench ${books} -->`, `<!-- end of bench ${books} -->`];
  const [from, until] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 || until < from) throw new Error(`lab/docs/performance.md has no place for ${books} listings.`);
  return `${document.slice(0, from + begin.length)}\n\n${report}\n\n${document.slice(until)}`;
};

export const writeReport = async (books: number, report: string): Promise<void> => {
  const written = withReport(await readFile(FILE, 'utf8'), books, report);
  await writeFile(FILE, await formatMarkdown(written));
};
