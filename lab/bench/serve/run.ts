// One run: databases, processes, parts, each with its own end; what one part cannot do is told and does not end the
// others.
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Results } from './figures/bars.ts';
import { dropDatabase, openServer, withClient, type BenchDatabase, type Server } from './database.ts';
import { nameOf, openBooks } from './load.ts';
import { measureNews } from './news.ts';
import { BASE_BOOKS, type Options } from './options.ts';
import { PARTS, type Result, type Stage } from './parts.ts';
import { memoryOf } from './processes.ts';
import { startReferences } from './references.ts';
import { takeSample } from './figures/sample.ts';
import { openShop, type Shop } from './shop.ts';
import { keptTargets } from './targets.ts';
import { startTraffic } from './traffic.ts';

const root = path.join(import.meta.dirname, '../../..');
/** Where an embedded database is kept, and what an interrupted run had measured. */
const KEPT_FOLDER = path.join(root, 'data/bench');
const STARTS = 5;
/** A start is over when nothing is being done any more. */
const SETTLE_MS = 5_000;

type Say = (line: string) => void;
type Closers = (() => Promise<unknown>)[];

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Notes {
  pairs: Record<string, Result>;
  alone: Record<string, Result>;
  news?: Results['news'];
  starts?: number[];
  memory?: Results['memory'];
  failed: Record<string, string>;
}

const notesFile = (books: number): string => path.join(KEPT_FOLDER, `measured-${books}.json`);

const readNotes = async ({ books, resume }: Options): Promise<Notes> => {
  const empty: Notes = { pairs: {}, alone: {}, failed: {} };
  if (!resume) return empty;
  const text = await readFile(notesFile(books), 'utf8').catch(() => undefined);
  return text === undefined ? empty : { ...(JSON.parse(text) as Notes), failed: {} };
};

const keepNotes = async (books: number, notes: Notes): Promise<void> => {
  await mkdir(KEPT_FOLDER, { recursive: true });
  await writeFile(notesFile(books), JSON.stringify(notes));
};

const measureStarts = async (database: BenchDatabase, folder: string): Promise<number[]> => {
  const times: number[] = [];
  for (let n = 0; n < STARTS; n += 1) {
    const shop = await openShop(database, folder);
    times.push(shop.startedInMs);
    await shop.stop();
  }
  return times;
};

/** Runs a part unless it was not asked for or is measured already; its failure is noted. */
const partsRunner = (options: Options, notes: Notes, say: Say, memory: () => Promise<string>) => {
  return async (name: string, isThere: boolean, work: () => Promise<void>): Promise<void> => {
    if (options.only !== undefined && !options.only.has(name)) return;
    if (options.resume && isThere) return say(`${name}: measured already`);
    const startedAt = performance.now();
    try {
      await work();
      say(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s${await memory()}`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      notes.failed[name] = why.split('\n', 1)[0] ?? '';
      say(`${name}: not measured: ${why}`);
    }
    await keepNotes(options.books, notes);
  };
};

/** Results of a part go where their kind is told by. */
const note = (notes: Notes, results: Record<string, Result>): void => {
  for (const [key, result] of Object.entries(results)) {
    (('ratios' in result ? notes.pairs : notes.alone) as Record<string, Result>)[key] = result;
  }
};

const runLoad = async (stage: Stage, notes: Notes, run: ReturnType<typeof partsRunner>): Promise<void> => {
  for (const [name, part] of Object.entries(PARTS)) {
    if (name === 'growth' && stage.base === undefined) continue;
    const first = { growth: 'growth-list', facets: 'facets-few' }[name] ?? name;
    const isThere = first in notes.pairs || first in notes.alone || `${name}-kept` in notes.pairs;
    await run(name, isThere, async () => note(notes, await part(stage)));
  }
};

const open = async (options: Options, closers: Closers, say: Say) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dogear-bench-'));
  await chmod(folder, 0o711);
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const server = await openServer(options.database, options.keep ? KEPT_FOLDER : folder);
  closers.push(() => server.stop());
  const database = await openBooks(server, options.books, { keep: options.keep, say });
  if (!options.keep) {
    if (options.books > BASE_BOOKS) closers.push(() => dropDatabase(server, nameOf(BASE_BOOKS)));
    closers.push(() => dropDatabase(server, nameOf(options.books)));
  }
  return { folder, server, database };
};

const openBase = async (server: Server, options: Options, folder: string, closers: Closers): Promise<Stage['base']> => {
  if (options.books <= BASE_BOOKS) return undefined;
  const database = await openBooks(server, BASE_BOOKS, { keep: true, say: () => {} });
  const shop = await openShop(database, folder);
  closers.push(() => shop.stop());
  return { shop, sample: await withClient(database.url, takeSample) };
};

const measureSmall = async (
  parts: { database: BenchDatabase; shop: Shop; folder: string; stage: Stage },
  notes: Notes,
  run: ReturnType<typeof partsRunner>,
): Promise<void> => {
  const { database, shop, folder, stage } = parts;
  await run('news', notes.news !== undefined, async () => {
    const second = await openShop(database, folder);
    try {
      notes.news = await measureNews(stage.client, [shop, second], stage.sample.category);
    } finally {
      await second.stop();
    }
  });
};

/** Measures all that `options` ask for. */
export const runBench = async (options: Options, say: Say): Promise<{ results: Results; database: string }> => {
  const closers: Closers = [];
  const notes = await readNotes(options);
  let running: Shop | undefined;
  const memory = async (): Promise<string> => {
    const found = running && (await memoryOf(running.pid));
    return found === undefined ? '' : `, the shop has ${found.now.toFixed(0)} MB then`;
  };
  const run = partsRunner(options, notes, say, memory);
  try {
    const { folder, server, database } = await open(options, closers, say);
    await run('start', notes.starts !== undefined, async () => {
      // The first one fills what Node keeps of compiled code; every later start has it.
      await (await openShop(database, folder)).stop();
      notes.starts = await measureStarts(database, folder);
    });
    const shop = await openShop(database, folder);
    closers.push(() => shop.stop());
    running = shop;
    await sleep(SETTLE_MS);
    const idle = await memoryOf(shop.pid);
    const base = await openBase(server, options, folder, closers);
    await withClient(database.url, async (client) => {
      const sample = await takeSample(client);
      const references = await startReferences(shop, database, { folder, kept: keptTargets(sample) });
      closers.push(() => references.stop());
      const traffic = startTraffic();
      closers.push(() => traffic.stop());
      const { seconds, connections } = options;
      const bench = { traffic, client, isOurServer: server.isOurs };
      const stage = { bench, shop, references, sample, client, database, folder, seconds, connections, base };
      await runLoad(stage, notes, run);
      const after = await memoryOf(shop.pid);
      // A run that was taken up again has not seen the whole load.
      if (idle !== undefined && after !== undefined && options.only === undefined && !options.resume)
        notes.memory = { idle: idle.now, after: after.now, highest: after.highest };
      await measureSmall({ database, shop, folder, stage }, notes, run);
    });
    await keepNotes(options.books, notes);
    return { results: notes as Results, database: server.says };
  } finally {
    for (const close of closers.reverse()) await close();
  }
};
