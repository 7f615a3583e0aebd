// The bench measures the shop; this looks at the bench.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { FACET_CHOICES } from '#lab/bench/serve/facet-choices.ts';
import { PAIR_BARS, type Results } from '#lab/bench/serve/figures/bars.ts';
import { withClient, type BenchDatabase } from '#lab/bench/serve/database.ts';
import { answerReader, runSlice } from '#lab/bench/serve/generator.ts';
import { grow, NoSpace, requireSpace } from '#lab/bench/serve/grow.ts';
import { judgePair } from '#lab/bench/serve/figures/judge.ts';
import type { Figures } from '#lab/bench/serve/figures/measure.ts';
import { isAllHeld, reportOf, withReport } from '#lab/bench/serve/figures/report.ts';
import { takeSample, trailing } from '#lab/bench/serve/figures/sample.ts';
import { readable, requestText, writeRequests } from '#lab/bench/serve/traffic.ts';
import { seedDemoShop } from '#db/seed/demo-shop.ts';
import { generateListings } from '#db/seed/generated-listings.ts';
import { positionOf } from '#server/platform/cursor.ts';
import { connect } from '#server/platform/postgres/db.ts';
import { markShop } from '#server/platform/postgres/shop-mark.ts';
import { createTestDatabase } from '#test/database.ts';

/** Half a minute where nothing else runs. */
const RUN_LIMIT_MS = 500_000;
const long = process.env['DOGEAR_TEST_LONG'] === '1';
const root = path.join(import.meta.dirname, '../..');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dogear-bench-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the load generator', () => {
  const read = (pieces: readonly string[]): { status: number; bytes: number }[] => {
    const answers: { status: number; bytes: number }[] = [];
    const take = answerReader((status, bytes) => answers.push({ status, bytes }));
    for (const piece of pieces) take(Buffer.from(piece, 'latin1'));
    return answers;
  };

  it.each([
    ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', 200],
    ['chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n', 200],
    ['chunks of nothing', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', 200],
    ['no body', 'HTTP/1.1 304 Not Modified\r\netag: "a"\r\n\r\n', 304],
    ['an empty body', 'HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n', 201],
  ])('knows when an answer with %s is whole, however it is cut', (_what, answer, status) => {
    const whole = { status, bytes: answer.length };
    expect(read([answer])).toEqual([whole]);
    expect(read([...answer])).toEqual([whole]);
    expect(read([answer.slice(0, -1)])).toEqual([]);
    expect(read([answer, answer])).toEqual([whole, whole]);
  });

  const slice = async (listener: RequestListener, requests: string[], order: { once: boolean; ms: number }) => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const file = await writeRequests(folder, `requests-${port}`, requests);
    try {
      return await runSlice({ port, connections: 3, file, ...order });
    } finally {
      server.close();
      server.closeAllConnections();
    }
  };

  it('asks for everything once, in order, and counts what it was answered', async () => {
    const asked: string[] = [];
    const result = await slice(
      (request, response) => {
        asked.push(request.url ?? '');
        response.writeHead(request.url === '/7' ? 404 : 200).end('x'.repeat(10_000));
      },
      Array.from({ length: 20 }, (_, n) => requestText(`/${n}`)),
      { once: true, ms: 5_000 },
    );
    expect(asked.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)))).toEqual(
      Array.from({ length: 20 }, (_, n) => `/${n}`),
    );
    expect([result.count, result.lost, result.statuses]).toEqual([20, 0, { 200: 19, 404: 1 }]);
    expect(result.times).toHaveLength(20);
    expect(result.bytes).toBeGreaterThan(200_000);
  });

  it('tells what it sends, but for what lets somebody in', () => {
    const request = requestText(
      '/api/bookings',
      { authorization: 'Bearer ey.secret', 'idempotency-key': 'k-1' },
      { price: 5 },
    );
    const told = readable(request);
    expect(told).toContain('POST /api/bookings HTTP/1.1\n');
    expect(told).toContain('idempotency-key: k-1');
    expect(told).toContain('{"price":5}');
    expect(told).toContain('Bearer …');
    expect(told).not.toContain('secret');
  });

  it('begins anew until the time is over, and waits for the last answers', async () => {
    const result = await slice(
      (_request, response) => void setTimeout(() => response.end('late'), 40),
      [requestText('/')],
      { once: false, ms: 300 },
    );
    expect(result.count).toBeGreaterThan(1);
    expect(Math.min(...result.times)).toBeGreaterThan(35);
    expect(result.seconds).toBeGreaterThan(0.29);
  });

  it('counts connections that end without an answer, and comes to an end itself', async () => {
    const result = await slice((request) => request.socket.destroy(), [requestText('/')], { once: false, ms: 5_000 });
    expect(result.count).toBe(0);
    expect(result.lost).toBeGreaterThan(3);
  });
});

describe('a report', () => {
  const figures = (rate: number, more: Partial<Figures> = {}): Figures => ({
    count: 100,
    rate,
    p50: 1,
    p95: 2,
    p99: 3,
    appCpuMs: 0.2,
    postgresCpuMs: 0.3,
    busy: 0.5,
    wrong: 0,
    bytes: 12_000,
    ...more,
  });
  const about = {
    books: 100_000,
    day: '2026-11-21',
    machine: '2 cores',
    database: 'PostgreSQL',
    seconds: 6,
    connections: 50,
    load: [0, 0] as const,
    stolen: 0.04,
  };
  const resultsWith = (rate: number, more: Partial<Figures> = {}): Results => ({
    pairs: Object.fromEntries(
      PAIR_BARS.map((bar) => [
        bar.key,
        {
          shop: figures(rate, { appCpuMs: 0.01, postgresCpuMs: 0.02, ...more }),
          reference: figures(1_000, { appCpuMs: 0.01, postgresCpuMs: 0.01 }),
          ratios: [0.1, rate / 1_000, rate / 1_000, 7],
          keptShare: bar.kept,
        },
      ]),
    ),
    alone: Object.fromEntries(
      ['search-few', 'facets-few', ...Object.keys(FACET_CHOICES), 'booking-few', 'rendered-workers'].map((key) => [
        key,
        { ...figures(400), keptShare: 0 },
      ]),
    ),
    starts: [300, 400, 500],
    memory: { idle: 100, after: 200, highest: 220 },
    news: { changes: 240, p50: 3, p99: 9, max: 20 },
    failed: {},
  });

  it('says held where all is held', () => {
    const report = reportOf(about, resultsWith(1_550));
    expect(report).not.toMatch(/MISSED|kept answers\./);
    expect(isAllHeld(100_000, resultsWith(1_550))).toBe(true);
  });

  it('says missed where it is missed, and where the time goes', () => {
    const report = reportOf(about, resultsWith(450));
    expect(report.match(/\| \*\*MISSED\*\*/g)).toHaveLength(PAIR_BARS.length);
    expect(report).toContain('the difference is mostly in PostgreSQL');
    expect(isAllHeld(100_000, resultsWith(450))).toBe(false);
  });

  it('says why a time is above its bar', () => {
    const { alone, ...rest } = resultsWith(1_550);
    const slow = { ...figures(3_000, { p99: 31 }), keptShare: 0 };
    const report = reportOf(about, { ...rest, alone: { ...alone, 'search-few': slow }, starts: [850, 900, 950] });
    expect(report).toMatch(/word search, p99 at 10 connections \(\*\*MISSED\*\*\): .* keep 1\.5 cores busy/);
    expect(report).toContain('(**MISSED**): the fastest took 850 ms.');
  });

  it('says how many pages two workers render, and whether they are enough', () => {
    const { alone, ...rest } = resultsWith(1_550);
    const slow = { ...rest, alone: { ...alone, 'rendered-workers': { ...figures(399), keptShare: 0 } } };
    expect(reportOf(about, slow)).toContain('399 a second (bar: 400, **MISSED**)');
    expect(isAllHeld(100_000, slow)).toBe(false);
  });

  it('says what was not measured, and does not call it held', () => {
    const { pairs, ...rest } = resultsWith(1_550);
    const { booking: _left, ...others } = pairs;
    const results = { ...rest, pairs: others, failed: { booking: 'nobody came' } };
    expect(reportOf(about, results)).toContain('| booking | not measured: nobody came |');
    expect(isAllHeld(100_000, results)).toBe(false);
  });

  it('says what makes a figure doubtful', () => {
    const bar = PAIR_BARS.find(({ key }) => key === 'book');
    const pair = resultsWith(1_550, { busy: 0.99, wrong: 3 }).pairs['book'];
    if (bar === undefined || pair === undefined) throw new Error('no such bar');
    const { held, doubts } = judgePair({ ...pair, keptShare: 0.3 }, bar);
    expect(held).toBe(true);
    expect(doubts.join()).toMatch(/busy 99 %.*3 and 0 answers.*30 % came from kept answers/);
  });

  it('takes its own place in the document and leaves the rest', () => {
    const place = (books: number, text: string): string =>
      `<!-- bench ${books} -->\n\n${text}\n\n<!-- end of bench ${books} -->`;
    const before = `# By hand\n\n${place(1, 'old')}\n\nbetween\n\n${place(10, 'kept')}\n\nend`;
    const after = `# By hand\n\n${place(1, 'new')}\n\nbetween\n\n${place(10, 'kept')}\n\nend`;
    expect(withReport(before, 1, 'new')).toBe(after);
    expect(withReport(after, 1, 'new')).toBe(after);
    expect(() => withReport(before, 7, 'new')).toThrow('no place for 7');
  });
});

describe('the listings that are measured', () => {
  let database: BenchDatabase & { drop(): Promise<void> };
  beforeAll(async () => {
    const made = await createTestDatabase();
    database = { ...made, name: new URL(made.url).pathname.slice(1) };
    const { db, close } = connect(made.url, { connections: 1, timeouts: false });
    await markShop(db, true);
    await seedDemoShop(db);
    await generateListings(db, { books: 400 });
    await close();
  });
  afterAll(() => database.drop());

  const indexes = () =>
    withClient(database.url, async (client) => {
      const { rows } = await client.query<{ def: string }>(
        `SELECT pg_get_indexdef(indexrelid) AS def FROM pg_index
         WHERE indrelid = 'listings'::regclass AND indisvalid ORDER BY 1`,
      );
      return rows.map(({ def }) => def);
    });

  it('grow to as many as are asked for, with the same indexes and triggers, once', async () => {
    const before = await indexes();
    expect(before.length).toBeGreaterThan(8);
    for (let run = 0; run < 2; run += 1) await grow(database, 3_000, () => {});
    expect(await indexes()).toEqual(before);
    await withClient(database.url, async (client) => {
      const { rows } = await client.query(
        `SELECT (SELECT count(*)::integer FROM listings) AS listings,
           (SELECT count(*)::integer FROM listings WHERE words IS NULL OR title_key = '') AS wordless,
           (SELECT count(*)::integer FROM pg_trigger WHERE tgrelid = 'listings'::regclass AND tgenabled <> 'O') AS off,
           to_regclass('bench_indexes') AS left_over`,
      );
      expect(rows).toEqual([{ listings: 3_000, wordless: 0, off: 0, left_over: null }]);
    });
  });

  it('are refused where the disk has no room for them', async () => {
    const refusal = await requireSpace(database, 1e12).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(NoSpace);
    expect(String(refusal)).toMatch(/need about [\d.]+ GB/);
  });

  it('are asked for at addresses that all differ and mean the same page', async () => {
    const sample = await withClient(database.url, takeSample);
    const cursors = Array.from({ length: 2_500 }, (_, n) => sample.firstPage(n));
    expect(new Set(cursors).size).toBe(2_500);
    expect(new Set(cursors.map((cursor) => positionOf(cursor)?.id)).size).toBe(1);
    const marks = Array.from({ length: 2_500 }, (_, n) => trailing(n));
    expect(new Set(marks).size).toBe(2_500);
    expect(marks.every((mark) => /^[ .,!]+$/.test(mark))).toBe(true);
    expect(sample.words).toContain(sample.common);
    // 3,000 listings have no page 1,000.
    expect(sample.farPage).toBeUndefined();
  });
});

describe.runIf(long)('npm run bench -w lab', () => {
  it('measures every part, and finds nothing wrong with what it is answered', async () => {
    const args = ['--books', '25000', '--seconds', '0.8', '--connections', '4', '--dry'];
    const child = spawn(
      process.execPath,
      [path.join(root, 'lab/bench/serve.ts'), ...args, '--database', inject('databaseServerUrl')],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    try {
      await once(child, 'exit', { signal: AbortSignal.timeout(RUN_LIMIT_MS) });
    } finally {
      child.kill('SIGKILL');
    }
    expect(output).toContain('The whole run took');
    for (const { what } of PAIR_BARS) expect(output).toContain(`| ${what} |`);
    const unmeasured = [...output.matchAll(/not measured: [^|\n]*/g)].map(([line]) => line);
    // The data beside the project may be absent, and nothing else.
    expect(unmeasured.filter((line) => !line.includes('goodbooks-10k.csv is not there'))).toEqual([]);
    expect(output).not.toContain('answers were not the expected ones');
  }, 600_000);
});
