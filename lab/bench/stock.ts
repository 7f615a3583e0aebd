// npm run bench:stock -w lab: how fast a stock file is looked at and written; writes lab/docs/stock.md.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { formatMarkdown } from '#scripts/docs/markdown.ts';
import { formatCount } from '#contract/count.ts';
import { makeDatabase, openServer, upgrade, withClient, type BenchDatabase } from '#lab/bench/serve/database.ts';
import { announce, fileOf, prepare, SELLER, setState } from '#lab/bench/stock/made-up-stock.ts';
import { browseBesideWriting, type Browsed } from '#lab/bench/stock/visitor.ts';
import { previewStockEdit, editStock } from '#server/catalog/stock/copies/stock-edits.service.ts';
import { listStockCopies } from '#server/catalog/stock/copies/stock-copies.service.ts';
import { workOnStock } from '#server/catalog/stock/steps/stock-job.service.ts';
import { connect, type Db } from '#server/platform/postgres/db.ts';
import type { Viewer } from '#server/platform/viewer.ts';

const PAGE = path.join(import.meta.dirname, '../docs/stock.md');
const SIZES = [5_000, 100_000] as const;
/** Beside the writing of so many rows somebody browses; fewer are written before a p99 could be told. */
const BROWSED_ROWS = 100_000;
const MEGABYTE = 1_000_000;
const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
};

const LISTING =
  'id, seller_id, category_id, title, authors, isbn13, published_year, publisher, image_url, original_cents, original_known, resale_cents, years_of_use, years_known, location, phone, details, condition';

/** The same rows once more into the same tables, with their indexes and triggers, without leaving the database. */
const insertAgain = (database: BenchDatabase): Promise<number> =>
  withClient(database.url, async (client) => {
    await client.query(`CREATE TABLE again_listings AS SELECT ${LISTING} FROM listings`);
    await client.query('CREATE TABLE again_stock AS SELECT * FROM stock_copies');
    await client.query('CREATE TABLE again_passports AS SELECT * FROM copy_passports');
    for (const table of [
      'stock_changes',
      'copy_passports',
      'stock_copies',
      'listings',
      'search_words',
      'shelf_changes',
    ])
      await client.query(`DELETE FROM ${table}`);
    await client.query('VACUUM FULL');
    return secondsOf(async () => {
      await client.query('BEGIN');
      await client.query(`INSERT INTO listings (${LISTING}) SELECT * FROM again_listings`);
      await client.query('INSERT INTO stock_copies SELECT * FROM again_stock');
      await client.query('INSERT INTO copy_passports SELECT * FROM again_passports');
      await client.query('COMMIT');
    });
  });

const VIEWER: Viewer = {
  kind: 'signed-in',
  userId: SELLER,
  email: 'a@example.com',
  name: 'A',
  isAdmin: false,
  isSeller: true,
  isBuyer: false,
  emailProvenAt: new Date(),
  isSuspended: false,
  sessionId: SELLER,
  hasFreshSignIn: true,
  secondFactor: 'not needed',
};

/** What a seller looks at among all copies: each the middle of five, in milliseconds. */
const LISTS = {
  'first page': {},
  'a word of many': { q: 'river' },
  'a SKU': { q: 'S-4711' },
  'nothing found': { q: 'zyzzyva' },
  'by price': { sort: 'price-up' },
  'by shelf': { sort: 'shelf-up' },
} as const;

const lookAtLists = async (db: Db): Promise<Record<string, number>> => {
  const found: [string, number][] = [];
  for (const [name, query] of Object.entries(LISTS)) {
    const times: number[] = [];
    for (let n = 0; n < 5; n += 1)
      times.push(await secondsOf(() => listStockCopies(db, VIEWER, { ...query, limit: '100' })));
    found.push([name, (times.toSorted((a, b) => a - b)[2] ?? 0) * 1_000]);
  }
  return Object.fromEntries(found);
};

/** All copies cost 5 % more: what it takes to look at that first, and to do it. */
const editAll = async (db: Db, copies: number, work: () => Promise<unknown>): Promise<[number, number]> => {
  const what = { selection: { filter: {} }, change: { price: { by: 'percent', value: 5, round: '99' } } } as const;
  const preview = await secondsOf(() => previewStockEdit(db, VIEWER, what));
  const edit = await secondsOf(async () => {
    await editStock(db, VIEWER, { id: randomUUID(), ...what, copies }, 'demo');
    await work();
  });
  return [preview, edit];
};

interface Measured {
  readonly lists: Readonly<Record<string, number>>;
  readonly preview: number;
  readonly edit: number;
  readonly rows: number;
  readonly megabytes: number;
  readonly dryRun: number;
  readonly commit: number;
  readonly again: number;
  readonly unchanged: number;
  readonly heap: number;
}

const measure = async (db: Db, database: BenchDatabase, rows: number): Promise<Measured> => {
  const bytes = fileOf(rows);
  let heap = 0;
  const watch = setInterval(() => {
    heap = Math.max(heap, process.memoryUsage().heapUsed);
  }, 20);
  const deps = { db, tellDone: async () => {} };
  const work = async () => {
    await workOnStock(deps, new AbortController().signal);
    await workOnStock(deps, new AbortController().signal, 'edits');
  };
  const id = await announce(database, bytes);
  const dryRun = await secondsOf(work);
  await setState(database, id, 'ready', 'committing');
  const commit = await secondsOf(work);
  await setState(database, id, 'done', 'done');
  await withClient(database.url, (client) => client.query('VACUUM (ANALYZE)'));
  await announce(database, bytes);
  const unchanged = await secondsOf(work);
  clearInterval(watch);
  const listed = await withClient(database.url, async (client) => {
    const { rows: found } = await client.query<{ count: number; unchanged: number }>(
      `SELECT (SELECT count(*)::float8 FROM listings) AS count,
        (SELECT count(*)::float8 FROM stock_rows WHERE action = 'unchanged') AS unchanged`,
    );
    return found[0];
  });
  if (listed?.count !== rows || listed.unchanged !== rows)
    throw new Error(`Not all was done: ${JSON.stringify(listed)}`);
  await withClient(database.url, (client) =>
    client.query(`UPDATE stock_files SET state = 'cancelled' WHERE state <> 'done'`),
  );
  const lists = await lookAtLists(db);
  const [preview, edit] = await editAll(db, rows, work);
  const again = await insertAgain(database);
  return {
    lists,
    preview,
    edit,
    rows,
    megabytes: bytes.length / MEGABYTE,
    dryRun,
    commit,
    again,
    unchanged,
    heap: heap / MEGABYTE,
  };
};

const pageOf = (
  found: readonly Measured[],
  browsed: Browsed,
  says: string,
): string => `# A stock file is looked at and written

\`npm run bench:stock -w lab\` has the shop's own job read generated files of a seller into an empty shop on an embedded
PostgreSQL of its own with full durability: the dry run, the writing, and the dry run of the same file once more, which
finds all of it unchanged. Beside it the same rows are inserted into the same tables once more by one statement each
within the database, with all indexes and triggers. Heap is the most of the process that is not collected yet: with
\`NODE_OPTIONS=--max-old-space-size=64\` before it all of it goes through as well. It writes this page.

The bars: a dry run of 5,000 rows in 2 s and of 100,000 in 30 s; at least 2,000 rows a second written, and at least half
of the rate of the rows once more; an edit of 5,000 copies in 3 s; browsing
beside the writing at most 1.5 times as slow at its 99th percentile.

${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${says}:

| rows | MB | dry run s | written s | rows/s | once more rows/s | of that | again, unchanged s | most heap MB |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${found
  .map(({ rows, megabytes, dryRun, commit, again, unchanged, heap }) =>
    [
      '',
      formatCount(rows),
      megabytes.toFixed(1),
      dryRun.toFixed(1),
      commit.toFixed(1),
      formatCount(Math.round(rows / commit)),
      formatCount(Math.round(rows / again)),
      `${Math.round((again / commit) * 100)} %`,
      unchanged.toFixed(1),
      heap.toFixed(0),
      '',
    ].join(' | '),
  )
  .join('\n')}

All copies of that seller: pages of 100 of them, each the middle of five, and 5 % more on all prices.

| copies | ${Object.keys(LISTS)
  .map((name) => `${name} ms`)
  .join(' | ')} | looked at first s | edited s |
| --- | ${Object.keys(LISTS)
  .map(() => '---')
  .join(' | ')} | --- | --- |
${found
  .map(({ rows, lists, preview, edit }) =>
    [
      '',
      formatCount(rows),
      ...Object.values(lists).map((ms) => ms.toFixed(0)),
      preview.toFixed(1),
      edit.toFixed(1),
      '',
    ].join(' | '),
  )
  .join('\n')}

Somebody browses meanwhile: the shop as an operator runs it (one process, production mode) has ${formatCount(BROWSED_ROWS)}
copies already, is asked for a page every 25 ms over HTTP as a browser asks (a book, a category from some copy on and a
search in turn, each address once, so that none is kept), and writes the file of another seller with as many rows by its
own job, in ${browsed.seconds.toFixed(0)} s. Alone is 20 s before and 20 s after.

| browsing | pages | p50 ms | p99 ms |
| --- | --- | --- | --- |
| alone | ${formatCount(browsed.alone.count)} | ${browsed.alone.p50.toFixed(1)} | ${browsed.alone.p99.toFixed(1)} |
| beside the writing | ${formatCount(browsed.beside.count)} | ${browsed.beside.p50.toFixed(1)} | ${browsed.beside.p99.toFixed(1)} |

At the 99th percentile that is ${(browsed.beside.p99 / browsed.alone.p99).toFixed(2)} times as long.
`;

const folder = await mkdtemp(path.join(tmpdir(), 'dogear-stock-'));
const server = await openServer(undefined, folder);
try {
  const found: Measured[] = [];
  let browsed: Browsed | undefined;
  for (const rows of SIZES) {
    const database = await makeDatabase(server, `stock_${rows}`);
    await upgrade(server, database);
    await prepare(database);
    const { db, close } = connect(database.appUrl, { connections: 4, publicUrl: 'https://dogear.example' });
    try {
      found.push(await measure(db, database, rows));
    } finally {
      await close();
    }
    if (rows === BROWSED_ROWS) browsed = await browseBesideWriting(database, path.join(folder, 'shop'), rows);
  }
  if (browsed === undefined) throw new Error('Nobody browsed.');
  const page = await formatMarkdown(pageOf(found, browsed, server.says));
  await writeFile(PAGE, page);
  console.log(page);
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
