// npm run bench:wants -w lab: how long it takes to match a new copy with a million wants; writes lab/docs/wants.md.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { formatMarkdown } from '#scripts/docs/markdown.ts';
import { formatCount } from '#contract/count.ts';
import { makeDatabase, openServer, upgrade, withClient, type BenchDatabase } from '#lab/bench/serve/database.ts';
import { announce, fileOf, prepare, SELLER, setState } from '#lab/bench/stock/made-up-stock.ts';
import { workOnStock } from '#server/catalog/stock/steps/stock-job.service.ts';
import { listCandidates } from '#server/wants/offers.queries.ts';
import { connect } from '#server/platform/postgres/db.ts';

const PAGE = path.join(import.meta.dirname, '../docs/wants.md');
const WANTS = 1_000_000;
const READERS = 20_000;
const COPIES = 400;
const BATCH = 500;
const ROUNDS = 9;
/** Files of so many rows are imported, in pairs with and without the look at wants. */
const FILE_ROWS = 2_000;
const PAIRS = 11;

const percentile = (all: readonly number[], part: number): number =>
  all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))] ?? 0;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

/** Half of the wants name an ISBN, half a title and an author; a twentieth of the books is wanted by a hundred. */
const FILL = `
  INSERT INTO wants (user_id, isbn13, title, author, max_cents, condition, ends_at)
  SELECT u.id, CASE WHEN n % 2 = 0 THEN '978' || lpad(b::text, 10, '0') ELSE '' END, 'The Book of Number ' || b,
    CASE WHEN n % 2 = 0 THEN '' ELSE 'Author ' || b % 5000 END, 300 + n % 2000,
    (ARRAY['Good', 'Excellent', NULL])[1 + n % 3], shop_now() + interval '1 year'
  FROM (SELECT n, CASE WHEN n % 20 = 0 THEN n / 2000 ELSE n END AS b FROM generate_series(1, ${WANTS}) AS n) AS w
    JOIN (SELECT id, row_number() OVER () - 1 AS place FROM users WHERE is_buyer) AS u ON u.place = n % ${READERS}`;

/** Copies of which some are wanted: every so many, or none. */
const insert = (from: number, count: number, isWanted: boolean): string => `
  INSERT INTO listings (seller_id, category_id, title, authors, isbn13, original_cents, resale_cents, years_of_use,
    location, phone, details, condition)
  SELECT '${SELLER}', 'books', '${isWanted ? 'The Book of Number' : 'Another of Number'} ' || n, 'Author ' || n % 5000,
    '${isWanted ? '978' : '979'}' || lpad(n::text, 10, '0'), 900, 400, 1, 'Portland, OR', '1', 'x', 'Good'
  FROM generate_series(${from}, ${from + count - 1}) AS n`;

const SWITCH = {
  on: 'ALTER TABLE listings ENABLE TRIGGER listings_wanted_new',
  off: 'ALTER TABLE listings DISABLE TRIGGER listings_wanted_new',
} as const;

const MADE = ['stock_changes', 'copy_passports', 'stock_copies'];

/**
 * How long the shop takes to write a file that was looked at: the middle time in ms without the look at wants, and by
 * what part it takes longer with it, the middle of pairs that follow each other.
 */
const imports = async (database: BenchDatabase): Promise<{ without: number; slower: number }> => {
  const { db, close } = connect(database.appUrl, { connections: 4 });
  const work = () => workOnStock({ db, tellDone: async () => {} }, new AbortController().signal);
  const bytes = fileOf(FILE_ROWS);
  const write = async (turn: keyof typeof SWITCH): Promise<number> => {
    await withClient(database.url, async (client) => {
      for (const table of MADE) await client.query(`DELETE FROM ${table}`);
      await client.query(`DELETE FROM listings WHERE title ~ '^The [a-z]'`);
      await client.query(SWITCH[turn]);
      await client.query(`VACUUM (ANALYZE) listings, ${MADE.join(', ')}`);
    });
    const id = await announce(database, bytes);
    await work();
    await setState(database, id, 'ready', 'committing');
    const ms = await timed(work);
    await setState(database, id, 'done', 'cancelled');
    return ms;
  };
  try {
    await write('off');
    const pairs: { off: number; on: number }[] = [];
    for (let n = 0; n < PAIRS; n += 1) {
      const first = n % 2 === 0 ? 'off' : 'on';
      const one = await write(first);
      const two = await write(first === 'off' ? 'on' : 'off');
      pairs.push(first === 'off' ? { off: one, on: two } : { off: two, on: one });
    }
    return {
      without: percentile(
        pairs.map(({ off }) => off),
        0.5,
      ),
      slower:
        percentile(
          pairs.map(({ off, on }) => on / off),
          0.5,
        ) - 1,
    };
  } finally {
    await close();
  }
};

const folder = await mkdtemp(path.join(tmpdir(), 'dogear-wants-'));
const server = await openServer(undefined, folder);
try {
  const database = await makeDatabase(server, 'wants');
  await upgrade(server, database);
  await prepare(database);
  const lines = await withClient(database.url, async (client) => {
    await client.query(`INSERT INTO users (email, name, is_buyer)
      SELECT 'r' || n || '@example.com', 'R', true FROM generate_series(1, ${READERS}) AS n`);
    const batches = async (at: number): Promise<number[]> => {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        times.push(await timed(() => client.query(insert(at + round * BATCH, BATCH, false))));
      return times;
    };
    // As before there were wants.
    await client.query(SWITCH.off);
    await batches(50_000_000);
    const without = await batches(60_000_000);
    await client.query(SWITCH.on);
    await client.query(FILL);
    await client.query('VACUUM (ANALYZE)');
    await batches(70_000_000);
    const beside = await batches(80_000_000);
    await client.query(insert(1_000, COPIES, true));
    const { rows } = await client.query<{ id: string }>('SELECT listing_id AS id FROM copies_aside');
    const { db, close } = connect(database.appUrl, { connections: 1 });
    const matching: number[] = [];
    let found = 0;
    try {
      for (const { id } of rows)
        matching.push(
          await timed(async () => {
            found += (await listCandidates(db, id, { limit: 50, offset: 0 })).length;
          }),
        );
    } finally {
      await close();
    }
    const setAside: number[] = [];
    for (const { id } of rows)
      setAside.push(await timed(() => client.query('SELECT is_wanted(l) FROM listings AS l WHERE id = $1', [id])));
    const written = await imports(database);
    const slower = percentile(beside, 0.5) / percentile(without, 0.5) - 1;
    return [
      `| what | median ms | p99 ms |`,
      `| --- | --- | --- |`,
      `| whether a copy is wanted at all (while it is listed) | ${percentile(setAside, 0.5).toFixed(2)} | ${percentile(setAside, 0.99).toFixed(2)} |`,
      `| who may have it, of ${formatCount(Math.round(found / Math.max(1, rows.length)))} on the average (by the job) | ${percentile(matching, 0.5).toFixed(2)} | ${percentile(matching, 0.99).toFixed(2)} |`,
      '',
      `${formatCount(BATCH)} copies that nobody wants are inserted in ${percentile(without, 0.5).toFixed(0)} ms without the look at wants and in ${percentile(beside, 0.5).toFixed(0)} ms with it, beside a million of them: ${(100 * slower).toFixed(1)} % slower.`,
      '',
      `The shop's importer writes a file of ${formatCount(FILE_ROWS)} rows in ${written.without.toFixed(0)} ms; with the look at wants it takes ${(100 * written.slower).toFixed(1)} % longer (the middle of ${PAIRS} pairs).`,
    ];
  });
  const text = `# A copy is matched with a million wants

\`npm run bench:wants -w lab\` fills the wants of ${formatCount(READERS)} readers into an embedded PostgreSQL, half of them by ISBN, half by title and author, and lists copies. It writes this page.

The bars: matching a new copy in 5 ms, and an import not a tenth slower. First rows are inserted by PostgreSQL alone, then
a file by the shop's importer, with all that it does.

${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${server.says}:

${lines.join('\n')}
`;
  await writeFile(PAGE, await formatMarkdown(text));
  console.log(lines.join('\n'));
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
