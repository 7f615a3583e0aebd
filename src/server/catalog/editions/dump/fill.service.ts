import { Readable } from 'node:stream';
import type pg from 'pg';
import { formatCount } from '#contract/count.ts';
import type { RecordFacts } from '#server/catalog/editions/record.ts';
import { readLines, sizeOf } from './dump-lines.ts';
import { readDumpLine, type DumpRow } from './dump-rows.ts';
import {
  copyRows,
  dropStages,
  lastFilling,
  lockFilling,
  makeStages,
  mergeStages,
  refreshEditionStatistics,
  type FillingCounts,
  type Stage,
} from './fill.queries.ts';
import { CannotFill } from './refusal.ts';

/** In the order in which they are read. */
export const DUMPS = ['editions', 'works', 'authors'] as const satisfies readonly Stage[];
const TYPES = { editions: '/type/edition\t', works: '/type/work\t', authors: '/type/author\t' } as const;

/** A month adds records; a file with fewer rows than this part of the last one's was cut short. */
const LEAST_PART = 0.9;

export interface FillOrder {
  /** Dumps of Open Library, plain or gzip. */
  readonly files: Readonly<Record<Stage, string>>;
  /** Files with far fewer rows than those of the last filling are taken, too. */
  readonly smaller: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (file: Stage, bytes: number, of: number) => void;
  readonly onMerge?: () => void;
}

export interface FillReport {
  /** Rows of the files. */
  readonly read: FillingCounts;
  /** Lines that could not be read, and were left out. */
  readonly broken: number;
  /** Editions that are new or other than before. */
  readonly changed: number;
}

const cell = (value: string | number | null): string =>
  value === null ? '\\N' : String(value).replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');

const rowOf = (cells: readonly (string | number | null)[]): string => `${cells.map(cell).join('\t')}\n`;

/** Keys are words and slashes: nothing in them is to be quoted. */
const arrayOf = (keys: readonly string[]): string => `{${keys.join(',')}}`;

const countFacts = ({ publisher, year, language, binding, pages }: RecordFacts): number =>
  [publisher, language, binding].filter((text) => text !== '').length +
  [year, pages].filter((number) => number !== null).length;

/** A row of a dump as the row of its stage, `''` where it has none there. */
const stagedRow = (stage: Stage, row: DumpRow): string => {
  if (row.kind === 'redirect') return stage === 'editions' ? '' : rowOf([row.key, null, row.to]);
  if (row.kind === 'edition' && stage === 'editions') {
    const { title, publisher, year, language, binding, pages } = row.facts;
    const rest = [arrayOf(row.authors), row.work, countFacts(row.facts)];
    const rowsOf = (isbn: string): string =>
      rowOf([row.key, isbn, title, publisher, year, language, binding, pages, ...rest]);
    return row.isbns.map(rowsOf).join('');
  }
  if (row.kind === 'work' && stage === 'works' && row.authors.length > 0)
    return rowOf([row.key, arrayOf(row.authors), null]);
  if (row.kind === 'author' && stage === 'authors' && row.name !== '') return rowOf([row.key, row.name, null]);
  return '';
};

class Interrupted extends Error {}

/** Reads a file into its stage; answers how many rows of its kind it has, and how many lines could not be read. */
const stageFile = async (
  client: pg.Client,
  stage: Stage,
  order: FillOrder,
): Promise<{ count: number; broken: number }> => {
  const file = order.files[stage];
  const size = await sizeOf(file);
  let [count, broken] = [0, 0];
  const rows = async function* (): AsyncGenerator<string> {
    for await (const { lines, bytes } of readLines(file)) {
      if (order.signal?.aborted) throw new Interrupted();
      let staged = '';
      for (const line of lines) {
        if (line.startsWith(TYPES[stage])) count += 1;
        const row = readDumpLine(line);
        if (row === 'broken') broken += 1;
        else if (row !== undefined) staged += stagedRow(stage, row);
      }
      order.onProgress?.(stage, bytes, size);
      if (staged !== '') yield staged;
    }
  };
  await copyRows(client, stage, Readable.from(rows()));
  if (count === 0) {
    throw new CannotFill(`${file} holds no ${stage}: name the dumps of editions, works and authors, in this order.`);
  }
  return { count, broken };
};

const refuseSmaller = async (client: pg.Client, counts: FillingCounts, { files }: FillOrder): Promise<void> => {
  const last = await lastFilling(client);
  if (last === undefined) return;
  const short = DUMPS.find((stage) => counts[stage] < last[stage] * LEAST_PART);
  if (short === undefined) return;
  throw new CannotFill(
    `${files[short]} has ${formatCount(counts[short])} ${short}, that of the last filling had ${formatCount(last[short])}: it was ` +
      'cut short. Fetch it again, or say --smaller if that is all; nothing was changed.',
  );
};

/**
 * Fills the table of editions out of Open Library's dumps, or refreshes it: all three files are read and found whole
 * before anything is changed. `client` is the owner's of the tables. Memory is bounded whatever the files' size.
 * Undefined when it was interrupted; throws `CannotFill`, with nothing changed, where a file will not do.
 */
export const fillEditions = async (client: pg.Client, order: FillOrder): Promise<FillReport | undefined> => {
  for (const stage of DUMPS) await sizeOf(order.files[stage]);
  if (!(await lockFilling(client))) throw new CannotFill('The table of editions is being filled by another command.');
  try {
    await makeStages(client);
    const read = { editions: 0, works: 0, authors: 0 };
    let broken = 0;
    for (const stage of DUMPS) {
      const staged = await stageFile(client, stage, order);
      read[stage] = staged.count;
      broken += staged.broken;
    }
    if (!order.smaller) await refuseSmaller(client, read, order);
    order.onMerge?.();
    const changed = await mergeStages(client, read);
    await refreshEditionStatistics(client);
    return { read, broken, changed };
  } catch (error) {
    if (error instanceof Interrupted) return undefined;
    throw error;
  } finally {
    await dropStages(client);
  }
};
